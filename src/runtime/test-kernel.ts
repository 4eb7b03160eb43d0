/**
 * Kernels as generated tests call them: TypeScript functions, run in this process.
 *
 * A gpu.js kernel comes with two texts of itself. In one every operation is rounded to float32: that is what claims are
 * judged by, as `pv` does. The other is in doubles, as JavaScript runs the function: it must give what the function
 * gives, or the texts are those of another version.
 */
import { asArgument } from '../numeric/float.ts';
import { expectedOutput, floatOutput, integerOutput, textOutput } from '../numeric/kernel-output.ts';
import type { KernelThread } from './kernel-types.ts';

/** Flat row-major arrays for tensors, numbers for scalars, and the shapes that go with them. */
export interface TestCall {
  /** The equation's parameters in order, then its sizes. */
  readonly arguments: readonly (number | string | Float32Array | Float64Array | Int32Array)[];
  /** One per argument; [] for scalars and sizes. */
  readonly shapes: readonly (readonly number[])[];
  /** [] where {@link TestCall.output} says that no count of numbers is wanted. */
  readonly outputShape: readonly number[];
  /** `sequence`: whole numbers of any count; `text`: a string. Absent: as many numbers as `outputShape` says. */
  readonly output?: 'sequence' | 'text';
}

type Output = Float32Array | Float64Array;

/** Computes the flat output of a call, or its string; an exception falsifies the claim. */
export type TestKernel = (call: TestCall) => Output | Promise<Output | string>;

/** The kernels of a test by the equation they are bound to. */
export type TestKernels = Readonly<Record<string, TestKernel>>;

/**
 * Where a kernel's arguments come from when they are not the call's own, in order: a position among them, or a number
 * computed from them.
 */
export type ArgumentOrder = readonly (number | ((values: TestCall['arguments']) => number))[];

/** The shape of a kernel's output when it is not the equation's: one number per axis. */
type OutputShape = readonly ((values: TestCall['arguments']) => number)[];

function ordered(call: TestCall, order: ArgumentOrder | undefined): TestCall {
  if (!order) return call;
  const values = order.map((source) =>
    typeof source === 'number' ? (call.arguments[source] ?? NaN) : asArgument(source(call.arguments)),
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

/** The text of a module that exports `run`: see `referenceText` of the backends. */
export interface KernelTexts {
  /** Every operation rounded to float32. */
  readonly float32: string;
  /** As JavaScript computes it. */
  readonly float64: string;
}

/** What distinguishes the call of a bound function from that of its equation. */
export interface ThreadKernelOptions {
  readonly texts?: KernelTexts;
  readonly order?: ArgumentOrder;
  readonly shape?: OutputShape;
}

/**
 * A kernel in the style of gpu.js: one call per output element, `this.thread.x` being the last axis.
 *
 * Tensors arrive as nested arrays of their rank. Outputs have rank 0 to 3. With its texts it runs in float32, without
 * them in doubles. Rejects when the texts are not those of the kernel.
 */
// The kernel's own parameter list is the contract's business; here any list will do.
export function threadKernel(
  kernel: (this: KernelThread, ...args: never[]) => number,
  { texts, order, shape }: ThreadKernelOptions = {},
): TestKernel {
  const run = kernel as ThreadFunction;
  const prepare = (call: TestCall): ThreadCall => {
    const { arguments: values, shapes } = ordered(call, order);
    const [x = 1, y = 1, z = 1] = (shape?.map((size) => size(call.arguments)) ?? call.outputShape).toReversed();
    return {
      values: values.map((value, i) => (typeof value === 'object' ? nested(value, shapes[i] ?? []) : value)),
      x,
      y,
      z,
    };
  };
  if (!texts) return (call) => Float32Array.from(runThreads(run, prepare(call)));
  let loaded: Promise<readonly [RunText, RunText]> | null = null;
  return async (call) => {
    loaded ??= Promise.all([loadText(texts.float32), loadText(texts.float64)]);
    const [float32, float64] = await loaded;
    const prepared = prepare(call);
    // First, because it ends loops that never would and reads outside an array.
    const output = runText(float32, rounded(prepared), new Float32Array(prepared.x * prepared.y * prepared.z));
    const expected = runText(float64, prepared, new Float64Array(output.length));
    const actual = runThreads(run, prepared);
    const differs = actual.findIndex((value, i) => !Object.is(value, expected[i]));
    if (differs >= 0)
      throw new Error(
        `the kernel is another than when this test was generated (element ${differs} is ${actual[differs]}, not ${expected[differs]}): run pv generate`,
      );
    return output;
  };
}

type ThreadFunction = (this: KernelThread, ...args: unknown[]) => number;

/** What a kernel is called with, and how many threads. */
interface ThreadCall {
  readonly values: readonly unknown[];
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

function runThreads(run: ThreadFunction, { values, x, y, z }: ThreadCall): Float64Array {
  const output = new Float64Array(x * y * z);
  const thread = { x: 0, y: 0, z: 0 };
  const self: KernelThread = { thread, constants: {}, output: { x, y, z } };
  for (let flat = 0; flat < output.length; flat++) {
    thread.x = flat % x;
    thread.y = Math.floor(flat / x) % y;
    thread.z = Math.floor(flat / (x * y));
    output[flat] = run.apply(self, [...values]);
  }
  return output;
}

type RunText = (values: readonly unknown[], x: number, y: number, z: number, output: Output) => void;

async function loadText(text: string): Promise<RunText> {
  const module: { readonly run: RunText } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
  );
  return module.run;
}

function runText<O extends Output>(run: RunText, { values, x, y, z }: ThreadCall, output: O): O {
  run(values, x, y, z, output);
  return output;
}

/** Scalars as a float32 backend receives them; tensors come in their own format. */
function rounded(call: ThreadCall): ThreadCall {
  return { ...call, values: call.values.map((value) => (typeof value === 'number' ? Math.fround(value) : value)) };
}

/**
 * A kernel as a plain function of flat arrays, scalars, strings and sizes that returns a flat `Float32Array` or
 * `Float64Array`, a number for a scalar, a string, whole numbers for a sequence, or a promise of one.
 */
export function functionKernel(kernel: (...args: never[]) => unknown, order?: ArgumentOrder): TestKernel {
  const run = kernel as (...args: unknown[]) => unknown;
  return async (call) => {
    const result = await run(...ordered(call, order).arguments);
    return call.output ? unsizedOutput(result, call.output) : sizedOutput(result, call.outputShape);
  };
}

function sizedOutput(result: unknown, shape: readonly number[]): Output {
  const length = shape.reduce((product, size) => product * size, 1);
  const read = floatOutput(result, length);
  if (!read.ok) throw new Error(`its output should have ${length} elements but is ${read.actual}`);
  return read.output;
}

function unsizedOutput(result: unknown, kind: 'sequence' | 'text'): Output | string {
  const read = kind === 'text' ? textOutput(result) : integerOutput(result);
  if (!read.ok) throw new Error(`its output should be ${expectedOutput[kind]} but is ${read.actual}`);
  return read.text ?? read.output;
}
