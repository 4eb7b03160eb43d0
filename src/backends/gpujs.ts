/**
 * Kernels on gpu.js, the only importer of it. `cpu` computes in float64 and is a control: what is wrong with a
 * kernel only in float32 must not show there. `webasm` computes in float32, one rounding per operation.
 */
import { invariant } from '../base/invariant.ts';
import type { KernelFunction } from '../subject/kernel-syntax.ts';
import { arithmeticOf } from '../subject/kernel.ts';
import type {
  Backend,
  KernelCall,
  KernelFailure,
  KernelOutcome,
  KernelProgram,
  OpenKernel,
  Opened,
} from './backend.ts';
import { elementsOf, misfit, threw, unsupported } from './check-call.ts';
import type { Gpu, GpuInput, GpuKernel, GpuMode, GpuModule, GpuResult, GpuSettings } from './gpujs-module.ts';
import { withQuietConsole } from './quiet-console.ts';
import { sequentially } from './sequentially.ts';
import { webasmPipeline, type WebasmPipeline } from './webasm/webasm-pipeline.ts';

/** gpu.js as JavaScript in float64: a control, which can never make a float32 claim green. */
export const gpujsCpu: Backend = {
  id: 'gpujs-cpu',
  arithmetic: arithmeticOf['gpujs-cpu'],
  open: (program) => openGpujs(program, 'cpu'),
};

/** gpu.js as WebAssembly, in float32. */
export const gpujsWebasm: Backend = {
  id: 'gpujs-webasm',
  arithmetic: arithmeticOf['gpujs-webasm'],
  open: (program) => openGpujs(program, 'webasm'),
};

type CpuMode = Exclude<GpuMode, 'webgpu'>;

interface Session {
  readonly module: GpuModule;
  readonly mode: CpuMode;
  readonly program: KernelProgram;
  readonly kernel: GpuKernel;
  /** The same kernel in stages, where the mode has them. */
  readonly pipeline: WebasmPipeline | null;
}

const notInstalled =
  'gpu.js is not installed: npm install gpu.js@2.24.1, or write backends: [ref32] in the binding, which needs nothing';

