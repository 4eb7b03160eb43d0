/** A stand-in for gpu.js and its device, with which a session can be told to go wrong. */
import type { GpuResult } from '../../src/backends/gpujs-module.ts';
import type { SessionEnvironment, WebGl2Context } from '../../src/backends/gpu-session.ts';

export interface FakeDevice {
  /** The driver's name; '' for one that hides it, null for no device at all. */
  readonly name?: string | null;
  readonly floats?: boolean;
  /** What one call gives; the default copies the first argument. */
  readonly compute?: (values: readonly unknown[], output: readonly number[]) => GpuResult;
  /** The class that gpu.js puts in the place of the kernel after the first call. */
  readonly fallbackReason?: string;
  readonly lies?: boolean;
  /** Whether the context is lost once kernels have run. */
  readonly losesContext?: boolean;
  /** What the device makes of each number that is multiplied by 1; the default leaves it. */
  readonly precision?: (x: number) => number;
  /** What WebGPU says of the computation after the fact. */
  readonly error?: string;
  /** Whether kernels let results be read as gpu.js's own on WebGL2 do, and what stands between two numbers of them: 1 or 4 floats. */
  readonly pixels?: 1 | 4;
}

class FakeWebGL2Kernel {
  readonly fallbackReason: string | null = null;
  texSize: readonly [number, number] = [1, 1];
  _tightRead = true;
  transferValuesAsync: () => Promise<Float32Array> = () =>
    Promise.reject(new Error('the session reads results itself'));
}
class FakeWebGPUKernel {
  readonly fallbackReason: string | null = null;
}
class CPUKernel {
  readonly fallbackReason: string | null;
  constructor(reason: string | null) {
    this.fallbackReason = reason;
  }
}

export interface FakeLog {
  /** Sources of the kernels that were made. */
  readonly sources: string[];
  /** How often an output was set: each time costs a texture. */
  outputs: number;
  /** How often results were fetched from the device: each time waits for it. */
  fetched: number;
}

/** An environment of `device`, and what it was asked. */
export function fakeEnvironment(device: FakeDevice = {}): { environment: SessionEnvironment; log: FakeLog } {
  const { name = 'Fake SwiftShader', floats = true, losesContext = false } = device;
  const log: FakeLog = { sources: [], outputs: 0, fetched: 0 };
  let ran = false;
  /** What the kernel that ran last has left, and what of that has been put together. */
  let drawn = new Float32Array(0);
  let packed = new Float32Array(0);
  const context: WebGl2Context = {
    getExtension: (extension) =>
      (extension === 'EXT_color_buffer_float' && !floats) || (extension.includes('renderer') && name === '')
        ? null
        : { UNMASKED_RENDERER_WEBGL: 1 },
    getParameter: () => name,
    isContextLost: () => losesContext && ran,
    PIXEL_PACK_BUFFER: 1,
    STREAM_READ: 2,
    RED: 3,
    RGBA: 4,
    FLOAT: 5,
    createBuffer: () => ({}),
    deleteBuffer: () => undefined,
    bindBuffer: () => undefined,
    bufferData: (_, bytes) => void (packed = new Float32Array(bytes / 4)),
    readPixels: (...[, , , , , , from]) => packed.set(drawn, from / 4),
    getBufferSubData: (_, __, into) => {
      log.fetched++;
      into.set(packed);
    },
  };
  const webgpuDevice: {
    onuncapturederror: ((event: { error: { message: string } }) => void) | null;
    lost: Promise<{ message: string }>;
  } = {
    onuncapturederror: null,
    lost: new Promise(() => undefined),
  };
  const info = { vendor: name ?? '', architecture: name ?? '', device: '', description: '' };
  /** What a device is tried with before anything else: none of what goes wrong later goes wrong here. */
  const selfTestKernel = (own: object) =>
    Object.assign(
      (...values: unknown[]): GpuResult => {
        const { data } = values[0] as { readonly data: Float32Array };
        return data.map(device.precision ?? ((x) => x));
      },
      { setOutput: () => undefined, destroy: () => undefined, kernel: own as { readonly fallbackReason: null } },
    );
  class FakeGpu {
    readonly #webgpu: boolean;
    constructor(options: { readonly mode: string } | { readonly context: object }) {
      this.#webgpu = 'mode' in options;
    }
    createKernel(source: string) {
      if (source.includes('refuse')) throw new Error('gpu.js does not take it');
      if (source.includes('selfTest'))
        return selfTestKernel(this.#webgpu ? new FakeWebGPUKernel() : new FakeWebGL2Kernel());
      log.sources.push(source);
      let output: readonly number[] = [1];
      const compute = (values: readonly unknown[]): GpuResult => {
        ran = true;
        if (device.error !== undefined) webgpuDevice.onuncapturederror?.({ error: { message: device.error } });
        if (device.compute) return device.compute(values, output);
        return (values[0] as { readonly data: Float32Array }).data.slice();
      };
      const own = this.#webgpu ? new FakeWebGPUKernel() : new FakeWebGL2Kernel();
      const { pixels } = device;
      const call = (...values: unknown[]): GpuResult => {
        const result = compute(values);
        if (pixels === undefined || !(own instanceof FakeWebGL2Kernel) || !(result instanceof Float32Array))
          return result;
        drawn = new Float32Array(result.length * pixels);
        result.forEach((value, i) => (drawn[i * pixels] = value));
        own.texSize = [result.length, 1];
        own._tightRead = pixels === 1;
        // Of WebGPU's type, which is a promise too.
        return own.transferValuesAsync().then((all) => all.filter((_, i) => i % pixels === 0)) as unknown as GpuResult;
      };
      const replaced = device.lies === true || device.fallbackReason !== undefined;
      return Object.assign(call, {
        setOutput: (size: readonly number[]) => {
          output = size;
          log.outputs++;
        },
        destroy: () => undefined,
        kernel: replaced ? new CPUKernel(device.fallbackReason ?? null) : own,
      });
    }
    destroy(): void {
      log.outputs = 0;
    }
  }
  const environment: SessionEnvironment = {
    GPU: FakeGpu,
    input: (data) => ({ data }),
    WebGL2Kernel: FakeWebGL2Kernel,
    WebGPUKernel: FakeWebGPUKernel,
    WebGPUContext: {
      acquire: () =>
        name === null
          ? Promise.reject(new Error('WebGPU is present (navigator.gpu) but no adapter is available.'))
          : Promise.resolve({ adapter: { info }, device: webgpuDevice }),
    },
    createContext: () => {
      // A new context is not lost.
      ran = false;
      return name === null ? null : context;
    },
  };
  return { environment, log };
}
