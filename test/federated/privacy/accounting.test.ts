/**
 * ε against published and computed values, closed forms, and a quadrature of its own.
 *
 * Holds src/federated/privacy/renyi.ts, src/federated/privacy/gaussian.ts, src/federated/privacy/epsilon.ts,
 * src/federated/privacy/calibrate.ts.
 */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { calibrateNoise, noisePlan } from '../../../src/federated/privacy/calibrate.ts';
import { epsilonEstimate, epsilonOf } from '../../../src/federated/privacy/epsilon.ts';
import { gaussianDelta, gaussianEpsilon } from '../../../src/federated/privacy/gaussian.ts';
import { defaultOrders, epsilonOfRenyi, renyiDivergence } from '../../../src/federated/privacy/renyi.ts';

/** The orders of Opacus, on which its figures depend. */
const opacusOrders = defaultOrders.filter((order) => order < 11 || (order > 11 && order < 64));

interface Run {
  readonly noise_multiplier: number;
  readonly sample_rate: number;
  readonly steps: number;
  readonly delta: number;
}

function renyiEpsilon(run: Run, orders = opacusOrders, conversion: 'classic' | 'improved' = 'improved'): number {
  const release = { noiseMultiplier: run.noise_multiplier, samplingRate: run.sample_rate };
  const divergences = orders.map((order) => run.steps * renyiDivergence(order, release));
  return epsilonOfRenyi(orders, divergences, run.delta, conversion);
}

/** |found / expected − 1| */
const off = (found: number, expected: number): number => Math.abs(found / expected - 1);

const path = '../shared/data/dp/dp-reference.json';
const present = existsSync(path);

test(`the reference values are ${present ? 'there' : 'absent (../shared/data/dp): the figures below alone are checked'}`, () => {
  expect(defaultOrders.length).toBe(157);
});

describe.runIf(present)('the reference values', () => {
  const reference = present ? JSON.parse(readFileSync(path, 'utf8')) : null;

  it('are met by the exact composition of Gaussian noise', () => {
    for (const { rounds, noise_multiplier: sigma, delta, epsilon_exact: expected } of reference.computed
      .gaussian_exact_composition.values)
      expect(off(gaussianEpsilon(Math.sqrt(rounds) / sigma, delta), expected)).toBeLessThan(1e-13);
  });

  it('are met by the Rényi accountant with the conversion of each', () => {
    for (const run of reference.computed.opacus_run.values) {
      expect(off(renyiEpsilon(run), run.rdp_epsilon)).toBeLessThan(2e-11);
      expect(renyiEpsilon(run)).toBeGreaterThan(run.prv_epsilon_upper);
    }
    for (const run of reference.computed.tfp_recomputed) {
      expect(off(renyiEpsilon(run, opacusOrders, 'classic'), run.classic)).toBeLessThan(1e-10);
      expect(off(renyiEpsilon(run), run.improved)).toBeLessThan(1e-10);
    }
    for (const run of reference.published.opacus_accountants_test.values.slice(0, 1))
      expect(Math.abs(renyiEpsilon(run) - run.epsilon)).toBeLessThan(run.abs_tol);
    for (const run of reference.published.tf_privacy_tests.values)
      expect(off(renyiEpsilon(run, [run.order]), run.epsilon)).toBeLessThan(1e-11);
  });

  it('bound those of the accountants of privacy loss distributions from above', () => {
    for (const run of reference.published.msr_prv_accountant.values) {
      const found = epsilonEstimate(run.noise_multiplier, 1, run.steps, run.sample_rate, 1, run.delta);
      expect(found).toBeGreaterThan(run.epsilon - run.abs_tol);
      expect(found).toBeLessThan(1.25 * run.epsilon + 1.2);
    }
  });

  // At fractional orders Google adds the magnitudes of an alternating series, which is a bound from above.
  it("are Google's at integer orders, and below them at fractional ones", () => {
    const [{ noise_multiplier: noiseMultiplier, sample_rate: samplingRate, steps, orders, rdp }] =
      reference.published.google_rdp.values;
    for (const [i, order] of orders.slice(0, -1).entries()) {
      const found = steps * renyiDivergence(order, { noiseMultiplier, samplingRate });
      if (Number.isInteger(order)) expect(off(found, rdp[i])).toBeLessThan(1e-8);
      else expect(found).toBeLessThan(rdp[i]);
      expect(off(found, rdp[i])).toBeLessThan(0.04);
    }
  });
});

