/** Products against the sums that define them, one rounding at a time. Holds src/training/model/products.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  multiply,
  multiplySparse,
  multiplyTransposedLeft,
  multiplyTransposedRight,
} from '../../../src/training/model/products.ts';
import { normalisedAdjacency } from '../../../src/training/model/graph.ts';

const { fround } = Math;

/** Σ over t from 0 of term(t), in float32 from left to right. */
function sum(count: number, term: (t: number) => number): number {
  let total = 0;
  for (let t = 0; t < count; t++) total = fround(total + fround(term(t)));
  return total;
}

const size = fc.integer({ min: 1, max: 9 });
const sizes = fc.record({ m: size, k: size, n: size, seed: fc.integer() });
const values = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.fround(Math.sin(seed + 12.9898 * i) * 1e3 + 1e-3 * i));

describe('products have the bits of one sum at a time', () => {
  it('A · B', () => {
    fc.assert(
      fc.property(sizes, ({ m, k, n, seed }) => {
        const [a, b, out] = [values(m * k, seed), values(k * n, seed + 1), new Float32Array(m * n).fill(7)];
        multiply(out, a, b, m, k, n);
        for (let i = 0; i < m; i++)
          for (let j = 0; j < n; j++)
            expect(out[i * n + j]).toBe(sum(k, (t) => (a[i * k + t] ?? NaN) * (b[t * n + j] ?? NaN)));
      }),
    );
  });

  it('Aᵀ · G', () => {
    fc.assert(
      fc.property(sizes, ({ m, k, n, seed }) => {
        const [a, g, out] = [values(m * k, seed), values(m * n, seed + 1), new Float32Array(k * n).fill(7)];
        multiplyTransposedLeft(out, a, g, m, k, n);
        for (let p = 0; p < k; p++)
          for (let j = 0; j < n; j++)
            expect(out[p * n + j]).toBe(sum(m, (t) => (a[t * k + p] ?? NaN) * (g[t * n + j] ?? NaN)));
      }),
    );
  });

  it('G · Bᵀ', () => {
    fc.assert(
      fc.property(sizes, ({ m, k, n, seed }) => {
        const [g, b, out] = [values(m * n, seed), values(k * n, seed + 1), new Float32Array(m * k).fill(7)];
        multiplyTransposedRight(out, g, b, m, k, n);
        for (let i = 0; i < m; i++)
          for (let p = 0; p < k; p++)
            expect(out[i * k + p]).toBe(sum(n, (t) => (g[i * n + t] ?? NaN) * (b[p * n + t] ?? NaN)));
      }),
    );
  });

  it('a sparse matrix times a dense one', () => {
    const adjacency = normalisedAdjacency(5, [
      [0, 1],
      [1, 2],
      [3, 1],
      [1, 3],
    ]);
    const x = values(5 * 3, 4);
    const out = new Float32Array(15).fill(7);
    multiplySparse(out, adjacency, x, 3);
    const dense = (i: number, t: number): number => {
      const degrees = [2, 4, 2, 2, 1];
      const linked = i === t || ['0-1', '1-2', '1-3'].includes(`${Math.min(i, t)}-${Math.max(i, t)}`);
      return linked ? fround(1 / Math.sqrt((degrees[i] ?? NaN) * (degrees[t] ?? NaN))) : 0;
    };
    for (let i = 0; i < 5; i++)
      for (let j = 0; j < 3; j++) expect(out[i * 3 + j]).toBe(sum(5, (t) => dense(i, t) * (x[t * 3 + j] ?? NaN)));
  });
});
