/** Measures what a backend computes: the error of each operation on many inputs, and its implementation choices. */
import { ulp32 } from '../../numeric/float.ts';
import { seekStream, streamAt, streamKey, unitDouble, type StreamKey, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import type { KernelProgram } from '../../subject/kernel.ts';
import type { Backend, KernelFailure, OpenKernel, RanOn } from '../backend.ts';
import type { Operation, Range } from './operations.ts';
import { properties } from './properties.ts';

interface WorstAt {
  readonly value: number;
  readonly inputs: readonly number[];
}

/** The accuracy of one operation over all its samples. */
export interface Measured {
  readonly name: string;
  readonly samples: number;
  /** Errors of normal results: in units in the last place of the exact value, and absolute. */
  readonly ulp: WorstAt;
  readonly absolute: WorstAt;
  /** Largest error in units of what WGSL allows; null if it states nothing. */
  readonly ofAllowed: WorstAt | null;
  /** Results that are NaN or infinite where the exact one is finite. */
  readonly broken: number;
}

/** All measurements of one device, with the seed that reproduces them. */
export interface Calibration {
  readonly ran: RanOn;
  readonly seed: number;
  readonly operations: readonly Measured[];
  readonly properties: readonly { readonly name: string; readonly says: string }[];
}

/** The measurements, or the first failure to open or run a kernel. */
export type Calibrated =
  { readonly ok: true; readonly calibration: Calibration } | { readonly ok: false; readonly failure: KernelFailure };

/** Which operations to measure where, on how many seeded inputs. */
export interface CalibrateRequest {
  readonly backend: Backend;
  readonly device: DeviceChoice;
  readonly operations: readonly Operation[];
  /** Inputs of each operation. */
  readonly samples: number;
  readonly seed: number;
}

/**
 * Measures each operation on `samples` inputs drawn from `seed`. Returns the failure if a kernel cannot be opened or
 * run; closes every kernel in any case.
 */
export async function calibrate({ backend, device, operations, samples, seed }: CalibrateRequest): Promise<Calibrated> {
  const opened: OpenKernel[] = [];
  // Kernels stay open to the end, and with them the device.
  const open = async (expression: string): Promise<OpenKernel | KernelFailure> => {
    const result = await backend.open(programOf(expression), device);
    if (!result.ok) return result.failure;
    opened.push(result.kernel);
    return result.kernel;
  };
  try {
    const measured: Measured[] = [];
    for (const operation of operations) {
      const one = await measure(operation, await open(operation.expression), samples, streamKey(seed, operation.name));
      if ('kind' in one) return { ok: false, failure: one };
      measured.push(one);
    }
    const said: { name: string; says: string }[] = [];
    for (const { name, expression, inputs, says } of properties) {
      const outputs = await run(
        await open(expression),
        inputs.map((x) => Float32Array.of(x)),
      );
      if (!(outputs instanceof Float32Array)) return { ok: false, failure: outputs };
      said.push({ name, says: says(outputs[0] ?? Number.NaN) });
    }
    const [first] = opened;
    if (!first) return { ok: false, failure: { kind: 'unsupported', message: 'there is nothing to measure' } };
    return { ok: true, calibration: { ran: first.ran, seed, operations: measured, properties: said } };
  } finally {
    await Promise.all(opened.map((kernel) => kernel.close()));
  }
}

/** A kernel of three vectors; it needs no reader, since the text is ours. */
function programOf(expression: string): KernelProgram {
  const reads = ['a', 'b', 'c'].map((name, i) => `const ${name} = x${i}[this.thread.x];`).join(' ');
  return {
    name: 'probe',
    language: 'gpu.js',
    source: `function probe(x0, x1, x2) { ${reads} return ${expression}; }`,
    sourceHash: '',
    parameters: ['x0', 'x1', 'x2'].map((name) => ({ name, rank: 1, integer: false }) as const),
    outputRank: 1,
    loopMaxIterations: 1000,
    syntax: null,
  };
}

/** Textures of devices are at least this long. */
const batch = 2048;

async function measure(
  { name, exact, inputs, allowed }: Operation,
  kernel: OpenKernel | KernelFailure,
  samples: number,
  key: StreamKey,
): Promise<Measured | KernelFailure> {
  const worst = { ulp: nothing(), absolute: nothing(), ofAllowed: nothing() };
  let broken = 0;
  for (let from = 0; from < samples; from += batch) {
    const count = Math.min(batch, samples - from);
    const drawn = drawInputs(inputs, key, from, count);
    const outputs = await run(kernel, drawn);
    if (!(outputs instanceof Float32Array)) return outputs;
    for (const [i, got] of outputs.entries()) {
      const [a, b] = [drawn[0]?.[i] ?? 0, drawn[1]?.[i] ?? 0];
      const right = exact(a, b);
      // Subnormal numbers are measured separately.
      if (Math.abs(right) < 2 ** -126 || !Number.isFinite(Math.fround(right))) continue;
      if (!Number.isFinite(got)) {
        broken++;
        continue;
      }
      const error = Math.abs(got - right);
      const at = inputs.length === 1 ? [a] : [a, b];
      note(worst.ulp, error / ulp32(right), at);
      note(worst.absolute, error, at);
      if (allowed) note(worst.ofAllowed, error / allowed(a, b, right), at);
    }
  }
  return {
    name,
    samples,
    ulp: worst.ulp,
    absolute: worst.absolute,
    ofAllowed: allowed ? worst.ofAllowed : null,
    broken,
  };
}

interface Noted {
  value: number;
  inputs: readonly number[];
}

const nothing = (): Noted => ({ value: 0, inputs: [] });

function note(worst: Noted, value: number, inputs: readonly number[]): void {
  if (value <= worst.value) return;
  worst.value = value;
  worst.inputs = inputs;
}

async function run(
  kernel: OpenKernel | KernelFailure,
  vectors: readonly Float32Array[],
): Promise<Float32Array | KernelFailure> {
  if ('kind' in kernel) return kernel;
  const shape = [vectors[0]?.length ?? 0];
  const [outcome] = await kernel.run([{ arguments: vectors, shapes: vectors.map(() => shape), outputShape: shape }]);
  if (!outcome) return { kind: 'threw', message: 'the backend gave no answer' };
  return outcome.ok ? Float32Array.from(outcome.output) : outcome.failure;
}

/** Three vectors; those that the operation does not read are zeros. */
function drawInputs(ranges: readonly Range[], key: StreamKey, from: number, count: number): readonly Float32Array[] {
  const vectors = [0, 1, 2].map(() => new Float32Array(count));
  const stream = streamAt(key, from);
  for (let i = 0; i < count; i++) {
    seekStream(key, from + i, stream);
    for (const [v, range] of ranges.entries()) {
      const vector = vectors[v];
      if (vector) vector[i] = drawFrom(range, stream);
    }
  }
  return vectors;
}

function drawFrom({ low, high, logarithmic }: Range, stream: Xoshiro): number {
  const share = unitDouble(stream);
  const drawn = logarithmic ? low * (high / low) ** share : low + share * (high - low);
  return Math.fround(Math.min(high, Math.max(low, drawn)));
}
