import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ref32 } from '../../src/backends/ref32.ts';
import { ref64 } from '../../src/backends/ref64.ts';
import { invariant } from '../../src/base/invariant.ts';
import { DEGREE, fitNormalTail, measureFit, sampleTail } from '../../scripts/fit-normal-tail.ts';
import { shippedKernel } from '../support/kernels.ts';

const coefficients = fitNormalTail(DEGREE);
const sample = sampleTail(400);
const source = readFileSync(new URL('../../src/kernels/gelu.ts', import.meta.url), 'utf8');

async function run(backend: typeof ref32, x: Float32Array): Promise<Float32Array | Float64Array> {
  const opened = await backend.open(await shippedKernel('gelu', 'gelu'));
  invariant(opened.ok, 'opens');
  const outcome = opened.kernel.runSync?.({
    arguments: [x, x.length],
    shapes: [[x.length], []],
    outputShape: [x.length],
  });
  invariant(outcome?.ok, 'runs');
  return outcome.output;
}

/** The largest error of the tail x·Φ(x) for x < 0, relative, among the x that `counts`. */
async function worstTail(backend: typeof ref32, counts: (x: number) => boolean): Promise<number> {
  const x = Float32Array.from(sample, ([value]) => -value);
  const output = await run(backend, x);
  const errors = sample.map(([value, scaled], i) => {
    const exact = -value * scaled * Math.exp((-value * value) / 2);
    return value !== 0 && counts(value) ? Math.abs((output[i] ?? Number.NaN) / exact - 1) : 0;
  });
  return Math.max(...errors);
}

describe('the coefficients of gelu', () => {
  it('are those that the fit derives', () => {
    const start = source.indexOf('let fit = ');
    const written = source
      .slice(start, source.indexOf('const tail', start))
      .matchAll(/fit = (?:fit \* t ([+-]) )?([\d.]+);/g);
    const numbers = Array.from(written, ([, sign, digits]) => (sign === '-' ? -Number(digits) : Number(digits)));
    expect(numbers).toEqual(coefficients.toReversed());
  });

  it('err by at most 4.1e-8, and by 2.8e-7 when evaluated in float32', () => {
    const { fit, float32 } = measureFit(coefficients, sample);
    expect(fit).toBeLessThanOrEqual(4.1e-8);
    expect(float32).toBeLessThanOrEqual(2.8e-7);
    // Nor do the stated figures hide a better fit.
    expect(fit).toBeGreaterThan(2e-8);
  });

  it('have the degree at which float32 rounding decides: one less is worse, two more no better', () => {
    const own = measureFit(coefficients, sample);
    expect(measureFit(fitNormalTail(DEGREE - 1), sample).float32).toBeGreaterThan(1.2 * own.float32);
    expect(measureFit(fitNormalTail(DEGREE + 2), sample).float32).toBeGreaterThan(0.8 * own.float32);
    expect(own.fit).toBeLessThan(0.25 * own.float32);
  });
});

describe('gelu', () => {
  it('keeps the fit in float64 and 5e-6 relative down to -13 in float32', async () => {
    expect(await worstTail(ref64, () => true)).toBeLessThanOrEqual(4.2e-8);
    expect(await worstTail(ref32, (x) => x <= 13)).toBeLessThanOrEqual(5e-6);
  });

  it('errs by at most 2e-7·max(1, |x|) in float32, on either side', async () => {
    const x = Float32Array.from([...sample.map(([value]) => -value), ...sample.map(([value]) => value)]);
    const output = await run(ref32, x);
    const errors = Array.from(x, (value, i) => {
      const tail = (sample[i % sample.length]?.[1] ?? Number.NaN) * Math.exp((-value * value) / 2);
      const exact = value * (value < 0 ? tail : 1 - tail);
      return Math.abs((output[i] ?? Number.NaN) - exact) / Math.max(1, Math.abs(value));
    });
    expect(Math.max(...errors)).toBeLessThanOrEqual(2e-7);
  });
});
