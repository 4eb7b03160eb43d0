/**
 * Holds src/api/adopt.ts, src/audit/adopt/own-names.ts, src/cli/commands/adopt.ts, src/cli/html/adoption-page.ts, src/report/adopt/adoption.ts,
 * src/report/adopt/markdown.ts, src/report/adopt/page.ts, src/report/adopt/text.ts.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import type { Adoption } from '../../src/report/adopt/adoption.ts';
import { contractOf } from '../audit/adopt/adopted.ts';
import { ensureBuilt, runBuiltPv } from '../support/built.ts';

let folder = '';
const right = contractOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≥ 0', '|f(x) - f_ref(x)| ≤ 1e-4']);
const wrong = contractOf('f(x) = x^2 - x', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≥ 0', 'f is smooth']);

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-adopt-'));
  await writeFile(join(folder, 'package.json'), '{}');
  await write('right/a-v1.yaml', right);
  await write('wrong/b-v1.yaml', wrong);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
}
const pv = (...args: readonly string[]) => runBuiltPv(['adopt', ...args, '--jobs', '1', '--quiet'], { cwd: folder });
const owned = ['--owner', 'ada', '--reason', 'known'] as const;

describe('pv adopt', () => {
  it('passes contracts whose statements hold, and keeps nothing', async () => {
    const ran = await pv('right');
    expect(ran.code, ran.stdout + ran.stderr).toBe(exitCodes.ok);
    expect(ran.stdout.replaceAll('\n', ' ')).toMatch(
      /^✓ 1 contract: 1 of 1 equations and 2 of 2 obligations run; of the statements 0 are false,/u,
    );
    expect((await readdir(join(folder, 'right'))).toSorted()).toEqual(['a-v1.yaml']);
  });

  it('says first what is false, where, why, and how to fix it', async () => {
    const ran = await pv('wrong');
    expect(ran.code).toBe(exitCodes.findings);
    const page = ran.stdout.replace(/\s+/gu, ' ');
    expect(page).toContain('✗ 1 contract: 1 of 1 equations and 1 of 2 obligations run;');
    expect(page).toContain('of the statements 1 is false, 0 held on every input tried, 1 is prose.');
    expect(page).toMatch(
      /False over ℝ \(1\) b-v1\.yaml:7 C-1: f\(x\) ≥ 0 at x = \S+ over the reals, -\S+ ≥ 0 is false/u,
    );
    expect(page).toContain('to fix it, correct the claim or the formula');
    expect(page).toContain('Prose (1) 1: its text is prose b-v1.yaml:8 C-2: f is smooth');
    expect(page.indexOf('False over')).toBeLessThan(page.indexOf('Prose'));
  });

  it('prints the counterexample in every format', async () => {
    const json = JSON.parse((await pv('wrong', '--format', 'json')).stdout) as Adoption;
    const [first] = json.judged;
    expect(json).toMatchObject({ schema: 'pv.adoption/1', contracts: 1, obligations: { run: 1, declared: 2 } });
    const at = first?.counterexample?.input.values['x']?.text ?? 'no input';
    for (const format of ['text', 'markdown', 'html']) {
      const { code, stdout } = await pv('wrong', '--format', format);
      expect(code).toBe(exitCodes.findings);
      expect(stdout).toContain(`at x = ${at}`);
    }
  });

  it('writes the page to a file, and its verdict to the terminal', async () => {
    const ran = await runBuiltPv(['adopt', 'wrong', '--out', 'page.md', '--format', 'markdown'], { cwd: folder });
    expect(ran).toMatchObject({ code: exitCodes.findings, stdout: '' });
    expect(ran.stderr).toContain('of the statements 1 is false');
    expect(await readFile(join(folder, 'page.md'), 'utf8')).toMatch(/^\*\*✗ 1 contract/u);
  });

  it('fails where a file holds no contract, and goes on with the others', async () => {
    await write('mixed/a-v1.yaml', right);
    await write('mixed/broken.yaml', 'equations: [');
    const ran = await pv('mixed');
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('1 contract and 1 file that cannot be read');
    expect(ran.stdout).toMatch(/Files that cannot be read \(1\)\n {2}mixed\/broken\.yaml/u);
  });

  it('lists what a folder holds and nobody can read, and judges the others', async () => {
    await write('odd/a-v1.yaml', right);
    await writeFile(join(folder, 'odd/b-v1.yaml'), Buffer.from(right, 'utf16le'));
    await writeFile(join(folder, 'odd/c-v1.yaml'), `# ${'x'.repeat(17 * 1024 ** 2)}`);
    await write('odd/d\u0007-v1.yaml', right);
    await symlink('.', join(folder, 'odd/loop'));
    const ran = await pv('odd');
    expect(ran.code).toBe(exitCodes.findings);
    const page = ran.stdout.replace(/\s+/gu, ' ');
    expect(page).toContain('✗ 1 contract and 4 files that cannot be read: 1 of 1 equations and 2 of 2 obligations run');
    for (const path of ['odd/b-v1.yaml', 'odd/c-v1.yaml', 'odd/loop']) expect(page).toContain(path);
    expect(ran.stdout).not.toContain('\u0007');
    expect((await pv('odd/c-v1.yaml')).code).toBe(exitCodes.usage);
  });

  it('judges each of two contracts with one name, and is not sure then', async () => {
    await write('twice/a-v1.yaml', right);
    await write('twice/sub/a-v1.yaml', right);
    const same = await pv('twice');
    expect(same.stdout.replace(/\s+/gu, ' ')).toMatch(/^\? 2 contracts: 2 of 2 equations and 4 of 4 obligations/u);
    await write('twice/sub/a-v1.yaml', wrong);
    const ran = await pv('twice');
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('sub/a-v1.yaml:7 C-1: f(x) ≥ 0');
  });

  it('does not take a baseline for a contract, unless it states something', async () => {
    await write('listed/a-v1.yaml', right);
    await write('listed/old.yaml', 'schema: pv.baseline/1\nfindings: []\n');
    expect((await pv('listed')).stdout).toMatch(/^✓ 1 contract:/u);
    await write('listed/b-v1.yaml', `schema: pv.baseline/1\n${wrong}`);
    expect((await pv('listed')).stdout).toMatch(/^✗ 2 contracts:/u);
  });

  it('exits with 2 for paths, flags and baselines that it cannot use', async () => {
    await write('bad.yaml', 'schema: pv.baseline/1\nfindings:\n  - { contract: a }\n');
    for (const [args, message] of [
      [['nowhere'], 'does not exist'],
      [['right', '--owner', 'ada'], '--write-baseline'],
      [['right', '--write-baseline', 'new.yaml'], '--owner NAME'],
      [['right', '--write-baseline', 'new.yaml', '--owner', ' ', '--reason', 'x'], '--owner NAME'],
      [['right', '--baseline', 'new.yaml', '--write-baseline', 'new.yaml', ...owned], 'leave out --baseline'],
      [['right', '--baseline', 'missing.yaml'], 'missing.yaml'],
      [['right', '--baseline', 'bad.yaml'], 'PV-8100'],
      [['right', '--write-baseline', 'bad.yaml', ...owned], 'PV-8100'],
      [['right', '--write-baseline', 'package.json', ...owned], 'PV-8100'],
      [['right', '--out', 'package.json/page.md'], 'package.json'],
      [['right', '--out', 'right/a-v1.yaml'], 'another ending'],
    ] as const) {
      const ran = await pv(...args);
      expect([args, ran.code]).toEqual([args, exitCodes.usage]);
      expect(ran.stderr).toContain(message);
    }
  });
});

describe('a baseline of pv adopt', () => {
  it('accepts findings with owner and reason, refuses new ones, and must lose fixed ones', async () => {
    await write('kept/b-v1.yaml', wrong);
    const accept = ['kept', '--write-baseline', 'kept/baseline.yaml', ...owned] as const;
    expect((await pv(...accept)).code).toBe(exitCodes.ok);
    const accepted = await pv('kept', '--baseline', 'kept/baseline.yaml');
    expect(accepted.code).toBe(exitCodes.ok);
    expect(accepted.stdout.replace(/\s+/gu, ' ')).toContain(
      'Accepted in the baseline (1) b-v1 C-1: false accepted by ada: known',
    );
    expect(accepted.stdout).not.toContain('False over');

    await write('kept/c-v1.yaml', contractOf('g(x) = -x', 'x ∈ ℝ, |x| ≤ 10', ['g(x) ≥ 1']));
    const added = await pv('kept', '--baseline', 'kept/baseline.yaml');
    expect(added.code).toBe(exitCodes.findings);
    expect(added.stdout).toContain('c-v1/C-1');

    await rm(join(folder, 'kept/c-v1.yaml'));
    await write('kept/b-v1.yaml', wrong.replace('f(x) ≥ 0', 'f(x) ≥ -1'));
    const fixed = await pv('kept', '--baseline', 'kept/baseline.yaml');
    expect(fixed.code).toBe(exitCodes.findings);
    expect(fixed.stdout.replace(/\s+/gu, ' ')).toContain(
      'Must leave the baseline: the finding is gone (1) b-v1 C-1: false (kept/baseline.yaml:3)',
    );

    const before = await readFile(join(folder, 'kept/baseline.yaml'), 'utf8');
    await write('kept/b-v1.yaml', wrong);
    expect(
      (await pv('kept', '--write-baseline', 'kept/baseline.yaml', '--owner', 'bob', '--reason', 'later')).code,
    ).toBe(0);
    expect(await readFile(join(folder, 'kept/baseline.yaml'), 'utf8')).toBe(before);
  });
});

describe('hostile contracts', () => {
  it('cost bounded time and end with a page', async () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`),
    ];
    await write('hostile/bomb.yaml', bomb.join('\n'));
    await write('hostile/long.yaml', contractOf('f(x) = x', 'x ∈ ℝ', Array(500).fill('f(x) ≤ x')));
    await write(
      'hostile/loop.yaml',
      contractOf('f(n) = Σ_{i=1}^{n} Σ_{j=1}^{n} Σ_{k=1}^{n} 1/(i·j·k)', 'n ∈ ℕ, 1 ≤ n ≤ 100000', ['f(n) ≥ 0']),
    );
    await write('hostile/steer.yaml', contractOf('f(x) = x', 'x ∈ ℝ', ['f(x) > 1e30 \u001b[31m\u202e']));
    const started = performance.now();
    const ran = await pv('hostile', '--timeout', '2');
    expect(ran.code, ran.stderr).toBe(exitCodes.findings);
    expect(performance.now() - started).toBeLessThan(120_000);
    expect(ran.stdout).not.toMatch(/[\u001b\u202e]/u);
    expect(ran.stdout.split('\n').length).toBeLessThan(200);
  }, 180_000);
});
