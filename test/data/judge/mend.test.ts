/** Holds src/data/judge/known.ts. */
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { config, dataContract } from './data-sets.ts';

const contract = dataContract(`
data:
  kind: config
  domain: >-
    batches ∈ ℤ, accumulation ∈ ℤ, epochs ∈ F64_ext, steps ∈ ℤ, warmup ∈ ℤ, ratio ∈ ℝ, floor ∈ ℝ,
    batches ≥ 1, accumulation ≥ 1, epochs > 0, steps ≥ 1, 0 ≤ warmup ≤ steps, 0 ≤ ratio < 1, floor ≥ 0
  inputs:
    accumulation: { mend: decrease }
    epochs: { default: "∞", mend: increase }
    steps: { mend: any }
    warmup: { default: "⌈ratio·steps⌉", mend: decrease }
    ratio: { default: 0, mend: increase }
    floor: { default: 0, mend: any }
equations:
  per_epoch: { formula: "per_epoch = ⌊batches / accumulation⌋" }
  reached: { formula: "reached = { ⌊epochs·per_epoch⌋ if epochs < ∞; ∞ otherwise }" }
proof_obligations:
  - { id: ENOUGH, type: bound, property: enough steps, formal: "reached ≥ steps", if_fails: too short }
  - { id: WARM, type: bound, property: a short warm-up, formal: "warmup < min(steps, reached)", if_fails: too long }
  - { id: SHARE, type: bound, property: a large share, formal: "ratio ≥ floor", if_fails: too small }
`);

async function mendsOf(id: string, values: Parameters<typeof config>[0]): Promise<Readonly<Record<string, number>>> {
  const { obligations } = await checkData(contract, [config(values)], new Map());
  const found = obligations.find((one) => one.id === id);
  expect(found?.verdict).toBe('violated');
  return Object.fromEntries((found?.mends ?? []).map(({ input, becomes }) => [input, becomes]));
}

describe('a mend', () => {
  it('is written as the file writes the value, and at its place', async () => {
    const set = config({ batches: 100, accumulation: 8, epochs: 1, steps: 90, warmup: 4 });
    const { obligations } = await checkData(contract, [set], new Map());
    expect(obligations.find(({ id }) => id === 'ENOUGH')?.mends[0]).toEqual({
      input: 'accumulation',
      key: 'training.accumulation',
      was: 8,
      becomes: 1,
      written: { was: '8', becomes: '1' },
      place: { path: 'train.yaml', position: 'line', at: 2, column: 3 },
    });
  });

  it('of a value that no file gives is written as a number, without a place', async () => {
    const settings = new Map(Object.entries({ batches: 100, accumulation: 8, epochs: 1, steps: 90, warmup: 4 }));
    const { obligations } = await checkData(contract, [config({})], settings);
    expect(obligations.find(({ id }) => id === 'ENOUGH')?.mends[0]).toMatchObject({
      key: 'accumulation',
      written: { was: '8', becomes: '1' },
      place: null,
    });
  });

  const short = { batches: 100, accumulation: 8, epochs: 1, steps: 90, warmup: 4 };

  it('lies in the domain: 90 of 100 batches need an accumulation of 1, and 200 need one of 0', async () => {
    expect(await mendsOf('ENOUGH', short)).toEqual({ accumulation: 1, epochs: 8, steps: 12 });
    expect(await mendsOf('ENOUGH', { ...short, steps: 200 })).toEqual({ epochs: 17, steps: 12 });
  });

  it('leaves what is bounded by it within its bounds: no fewer steps than the warm-up has', async () => {
    expect(await mendsOf('ENOUGH', { ...short, warmup: 13 })).toEqual({ accumulation: 1, epochs: 8 });
  });

  it('is found through the default of another input', async () => {
    expect(await mendsOf('WARM', { batches: 10, accumulation: 1, epochs: 1, steps: 100, ratio: 0.2 })).toEqual({
      epochs: 3,
      steps: 45,
    });
  });

  it('is within a hundredth of the smallest in few digits, and stays below a bound that is open', async () => {
    const values = { batches: 1000, accumulation: 1, steps: 10, ratio: 0.3, floor: 0.65 };
    expect(await mendsOf('SHARE', values)).toEqual({ ratio: 0.651, floor: 0.299 });
    expect(await mendsOf('SHARE', { ...values, floor: 1.5 })).toEqual({ floor: 0.299 });
    expect(await mendsOf('SHARE', { ...values, floor: 1.1 })).toEqual({ floor: 0.299 });
  });
});
