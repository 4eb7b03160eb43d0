/**
 * Kernels as generated tests call them: TypeScript functions, run in this process.
 *
 * Arithmetic inside a function is JavaScript's (doubles); its results are rounded to float32. What a GPU or
 * float32 backend computes is checked by `pv` itself.
 */
import type { KernelThread } from './kernel-types.ts';

/** Flat row-major arrays for tensors, numbers for scalars, and the shapes that go with them. */
export interface TestCall {
  /** The equation's parameters in order, then its sizes. */
  readonly arguments: readonly (number | string | Float32Array | Float64Array | Int32Array)[];
  /** One per argument; [] for scalars and sizes. */
  readonly shapes: readonly (readonly number[])[];
  readonly outputShape: readonly number[];
}

/** Computes the flat output of a call; what it throws falsifies the claim. */
export type TestKernel = (call: TestCall) => Float32Array | Float64Array;

/** The kernels of a test by the equation they are bound to. */
export type TestKernels = Readonly<Record<string, TestKernel>>;

/**
 * Where a kernel's arguments come from when they are not the call's own, in order: a position among them, or a number
 * computed from them.
 */
export type ArgumentOrder = readonly (number | ((values: TestCall['arguments']) => number))[];

/** The shape of a kernel's output when it is not the equation's: one number per axis. */
export type OutputShape = readonly ((values: TestCall['arguments']) => number)[];

function ordered(call: TestCall, order: ArgumentOrder | undefined): TestCall {
  if (!order) return call;
  const values = order.map((source) =>
    typeof source === 'number' ? (call.arguments[source] ?? NaN) : Math.fround(source(call.arguments)),
  );
  return {
    ...call,
    arguments: values,
    shapes: order.map((source) => (typeof source === 'number' ? (call.shapes[source] ?? []) : [])),
  };
}

type Flat = Float32Array | Float64Array | Int32Array;

/** Rows of rows over the flat array, so that kernels can write `A[i][j]`. */
function nested(flat: Flat, shape: readonly number[]): unknown {
  if (shape.length <= 1) return flat;
  const [rows = 0, ...rest] = shape;
  const stride = rest.reduce((product, length) => product * length, 1);
  return Array.from({ length: rows }, (_, row) => nested(flat.subarray(row * stride, (row + 1) * stride), rest));
}

/**
 * A kernel in the style of gpu.js: one call per output element, `this.thread.x` being the last axis.
 *
 * Tensors arrive as nested arrays of their rank. Outputs have rank 0 to 3.
 */
// The kernel's own parameter list is the contract's business; here any list will do.
export function threadKernel(
  kernel: (this: KernelThread, ...args: never[]) => number,
  order?: ArgumentOrder,
  shape?: OutputShape,
): TestKernel {
  const run = kernel as (this: KernelThread, ...args: unknown[]) => number;
  return (call) => {
    const { arguments: values, shapes } = ordered(call, order);
    const outputShape = shape?.map((size) => size(call.arguments)) ?? call.outputShape;
    const args = values.map((value, i) => (typeof value === 'object' ? nested(value, shapes[i] ?? []) : value));
    const [x = 1, y = 1, z = 1] = outputShape.toReversed();
    const output = new Float32Array(x * y * z);
    const thread = { x: 0, y: 0, z: 0 };
    const self: KernelThread = { thread, constants: {}, output: { x, y, z } };
    for (let flat = 0; flat < output.length; flat++) {
      thread.x = flat % x;
      thread.y = Math.floor(flat / x) % y;
      thread.z = Math.floor(flat / (x * y));
      output[flat] = run.apply(self, args);
    }
    return output;
  };
}

/** A kernel as a plain function of flat arrays, scalars and sizes that returns a flat array, or a number for a scalar. */
export function functionKernel(
  kernel: (...args: never[]) => Float32Array | Float64Array | readonly number[] | number,
  order?: ArgumentOrder,
): TestKernel {
  const run = kernel as (...args: unknown[]) => Float32Array | Float64Array | readonly number[] | number;
  return (call) => {
    const result = run(...ordered(call, order).arguments);
    if (typeof result === 'number') return Float32Array.of(result);
    return result instanceof Float64Array || result instanceof Float32Array ? result : Float32Array.from(result);
  };
}
