/** Equivariance of real models under real permutations. Holds src/training/model/gnn-probe.ts, src/training/model/graph.ts. */
import { describe, expect, it } from 'vitest';
import {
  permutationAt,
  permutationEquivariance,
  permutationHash,
  type EquivarianceOptions,
} from '../../../src/training/invariants/permutation-equivariance.ts';
import { createGnn } from '../../../src/training/model/gnn.ts';
import { createGnnProbe } from '../../../src/training/model/gnn-probe.ts';
import { glorotUniform } from '../../../src/training/model/initial.ts';
import { plantedGraph } from '../../../src/training/model/planted-graph.ts';
import { gradientOf, trainerWith } from './fixture.ts';

const widths = [6, 8, 3];
const graph = plantedGraph({ nodes: 40, classes: 3, features: 6, degree: 4, homophily: 0.8, labelled: 1, seed: 5 });
const probe = createGnnProbe(widths, graph, 40);
const layers = widths.slice(1).map((outputs, l) => ({
  weight: glorotUniform(2, `conv${l}`, widths[l] ?? 0, outputs),
  bias: new Float32Array(outputs).fill(0.1),
}));

const measure = async (options: Partial<EquivarianceOptions>) => {
  const invariant = permutationEquivariance({
    nodes: probe.nodes,
    maxDeviation: 1e-5,
    forward: (_, order) => probe.forward(layers, order),
    ...options,
  });
  const { verdict, measured } = await trainerWith([invariant]).step({ loss: 1, gradients: gradientOf(1, 0, 0, 0) });
  return { verdict, measured, values: measured.map(({ value }) => value) };
};

describe('PermutationEquivariance', () => {
  it('holds for a graph network up to rounding, which is not 0', async () => {
    const { verdict, values } = await measure({ samples: 4 });
    expect(verdict).toBe('committed');
    expect(values).toHaveLength(4);
    for (const value of values) expect(value).toBeLessThan(1e-6);
    expect(Math.max(...values)).toBeGreaterThan(0);
  });

  it.each([
    ['that adds the number of a node to it', (out: Float32Array) => out.map((x, i) => x + (i < 3 ? 0.1 : 0))],
    ['of another length', (out: Float32Array) => out.subarray(3)],
    ['of no length', () => new Float32Array()],
    ['without numbers', (out: Float32Array) => out.map(() => NaN)],
  ])('refuses a model %s', async (_, wrong) => {
    const { verdict } = await measure({ forward: (_weights, order) => wrong(probe.forward(layers, order)) });
    expect(verdict).toBe('refused');
  });

  it('refuses a model that ignores the order', async () => {
    const { forward } = createGnn(widths, graph);
    expect((await measure({ forward: () => forward(layers) })).verdict).toBe('refused');
  });

  it('is measured on the proposed weights', async () => {
    const seen: number[] = [];
    const forward = (weights: (name: string) => Float32Array, order: Int32Array) => {
      seen.push(weights('a.weight')[0] ?? NaN);
      return new Float32Array(order.length).fill(1);
    };
    expect((await measure({ forward })).values).toEqual([0]);
    expect(seen).toEqual([Math.fround(2.9), Math.fround(2.9)]);
    await expect(measure({ forward: (weights) => weights('b') })).rejects.toThrow(/^PV-8401: forward asks for .*b/);
  });

  it('records which permutations it tried, so that anyone can recompute them', async () => {
    const invariant = permutationEquivariance({
      nodes: probe.nodes,
      samples: 2,
      seed: 9,
      maxDeviation: 1,
      forward: (_, order) => probe.forward(layers, order),
    });
    const trainer = trainerWith([invariant], { expensiveCheckInterval: 3 });
    const recorded: string[] = [];
    for (let i = 0; i < 6; i++)
      recorded.push(
        ...(await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) })).measured.map(({ what }) => what),
      );
    expect(recorded).toEqual(
      [4, 5, 10, 11].map((index) => `permutation ${permutationHash(permutationAt(9, index, probe.nodes))}`),
    );
    expect((await trainer.seal()).invariantStats[0]).toMatchObject({
      checks: 2,
      evidence: { class: 'statistical', seed: 9, samples: 2 },
      settings: { rng_seed: 9, samples: 2 },
    });
  });

  it('compares the outputs of a part of the graph just as well', async () => {
    const part = createGnnProbe(widths, graph, 12);
    expect(part.nodes).toBe(12);
    const { verdict } = await measure({ nodes: 12, forward: (_, order) => part.forward(layers, order) });
    expect(verdict).toBe('committed');
    const whole = createGnnProbe(widths, graph, 99);
    expect(whole.nodes).toBe(40);
    const order = Int32Array.from({ length: 40 }, (_, i) => i);
    expect(whole.forward(layers, order)).toEqual(createGnn(widths, graph).forward(layers));
  });

  it.each([{ nodes: 0 }, { samples: 0 }, { maxDeviation: -1 }, { seed: 0.5 }])(
    'rejects settings out of range: %j',
    async (options) => {
      await expect(measure(options)).rejects.toThrow(/^PV-8403/);
    },
  );
});

describe('the permutations of a seed', () => {
  it('contain every node once, and every order equally often', () => {
    const counts = new Map<string, number>();
    for (let index = 0; index < 6000; index++) {
      const order = permutationAt(1, index, 3).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['012', '021', '102', '120', '201', '210']);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
