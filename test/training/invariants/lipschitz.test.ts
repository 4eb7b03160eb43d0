/** Spectral norms from below and from above. Holds src/training/spectrum/matrix.ts, src/training/spectrum/upper-bound.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lipschitzBound, type LipschitzOptions } from '../../../src/training/invariants/lipschitz.ts';
import { gramUpperBound, quickUpperBound } from '../../../src/training/spectrum/upper-bound.ts';
import { gradientOf, layerMeter, trainerWith } from './fixture.ts';
import { referenceMatrices } from './reference-matrices.ts';

interface Given {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

const measure = (given: Given, options: Partial<LipschitzOptions> = {}) => {
  const meter = layerMeter(lipschitzBound({ maxLipschitz: 1e6, tolerance: 0, ...options }));
  const [estimate, upper] = meter({ 'a.weight': given }).map(({ value }) => value);
  return { estimate: estimate ?? NaN, upper: upper ?? NaN };
};

describe('the two measurements of a matrix', () => {
  it.each(referenceMatrices)('enclose what LAPACK finds for $rows×$columns', ({ rows, columns, data, sigma }) => {
    const { estimate, upper } = measure({ shape: [rows, columns], data }, { powerIterations: 300 });
    expect(estimate).toBeGreaterThan(sigma * (1 - 1e-12));
    expect(estimate).toBeLessThan(sigma * (1 + 1e-12));
    expect(upper).toBeGreaterThan(sigma);
  });

  it.each(referenceMatrices)('meet by squarings for $rows×$columns', ({ sigma, ...matrix }) => {
    let before = quickUpperBound(matrix);
    for (const iterations of [1, 2, 4, 8]) {
      const bound = gramUpperBound(matrix, 0, iterations);
      expect(bound).toBeGreaterThan(sigma);
      expect(bound).toBeLessThanOrEqual(before);
      before = bound;
    }
    expect(before).toBeLessThan(1.01 * sigma);
  });

  it('enclose ‖u‖·‖v‖ for every u·vᵀ, down to the least and up to the largest weights', () => {
    const entry = fc.float({ min: -1, max: 1, noNaN: true }).map((x) => Math.fround(x * 2 ** -10));
    const vector = fc.array(entry, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(vector, vector, fc.constantFrom(2 ** -100, 1, 2 ** 118), (u, v, scale) => {
        // Products of powers of two are exact, so that the matrix has this norm.
        const [p, q] = [u, v].map((x) => x.map((value) => (value < 0 ? -1 : 1) * 2 ** Math.round(value * 2 ** 12)));
        const [left, right] = [p ?? [], q ?? []];
        const data = Float32Array.from(left.flatMap((a) => right.map((b) => a * b * scale)));
        const sigma = scale * Math.hypot(...left) * Math.hypot(...right);
        const { estimate, upper } = measure({ shape: [left.length, right.length], data });
        expect(estimate).toBeLessThan(sigma * (1 + 1e-12));
        expect(upper).toBeGreaterThan(sigma * (1 - 1e-15));
        const squared = gramUpperBound({ rows: left.length, columns: right.length, data }, 0, 6);
        expect(squared).toBeGreaterThan(sigma * (1 - 1e-15));
        expect(squared).toBeLessThan(sigma * (1 + 1e-3));
      }),
      { numRuns: 200 },
    );
  });

  it('bound a convolution as well: a kernel of ones sums all its inputs', () => {
    const { estimate, upper } = measure({ shape: [1, 1, 3, 3], data: new Float32Array(9).fill(1) });
    expect(estimate).toBeCloseTo(3, 10);
    expect(upper).toBeGreaterThan(9);
    expect(upper).toBeLessThan(9.001);
  });

  it('leave biases out, and are not numbers where the weights are not', () => {
    const meter = layerMeter(lipschitzBound({ maxLipschitz: 1 }));
    expect(meter({ 'a.bias': Float32Array.of(5) })).toEqual([]);
    const { estimate, upper } = measure({ shape: [2, 2], data: Float32Array.of(1, NaN, 0, 1) });
    expect(estimate <= 1e9 && upper <= 1e9).toBe(false);
  });

  it('are 0, or a hair above, for a matrix of zeros', () => {
    const { estimate, upper } = measure({ shape: [2, 2], data: new Float32Array(4) });
    expect(estimate).toBe(0);
    expect(upper).toBeLessThan(1e-100);
  });
});

describe('what max_lipschitz bounds', () => {
  /** Far from its cheap bounds: σ₁ = 4, but ‖W‖_F = √(Σσ²) = 8 and √(‖W‖₁·‖W‖_∞) = 16 for this Hadamard matrix. */
  const hadamard = (): Given => ({
    shape: [16, 16],
    data: Float32Array.from({ length: 256 }, (_, k) => {
      let [bits, parity] = [(k >> 4) & (k & 15), 0];
      for (; bits > 0; bits >>= 1) parity ^= bits & 1;
      return parity === 1 ? -1 : 1;
    }),
  });
  const heldAt = (maxLipschitz: number, options: Partial<LipschitzOptions> = {}) =>
    layerMeter(lipschitzBound({ maxLipschitz, ...options }))({ a: hadamard() }).map(
      ({ value, bound }) => value <= bound,
    );

  it('is the upper bound, squared until it is tight enough', () => {
    expect(heldAt(4.5)).toEqual([true, true]);
    expect(heldAt(4.5, { gramIterations: 0 })).toEqual([true, false]);
    expect(heldAt(3.99)).toEqual([false, false]);
  });

  it('is only the estimate on request', () => {
    expect(heldAt(4.5, { gramIterations: 0, gate: 'estimate' })).toEqual([true, true]);
    expect(heldAt(3.99, { gate: 'estimate' })).toEqual([false, true]);
    expect(lipschitzBound({ maxLipschitz: 1, gate: 'estimate' }).evidence).toEqual({
      class: 'estimate',
      iterations: 1,
      tolerance: 1e-6,
    });
  });

  it('is exceeded by no step, though the vector of the estimate lags behind a jump', async () => {
    const trainer = trainerWith([lipschitzBound({ maxLipschitz: 4.5 })]);
    expect((await trainer.step({ loss: 1, gradients: gradientOf(1, 0, 0, 1) })).verdict).toBe('committed');
    const { verdict, violations } = await trainer.step({ loss: 1, gradients: gradientOf(-90, 0, 0, 0) });
    expect(verdict).toBe('refused');
    expect(violations.map(({ what }) => what)).toEqual(['a.weight upper bound']);
  });
});

