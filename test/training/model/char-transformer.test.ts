/**
 * Gradients of the character transformer against differences of its loss. Holds src/training/model/attention.ts,
 * src/training/model/embedding.ts, src/training/model/gelu.ts, src/training/model/linear.ts, src/training/model/mlp.ts,
 * src/training/model/norm.ts, src/training/model/module.ts, src/training/model/initial.ts.
 */
import { describe, expect, it } from 'vitest';
import { createCharTransformer, initialCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { uniform } from '../../../src/training/model/initial.ts';

const sizes = { vocabulary: 7, width: 6, heads: 2, layers: 2, context: 5, tied: true };
const tokens = Int32Array.from([0, 3, 6, 3, 1, 2, 2, 5, 4, 0]);
const targets = Int32Array.from([3, 6, 3, 1, 2, 2, 5, 4, 0, 6]);

/** Weights far from their start, so that every path of the network matters. */
function scattered(tied: boolean): ReadonlyMap<string, Float32Array> {
  const initial = Object.entries(initialCharTransformer(3, { ...sizes, tied }));
  return new Map(
    initial.map(([name, { data }]) => [
      name,
      uniform(5, name, data.length, 0.5).map((value, i) => value + (data[i] ?? NaN)),
    ]),
  );
}

describe.each([true, false])('the gradient with tied: %s', (tied) => {
  const arrays = scattered(tied);
  const weights = (name: string): Float32Array => arrays.get(name) ?? new Float32Array(0);
  const network = createCharTransformer({ ...sizes, tied }, 2);
  const loss = (): number => network.lossAndGradients(weights, tokens, targets).loss;

  it('has an entry for every parameter, and no other', () => {
    expect(Object.keys(network.lossAndGradients(weights, tokens, targets).gradients).sort()).toEqual(
      [...arrays.keys()].sort(),
    );
    expect(arrays.has('head.weight')).toBe(!tied);
  });

  it.each([...arrays.keys()])('is the slope of the loss by %s', (name) => {
    const gradient = network.lossAndGradients(weights, tokens, targets).gradients[name]?.slice();
    const array = weights(name);
    const h = 2 ** -7;
    for (let i = 0; i < array.length; i++) {
      const kept = array[i] ?? NaN;
      const at = (value: number): number => {
        array[i] = value;
        const result = loss();
        array[i] = kept;
        return result;
      };
      // The fourth-order formula: float32 rounding errs by 1e-6 in the loss, so h must not be small.
      const near = at(kept + h) - at(kept - h);
      const far = at(kept + 2 * h) - at(kept - 2 * h);
      const slope = (8 * near - far) / (12 * h);
      expect(Math.abs(slope - (gradient?.[i] ?? NaN))).toBeLessThan(3e-4);
    }
  });
});

describe('the outputs', () => {
  const arrays = scattered(true);
  const weights = (name: string): Float32Array => arrays.get(name) ?? new Float32Array(0);
  const network = createCharTransformer(sizes, 2);

  it('do not depend on later symbols or on other sequences', () => {
    const before = network.forward(weights, tokens).slice();
    const changed = tokens.slice();
    changed.set([6, 5], 3);
    changed.set([1, 1, 1, 1, 1], 5);
    const after = network.forward(weights, changed).slice();
    expect(after.subarray(0, 3 * 7)).toEqual(before.subarray(0, 3 * 7));
    expect(after.subarray(3 * 7, 4 * 7)).not.toEqual(before.subarray(3 * 7, 4 * 7));
  });

  it('depend on the order of earlier symbols', () => {
    const before = network.forward(weights, tokens).slice(4 * 7, 5 * 7);
    const swapped = Int32Array.from([3, 0, ...tokens.subarray(2)]);
    expect(network.forward(weights, swapped).slice(4 * 7, 5 * 7)).not.toEqual(before);
  });
});
