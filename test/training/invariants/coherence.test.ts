/** Spectral coherence, and the eigen-solver under it. Holds src/training/spectrum/eigenvalues.ts. */
import { describe, expect, it } from 'vitest';
import { coherence, coherenceBound } from '../../../src/training/invariants/coherence.ts';
import { glorotUniform } from '../../../src/training/model/initial.ts';
import { largestEigenvalues } from '../../../src/training/spectrum/eigenvalues.ts';
import { gradientOf, trainerWith } from './fixture.ts';
import { referenceMatrices } from './reference-matrices.ts';

/** The Laplacian D − A of a graph. */
function laplacian(size: number, edges: readonly (readonly [number, number])[]) {
  return {
    size,
    known: [],
    apply(x: Float64Array, out: Float64Array): void {
      out.fill(0);
      for (const [i, j] of edges) {
        const difference = (x[i] ?? NaN) - (x[j] ?? NaN);
        out[i] = (out[i] ?? NaN) + difference;
        out[j] = (out[j] ?? NaN) - difference;
      }
    },
  };
}

const start = (size: number): Float64Array => Float64Array.from(glorotUniform(1, 'start', 1, size));
const path = (n: number) => Array.from({ length: n - 1 }, (_, i) => [i, i + 1] as const);
const cycle = (n: number) => [...path(n), [n - 1, 0] as const];
const complete = (n: number) =>
  Array.from({ length: n * n }, (_, k) => [k % n, Math.floor(k / n)] as const).filter(([i, j]) => i < j);

describe('the largest eigenvalues', () => {
  it.each([
    ['a path of 10', laplacian(10, path(10)), 2 - 2 * Math.cos((9 * Math.PI) / 10)],
    ['a cycle of 10', laplacian(10, cycle(10)), 4],
    ['a complete graph of 6', laplacian(6, complete(6)), 6],
    [
      'a star of 5',
      laplacian(
        5,
        [1, 2, 3, 4].map((i) => [0, i] as const),
      ),
      5,
    ],
  ])('of the Laplacian of %s are found, where all ones as a start would find 0', (_, operator, largest) => {
    expect(largestEigenvalues(operator, operator.size, start(operator.size))[0]).toBeCloseTo(largest, 12);
    expect(largestEigenvalues(operator, operator.size, new Float64Array(operator.size).fill(1))[0] ?? 0).toBeCloseTo(
      0,
      12,
    );
  });

  it('are all of them where there are as many steps as dimensions, in descending order', () => {
    const n = 9;
    const found = largestEigenvalues(laplacian(n, path(n)), n, start(n));
    expect(found).toHaveLength(n);
    for (const [k, value] of found.entries())
      expect(value).toBeCloseTo(2 - 2 * Math.cos(((n - 1 - k) * Math.PI) / n), 11);
  });

  it('approach from below, and leave out what is known', () => {
    const operator = laplacian(30, cycle(30));
    let before = 0;
    for (const steps of [1, 2, 4, 8]) {
      const [largest = NaN] = largestEigenvalues(operator, steps, start(30));
      expect(largest).toBeGreaterThanOrEqual(before);
      expect(largest).toBeLessThan(4 + 1e-12);
      before = largest;
    }
    const top = Float64Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 1 : -1) / Math.sqrt(30));
    expect(largestEigenvalues({ ...operator, known: [top] }, 29, start(30))[0]).toBeCloseTo(
      2 - 2 * Math.cos((14 * Math.PI) / 15),
      10,
    );
  });
});

const matrix = (rows: number, columns: number, entry: (i: number, j: number) => number) => ({
  rows,
  columns,
  data: Float32Array.from({ length: rows * columns }, (_, k) => entry(Math.floor(k / columns), k % columns)),
});

describe('the coherence of a matrix', () => {
  it.each(referenceMatrices)(
    'is that of all its singular values for $rows×$columns',
    ({ coherence: expected, ...of }) => {
      expect(coherence(of, 99)).toBeCloseTo(expected, 12);
    },
  );

  it('is too high if the solver stops early', () => {
    for (const { coherence: expected, ...of } of referenceMatrices)
      expect(coherence(of, 2)).toBeGreaterThan(expected - 0.02);
  });

  it.each([2, 16, 128])('is 1 where all weights are equal in size, for %i×%i as well', (n) => {
    expect(
      coherence(
        matrix(n, n, (i, j) => ((i * j) % 2 === 0 ? 0.3 : -0.3)),
        4,
      ),
    ).toBeCloseTo(1, 12);
  });

  it('is 0.2 where the layer falls into two equal parts, and little more where they hardly touch', () => {
    const halves = (bridge: number) =>
      coherence(
        matrix(8, 8, (i, j) => (i < 4 === j < 4 ? 1 : bridge)),
        4,
      );
    expect(halves(0)).toBeCloseTo(0.2, 6);
    expect(halves(1e-3)).toBeLessThan(0.21);
    expect(halves(1e-3)).toBeLessThan(halves(1e-1));
    expect(halves(1e-1)).toBeLessThan(halves(1));
  });

  it('is at most 0.2 with a unit that is cut off, and 0 without weights', () => {
    expect(
      coherence(
        matrix(8, 8, (i) => (i === 3 ? 0 : 1)),
        4,
      ),
    ).toBeCloseTo(0.2 * (0.5 + 0.5 * (7 / 8)), 12);
    expect(
      coherence(
        matrix(3, 3, () => 0),
        4,
      ),
    ).toBe(0);
  });

  it('is 1 for a single row, a star, and NaN if a weight is NaN', () => {
    expect(
      coherence(
        matrix(1, 5, () => 2),
        4,
      ),
    ).toBeCloseTo(1, 12);
    expect(
      coherence(
        matrix(3, 3, (i) => (i === 0 ? NaN : 1)),
        4,
      ),
    ).toBeNaN();
  });
});

describe('CoherenceBound', () => {
  it('refuses a step that cuts a layer in two, and the certificate has the last score', async () => {
    const trainer = trainerWith([coherenceBound({ minCoherence: 0.5 })], {
      parameters: { 'a.weight': { shape: [2, 2], data: Float32Array.of(1, 1, 1, 1) } },
    });
    expect((await trainer.step({ loss: 1, gradients: gradientOf(0, 1, 1, 0) })).verdict).toBe('committed');
    const { verdict, violations } = await trainer.step({ loss: 1, gradients: gradientOf(0, 9, 9, 0) });
    expect(verdict).toBe('refused');
    expect(violations).toMatchObject([{ what: 'a.weight', is: 'at least', bound: 0.5 }]);
    const { finalCoherence } = await trainer.seal();
    expect(finalCoherence).toBeGreaterThan(0.9);
  });

  it('certifies the least score of its layers', async () => {
    const trainer = trainerWith([coherenceBound({ minCoherence: 0 })], {
      parameters: {
        'a.weight': { shape: [2, 2], data: Float32Array.of(1, 0, 0, 1) },
        'b.weight': { shape: [2, 2], data: Float32Array.of(1, 1, 1, 1) },
      },
    });
    const none = new Float32Array(4);
    await trainer.step({ loss: 1, gradients: { 'a.weight': none, 'b.weight': none } });
    expect((await trainer.seal()).finalCoherence).toBeCloseTo(0.2, 6);
  });

  it.each([{ minCoherence: -0.1 }, { minCoherence: 1.1 }, { minCoherence: 0.5, eigenvalueSamples: 0 }])(
    'rejects settings out of range: %j',
    (options) => {
      expect(() => coherenceBound(options)).toThrow(/^PV-8403/);
    },
  );
});
