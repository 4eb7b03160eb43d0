/** Dropout on the input of adapters. Holds src/training/model/branch.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropAdapter, dropoutUniforms } from '../../../src/federated/train/lora-dropout.ts';
import { adaptModel } from '../../../src/federated/train/lora.ts';
import { trainAdapter, type LocalTraining } from '../../../src/federated/train/train-adapter.ts';
import { initialAdapter } from '../../../src/federated/adapter/initial-adapter.ts';
import { writeAdapter } from '../../../src/federated/adapter/adapter-file.ts';
import { createCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { good } from '../nodes.ts';
import { bytesOf, layersOf, scatteredFactors, smallBase } from './support.ts';

const base = await smallBase();
const [rank, alpha, seed] = [2, 3, 28];
const layers = layersOf(base, ['attention.query', 'up', 'down']);
const factors = scatteredFactors(layers, rank);
const adapter = (name: string): Float32Array => factors.get(name)?.data ?? new Float32Array(0);
const weights = (name: string): Float32Array => base.weights.get(name) ?? new Float32Array(0);
const tokens = Int32Array.from({ length: 12 }, (_, i) => (37 * i + 5) % 256);
const targets = Int32Array.from({ length: 12 }, (_, i) => (91 * i + 7) % 256);

/** A network whose adapters have dropout. */
function networkWith(dropout: number) {
  const dropped = dropAdapter({ layers, rank, alpha, dropout, seed });
  const network = createCharTransformer(base.sizes, 1, dropped.branches);
  const lossAt = (step: number): number => {
    dropped.begin(adapter, step);
    return network.lossAndGradients(weights, tokens, targets).loss;
  };
  return { ...dropped, lossAt };
}

describe('masks', () => {
  it('are those of the stream that the documentation states', () => {
    // SHA-256 of "pv lora dropout\n28\nblock1.mlp.up\n1" begins with these four bytes; Philox4x32-10 under them.
    const uniforms = dropoutUniforms(28, 'block1.mlp.up', 1, 3);
    expect([...uniforms].map((u) => u * 2 ** 24)).toEqual([12497554, 2893638, 722598]);
  });

  it('depend on seed, layer, step and place alone, and drop the share that they should', () => {
    const length = 4096;
    const drawn = dropoutUniforms(1, 'a', 1, length);
    expect(dropoutUniforms(1, 'a', 1, 100)).toEqual(drawn.subarray(0, 100));
    for (const other of [
      dropoutUniforms(2, 'a', 1, length),
      dropoutUniforms(1, 'b', 1, length),
      dropoutUniforms(1, 'a', 2, length),
    ])
      expect(other.filter((u, i) => u < 0.5 === (drawn[i] ?? 0) < 0.5).length / length).toBeCloseTo(0.5, 1);
    expect(drawn.filter((u) => u < 0.1).length / length).toBeCloseTo(0.1, 1);
  });
});

describe('an adapter whose input is dropped', () => {
  it('gives the loss and the gradients of the merged weights if nothing is dropped', () => {
    const { lossAt, gradients } = networkWith(0);
    const adapted = adaptModel(base, layers, { rank, alpha });
    const plain = createCharTransformer(base.sizes, 1);
    const merged = plain.lossAndGradients(adapted.merged(adapter), tokens, targets);
    expect(lossAt(1)).toBeCloseTo(merged.loss, 5);
    for (const [name, expected] of Object.entries(adapted.factorGradients(adapter, merged.gradients)))
      for (const [i, value] of expected.entries()) expect(gradients[name]?.[i]).toBeCloseTo(value, 5);
  });

  it.each([...factors.keys()])('has the slopes of its loss by %s, under the same masks', (name) => {
    const { lossAt, gradients } = networkWith(0.3);
    lossAt(5);
    const gradient = gradients[name]?.slice() ?? [];
    const array = adapter(name);
    const h = 2 ** -6;
    for (let i = 0; i < array.length; i++) {
      const kept = array[i] ?? NaN;
      const at = (value: number): number => {
        array[i] = value;
        const loss = lossAt(5);
        array[i] = kept;
        return loss;
      };
      const near = at(kept + h) - at(kept - h);
      const far = at(kept + 2 * h) - at(kept - 2 * h);
      expect(Math.abs((8 * near - far) / (12 * h) - (gradient[i] ?? NaN))).toBeLessThan(3e-4);
    }
    expect(Math.max(...[...gradient].map(Math.abs))).toBeGreaterThan(1e-3);
  });

  it('has another loss in another step', () => {
    const { lossAt } = networkWith(0.3);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (step) => {
        const loss = lossAt(step);
        expect(lossAt(step)).toBe(loss);
        expect(lossAt(step + 1)).not.toBe(loss);
      }),
      { numRuns: 20 },
    );
  });
});

describe('training with dropout', () => {
  const text = bytesOf('the fire brigade meets on monday, and the harvest begins in july. '.repeat(4));
  const start = initialAdapter(seed, layers, rank);
  const options: LocalTraining = {
    layers,
    rank,
    alpha,
    dropout: 0,
    trainSteps: 12,
    learningRate: 0.01,
    batchSize: 2,
    seed,
    clipNorm: 1,
    frozen: () => false,
    round: {},
  };
  const trained = async (changes: Partial<LocalTraining>): Promise<string> => {
    const { adapter: learned } = good(await trainAdapter(base, start, text, { ...options, ...changes }));
    return Buffer.from(writeAdapter(learned)).toString('hex');
  };

  it('gives the same bytes again, and others for another share or seed', async () => {
    const once = await trained({ dropout: 0.1 });
    expect(await trained({ dropout: 0.1 })).toBe(once);
    for (const changes of [{ dropout: 0 }, { dropout: 0.2 }, { dropout: 0.1, seed: 29 }])
      expect(await trained(changes)).not.toBe(once);
  });
});
