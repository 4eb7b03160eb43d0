/**
 * What pv uses of gpu.js, typed narrowly: its own declarations need the DOM and leave results untyped.
 */

/** A flat array with its size, fastest axis first. */
export type GpuInput = object;

export type GpuResult = Float32Array | readonly Float32Array[] | readonly (readonly Float32Array[])[];

export interface GpuKernel {
  (...values: (number | GpuInput)[]): GpuResult;
  setOutput: (size: readonly number[]) => void;
  destroy: () => void;
  /** The kernel that really ran; gpu.js replaces it when it falls back. */
  readonly kernel: { readonly fallbackReason: string | null };
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

type KernelClass = abstract new (...values: never[]) => object;

export interface GpuModule {
  readonly GPU: new (options: { readonly mode: GpuMode }) => Gpu;
  readonly input: (value: Float32Array, size: number[]) => GpuInput;
  readonly CPUKernel: KernelClass;
  readonly WebAssemblyKernel: KernelClass;
}

export type GpuMode = 'cpu' | 'webasm';
