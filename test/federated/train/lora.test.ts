import { describe, expect, it } from 'vitest';
import { adaptModel, factorNames, targetLayers } from '../../../src/federated/train/lora.ts';
import { createCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { factorsOf, smallBase } from './support.ts';

const base = await smallBase();
const modules = ['attention.query', 'up'];
const [rank, alpha] = [2, 3];
const layers = targetLayers(base.sizes, modules);
const factors = factorsOf(base, modules, rank);
const adapter = (name: string): Float32Array => factors[name]?.data ?? new Float32Array(0);
const adapted = adaptModel(base, layers, { rank, alpha });

describe('target modules', () => {
  it('match the end of a path, whole names only', () => {
    expect(targetLayers(base.sizes, ['query']).map(({ path }) => path)).toEqual(['block1.attention.query']);
    expect(targetLayers(base.sizes, ['block1.mlp.down'])).toEqual([
      { path: 'block1.mlp.down', inputs: 32, outputs: 8 },
    ]);
    expect(targetLayers(base.sizes, ['ery', 'symbols', 'positions', 'norm1', 'norm'])).toEqual([]);
  });
});

describe('merged weights', () => {
  it('are W + (alpha/rank)·(B·A)ᵀ for targets, and the base otherwise', () => {
    const merged = adapted.merged(adapter);
    for (const { path, inputs, outputs } of layers) {
      const { a, b } = factorNames(path);
      const weight = merged(`${path}.weight`);
      const original = base.weights.get(`${path}.weight`);
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < outputs; o++) {
          let product = 0;
          for (let k = 0; k < rank; k++)
            product += (adapter(b)[o * rank + k] ?? NaN) * (adapter(a)[k * inputs + i] ?? NaN);
          const expected = (original?.[i * outputs + o] ?? NaN) + (alpha / rank) * product;
          expect(weight[i * outputs + o]).toBeCloseTo(expected, 6);
        }
    }
    expect(merged('symbols.weight')).toBe(base.weights.get('symbols.weight'));
  });

  it('are those of the base, bit for bit, if every B is zero', () => {
    const zero = new Float32Array(1000);
    const merged = adapted.merged((name) =>
      name.includes('lora_B') ? zero.subarray(0, adapter(name).length) : adapter(name),
    );
    for (const name of base.weights.keys()) expect(merged(name)).toEqual(base.weights.get(name));
  });
});

describe('gradients of the factors', () => {
  const tokens = Int32Array.from({ length: 12 }, (_, i) => (37 * i + 5) % 256);
  const targets = Int32Array.from({ length: 12 }, (_, i) => (91 * i + 7) % 256);
  const network = createCharTransformer(base.sizes, 1);
  const loss = (): number => network.lossAndGradients(adapted.merged(adapter), tokens, targets).loss;

  it.each(Object.keys(factors))('are the slopes of the loss by %s', (name) => {
    const { gradients } = network.lossAndGradients(adapted.merged(adapter), tokens, targets);
    const gradient = adapted.factorGradients(adapter, gradients)[name]?.slice();
    const array = adapter(name);
    const h = 2 ** -6;
    for (let i = 0; i < array.length; i++) {
      const kept = array[i] ?? NaN;
      const at = (value: number): number => {
        array[i] = value;
        const result = loss();
        array[i] = kept;
        return result;
      };
      const near = at(kept + h) - at(kept - h);
      const far = at(kept + 2 * h) - at(kept - 2 * h);
      expect(Math.abs((8 * near - far) / (12 * h) - (gradient?.[i] ?? NaN))).toBeLessThan(3e-4);
    }
    // Otherwise differences of zero would pass.
    expect(Math.max(...(gradient ?? []).map(Math.abs))).toBeGreaterThan(1e-3);
  });
});