describe('the warm start', () => {
  const slowly = (k: number): Given => {
    const { rows, columns, data } = referenceMatrices[1] ?? expect.fail('there is a second matrix');
    return { shape: [rows, columns], data: data.map((value, i) => value + 0.001 * k * ((i % 7) - 3)) };
  };

  it('follows a matrix that changes slowly with one iteration at each step', () => {
    const meter = layerMeter(lipschitzBound({ maxLipschitz: 1e6 }));
    for (let k = 0; k < 20; k++) {
      const [estimate] = meter({ a: slowly(k) });
      const sigma = measure(slowly(k), { powerIterations: 1000 }).estimate;
      expect(estimate?.value).toBeGreaterThan(0.99 * sigma);
    }
  });

  it('is part of the state, so that a resumed run measures the same bits', () => {
    const first = layerMeter(lipschitzBound({ maxLipschitz: 1e6 }));
    for (let k = 0; k < 5; k++) first({ a: slowly(k) });
    const resumed = layerMeter(lipschitzBound({ maxLipschitz: 1e6 }));
    resumed.checks.restore?.(JSON.parse(JSON.stringify(first.checks.state?.())));
    expect(resumed({ a: slowly(5) })).toEqual(first({ a: slowly(5) }));
    expect(layerMeter(lipschitzBound({ maxLipschitz: 1e6 }))({ a: slowly(5) })).not.toEqual(resumed({ a: slowly(5) }));
  });

  it('remembers nothing of a refused step', async () => {
    const estimates = async (spike: boolean) => {
      const trainer = trainerWith([lipschitzBound({ maxLipschitz: 5 })]);
      await trainer.step({ loss: 1, gradients: gradientOf(0, 1, 0, 0) });
      if (spike) await trainer.step({ loss: 1, gradients: gradientOf(-1e3, 5, 2, 0) });
      return (await trainer.step({ loss: 1, gradients: gradientOf(1, 1, 1, 0) })).measured;
    };
    expect(await estimates(true)).toEqual(await estimates(false));
  });

  it('begins again where its direction has vanished', () => {
    const meter = layerMeter(lipschitzBound({ maxLipschitz: 1e6 }));
    meter({ a: { shape: [2, 2], data: Float32Array.of(1, 0, 0, 0) } });
    const [estimate] = meter({ a: { shape: [2, 2], data: Float32Array.of(0, 0, 0, 2) } });
    expect(estimate?.value).toBeGreaterThan(0);
  });
});

it.each([
  { maxLipschitz: 0 },
  { maxLipschitz: NaN },
  { powerIterations: 0 },
  { tolerance: -1 },
  { gramIterations: 0.5 },
])('LipschitzBound has settings in their ranges, not %j', (options) => {
  expect(() => lipschitzBound({ maxLipschitz: 1, ...options })).toThrow(/^PV-8403/);
});
