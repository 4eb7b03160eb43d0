/** What the diagonal of the Fisher information leaves out. */
import { describe, expect, it } from 'vitest';
import { fullFisherBound, interaction } from '../../../src/training/continual/full-fisher.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';

/** ‖F − diag F‖_F/‖F‖_F by making F. */
function byTheMatrix(gradients: readonly Float32Array[]): number {
  const n = gradients[0]?.length ?? 0;
  let [whole, off] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const entry = gradients.reduce((sum, g) => sum + (g[i] ?? 0) * (g[j] ?? 0), 0);
      whole += entry * entry;
      off += i === j ? 0 : entry * entry;
    }
  return Math.sqrt(off / whole);
}

describe('the interaction of weights', () => {
  it('is that of the whole matrix', () => {
    const gradients = [
      [1, 2, -1],
      [0.5, 0, 3],
      [2, -2, 1],
      [0, 1, 1],
    ].map((g) => Float32Array.from(g));
    expect(interaction(gradients)).toBeCloseTo(byTheMatrix(gradients), 12);
  });

  it('is 0 where each sample moves one weight, nearly 1 where all move together, and not a number without samples', () => {
    expect(interaction([Float32Array.of(1, 0), Float32Array.of(0, 2)])).toBe(0);
    expect(interaction([new Float32Array(100).fill(1)])).toBeCloseTo(Math.sqrt(0.99), 12);
    expect(interaction([Float32Array.of(0, 0)])).toBe(0);
    expect(interaction([])).toBeNaN();
  });

  it('is checked at the end of every K-th epoch, and refuses where the diagonal is not enough', async () => {
    const run = async (maxInteraction: number) => {
      const fisher = fullFisherBound({
        sampleGradients: () => [Float32Array.of(1, 1, 0, 0)],
        everyEpochs: 2,
        stepsPerEpoch: 3,
        maxInteraction,
      });
      const trainer = trainerWith([fisher]);
      const checked = [];
      for (let i = 0; i < 12; i++) {
        const { step, verdict, measured } = await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) });
        if (measured.length > 0) checked.push([step, verdict]);
      }
      return checked;
    };
    expect(await run(0.71)).toEqual([
      [6, 'committed'],
      [12, 'committed'],
    ]);
    expect(await run(0.7)).toEqual([
      [6, 'refused'],
      [12, 'refused'],
    ]);
  });
});
