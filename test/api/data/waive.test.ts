/** Holds src/api/data/waive.ts, src/api/data/file-pattern.ts. The day of the memory host is 2026-01-01. */
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const contract = [
  'metadata: { version: "1.0.0", description: d, references: [r] }',
  'data:',
  '  kind: config',
  '  domain: "rows ∈ ℤ, steps ∈ ℤ, share ∈ ℝ, rows ≥ 1, steps ≥ 1"',
  '  inputs: { steps: { mend: decrease } }',
  'proof_obligations:',
  '  - { id: ONCE, type: bound, property: rows for one, formal: "rows ≥ steps" }',
  '  - { id: TWICE, type: bound, property: rows for two, formal: "rows + 1 > steps", diagnosis: { caused_by: [ONCE] } }',
  '  - { id: SHARE, type: bound, property: a small share, formal: "share ≤ 1" }',
  '  - { id: MANY, type: bound, property: many rows, formal: "rows ≥ 5" }',
  '',
].join('\n');

const row = (changes: Readonly<Record<string, string | null>> = {}): string => {
  const all: Record<string, string | null> = {
    file: 'configs/a.yaml',
    contract: 'rows-v1',
    claim: 'ONCE',
    owner: 'ada',
    reason: 'a smoke test',
    expires: '2026-12-31',
    ...changes,
  };
  const pairs = Object.entries(all).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return `  - { ${pairs.join(', ')} }\n`;
};
const both = row() + row({ claim: 'TWICE' });

const world = (rows: string, files: Readonly<Record<string, string>> = {}): ReturnType<typeof createMemoryHost> =>
  createMemoryHost({
    'rows-v1.yaml': contract,
    'package.json': '{}',
    'configs/a.yaml': 'rows: 10\nsteps: 20\nshare: 0.5\n',
    '.pv/data.yaml': `schema: pv.data/1\nwaivers:\n${rows}`,
    ...files,
  });
const check = (host: ReturnType<typeof createMemoryHost>, ...args: readonly string[]): Promise<Ran> =>
  runPv(['check', 'rows-v1.yaml', '--data', 'configs/a.yaml', '--as', 'plain', ...args], { host });
const firstLine = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';
const lastLine = ({ stdout }: Ran): string => stdout.trimEnd().split('\n').at(-1) ?? '';

describe('a waived violation', () => {
  it('does not fail, and is shown and counted apart with its owner, reason and last day', async () => {
    const ran = await check(world(both));
    expect([ran.code, ran.stderr]).toEqual([exitCodes.ok, '']);
    expect(ran.stdout).toContain('⚑ ONCE waived: rows for one');
    expect(ran.stdout).toContain('violated, and waived by ada until 2026-12-31: a smoke test');
    expect(ran.stdout).toContain('here:    10 ≥ 20');
    expect(firstLine(ran)).toContain('with 2 of 4 obligations waived');
    expect(lastLine(ran)).toBe('1 data set: 2 of 4 obligations evaluated, 0 violated, 2 waived');
  });

  it('is in JSON with its verdict and its waiver', async () => {
    const { stdout } = await check(world(both), '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { declared: 4, evaluated: 2, byVerdict: { violated: 0, waived: 2 } },
      checks: [
        {
          obligations: [
            {
              id: 'ONCE',
              verdict: 'waived',
              waiver: { owner: 'ada', reason: 'a smoke test', expires: '2026-12-31' },
            },
            { id: 'TWICE', verdict: 'waived' },
            { id: 'SHARE', verdict: 'satisfied', waiver: null },
            { id: 'MANY' },
          ],
        },
      ],
    });
  });

  it('is a suppressed result of SARIF, a notice on GitHub and an info on GitLab', async () => {
    const [sarif, github, gitlab] = await Promise.all(
      ['sarif', 'github', 'gitlab'].map((format) => check(world(both), '--format', format)),
    );
    const by = 'waived by ada until 2026-12-31: a smoke test';
    expect(JSON.parse(sarif?.stdout ?? '')).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: 'PV-9001', level: 'note', suppressions: [{ justification: expect.stringContaining(by) }] },
            { suppressions: [{ kind: 'external' }] },
          ],
        },
      ],
    });
    expect(github && firstLine(github)).toContain('check PASSED with 2 of 4 obligations waived');
    expect(github?.stdout.split('\n')[1]).toMatch(new RegExp(`^::notice file=configs/a.yaml,line=2.*${by}`));
    expect(JSON.parse(gitlab?.stdout ?? '')).toMatchObject([
      { severity: 'info', description: expect.stringContaining(by) },
      { severity: 'info' },
    ]);
  });

  it('excuses nothing that follows from it, and hides none of it', async () => {
    const ran = await check(world(row()));
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('✗ TWICE violated: rows for two');
    expect(lastLine(ran)).toContain('3 of 4 obligations evaluated, 1 violated, 1 waived');
  });

  it.each(['configs/*.yaml', '**/a.yaml', '**', './configs/a.yaml', 'configs/?.yaml'])(
    'may be in the files of a pattern: %s',
    async (file) => {
      const ran = await check(world(row({ file }) + row({ file, claim: 'TWICE' })));
      expect([ran.code, ran.stderr]).toEqual([exitCodes.ok, '']);
    },
  );

  it.each(['*.yaml', 'configs/b*', 'onfigs/a.yaml', 'configs/a.yam?l', 'a.yaml*'])(
    'is none where the pattern does not fit: %s',
    async (file) => {
      const ran = await check(world(row({ file })));
      expect(lastLine(ran)).toContain('2 violated');
    },
  );
});

