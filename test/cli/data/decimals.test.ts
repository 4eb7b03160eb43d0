/**
 * Claims about the numbers of a config are about the decimals that it has, which float64 rounds.
 *
 * Holds src/data/judge/written-numbers.ts.
 */
import { describe, expect, it } from 'vitest';
import { numberAsWritten } from '../../../src/data/judge/written-numbers.ts';
import { runPv } from '../../support/memory-cli.ts';

const config = `mix: {web: 0.7, code: 0.2, math: 0.1}
optim: {lr: 3.0e-4, min_lr: 3.0e-5, b2: 0.999, ratio: 0.07, near: 0.3000001, share: 0.3}
steps: {last: 100, factor: 3, half: .5, long: 9007199254740993, longer: 9007199254740994}
`;

const key = (name: string, path: string): string => `      ${name}: number (config.${path})`;

const contract = (claims: readonly string[]): string => `metadata: { version: "1.0.0", description: Decimals }
equations:
  total:
    formula: "total = web + code + math"
    domain: |
${[
  ...['web', 'code', 'math'].map((name) => key(name, `mix.${name}`)),
  ...['lr', 'min_lr', 'b2', 'ratio', 'near', 'share'].map((name) => key(name, `optim.${name}`)),
  ...['last', 'factor', 'half', 'long', 'longer'].map((name) => key(name, `steps.${name}`)),
].join('\n')}
    invariants: ${JSON.stringify(claims)}
  warmup:
    formula: "warmup = ceil(ratio * last)"
`;

/** Each claim with its verdict, and the report. */
async function checked(
  claims: readonly string[],
  ...args: readonly string[]
): Promise<{ readonly verdicts: readonly string[]; readonly stdout: string }> {
  const files = { 'own-v1.yaml': contract(claims), 'own.yaml': config };
  const { stdout, stderr } = await runPv(['check', 'own-v1.yaml', '--data', 'own.yaml', ...args], { files });
  expect(stderr).not.toContain('PV-');
  const verdicts = claims.map(
    (_, i) => new RegExp(String.raw`total\.invariant-${i + 1} (\w+)`).exec(stdout)?.[1] ?? 'not judged',
  );
  return { verdicts, stdout };
}

describe('a claim about decimals', () => {
  it.each<readonly [isTrue: string, isFalse: string]>([
    ['total = 1', 'total = 1.0000000000000001'],
    ['total >= 1', 'total > 1'],
    ['total <= 1', 'total < 1'],
    ['¬(total != 1)', 'total != 1'],
    ['total = 1 ⟹ lr > 0', 'total = 1 ⟹ lr < 0'],
    ['total = 1 ∧ lr > 0', 'total = 1 ∧ lr < 0'],
    ['min_lr = 0.1 * lr', 'min_lr = 0.10001 * lr'],
    ['min_lr <= 0.1 * lr', 'min_lr < 0.1 * lr'],
    ['lr / min_lr = 10', 'lr / min_lr = 10.00001'],
    ['1 - b2 = 0.001', '1 - b2 = 0.0010001'],
    ['math * factor = 0.3', 'math * factor = near'],
    ['math + code = 0.3', 'math + code = 0.30000000000000004'],
    ['share = math * factor', 'share != math * factor'],
    ['share mod math = 0', 'share mod math = 0.1'],
    ['half * 2 = 1', 'half = 5'],
    ['long - 9007199254740992 = 1', 'long - 9007199254740992 = 0'],
    ['longer - long = 1', 'longer = long'],
    ['sqrt(9 * last) = math * 300', 'sqrt(9 * last) = math * 301'],
    ['sqrt(last + 1) ≤ 10.1', 'sqrt(last + 1) ≤ 10.04'],
  ])('%s is satisfied, and %s is violated', async (isTrue, isFalse) => {
    expect((await checked([isTrue, isFalse])).verdicts).toEqual(['satisfied', 'violated']);
  });

  it('is decided by the digits of the command line too', async () => {
    const { verdicts } = await checked(['total = 1.2', 'total = 1'], '--set', 'math=0.3');
    expect(verdicts).toEqual(['satisfied', 'violated']);
  });

  it('is open where programs come to another whole number in float64, and only there', async () => {
    const { verdicts, stdout } = await checked(['warmup = 7', 'warmup = 8', 'warmup = 9', 'warmup ≤ 8', 'warmup < 7']);
    expect(verdicts).toEqual(['undetermined', 'undetermined', 'violated', 'satisfied', 'violated']);
    expect(stdout).toContain('⌈7⌉ = 7, but float64, in which programs compute it, makes that ⌈7.000000000000001⌉ = 8');
  });

  it('is open where a premise depends on such a number', async () => {
    const { verdicts } = await checked(['warmup = 7 ⟹ lr < 0', 'warmup = 7 ⟹ lr > 0', 'warmup = 9 ⟹ lr < 0']);
    expect(verdicts).toEqual(['undetermined', 'satisfied', 'vacuous']);
  });

  it('is open where only more digits of an irrational number would decide it', async () => {
    const { verdicts } = await checked(['sqrt(2)^2 = 2', 'sqrt(2)^2 = 2.0001']);
    expect(verdicts).toEqual(['undetermined', 'violated']);
  });
});

it('shows the digits that tell the numbers of a claim apart', async () => {
  const { stdout } = await checked(['share = near', 'total = 1.00000001', 'long = longer', 'total + 0.3 = near']);
  expect(stdout).toContain('here:    0.3 = 0.3000001\n');
  expect(stdout).toContain('here:    1 = 1.00000001\n');
  expect(stdout).toContain('here:    9007199254740993 = 9007199254740994\n');
  const close = await checked(['total = 1'], '--set', 'math=0.10000002');
  expect(close.verdicts).toEqual(['violated']);
  expect(close.stdout).toContain('here:    1.00000002 = 1\n');
  const noise = await checked(['total = 2']);
  expect(noise.stdout).toContain('here:    1 = 2\n');
});

it('takes the digits of a file if they are the number', () => {
  const textOf = (text: string, value: number): string | null => {
    const scalar = { value, text, key: 'x', line: 1, column: 1, span: null };
    const place = { path: 'a.yaml', position: 'line', at: 1, column: 1 } as const;
    const term = numberAsWritten({ kind: 'scalar', value, written: { scalar, place } });
    return term?.kind === 'number' ? term.value : null;
  };
  expect(textOf('3.0e-4', 0.0003)).toBe('3.0e-4');
  expect(textOf('1.00000000000000000001', 1)).toBe('1.00000000000000000001');
  expect(textOf('1_000.5', 1000.5)).toBe('1000.5');
  expect(textOf('5%', 0.05)).toBe('0.05');
  expect(textOf('0.2', 0.4)).toBe('0.4');
  expect(textOf('9007199254740993', 9007199254740992)).toBe('9007199254740993');
  expect([textOf('7', 7), textOf('2K', 2000), textOf('.inf', Infinity), textOf('.nan', NaN)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
