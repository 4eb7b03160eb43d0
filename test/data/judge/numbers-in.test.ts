import { describe, expect, it } from 'vitest';
import { numberText } from '../../../src/data/judge/numbers-in.ts';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { config, dataContract, log } from './data-sets.ts';

describe('a number for people', () => {
  it.each([
    [3, '3'],
    [-3, '-3'],
    [1234567890, '1234567890'],
    [0.1234567891, '0.123457'],
    [3e35, '3e+35'],
    [2 ** 60, '1152920000000000000'],
    [Infinity, '∞'],
    [-Infinity, '-∞'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    ['adamw', '"adamw"'],
  ])('%s: %s', (value, text) => expect(numberText(value)).toBe(text));
});

describe('the numbers of a claim', () => {
  const contract = dataContract(`
data:
  kind: config
  domain: "n ∈ ℤ, b ∈ ℤ, s ∈ ℤ, drop ∈ Bool"
equations:
  steps: { formula: "steps = { ⌊n / b⌋ if drop; ⌈n / b⌉ otherwise }" }
  total: { formula: "total = 2 · steps" }
proof_obligations:
  - { id: C, type: bound, property: p, formal: "total ≥ s" }
`);
  const numbers = async (values: Parameters<typeof config>[0]) =>
    (await checkData(contract, [config(values)], new Map())).obligations[0]?.numbers;

  it('are put in for its names, then in each equation that it uses, with the case that holds', async () => {
    expect(await numbers({ n: 10, b: 4, s: 9, drop: true })).toEqual([
      '4 ≥ 9',
      'total = 2 · steps = 2 · 2 = 4',
      'steps = ⌊n / b⌋ = ⌊10 / 4⌋ = 2 (since drop)',
    ]);
    expect(await numbers({ n: 10, b: 4, s: 9, drop: false })).toEqual([
      '6 ≥ 9',
      'total = 2 · steps = 2 · 3 = 6',
      'steps = ⌈n / b⌉ = ⌈10 / 4⌉ = 3 (otherwise)',
    ]);
  });

  it('of columns are computed over all rows', async () => {
    const overRows = dataContract(`
data: { kind: log, domain: "loss ∈ F64^T, norm ∈ F64^T, limit ∈ ℝ, unit ∈ String" }
equations:
  highest: { formula: "highest = max(loss)" }
  first: { formula: "first = loss_0" }
proof_obligations:
  - { id: C, type: bound, property: p, formal: "unit = \\"nats\\" ∧ highest ≤ limit ∧ first ≤ limit ∧ norm_0 ≥ 0" }
`);
    const set = { ...log({ loss: [1, 4, 2], norm: [2, 1, 3] }), values: config({ limit: 3, unit: 'nats' }).values };
    const { obligations } = await checkData(overRows, [set], new Map());
    expect(obligations[0]).toMatchObject({ verdict: 'violated' });
    expect(obligations[0]?.numbers).toContain('highest = max(loss) = 4');
    expect(obligations[0]?.numbers).toContain('first = loss_0 = 1');
  });

  it('are left out where inputs are missing', async () => {
    expect(await numbers({ b: 4, s: 9, drop: true })).toEqual([]);
  });
});
