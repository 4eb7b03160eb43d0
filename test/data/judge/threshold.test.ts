/** Holds src/data/judge/assumed-inputs.ts, src/data/judge/threshold.ts. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { config, dataContract } from './data-sets.ts';

const contract = dataContract(`
data:
  kind: config
  domain: "n ∈ ℤ, batch ∈ ℤ, steps ∈ ℤ, warmup ∈ ℤ, rate ∈ ℝ, n ≥ 3, batch ≥ 1, steps ≥ 0, warmup ≥ 0"
  inputs: { n: {}, batch: {}, steps: { default: "⌊n / batch⌋" }, warmup: {}, rate: {} }
proof_obligations:
  - { id: WARM, type: bound, property: p, formal: "warmup < steps" }
  - { id: ANY, type: bound, property: p, formal: "n ≥ 1" }
  - { id: NONE, type: bound, property: p, formal: "n < 0" }
  - { id: BETWEEN, type: bound, property: p, formal: "10 < n ∧ n < 1000" }
  - { id: REAL, type: bound, property: p, formal: "rate > 0" }
  - { id: TWO, type: bound, property: p, formal: "rate > 0 ∧ n > 5" }
`);

const thresholds = async (values: Readonly<Record<string, number>>): Promise<object> => {
  const { obligations } = await checkData(contract, [config(values)], new Map());
  return Object.fromEntries(
    obligations.map(({ id, threshold }) => [id, threshold && { input: threshold.input, from: threshold.from }]),
  );
};

describe('an obligation that waits for one whole number', () => {
  it('says from which value it holds, through what follows from it', async () => {
    // ⌊n / 4⌋ > 10 from n = 44 on.
    expect(await thresholds({ batch: 4, warmup: 10 })).toEqual({
      WARM: { input: 'n', from: 44 },
      ANY: { input: 'n', from: 3 },
      NONE: { input: 'n', from: null },
      BETWEEN: null,
      REAL: null,
      TWO: null,
    });
  });

  it('says nothing if it is known', async () => {
    expect(await thresholds({ batch: 4, warmup: 10, n: 3 })).toMatchObject({ WARM: null, ANY: null, NONE: null });
  });

  it('speaks of what follows where several values would decide it', async () => {
    expect(await thresholds({ warmup: 10 })).toMatchObject({ WARM: { input: 'steps', from: 11 } });
  });
});

describe('what is said of values that were not tried', () => {
  const ofA = dataContract(`
data:
  kind: config
  domain: "a ∈ ℤ, b ∈ ℤ"
equations:
  v: { formula: "v = a * b" }
proof_obligations:
  - { id: SIX, type: bound, property: p, formal: "v = 6" }
  - { id: THIRD, type: bound, property: p, formal: "v mod 3 = 0" }
  - { id: NOT_SIX, type: bound, property: p, formal: "v ≠ 6" }
  - { id: NEAR, type: bound, property: p, formal: "(a - 50)^2 ≤ 4" }
  - { id: BELOW, type: bound, property: p, formal: "v < 0" }
  - { id: ZERO, type: bound, property: p, formal: "a ≤ 0" }
  - { id: FAR, type: bound, property: p, formal: "v = 100000" }
  - { id: OVER, type: bound, property: p, formal: "v ≥ 200" }
  - { id: SQUARE, type: bound, property: p, formal: "a^2 < 0" }
`);

  it('is what was found: solutions between them leave it open', async () => {
    const { obligations } = await checkData(ofA, [config({ b: 2 })], new Map());
    const tried = { input: 'a', tried: 101, least: -2, most: 2 ** 40 };
    expect(Object.fromEntries(obligations.map(({ id, threshold }) => [id, threshold]))).toEqual({
      SIX: null,
      THIRD: null,
      NOT_SIX: null,
      NEAR: null,
      BELOW: null,
      ZERO: null,
      FAR: { ...tried, from: null },
      OVER: { ...tried, from: 100 },
      SQUARE: { ...tried, from: null },
    });
  });
});
