/**
 * Where kernels run. Everything is asynchronous because gpu.js 3 and WebGPU are.
 */

/** The values of one call: a number for a scalar or size, a flat row-major array for a tensor. */
export type KernelValue = number | Float32Array | Int32Array;

export interface KernelParameter {
  readonly name: string;
  /** 0 for a scalar or a size. */
  readonly rank: 0 | 1 | 2 | 3;
  readonly integer: boolean;
}

/**
 * A kernel as data: a canonical JavaScript function text without types, imports or closures, and its hash.
 *
 * `gpu.js` kernels compute one output element per thread (`this.thread.x` is the last axis of the output,
 * `.y` the one before it, `.z` the first of three). `function` kernels take flat arrays and return one.
 */
export interface KernelProgram {
  readonly name: string;
  readonly language: 'gpu.js' | 'function';
  readonly source: string;
  /** `sha256:…` of `source`. */
  readonly sourceHash: string;
  readonly parameters: readonly KernelParameter[];
  /** Rank of the output: 0 (a scalar, one thread) to 3. */
  readonly outputRank: 0 | 1 | 2 | 3;
  /** gpu.js silently cuts loops at this count, so it is explicit. */
  readonly loopMaxIterations: number;
}

export interface KernelCall {
  readonly arguments: readonly KernelValue[];
  /** The shape of each argument that is a tensor, in row-major order; [] for scalars. */
  readonly shapes: readonly (readonly number[])[];
  readonly outputShape: readonly number[];
}

export type KernelFailure =
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'wrong-shape'; readonly expected: readonly number[]; readonly actual: string }
  | { readonly kind: 'mutated-input'; readonly parameter: string }
  | { readonly kind: 'fallback'; readonly requested: string; readonly ran: string; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly message: string };

export type KernelOutcome = { readonly ok: true; readonly output: Float32Array | Float64Array } | { readonly ok: false; readonly failure: KernelFailure };

/** What really ran, for the receipt. */
export interface RanOn {
  readonly backend: BackendId;
  readonly device: string;
  readonly arithmetic: 'f32' | 'f64';
}

export interface OpenKernel {
  readonly ran: RanOn;
  /** Runs calls one after another; a failing call does not stop the rest. Calls of equal shape in a row are cheap. */
  readonly run: (calls: readonly KernelCall[]) => Promise<readonly KernelOutcome[]>;
  /** The same, synchronously, where the backend can; null where it cannot. */
  readonly runSync: ((call: KernelCall) => KernelOutcome) | null;
  readonly close: () => Promise<void>;
}

export type BackendId = 'ref64' | 'ref32' | 'gpujs-cpu' | 'gpujs-webasm';

export interface Backend {
  readonly id: BackendId;
  readonly arithmetic: 'f32' | 'f64';
  readonly open: (program: KernelProgram) => Promise<{ readonly ok: true; readonly kernel: OpenKernel } | { readonly ok: false; readonly failure: KernelFailure }>;
}