describe('figures of others', () => {
  it('are met', () => {
    const opacus = { noise_multiplier: 1.5, sample_rate: 0.04, steps: 2250, delta: 1e-5 };
    expect(renyiEpsilon(opacus)).toBeCloseTo(7.32911117143, 9);
    const privacy = { noise_multiplier: 1.3, sample_rate: 0.0025, steps: 6000, delta: 1e-5 };
    expect(renyiEpsilon(privacy)).toBeCloseTo(0.7242234026109595, 11);
    // The documentation of Opacus' compute_dp_sgd_privacy.
    const documented = { noise_multiplier: 1, sample_rate: 0.01, steps: 300, delta: 1e-5 };
    expect(renyiEpsilon(documented, [2, 5, 10, 20, 100])).toBeCloseTo(2.39, 2);
    // Bu et al. (2020), Deep learning with Gaussian differential privacy, figure 4: the moments accountant after 70 epochs of MNIST.
    const mnist = {
      noise_multiplier: 0.7,
      sample_rate: 256 / 60_000,
      steps: Math.ceil((70 * 60_000) / 256),
      delta: 1e-5,
    };
    expect(renyiEpsilon(mnist, [...defaultOrders], 'classic')).toBeCloseTo(8.68, 2);
    // σ = 1, one round, δ = 10⁻⁵; and 100 rounds of σ = 10 at 10⁻⁶.
    expect(gaussianEpsilon(1, 1e-5)).toBeCloseTo(4.377178095681224, 12);
    expect(gaussianEpsilon(1, 1e-6)).toBeCloseTo(4.886554117462211, 12);
    // Three releases of σ = √3 (Google's accountant of privacy loss distributions).
    expect(gaussianDelta(1, 1)).toBeCloseTo(0.126936, 5);
  });

  it('show that √(2·ln(1.25/δ))/ε promises too much where ε is above 1', () => {
    const classic = Math.sqrt(2 * Math.log(1.25 / 1e-5)) / 0.5;
    expect(gaussianEpsilon(2, 1e-5)).toBeGreaterThan(classic);
  });
});

/** log(A_α) by Simpson's rule over z, in another form and with another step. */
function momentBySimpson(order: number, q: number, sigma: number): number {
  const [from, to] = [-14 * sigma, order + 14 * sigma];
  const half = Math.ceil(((to - from) / Math.min(sigma / 40, sigma * sigma)) * 4);
  const h = (to - from) / (2 * half);
  let sum = 0;
  for (let i = 0; i <= 2 * half; i++) {
    const z = from + i * h;
    const ratio = 1 - q + q * Math.exp((2 * z - 1) / (2 * sigma * sigma));
    const weight = i === 0 || i === 2 * half ? 1 : i % 2 === 1 ? 4 : 2;
    // As one exponential: the power alone overflows.
    sum += weight * Math.exp(order * Math.log(ratio) - (z * z) / (2 * sigma * sigma));
  }
  return Math.log((sum * h) / 3 / (sigma * Math.sqrt(2 * Math.PI)));
}

const rate = fc.double({ min: 0.001, max: 0.9, noNaN: true });
const noise = fc.double({ min: 0.5, max: 20, noNaN: true });

test('the divergence at any order is the integral that defines it', () => {
  const order = fc.oneof(fc.integer({ min: 2, max: 12 }), fc.double({ min: 1.1, max: 12, noNaN: true }));
  fc.assert(
    fc.property(order, rate, noise, (alpha, q, sigma) => {
      const found = (alpha - 1) * renyiDivergence(alpha, { noiseMultiplier: sigma, samplingRate: q });
      expect(Math.abs(found - momentBySimpson(alpha, q, sigma))).toBeLessThan(1e-11 * Math.max(1, found));
    }),
    { numRuns: 60 },
  );
});

test('fractional orders lie between their neighbours, also where a bound takes the place of the integral', () => {
  for (const sigma of [0.005, 0.01, 0.1, 1, 100]) {
    for (const q of [1e-7, 1e-3, 0.5, 0.999]) {
      const at = (order: number) => renyiDivergence(order, { noiseMultiplier: sigma, samplingRate: q });
      for (const order of [2.5, 7.1, 20.5, 256.1]) {
        expect(at(order)).toBeGreaterThanOrEqual(at(Math.floor(order)) * (1 - 1e-9));
        expect(at(order)).toBeLessThanOrEqual(at(Math.ceil(order)) * (1 + 1e-9));
      }
    }
  }
});

test('a moment near 1 keeps its digits', () => {
  // A − 1 = α(α − 1)/2·q²·(e^{1/σ²} − 1) up to a relative q.
  const [q, sigma, order] = [1e-7, 1, 1.5];
  const expected = 0.375 * q * q * Math.expm1(1);
  const found = 0.5 * renyiDivergence(order, { noiseMultiplier: sigma, samplingRate: q });
  expect(off(found, expected)).toBeLessThan(1e-6);
});

test('all participants in every release is the plain Gaussian mechanism', () => {
  expect(renyiDivergence(7.5, { noiseMultiplier: 3, samplingRate: 1 })).toBe(7.5 / 18);
  const almost = renyiDivergence(7.5, { noiseMultiplier: 3, samplingRate: 1 - 1e-12 });
  expect(off(almost, 7.5 / 18)).toBeLessThan(1e-9);
});

