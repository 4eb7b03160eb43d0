/**
 * What is measured of a backend, on backends whose errors are known.
 *
 * Holds src/backends/calibrate/calibrate.ts, src/backends/calibrate/operations.ts, src/backends/calibrate/properties.ts,
 * src/backends/sequentially.ts, src/cli/calibrate/calibration-text.ts.
 */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Backend } from '../../src/backends/backend.ts';
import { calibrate, type Calibration } from '../../src/backends/calibrate/calibrate.ts';
import { operations } from '../../src/backends/calibrate/operations.ts';
import { properties } from '../../src/backends/calibrate/properties.ts';
import { loadBackend } from '../../src/backends/registry.ts';
import { beyondEnvelope, calibrationText } from '../../src/cli/calibrate/calibration-text.ts';

async function calibrated(backend: Backend, samples = 4096): Promise<Calibration> {
  const result = await calibrate({ backend, device: 'any', operations, samples, seed: 1 });
  invariant(result.ok, JSON.stringify(result));
  return result.calibration;
}

/** ref32 with each output changed as a device might. */
async function changed(change: (value: number, a: number) => number): Promise<Backend> {
  const ref32 = await loadBackend('gpujs-webasm');
  return {
    ...ref32,
    open: async (program) => {
      const opened = await ref32.open(program);
      if (!opened.ok) return opened;
      const { kernel } = opened;
      return {
        ok: true,
        kernel: {
          ...kernel,
          run: async (calls) => {
            const outcomes = await kernel.run(calls);
            return outcomes.map((outcome, c) => {
              if (!outcome.ok) return outcome;
              const a = calls[c]?.arguments[0];
              invariant(a instanceof Float32Array, 'a vector');
              return { ok: true, output: Float32Array.from(outcome.output, (x, i) => change(x, a[i] ?? 0)) };
            });
          },
        },
      };
    },
  };
}

const named = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe('a backend that rounds right', () => {
  it('errs by half a unit at most, and keeps what IEEE 754 requires', async () => {
    const calibration = await calibrated(await loadBackend('gpujs-webasm'));
    for (const { name, ulp } of calibration.operations)
      expect(ulp.value, name).toBeLessThanOrEqual(name === '1/√a' ? 1.5 : 0.5);
    expect(Object.fromEntries(calibration.properties.map(({ name, says }) => [name, says]))).toMatchObject({
      'subnormal operands': 'kept',
      'subnormal results': 'kept',
      rounding: 'to nearest',
      'a·b + c': 'two roundings',
      '(a + b) - a': 'as written',
      'NaN !== NaN': 'true',
    });
    expect(beyondEnvelope(calibration)).toEqual([]);
    expect(calibrationText([calibration])).toContain('{ cond: 1, envelope: wgsl } holds here');
  });

  it('gives the same figures for the same seed', async () => {
    const backend = await loadBackend('gpujs-webasm');
    expect(await calibrated(backend, 300)).toEqual(await calibrated(backend, 300));
  });
});

describe('a backend that does not', () => {
  it('is named with the operations that err by too much', async () => {
    const backend = await changed((x) => x * (1 + 2 ** -20));
    const beyond = named(beyondEnvelope(await calibrated(backend)));
    expect(beyond).toContain('a + b');
    expect(beyond).toContain('a / b');
    // 16 units in the last place are little beside 3 + 2·80.
    expect(beyond).not.toContain('atan a');
    expect(calibrationText([await calibrated(backend)])).toContain('envelope: wgsl does not hold here');
  });

  it('is seen to flush, and to round toward zero', async () => {
    const flushing = await calibrated(await changed((x) => (Math.abs(x) < 2 ** -126 ? 0 : x)), 10);
    expect(flushing.properties.find(({ name }) => name === 'subnormal results')?.says).toBe('become 0');
    const down = await calibrated(await changed((x, a) => (a === 1 && x > 1 && x < 1.1 ? 1 : x)), 10);
    expect(down.properties.find(({ name }) => name === 'rounding')?.says).toBe('toward zero');
  });

  it('is told where results are no numbers', async () => {
    const backend = await changed((x, a) => (a > 19 ? Number.NaN : x));
    const tanh = beyondEnvelope(await calibrated(backend)).find(({ name }) => name.startsWith('tanh'));
    expect(tanh?.broken).toBeGreaterThan(0);
  });

  it('is not measured where it does not open', async () => {
    const absent: Backend = {
      id: 'webgl2',
      arithmetic: 'f32',
      open: async () => ({ ok: false, failure: { kind: 'unsupported', message: 'nothing here' } }),
    };
    const result = await calibrate({ backend: absent, device: 'any', operations, samples: 1, seed: 1 });
    expect(result).toEqual({ ok: false, failure: { kind: 'unsupported', message: 'nothing here' } });
  });
});

it('proposes twice the worst where WGSL states nothing, with the input', async () => {
  const backend = await changed((x) => x + 0.001);
  const text = calibrationText([await calibrated(backend)]);
  expect(text).toMatch(
    /sin a, \|a\| ≤ 1e4: no accuracy is stated; propose abs 0\.002, twice the worst of 4096 inputs \(at /u,
  );
});

it('has names that differ', () => {
  for (const list of [named(operations), named(properties)]) expect(new Set(list).size).toBe(list.length);
});
