/**
 * What pv uses of gpu.js, typed narrowly: its own declarations need the DOM and leave results untyped.
 */

/** A flat array with its size, fastest axis first. */
export type GpuInput = object;

export type GpuResult = Float32Array | readonly Float32Array[] | readonly (readonly Float32Array[])[];

export interface GpuKernel {
  /** Synchronous but on WebGPU. */
  (...values: (number | GpuInput)[]): GpuResult;
  setOutput: (size: readonly number[]) => void;
  destroy: () => void;
  /** The kernel that really ran; gpu.js replaces it when it falls back. */
  readonly kernel: {
    readonly fallbackReason: string | null;
    /** Of WebAssembly: how many compiled modules are kept, one for each combination of sizes. It is no setting. */
    moduleCacheLimit?: number;
  };
}

export interface GpuSettings {
  readonly precision: 'single';
  readonly dynamicOutput: true;
  readonly dynamicArguments: true;
  readonly immutable: true;
  readonly loopMaxIterations: number;
}

export interface Gpu {
  createKernel: (source: string, settings: GpuSettings) => GpuKernel;
  destroy: () => Promise<void> | void;
}

export type KernelClass = abstract new (...values: never[]) => object;

export interface GpuModule {
  readonly GPU: new (options: { readonly mode: GpuMode } | { readonly context: object }) => Gpu;
  readonly input: (value: Float32Array, size: number[]) => GpuInput;
  readonly CPUKernel: KernelClass;
  readonly WebAssemblyKernel: KernelClass;
  readonly WebGL2Kernel: KernelClass;
  readonly WebGPUKernel: KernelClass;
  readonly WebGPUContext: { readonly acquire: () => Promise<WebGpuContext> };
}

export type GpuMode = 'cpu' | 'webasm' | 'webgpu';

/** gpu.js's own device, which all its WebGPU kernels share. */
export interface WebGpuContext {
  readonly adapter: { readonly info: Readonly<Record<'vendor' | 'architecture' | 'device' | 'description', string>> };
  readonly device: {
    onuncapturederror: ((event: { readonly error: { readonly message: string } }) => void) | null;
    /** Settles when the device is gone. */
    readonly lost: Promise<{ readonly message: string }>;
  };
}
