import { describe, expect, it } from 'vitest';
import { factorNames } from '../../../src/federated/adapter/layout.ts';
import { adaptModel, linearLayers } from '../../../src/federated/train/lora.ts';
import { createCharTransformer } from '../../../src/training/model/char-transformer.ts';
import { layersOf, scatteredFactors, smallBase } from './support.ts';

const base = await smallBase();
const modules = ['attention.query', 'up'];
const [rank, alpha] = [2, 3];
const layers = layersOf(base, modules);
const factors = scatteredFactors(layers, rank);
const adapter = (name: string): Float32Array => factors.get(name)?.data ?? new Float32Array(0);
const adapted = adaptModel(base, layers, { rank, alpha });

describe('linear layers', () => {
  it('are the six of each block, with their sizes', () => {
    const found = linearLayers(base.sizes).map(({ path, inputs, outputs }) => `${path} ${inputs}×${outputs}`);
    expect(found).toEqual([
      ...['query', 'key', 'value', 'output'].map((name) => `block1.attention.${name} 8×8`),
      'block1.mlp.up 8×32',
      'block1.mlp.down 32×8',
    ]);
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

  it.each([...factors.keys()])('are the slopes of the loss by %s', (name) => {
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
