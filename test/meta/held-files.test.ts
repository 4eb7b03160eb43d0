/**
 * What holds which source file: every file with logic has its test at the mirrored path (`test/contract/contract.test.ts` for
 * `src/contract/contract.ts`), or is named in the header of the test that holds it, or is bound to a contract. Whoever changes a file then
 * knows what to run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/built.ts';

const leastShare = 0.8;

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);

/** Whether anything runs in a file: one of types, or of values that other files read, needs no test of its own. */
function hasLogic(path: string): boolean {
  const file = ts.createSourceFile(path, readFileSync(join(repositoryRoot, path), 'utf8'), ts.ScriptTarget.Latest);
  const runs = (node: ts.Node): boolean =>
    (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) || (ts.forEachChild(node, runs) ?? false);
  return runs(file);
}

/** The sources that the header of a test names. */
function heldBy(test: string): readonly string[] {
  const header = /^\/\*\*[^]*?\*\//.exec(readFileSync(join(repositoryRoot, test), 'utf8'))?.[0] ?? '';
  const [, named = ''] = /\bHolds ([^]*?)\.\s*(?:\*\/|\n)/.exec(header) ?? [];
  return named.match(/src\/[\w./-]+\.ts/g) ?? [];
}

describe('the tests that hold a source file', () => {
  const tests = filesUnder('test').filter((path) => path.endsWith('.test.ts'));
  const named = new Map(tests.map((test) => [test, heldBy(test)]));
  const sources = filesUnder('src').filter((path) => /(?<!\.d|\.generated)\.ts$/.test(path));

  it('exist where headers name them', () => {
    const known = new Set(sources);
    for (const [test, held] of named)
      expect(
        held.filter((path) => !known.has(path)),
        test,
      ).toEqual([]);
  });

  it(`are named for at least ${100 * leastShare}% of the files with logic`, () => {
    const bindings = readFileSync(join(repositoryRoot, 'contracts/binding.yaml'), 'utf8');
    const held = new Set([
      ...(bindings.match(/(?<=module_path: )src\/\S+/g) ?? []),
      ...[...named.values()].flat(),
      ...tests.map((test) => test.replace(/^test/, 'src').replace(/\.test\.ts$/, '.ts')),
    ]);
    const withLogic = sources.filter(hasLogic);
    const without = withLogic.filter((path) => !held.has(path));
    const share = 1 - without.length / withLogic.length;
    expect(share, `held by no named test:\n${without.join('\n')}`).toBeGreaterThanOrEqual(leastShare);
  });
});