test('test_epsilon_estimate is monotone: in steps, in the sampling rate, falling in the noise and in δ, and never negative', () => {
  const estimate = (sigma: number, steps: number, q: number, delta: number) =>
    epsilonEstimate(sigma, 1, steps, q, 1, delta);
  const steps = fc.integer({ min: 0, max: 500 });
  const delta = fc.double({ min: 1e-9, max: 0.1, noNaN: true });
  const more = fc.double({ min: 1, max: 3, noNaN: true });
  fc.assert(
    fc.property(noise, steps, rate, delta, more, (sigma, k, q, d, factor) => {
      const epsilon = estimate(sigma, k, q, d) * (1 + 1e-9) + 1e-12;
      expect(epsilon).toBeGreaterThanOrEqual(0);
      expect(estimate(sigma * factor, k, q, d)).toBeLessThanOrEqual(epsilon);
      expect(estimate(sigma, k, q, Math.min(0.5, d * factor))).toBeLessThanOrEqual(epsilon);
      expect(estimate(sigma, Math.floor(k / factor), q, d)).toBeLessThanOrEqual(epsilon);
      expect(estimate(sigma, k, q / factor, d)).toBeLessThanOrEqual(epsilon);
    }),
    { numRuns: 40 },
  );
});

test('sampling costs no more than taking part in every release', () => {
  for (const q of [0.5, 0.9, 0.999, 1])
    expect(epsilonEstimate(2, 1, 10, q, 1)).toBeLessThanOrEqual(epsilonEstimate(2, 1, 10, 1, 1));
});

test('what adds no noise has no finite ε, and what releases nothing costs nothing', () => {
  expect(epsilonEstimate(0, 1, 1, 1, 1)).toBe(Infinity);
  expect(epsilonEstimate(1, 1, 0, 1, 1)).toBe(0);
  expect(epsilonEstimate(1, 1, 5, 0, 10)).toBe(0);
  for (const wrong of [NaN, -1, Infinity]) {
    expect(epsilonEstimate(1, wrong, 1, 1, 1)).toBe(Infinity);
    if (wrong !== Infinity) expect(epsilonEstimate(wrong, 1, 1, 1, 1)).toBe(Infinity);
  }
  expect(epsilonEstimate(1, 1, NaN, 1, 1)).toBe(Infinity);
  expect(epsilonEstimate(1, 1, 1, 2, 1)).toBe(Infinity);
  expect(epsilonEstimate(1, 1, 1, 0, 0)).toBe(Infinity);
  expect(epsilonEstimate(1, 1, 1, 1, 1, 0)).toBe(Infinity);
  expect(gaussianEpsilon(Infinity, 1e-5)).toBe(Infinity);
  expect(epsilonOf([{ noiseMultiplier: 0, samplingRate: 1, count: 1 }], 1e-5)).toBe(Infinity);
});

test('tiny noise costs a bounded time', () => {
  const before = process.cpuUsage();
  for (const sigma of [1e-9, 1e-3, 0.01, 0.02, 0.05]) epsilonEstimate(sigma, 1, 1000, 1, 100);
  expect(process.cpuUsage(before).user).toBeLessThan(60e6);
});

describe('calibration', () => {
  it('finds the least noise that meets its target', () => {
    const target = { delta: 1e-5, sensitivity: 0.7 };
    const cases = fc.record({
      epsilon: fc.double({ min: 0.05, max: 20, noNaN: true }),
      rounds: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(cases, ({ epsilon, rounds }) => {
        const scale = calibrateNoise({ ...target, epsilon, rounds, samplingRate: 1 });
        if (!scale.ok) expect.fail(scale.error);
        const cost = (sigma: number) => epsilonEstimate(sigma, target.sensitivity, rounds, 1, 1, target.delta);
        expect(cost(scale.value)).toBeLessThanOrEqual(epsilon);
        expect(cost(scale.value * (1 - 1e-5))).toBeGreaterThan(epsilon);
      }),
      { numRuns: 30 },
    );
  });

  it("meets Opacus's figure for a sampled target", () => {
    const run = { epsilon: 8, delta: 1e-5, sensitivity: 1, rounds: 2250, samplingRate: 0.04 };
    const scale = calibrateNoise(run);
    // Opacus stops at 1.416, within 0.01 of ε.
    expect(scale.ok && Math.abs(scale.value - 1.416) < 0.001).toBe(true);
  });

  it('refuses what it cannot meet', () => {
    const target = { epsilon: 1, delta: 1e-5, sensitivity: 1, rounds: 1, samplingRate: 1 };
    expect(calibrateNoise({ ...target, epsilon: 0 }).ok).toBe(false);
    expect(calibrateNoise({ ...target, delta: 0 }).ok).toBe(false);
    expect(calibrateNoise({ ...target, epsilon: 1e-9, delta: 1e-12 }).ok).toBe(false);
  });

  it('shares noise among those whose sum alone is seen', () => {
    expect(noisePlan(2, 4, 100, true)).toEqual({ perParticipant: 1, averageNorm: 5 });
    expect(noisePlan(2, 4, 100, false)).toEqual({ perParticipant: 2, averageNorm: 10 });
  });
});
