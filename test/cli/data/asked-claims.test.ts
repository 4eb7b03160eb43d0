import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const contract = (severity: string): string =>
  [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data:',
    '  kind: config',
    '  domain: "rows ∈ ℤ, steps ∈ ℤ, share ∈ ℝ, rows ≥ 1, steps ≥ 1, 0 ≤ share ≤ 1"',
    '  required: [rows]',
    'proof_obligations:',
    '  - { id: ENOUGH, type: bound, property: rows for all, formal: "rows ≥ steps" }',
    `  - { id: SHARE, type: bound, property: a small share, formal: "share ≤ 0.1", severity: ${severity} }`,
    `  - { id: BIG, type: bound, property: many rows, formal: "rows ≥ 100", severity: ${severity}, diagnosis: { caused_by: [ENOUGH] } }`,
    '',
  ].join('\n');

const files = {
  'advice-v1.yaml': contract('advice'),
  'error-v1.yaml': contract('error'),
  'good.yaml': 'rows: 200\nsteps: 20\nshare: 0.05\n',
  'advised.yaml': 'rows: 50\nsteps: 20\nshare: 0.5\n',
  'short.yaml': 'rows: 10\nsteps: 20\nshare: 0.05\n',
  'open.yaml': 'rows: 200\nsteps: 20\n',
  'bare.yaml': 'steps: 20\nshare: 0.05\n',
  'wrong.yaml': 'rows: 200\nsteps: 20\nshare: 7\n',
};
const check = (contractFile: string, file: string, ...args: readonly string[]): Promise<Ran> =>
  runPv(['check', contractFile, '--data', file, '--as', 'plain', ...args], { files });
const firstLine = ({ stdout }: Ran): string => stdout.split('\n')[0] ?? '';
const lastLine = ({ stdout }: Ran): string => stdout.trimEnd().split('\n').at(-1) ?? '';

describe('--claim and --without', () => {
  it('judge only some obligations, and say so in the first and the last line', async () => {
    const only = await check('error-v1.yaml', 'advised.yaml', '--claim', 'ENOUGH');
    expect(only.code).toBe(exitCodes.ok);
    expect(firstLine(only)).toBe('error-v1 on advised.yaml (plain) for ENOUGH alone');
    expect(lastLine(only)).toBe('1 data set for ENOUGH alone: 1 of 1 obligation evaluated, 0 violated');
    expect(only.stdout).not.toContain('SHARE');
    const rest = await check('error-v1.yaml', 'advised.yaml', '--without', 'SHARE,BIG');
    expect(rest.code).toBe(exitCodes.ok);
    expect(firstLine(rest)).toContain('without SHARE and BIG');
    expect(lastLine(rest)).toContain('without SHARE and BIG: 1 of 1 obligation');
  });

  it('take several ids, and a claim that is violated fails', async () => {
    const ran = await check(
      'error-v1.yaml',
      'advised.yaml',
      '--claim',
      'ENOUGH,SHARE',
      '--claim',
      'BIG',
      '--without',
      'BIG',
    );
    expect(ran.code).toBe(exitCodes.findings);
    expect(lastLine(ran)).toContain(
      'for ENOUGH, SHARE and BIG alone without BIG: 2 of 2 obligations evaluated, 1 violated',
    );
  });

  it.each([['--claim'], ['--without']])('refuse an id that no contract has: %s', async (flag) => {
    const ran = await check('error-v1.yaml', 'good.yaml', flag, 'ENUOGH');
    expect([ran.code, ran.stdout]).toEqual([exitCodes.usage, '']);
    expect(ran.stderr).toContain("no contract has a claim 'ENUOGH'; did you mean 'ENOUGH'?");
  });

  it('leave nothing to pass on', async () => {
    const ran = await check('error-v1.yaml', 'good.yaml', '--without', 'ENOUGH,SHARE,BIG');
    expect(ran.code).toBe(exitCodes.findings);
    expect(lastLine(ran)).toContain('0 of 0 obligations evaluated');
  });

  it('do not fail for an input that only other obligations read, but for their own', async () => {
    expect((await check('error-v1.yaml', 'wrong.yaml', '--claim', 'ENOUGH')).code).toBe(exitCodes.ok);
    expect((await check('error-v1.yaml', 'wrong.yaml', '--claim', 'SHARE')).code).toBe(exitCodes.findings);
  });

  it('are in the title on GitHub and in JSON', async () => {
    const github = await check('error-v1.yaml', 'advised.yaml', '--claim', 'ENOUGH', '--format', 'github');
    expect(firstLine(github)).toContain('check PASSED for ENOUGH alone');
    const json = await check('error-v1.yaml', 'advised.yaml', '--claim', 'ENOUGH', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      scope: { claim: ['ENOUGH'], without: [] },
      totals: { declared: 1 },
    });
  });
});

describe('advice', () => {
  it('is shown and counted when violated, and fails only with --strict', async () => {
    const ran = await check('advice-v1.yaml', 'advised.yaml');
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout).toContain('✗ SHARE violated (advice): a small share');
    expect(firstLine(ran)).toContain('with 2 violated as advice');
    expect(lastLine(ran)).toBe('1 data set: 3 of 3 obligations evaluated, 2 violated (advice)');
    const strict = await check('advice-v1.yaml', 'advised.yaml', '--strict');
    expect(strict.code).toBe(exitCodes.findings);
    expect(lastLine(strict)).toBe('1 data set: 3 of 3 obligations evaluated, 2 violated');
  });

  it('is counted apart from errors', async () => {
    const ran = await check('advice-v1.yaml', 'short.yaml');
    expect(ran.code).toBe(exitCodes.findings);
    expect(lastLine(ran)).toContain('2 violated (1 of them advice)');
  });

  it('may lack an input that its contract does not require, and no other', async () => {
    expect((await check('advice-v1.yaml', 'open.yaml')).code).toBe(exitCodes.ok);
    const bare = await check('advice-v1.yaml', 'bare.yaml', '--claim', 'BIG,SHARE');
    expect([bare.code, lastLine(bare)]).toEqual([exitCodes.findings, expect.stringContaining('1 not evaluated')]);
  });

  it('fails for an input that cannot be used', async () => {
    const ran = await check('advice-v1.yaml', 'wrong.yaml');
    expect([ran.code, ran.stdout]).toEqual([exitCodes.findings, expect.stringContaining('PV-9003')]);
  });

  it('is a warning in the formats for code review', async () => {
    const github = await check('advice-v1.yaml', 'advised.yaml', '--format', 'github');
    expect(firstLine(github)).toMatch(/^::notice title=pv%3A check PASSED with 2 violated as advice/);
    expect(github.stdout.split('\n')[1]).toMatch(/^::warning .*SHARE/);
    const sarif = await check('advice-v1.yaml', 'advised.yaml', '--format', 'sarif');
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      runs: [{ results: [{ level: 'warning' }, { level: 'warning' }] }],
    });
  });

  it('is one of two severities', async () => {
    const other = { ...files, 'odd-v1.yaml': contract('advise') };
    const ran = await runPv(['check', 'odd-v1.yaml', '--data', 'advised.yaml', '--as', 'plain'], { files: other });
    expect(ran.code).not.toBe(exitCodes.ok);
    expect(ran.stderr).toContain('advice');
  });
});
