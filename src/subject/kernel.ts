/**
 * A kernel as data, and its arguments: the types that bindings, backends and methods share.
 */
import type { KernelFunction } from './kernel-syntax.ts';
import type { ShaderPlan } from './shader.ts';
import type { WasmPlan } from './wasm/wasm-plan.ts';

/** The number of axes that gpu.js supports. */
export type Rank = 0 | 1 | 2 | 3;

/** The values of one call: a number for a scalar or size, a string, a flat row-major array for a tensor. */
export type KernelValue = number | string | Float32Array | Int32Array;

/**
 * What the equation requires of a kernel. `sequence`: whole numbers, as many as the kernel returns. Only plain functions
 * give the last two.
 */
export type OutputKind = 'numbers' | 'sequence' | 'text';

/** A parameter of a kernel. */
export interface KernelParameter {
  readonly name: string;
  /** 0 for a scalar or a size. */
  readonly rank: Rank;
  readonly integer: boolean;
  /** Whether it is a string. */
  readonly text?: boolean;
}

/**
 * A kernel as data: a canonical JavaScript function text without types, imports or closures, and its hash.
 *
 * `gpu.js` kernels compute one output element per thread (`this.thread.x` is the last axis of the output,
 * `.y` the one before it, `.z` the first of three). `function` kernels take flat arrays and return one; their
 * `source` is an ES module that exports the function under `name`, or a WebAssembly module in base64. `wgsl` kernels are shaders with the entry point `name`.
 */
export interface KernelProgram {
  readonly name: string;
  readonly language: 'gpu.js' | 'function' | 'wgsl';
  readonly source: string;
  /** `sha256:…` of `source`. */
  readonly sourceHash: string;
  readonly parameters: readonly KernelParameter[];
  /** Rank of the output: 0 (a scalar, one thread) to 3. */
  readonly outputRank: Rank;
  /** Absent: numbers. */
  readonly output?: OutputKind;
  /** gpu.js silently cuts loops at this count, so it is explicit. */
  readonly loopMaxIterations: number;
  /** What `source` is the text of; null for every other language, whose text pv does not read. */
  readonly syntax: KernelFunction | null;
  /** Of `wgsl` alone: how it is run. */
  readonly shader?: ShaderPlan;
  /** Of a function of a WebAssembly module alone: how it is called. */
  readonly wasm?: WasmPlan;
}

/** One call of a kernel. Tensors are flat and row-major. */
export interface KernelCall {
  readonly arguments: readonly KernelValue[];
  /** The shape of each argument that is a tensor, in row-major order; [] for scalars. */
  readonly shapes: readonly (readonly number[])[];
  /** [] where the kernel gives a string or decides how long its result is. */
  readonly outputShape: readonly number[];
}

/** Longest loop that a kernel may run unless its binding says otherwise (`loop_max`). */
export const defaultLoopMax = 65_536;

/** Backends that need a graphics device: `webgl2` and `webgpu-browser` in Chromium, `webgpu` in Node through Dawn. */
const gpuBackendIds = ['webgl2', 'webgpu', 'webgpu-browser'] as const;

/** A backend that needs a graphics device. */
export type GpuBackendId = (typeof gpuBackendIds)[number];

/** Where a kernel runs; `function` runs a user's own TypeScript function as it is. */
export const backendIds = ['ref64', 'ref32', 'gpujs-cpu', 'gpujs-webasm', ...gpuBackendIds, 'function'] as const;

/** Any backend. */
export type BackendId = (typeof backendIds)[number];

/** The arithmetic of each backend; with `function` it is that of the user's code, which in JavaScript is float64. */
export const arithmeticOf: Readonly<Record<BackendId, 'f32' | 'f64'>> = {
  ref64: 'f64',
  ref32: 'f32',
  'gpujs-cpu': 'f64',
  'gpujs-webasm': 'f32',
  webgl2: 'f32',
  webgpu: 'f32',
  'webgpu-browser': 'f32',
  function: 'f64',
};

/**
 * Whether runs on a backend are controls: a kernel is a float32 program, so a result in float64 makes no claim green. A plain
 * function is not rewritten: it runs in its own arithmetic.
 */
export function isControlBackend(id: BackendId): boolean {
  return id !== 'function' && arithmeticOf[id] === 'f64';
}

/** Whether a backend needs a graphics device. */
export function isGpuBackend(id: string): id is GpuBackendId {
  return gpuBackendIds.some((known) => known === id);
}
