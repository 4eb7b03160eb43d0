import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { config, dataContract } from './data-sets.ts';

const cases = dataContract(`
data:
  kind: config
  domain: "samples ∈ ℤ, batch ∈ ℤ, drop ∈ Bool, epochs ∈ F64_ext, kind ∈ String, samples ≥ 1, batch ≥ 1, epochs > 0"
  inputs:
    epochs: { default: "∞" }
    kind: { default: '"none"' }
equations:
  batches: { formula: "batches = { ⌊samples / batch⌋ if drop; ⌈samples / batch⌉ otherwise }" }
  steps: { formula: "steps = { epochs·batches if epochs < ∞; 0 otherwise }" }
  decay: { formula: 'decay = { 1 if kind = "linear"; 2 if kind = "cosine"; 3 otherwise }' }
  sum: { formula: "total = 1 + { 1 if drop; 0 otherwise }" }
proof_obligations:
  - { id: STEPS, type: bound, property: steps, formal: "steps > 100" }
  - { id: DECAY, type: bound, property: decay, formal: "decay > 100" }
  - { id: WITHIN, type: bound, property: within, formal: "total > 100" }
`);

async function numbersOf(id: string, data: Parameters<typeof config>[0]): Promise<readonly string[]> {
  const { obligations } = await checkData(cases, [config(data)], new Map());
  return obligations.find((one) => one.id === id)?.numbers.slice(1) ?? [];
}

describe('an equation that is defined case by case', () => {
  const data = { samples: 10, batch: 4, drop: true, epochs: 3 };

  it('shows the case that holds, and why', async () => {
    expect(await numbersOf('STEPS', data)).toEqual([
      'steps = epochs·batches = 3·2 = 6 (since epochs < ∞)',
      'batches = ⌊samples / batch⌋ = ⌊10 / 4⌋ = 2 (since drop)',
    ]);
  });

  it('shows the last case when no other holds', async () => {
    expect(await numbersOf('STEPS', { ...data, drop: false })).toContain(
      'batches = ⌈samples / batch⌉ = ⌈10 / 4⌉ = 3 (otherwise)',
    );
  });

  it.each([
    ['linear', 'decay = 1 (since kind = "linear")'],
    ['cosine', 'decay = 2 (since kind = "cosine")'],
    ['sqrt', 'decay = 3 (otherwise)'],
  ])('looks at its cases in order: %s', async (kind, line) => {
    expect(await numbersOf('DECAY', { ...data, kind })).toEqual([line]);
  });

  it('stays whole where the cases are a part of it', async () => {
    expect(await numbersOf('WITHIN', data)).toEqual([
      'total = 1 + { 1 if drop; 0 otherwise } = 1 + { 1 if true; 0 otherwise } = 2',
    ]);
  });
});
