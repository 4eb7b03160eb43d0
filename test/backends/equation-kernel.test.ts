/** Holds src/backends/registry.ts, src/backends/webgpu.ts. */
import { describe, expect, it } from 'vitest';
import { equationKernel } from '../../src/backends/equation-kernel.ts';
import { backendIds } from '../../src/subject/kernel.ts';
import { loadBackend } from '../../src/backends/registry.ts';

describe('an equation as a kernel', () => {
  const call = { arguments: [Float32Array.of(1, 2, 3), 2, 3], shapes: [[3], [], []], outputShape: [3] };
  const kernel = equationKernel({
    equation: ([n = 0], [x, scale]) =>
      Float64Array.from({ length: n }, (_, i) => (x instanceof Float32Array ? (x[i] ?? 0) : 0) * Number(scale)),
    arithmetic: 'f64',
    parameters: 2,
    sizes: 1,
  });

  it('takes its parameters, then its sizes', async () => {
    expect(await kernel.run([call])).toEqual([{ ok: true, output: Float64Array.of(2, 4, 6) }]);
    expect(kernel.runSync?.(call)).toEqual({ ok: true, output: Float64Array.of(2, 4, 6) });
    expect(kernel.ran).toEqual({ backend: 'ref64', device: 'node', arithmetic: 'f64' });
  });

  it('gives the array of the equation itself, which is a new one for every call', () => {
    const made: Float32Array[] = [];
    const own = equationKernel({
      equation: (_, [x]) => {
        const result = Float32Array.of(Number(x));
        made.push(result);
        return result;
      },
      arithmetic: 'f32',
      parameters: 1,
      sizes: 0,
    });
    const outcome = own.runSync?.({ arguments: [1], shapes: [[]], outputShape: [] });
    expect(outcome?.ok === true && outcome.output === made[0]).toBe(true);
  });

  it('reports a wrong size and an exception', () => {
    expect(kernel.runSync?.({ ...call, outputShape: [4] })).toMatchObject({
      ok: false,
      failure: { kind: 'wrong-shape' },
    });
    const throwing = equationKernel({
      equation: () => {
        throw new Error('argmax of nothing');
      },
      arithmetic: 'f32',
      parameters: 0,
      sizes: 0,
    });
    expect(throwing.runSync?.({ arguments: [], shapes: [], outputShape: [] })).toEqual({
      ok: false,
      failure: { kind: 'threw', message: 'argmax of nothing' },
    });
  });

  it('reports a loop that is too long to run apart from exceptions', () => {
    const looping = equationKernel({
      equation: () => {
        throw new RangeError('a loop from 1 to 1e9 is longer than 4194304 steps');
      },
      arithmetic: 'f32',
      parameters: 0,
      sizes: 0,
    });
    expect(looping.runSync?.({ arguments: [], shapes: [], outputShape: [] })).toMatchObject({
      failure: { kind: 'too-long' },
    });
  });
});

describe('the registry', () => {
  it('loads every backend under its name', async () => {
    for (const id of backendIds) expect((await loadBackend(id)).id).toBe(id);
  });
});
