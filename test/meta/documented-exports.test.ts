/** Exported names have docstrings, which say what the name alone does not: units, shapes, ranges, errors, sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/built.ts';

const leastShare = 0.9;

const declaration =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|interface|type|class) (?<name>\w+)/;

/** The names that a text exports itself, and whether a docstring is right above the first declaration of each. */
function exportsOf(text: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  let before = '';
  for (const line of text.split('\n')) {
    const name = declaration.exec(line)?.groups?.['name'];
    if (name !== undefined && !found.has(name)) found.set(name, before.endsWith('*/'));
    // Directives to tools may be between the two.
    if (!line.startsWith('// ')) before = line;
  }
  return found;
}

it('finds docstrings above exports, past a directive', () => {
  const text =
    '/** A. */\nexport const a = 1;\nexport type B = 1;\n/** C. */\n// prettier-ignore\nexport function c() {}';
  expect([...exportsOf(text)]).toEqual([
    ['a', true],
    ['B', false],
    ['c', true],
  ]);
});

it(`are above at least ${100 * leastShare}% of the exported names`, () => {
  const paths = readdirSync(join(repositoryRoot, 'src'), { recursive: true, encoding: 'utf8' });
  const names = paths
    .filter((path) => /(?<!\.d|\.generated)\.ts$/.test(path))
    .flatMap((path) =>
      [...exportsOf(readFileSync(join(repositoryRoot, 'src', path), 'utf8'))].map(([name, documented]) => ({
        name: `src/${path} ${name}`,
        documented,
      })),
    );
  const without = names.filter(({ documented }) => !documented).map(({ name }) => name);
  expect(1 - without.length / names.length, `without docstring:\n${without.join('\n')}`).toBeGreaterThanOrEqual(
    leastShare,
  );
});