async function openGpujs(program: KernelProgram, mode: CpuMode): Promise<Opened> {
  if (program.language !== 'gpu.js')
    return { ok: false, failure: unsupported(`${program.name} is not a gpu.js kernel`) };
  const module = await loadGpujs();
  if (!module) return { ok: false, failure: unsupported(notInstalled) };
  const gpu = new module.GPU({ mode });
  try {
    const kernel = withQuietConsole(() => createKernel(gpu, program));
    const pipeline = mode === 'webasm' && program.syntax ? pipelineOf(program, program.syntax, module, gpu) : null;
    return { ok: true, kernel: openKernel({ module, mode, program, kernel, pipeline }, gpu) };
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

/** Null if it is not installed. */
export async function loadGpujs(): Promise<GpuModule | null> {
  try {
    const module: unknown = (await import('gpu.js')).default;
    return module as GpuModule;
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem && problem.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw problem;
  }
}

/** Sizes change with every block of cases and come back later; compiling again costs a hundred calls. */
const moduleCacheLimit = 64;

function settingsOf({ loopMaxIterations }: KernelProgram): GpuSettings {
  return { precision: 'single', dynamicOutput: true, dynamicArguments: true, immutable: true, loopMaxIterations };
}

function createKernel(gpu: Gpu, program: KernelProgram): GpuKernel {
  const kernel = gpu.createKernel(program.source, settingsOf(program));
  kernel.kernel.moduleCacheLimit = moduleCacheLimit;
  return kernel;
}

function pipelineOf(program: KernelProgram, syntax: KernelFunction, module: GpuModule, gpu: Gpu): WebasmPipeline {
  return webasmPipeline(syntax, program.outputRank, {
    module,
    gpu,
    settings: settingsOf(program),
    shapes: moduleCacheLimit,
  });
}

function openKernel(session: Session, gpu: Gpu): OpenKernel {
  const runSync = (call: KernelCall): KernelOutcome => runGpujs(session, call);
  const backend = session.mode === 'cpu' ? 'gpujs-cpu' : 'gpujs-webasm';
  return {
    ran: { backend, device: 'node', arithmetic: arithmeticOf[backend] },
    runSync,
    run: sequentially(runSync),
    close: async () => {
      session.pipeline?.close();
      session.kernel.destroy();
      await gpu.destroy();
    },
  };
}

function runGpujs(session: Session, call: KernelCall): KernelOutcome {
  const failure = misfit(session.program, call) ?? cutLoop(session.program, call);
  if (failure) return { ok: false, failure };
  if (elementsOf(call.outputShape) === 0) return { ok: true, output: new Float32Array(0) };
  const output = runStaged(session, call);
  return output ? { ok: true, output } : runWhole(session, call);
}

/** Null if there are no stages, or if a kernel failed in them: then it is run in one piece. */
function runStaged({ pipeline }: Session, call: KernelCall): Float32Array | null {
  if (!pipeline) return null;
  try {
    return pipeline.run(call);
  } catch {
    return null;
  }
}

function runWhole(session: Session, call: KernelCall): KernelOutcome {
  return withQuietConsole((printed) => {
    try {
      // gpu.js expects the fastest axis first; a scalar output is one thread.
      session.kernel.setOutput(call.outputShape.length === 0 ? [1] : call.outputShape.toReversed());
      const result = session.kernel(
        ...call.arguments.map((value, i) => toGpu(session.module, value, call.shapes[i] ?? [])),
      );
      const problem = fallback(session, printed) ?? misshapen(result, call.outputShape);
      return problem
        ? { ok: false, failure: problem }
        : { ok: true, output: flatten(result, elementsOf(call.outputShape)) };
    } catch (problem) {
      return { ok: false, failure: failedFallback(session, printed) ?? withPrinted(threw(problem), printed) };
    }
  });
}

/** gpu.js ends a loop at `loopMaxIterations` silently, so a size beyond it is refused before. */
export function cutLoop(program: KernelProgram, call: KernelCall): KernelFailure | null {
  const limit = program.loopMaxIterations;
  let largest = 0;
  for (const shape of call.shapes) for (const size of shape) largest = Math.max(largest, size);
  for (let i = 0; i < call.arguments.length; i++) {
    const value = call.arguments[i];
    if (typeof value === 'number' && program.parameters[i]?.integer) largest = Math.max(largest, value);
  }
  if (largest <= limit || !/\b(?:for|while) \(/u.test(program.source)) return null;
  return unsupported(`a size of ${largest} is beyond loop_max ${limit}, at which gpu.js would cut the kernel's loops`);
}

function toGpu(module: GpuModule, value: KernelCall['arguments'][number], shape: readonly number[]): number | GpuInput {
  if (typeof value === 'number') return value;
  invariant(typeof value === 'object', 'a call that gives a gpu.js kernel a string is a misfit');
  return module.input(value instanceof Float32Array ? value : Float32Array.from(value), shape.toReversed());
}

/** gpu.js runs what a mode cannot do on the CPU instead; that would be evidence for something else. */
function fallback({ module, mode, kernel }: Session, printed: readonly string[]): KernelFailure | null {
  const wanted = mode === 'cpu' ? module.CPUKernel : module.WebAssemblyKernel;
  const { kernel: used } = kernel;
  if (used instanceof wanted && used.fallbackReason === null) return null;
  return {
    kind: 'fallback',
    requested: mode,
    ran: used.constructor.name,
    reason: used.fallbackReason ?? printed.join('; '),
  };
}

/** If even the CPU fallback of gpu.js fails, the reason is only on the console. */
function failedFallback({ mode }: Session, printed: readonly string[]): KernelFailure | null {
  const announced = printed.find((line) => line.startsWith('Falling back to CPU'));
  return announced === undefined ? null : { kind: 'fallback', requested: mode, ran: 'CPUKernel', reason: announced };
}

function misshapen(result: GpuResult, shape: readonly number[]): KernelFailure | null {
  const wanted = shape.length === 0 ? [1] : shape;
  const actual = shapeOf(result);
  return actual.join() === wanted.join() ? null : { kind: 'wrong-shape', expected: shape, actual: actual.join('×') };
}

function shapeOf(result: GpuResult | undefined): readonly number[] {
  if (result === undefined) return [];
  return result instanceof Float32Array ? [result.length] : [result.length, ...shapeOf(result[0])];
}

function flatten(result: GpuResult, length: number): Float32Array {
  const output = new Float32Array(length);
  let at = 0;
  const copy = (part: GpuResult): void => {
    if (part instanceof Float32Array) {
      output.set(part, at);
      at += part.length;
    } else part.forEach(copy);
  };
  copy(result);
  return output;
}

function withPrinted(failure: KernelFailure, printed: readonly string[]): KernelFailure {
  return failure.kind === 'threw' && printed.length > 0
    ? { ...failure, message: `${failure.message} (${printed.join('; ')})` }
    : failure;
}