describe('what a waiver does not cover', () => {
  it('is what could not be evaluated', async () => {
    const ran = await check(world(row({ claim: 'SHARE' }), { 'configs/a.yaml': 'rows: 10\nsteps: 5\n' }));
    expect(ran.code).toBe(exitCodes.findings);
    expect(lastLine(ran)).toContain('3 of 4 obligations evaluated, 0 violated, 1 not evaluated');
    expect(firstLine(ran)).not.toContain('waived');
    expect(ran.stderr).toBe('');
  });

  it('is an input that cannot be used', async () => {
    const ran = await check(world(both), '--set', 'share=much');
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('PV-9002');
  });

  it('is a file of another project', async () => {
    const files = { 'evil/package.json': '{}', 'evil/x.yaml': 'rows: 10\nsteps: 5\nshare: 0.5\n' };
    const waivers = {
      'evil/.pv/data.yaml': `schema: pv.data/1\nwaivers:\n${row({ file: '**' })}${row({ file: '**', claim: 'TWICE' })}`,
    };
    const host = world('', { ...files, ...waivers });
    const ran = await runPv(
      ['check', 'rows-v1.yaml', '--data', 'evil/x.yaml', '--data', 'configs/a.yaml', '--as', 'plain'],
      { host },
    );
    expect(ran.code).toBe(exitCodes.findings);
    expect(lastLine(ran)).toContain('2 violated');
  });

  it('is a file that cannot be read', async () => {
    const ran = await check(world(both, { 'configs/a.yaml': 'rows: [10\n' }));
    expect(ran.code).toBe(exitCodes.usage);
  });
});

describe('a waiver that is wrong', () => {
  it.each([
    ['no owner', row({ owner: null }), 'PV-5045'],
    ['an empty reason', row({ reason: ' ' }), 'PV-5045'],
    ['a reason without a word', row({ reason: '.' }), 'PV-5045'],
    ['an owner that nobody sees', row({ owner: '\u200b' }), 'PV-5045'],
    ['no file', row({ file: null }), 'PV-5045'],
    ['no last day', row({ expires: null }), 'PV-5045'],
    ['a day that is not in the calendar', row({ expires: '2026-02-30' }), 'PV-5045'],
    ['a misspelt key', row({ raeson: 'x' }), 'PV-5045'],
    ['a pattern for a claim', row({ claim: '*' }), 'PV-5045'],
    ['a file outside the project', row({ file: '../a.yaml' }), 'PV-5045'],
    ['a folder above, hidden in the middle', row({ file: 'x/../../a.yaml' }), 'PV-5045'],
    ['an absolute path', row({ file: '/configs/a.yaml' }), 'PV-5045'],
    ['a pattern without an end', row({ file: '*'.repeat(501) }), 'PV-5045'],
    ['the same waiver twice', row() + row(), 'PV-5045'],
    [
      'more waivers than anyone reads',
      Array.from({ length: 1001 }, (_, i) => row({ file: `${i}*` })).join(''),
      'PV-5045',
    ],
    ['an unknown claim', row({ claim: 'ONEC' }), 'PV-5046'],
    ['a misspelt contract', row({ contract: 'rowss-v1' }), 'PV-5046'],
    ['an unknown file', row({ file: 'configs/gone.yaml' }), 'PV-5046'],
    ['a list of texts', '  - ONCE\n', 'PV-5045'],
  ])('fails: %s', async (_, rows, code) => {
    // All else holds, so that only the waiver can fail.
    const host = world(rows, { 'configs/a.yaml': 'rows: 10\nsteps: 5\nshare: 0.5\n' });
    const ran = await check(host);
    expect(ran.stderr).toContain(`error[${code}]`);
    expect(ran.stderr).toContain('.pv/data.yaml');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('says which claim was meant', async () => {
    expect((await check(world(row({ claim: 'SHAREE' })))).stderr).toContain('did you mean `SHARE`?');
  });

  it.each([
    ['expired', '2020-01-01', 'PV-6050'],
    ['lasts longer than a year', '2126-01-01', 'PV-8099'],
  ])('counts for nothing if it %s', async (_, expires, code) => {
    const ran = await check(world(row({ expires }) + row({ claim: 'TWICE' })));
    expect(ran.stderr).toContain(`warning[${code}]`);
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('✗ ONCE violated');
  });

  it('is reported if the file no longer violates the claim', async () => {
    const ran = await check(world(row({ claim: 'MANY' })));
    expect(ran.stderr).toContain('warning[PV-6051]');
    expect(ran.stderr).toContain("the waiver of 'MANY' is unnecessary: the claim is satisfied");
  });

  it('is not reported for a pattern that may be there for another file', async () => {
    expect((await check(world(row({ claim: 'MANY', file: 'configs/*' })))).stderr).toBe('');
    const two = { 'configs/b.yaml': 'rows: 10\nsteps: 5\nshare: 0.5\n' };
    const ran = await check(world(row({ claim: 'MANY', file: 'configs/*' }), two), '--data', 'configs/b.yaml');
    expect(ran.stderr).toContain('PV-6051');
  });

  it('is bounded: patterns of a hostile file take no time', async () => {
    const file = `${'**/*'.repeat(120)}b`;
    const rows = Array.from({ length: 900 }, (_, i) => row({ file: `${file}${i}` })).join('');
    const started = performance.now();
    await check(world(rows, { [`configs/${'a/'.repeat(100)}a.yaml`]: 'rows: 10\n' }));
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('prints no control characters', async () => {
    const ran = await check(world(row({ owner: '\u001b[2Jada', reason: 'x\n1 data set: all obligations satisfied' })));
    expect(ran.stdout).not.toContain('\u001b[2J');
    expect(ran.stdout).not.toMatch(/^1 data set: all/m);
  });
});
