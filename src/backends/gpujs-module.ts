/**
 * What pv uses of gpu.js, typed narrowly: its own declarations need the DOM and leave results untyped.
 */

/** A flat array with its size, fastest axis first. */
export type GpuInput = object;

/** What gpu.js returns for outputs of one, two and three axes. */
export type GpuResult = Float32Array | readonly Float32Array[] | readonly (readonly Float32Array[])[];

/** A compiled gpu.js kernel, callable with scalars and flat inputs. */
export interface GpuKernel {
  /** Synchronous but on WebGPU. */
  (...values: (number | GpuInput)[]): GpuResult;
  setOutput: (size: readonly number[]) => void;
  destroy: () => void;
  /** The kernel that really ran; gpu.js replaces it when it falls back. */
  readonly kernel: {
    readonly fallbackReason: string | null;
    /** For WebAssembly: how many compiled modules are cached, one for each combination of sizes. Not a setting. */
    moduleCacheLimit?: number;
  };
}

/** The settings with which pv creates every kernel, whatever the mode. */
export interface GpuSettings {
  readonly precision: 'single';
  readonly dynamicOutput: true;
  readonly dynamicArguments: true;
  readonly immutable: true;
  readonly loopMaxIterations: number;
  /** Results are promises if a backend computes outside the program. */
  readonly asyncMode?: true;
}

/** An instance of gpu.js, which owns a device or a compiler. */
export interface Gpu {
  createKernel: (source: string, settings: GpuSettings) => GpuKernel;
  destroy: () => Promise<void> | void;
}

type KernelClass = abstract new (...values: never[]) => object;

/** Where things lie in the memory of a module: byte offsets, sizes with the fastest axis first. */
export interface Layout {
  readonly arrays: Readonly<
    Record<string, { index: number; offset: number; dims: readonly number[]; flatLength: number }>
  >;
  readonly scalars: Readonly<Record<string, { index: number; offset: number; type: 'Number' }>>;
  readonly constantArrays: Readonly<Record<string, never>>;
  readonly outputOffset: number;
  readonly totalBytes: number;
}

/** Runs the cells of a range that does not cross a row where four are computed at once. */
export type RunCells = (from: number, to: number, seed: number) => void;

/** What gpu.js's pipelines use of its WebAssembly kernels (2.24.1, `web-assembly/pipeline-executor.js`). */
export interface WebAssemblyTranslator {
  readonly argumentNames: readonly string[];
  readonly usedMathImports: ReadonlySet<string>;
  /** Numbers of one output element. */
  readonly componentCount: number;
  /** The syntax of the kernel is under `kernel`; what was found of its number literals is kept from one assembly to the next. */
  readonly functionBuilder: { readonly functionMap: Readonly<Record<string, { literalTypes: object }>> };
  output: readonly number[];
  threadDim: readonly number[];
  setupConstants: () => void;
  setupArguments: (values: readonly (number | GpuInput)[]) => void;
  validateSettings: (values: readonly (number | GpuInput)[]) => void;
  /** Whether the backend can store what the kernel returns. */
  translateSource: () => boolean;
  _assembleModule: (
    layout: Layout,
    cells: number,
    shared: boolean,
  ) => { readonly bytes: Uint8Array<ArrayBuffer>; readonly initial: number; readonly maximum: number };
}

interface WebAssemblyKernelClass extends KernelClass {
  readonly dispatchSpans: (
    run: RunCells,
    runSimd: RunCells | null,
    cells: number,
    width: number,
    seed: number,
  ) => string;
}

/** The exports of the package `gpu.js` that pv uses. */
export interface GpuModule {
  readonly GPU: new (options: { readonly mode: GpuMode } | { readonly context: object }) => Gpu;
  readonly input: (value: Float32Array, size: number[]) => GpuInput;
  readonly CPUKernel: KernelClass;
  readonly WebAssemblyKernel: WebAssemblyKernelClass;
  readonly WebGL2Kernel: KernelClass;
  readonly WebGPUKernel: KernelClass;
  readonly WebGPUContext: { readonly acquire: () => Promise<WebGpuContext> };
}

/** The values of gpu.js's `mode` that pv asks for. */
export type GpuMode = 'cpu' | 'webasm' | 'webgpu';

/** gpu.js's own device, which all its WebGPU kernels share. */
export interface WebGpuContext {
  readonly adapter: { readonly info: Readonly<Record<'vendor' | 'architecture' | 'device' | 'description', string>> };
  readonly device: {
    onuncapturederror: ((event: { readonly error: { readonly message: string } }) => void) | null;
    /** Settles when the device is lost. */
    readonly lost: Promise<{ readonly message: string }>;
  };
}
