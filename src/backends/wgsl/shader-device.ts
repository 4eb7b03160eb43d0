/** What pv uses of WebGPU for shaders of other people, typed narrowly: its own declarations need the DOM. */

/** A buffer on the device. */
export interface DeviceBuffer {
  readonly mapAsync: (mode: number) => Promise<void>;
  readonly getMappedRange: () => ArrayBuffer;
  readonly destroy: () => void;
}

/** A part of a buffer, at a place of a bind group. */
interface BoundBuffer {
  readonly binding: number;
  readonly resource: { readonly buffer: DeviceBuffer; readonly offset: number; readonly size: number };
}

/** A compiled shader. */
export interface ShaderModule {
  readonly getCompilationInfo: () => Promise<{ readonly messages: Iterable<CompilerMessage> }>;
}

/** What the device's compiler says; places are 1-based, 0 where it gives none. */
interface CompilerMessage {
  readonly type: string;
  readonly message: string;
  readonly lineNum: number;
  readonly linePos: number;
}

interface ComputePass {
  readonly setPipeline: (pipeline: object) => void;
  readonly setBindGroup: (index: number, group: object) => void;
  readonly dispatchWorkgroups: (x: number, y: number, z: number) => void;
  readonly end: () => void;
}

interface Encoder {
  readonly beginComputePass: () => ComputePass;
  readonly copyBufferToBuffer: (from: DeviceBuffer, at: number, to: DeviceBuffer, toAt: number, size: number) => void;
  readonly finish: () => object;
}

/** A device. */
export interface ShaderDevice {
  readonly lost: Promise<{ readonly message: string }>;
  readonly pushErrorScope: (filter: 'validation' | 'out-of-memory') => void;
  readonly popErrorScope: () => Promise<{ readonly message: string } | null>;
  readonly createShaderModule: (source: { readonly code: string }) => ShaderModule;
  readonly createBindGroupLayout: (layout: {
    readonly entries: readonly {
      readonly binding: number;
      readonly visibility: number;
      readonly buffer: { readonly type: 'uniform' | 'storage' | 'read-only-storage' };
    }[];
  }) => object;
  readonly createPipelineLayout: (layout: { readonly bindGroupLayouts: readonly object[] }) => object;
  readonly createComputePipelineAsync: (pipeline: {
    readonly layout: object;
    readonly compute: {
      readonly module: ShaderModule;
      readonly entryPoint: string;
      readonly constants: Readonly<Record<string, number>>;
    };
  }) => Promise<object>;
  readonly createBindGroup: (group: { readonly layout: object; readonly entries: readonly BoundBuffer[] }) => object;
  readonly createBuffer: (buffer: { readonly size: number; readonly usage: number }) => DeviceBuffer;
  readonly createCommandEncoder: () => Encoder;
  readonly queue: {
    readonly writeBuffer: (buffer: DeviceBuffer, at: number, data: Float32Array) => void;
    readonly submit: (commands: readonly object[]) => void;
    readonly onSubmittedWorkDone: () => Promise<void>;
  };
}
