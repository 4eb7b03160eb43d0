/**
 * Kernels on one graphics device, inside the program that has the device: a page of a browser, or a process with Dawn.
 *
 * A session is controlled by messages of plain data. A page gets it as text (`sessionText`), so nothing here may use what this
 * module imports, or anything outside the functions listed there.
 */
import type { Gpu, GpuKernel, GpuModule, GpuResult, WebGpuContext } from './gpujs-module.ts';
import type { PixelKernel, PixelReader, Results } from './webgl2-results.ts';
import type { ShaderDevice } from './wgsl/shader-device.ts';
import type { answerShader, OpenShaders, ShaderReply, ShaderRequest } from './wgsl/shader-session.ts';

/** What a session uses of gpu.js, and of the page around it. */
export interface SessionEnvironment extends Pick<
  GpuModule,
  'GPU' | 'input' | 'WebGL2Kernel' | 'WebGPUKernel' | 'WebGPUContext'
> {
  /** A WebGL2 context of a new canvas; null if there is none. */
  readonly createContext: () => WebGl2Context | null;
  /** Where shaders of WGSL run as well. */
  readonly answerShader?: typeof answerShader;
}

/** The part of `WebGL2RenderingContext` that a session uses; pv is compiled without the DOM's types. */
export interface WebGl2Context extends PixelReader {
  readonly getExtension: (name: string) => { readonly UNMASKED_RENDERER_WEBGL: number } | null;
  readonly getParameter: (name: number) => unknown;
  readonly isContextLost: () => boolean;
}

interface SessionTensor {
  readonly data: Float32Array;
  /** Fastest axis first. */
  readonly size: readonly number[];
}

/** One call of a kernel, with tensors as flat float32 arrays. */
export interface SessionCall {
  readonly values: readonly (number | SessionTensor)[];
  /** Threads, fastest axis first; at least one axis. */
  readonly output: readonly number[];
}

/** What a session can be asked. `kernel` is a number that the asking side chooses. */
export type SessionRequest =
  | { readonly kind: 'describe' }
  | { readonly kind: 'open'; readonly kernel: number; readonly source: string; readonly loopMaxIterations: number }
  | { readonly kind: 'run'; readonly kernel: number; readonly calls: readonly SessionCall[] }
  | { readonly kind: 'close'; readonly kernel: number }
  | ShaderRequest;

/** The result of one call in a session; the output is flat and row-major. */
export type SessionOutcome =
  | { readonly ok: true; readonly output: Float32Array }
  | { readonly ok: false; readonly kind: 'threw'; readonly message: string }
  /** Sizes of what came back, slowest axis first. */
  | { readonly ok: false; readonly kind: 'wrong-shape'; readonly actual: string };

/** What a device can do wrong, whatever the kernel. */
export type SessionProblem =
  | { readonly kind: 'none'; readonly message: string }
  | { readonly kind: 'unnamed' }
  /** `at`: the first call of a list that did not end. */
  | { readonly kind: 'lost'; readonly message: string; readonly at?: number }
  /** Something else than the device computed. */
  | { readonly kind: 'replaced'; readonly ran: string; readonly reason: string };

/** The answer to a request of the corresponding kind, or a `problem` of the device in its place. */
export type SessionReply =
  /** The name that the driver gives its device. */
  | { readonly kind: 'device'; readonly name: string }
  | { readonly kind: 'opened' }
  /** Why gpu.js does not take the source. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly SessionOutcome[] }
  | ShaderReply
  | { readonly kind: 'closed' }
  | { readonly kind: 'problem'; readonly problem: SessionProblem };

/** Answers one request; requests are sent one after another. */
export type GpuSession = (request: SessionRequest) => Promise<SessionReply>;

interface State {
  readonly environment: SessionEnvironment;
  readonly mode: 'webgl2' | 'webgpu';
  readonly kernels: Map<number, GpuKernel>;
  /** Validation errors of the device: WebGPU computes zeros after one and says so only here. */
  readonly errors: string[];
  /** Where kernels on WebGL2 leave the results of the calls that are on their way. */
  results: Results | null;
  /** How many those are at most. */
  calls: number;
  gpu: Gpu | null;
  context: WebGl2Context | null;
  device: ShaderDevice | null;
  readonly shaders: OpenShaders;
  lost: string | null;
}

/** A session of WebGL2 or WebGPU in `environment`. Never rejects. */
export function createGpuSession(environment: SessionEnvironment, mode: 'webgl2' | 'webgpu'): GpuSession {
  const state: State = {
    environment,
    mode,
    kernels: new Map(),
    errors: [],
    results: null,
    calls: 0,
    gpu: null,
    context: null,
    device: null,
    shaders: new Map(),
    lost: null,
  };
  return async (request) => {
    switch (request.kind) {
      case 'describe':
        return mode === 'webgl2' ? describeWebgl2(state) : describeWebgpu(state);
      case 'open':
        return openKernel(state, request);
      case 'run':
        return runCalls(state, request);
      case 'close':
        return closeKernel(state, request.kernel);
      default:
        return environment.answerShader?.(state, request) ?? { kind: 'refused', message: 'no shaders run here' };
    }
  };
}

/** The functions of a session as a script, of which `createGpuSession` is one. */
export function sessionText(): string {
  const functions = [
    createGpuSession,
    problemReply,
    describeWebgl2,
    describeWebgpu,
    openKernel,
    runCalls,
    readTogether,
    fetchResults,
    startCalls,
    settle,
    flatten,
    shapeOf,
    replacement,
    closeKernel,
    thrownMessage,
  ];
  return `${functions.map(String).join('\n')}\nglobalThis.createGpuSession = ${createGpuSession.name};`;
}

function thrownMessage(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function problemReply(problem: SessionProblem): SessionReply {
  return { kind: 'problem', problem };
}

function describeWebgl2(state: State): SessionReply {
  const { environment } = state;
  const context = (state.context ??= environment.createContext());
  if (!context) return problemReply({ kind: 'none', message: 'it gives no WebGL2 context' });
  if (!context.getExtension('EXT_color_buffer_float'))
    return problemReply({ kind: 'none', message: 'its WebGL2 cannot write float32 (no EXT_color_buffer_float)' });
  const names = context.getExtension('WEBGL_debug_renderer_info');
  const name = names && context.getParameter(names.UNMASKED_RENDERER_WEBGL);
  if (typeof name !== 'string' || name.trim() === '') return problemReply({ kind: 'unnamed' });
  state.gpu ??= new environment.GPU({ context });
  return { kind: 'device', name };
}

async function describeWebgpu(state: State): Promise<SessionReply> {
  const { environment } = state;
  let acquired: WebGpuContext;
  try {
    acquired = await environment.WebGPUContext.acquire();
  } catch (problem) {
    const message = thrownMessage(problem);
    // gpu.js adds advice that is about browsers of people.
    return problemReply({ kind: 'none', message: /no adapter/u.test(message) ? 'WebGPU gives no adapter' : message });
  }
  const { vendor, architecture, device, description } = acquired.adapter.info;
  const name = [...new Set([vendor, architecture, device, description])].filter((part) => part !== '').join(' ');
  if (name === '') return problemReply({ kind: 'unnamed' });
  acquired.device.onuncapturederror = ({ error }) => void state.errors.push(error.message);
  void acquired.device.lost.then(({ message }) => (state.lost = message === '' ? 'no reason was given' : message));
  // It is one of WebGPU, of which gpu.js needs less than shaders do.
  state.device = acquired.device as object as ShaderDevice;
  state.gpu ??= new environment.GPU({ mode: 'webgpu' });
  return { kind: 'device', name };
}

function openKernel(
  state: State,
  { kernel, source, loopMaxIterations }: Extract<SessionRequest, { kind: 'open' }>,
): SessionReply {
  if (!state.gpu) return { kind: 'refused', message: 'the device was not described first' };
  try {
    const settings = {
      precision: 'single',
      dynamicOutput: true,
      dynamicArguments: true,
      immutable: true,
      asyncMode: true,
    } as const;
    const made = state.gpu.createKernel(source, { ...settings, loopMaxIterations });
    if (state.context) readTogether(state, state.context, made.kernel as object as PixelKernel);
    state.kernels.set(kernel, made);
    return { kind: 'opened' };
  } catch (problem) {
    return { kind: 'refused', message: thrownMessage(problem) };
  }
}

async function runCalls(
  state: State,
  { kernel: id, calls }: Extract<SessionRequest, { kind: 'run' }>,
): Promise<SessionReply> {
  const kernel = state.kernels.get(id);
  if (!kernel) return { kind: 'refused', message: 'there is no such kernel' };
  state.errors.length = 0;
  /** Of calls whose results are fetched together. */
  const resultFloats = 2 ** 20;
  const outcomes: SessionOutcome[] = [];
  for (let from = 0; from < calls.length;) {
    const shape = calls[from]?.output.join();
    let to = from + 1;
    const most = Math.max(1, resultFloats / (calls[from]?.output.reduce((product, size) => product * size, 1) ?? 1));
    while (calls[to]?.output.join() === shape && to < calls.length && to - from < most) to++;
    const started = startCalls(state, kernel, calls.slice(from, to));
    fetchResults(state);
    outcomes.push(...(await Promise.all(started)));
    from = to;
  }
  if (state.context?.isContextLost()) state.lost ??= 'the WebGL2 context was lost';
  if (state.lost !== null) return problemReply({ kind: 'lost', message: state.lost });
  const replaced = replacement(state, kernel);
  if (replaced) return problemReply(replaced);
  if (state.errors.length === 0) return { kind: 'outcomes', outcomes };
  const message = [...new Set(state.errors)].join('; ');
  return { kind: 'outcomes', outcomes: outcomes.map(() => ({ ok: false, kind: 'threw', message })) };
}

/**
 * Lets a kernel leave its results on the device until those of all calls are fetched: fetching one waits until the device has
 * done everything before, which takes longer than a small kernel runs.
 */
function readTogether(state: State, context: WebGl2Context, kernel: PixelKernel): void {
  kernel.transferValuesAsync = () => {
    const [width, height] = kernel.texSize;
    const length = width * height * (kernel._tightRead ? 1 : 4);
    if (!state.results) {
      const floats = new Float32Array(length * state.calls);
      const buffer = context.createBuffer();
      context.bindBuffer(context.PIXEL_PACK_BUFFER, buffer);
      context.bufferData(context.PIXEL_PACK_BUFFER, floats.byteLength, context.STREAM_READ);
      state.results = { buffer, floats, arrived: [], used: 0 };
    }
    const { results } = state;
    const from = results.used;
    results.used += length;
    context.bindBuffer(context.PIXEL_PACK_BUFFER, results.buffer);
    const format = kernel._tightRead ? context.RED : context.RGBA;
    context.readPixels(0, 0, width, height, format, context.FLOAT, from * 4);
    context.bindBuffer(context.PIXEL_PACK_BUFFER, null);
    return new Promise((resolve) => {
      results.arrived.push(() => resolve(results.floats.subarray(from, from + length)));
    });
  };
}

function fetchResults(state: State): void {
  const { context, results } = state;
  if (!context || !results) return;
  state.results = null;
  context.bindBuffer(context.PIXEL_PACK_BUFFER, results.buffer);
  context.getBufferSubData(context.PIXEL_PACK_BUFFER, 0, results.floats);
  context.bindBuffer(context.PIXEL_PACK_BUFFER, null);
  context.deleteBuffer(results.buffer);
  for (const arrive of results.arrived) arrive();
}

/** Calls of one output shape: all are on their way at once. */
function startCalls(
  state: State,
  kernel: GpuKernel,
  calls: readonly SessionCall[],
): readonly Promise<SessionOutcome>[] {
  const { environment } = state;
  const [first] = calls;
  state.calls = calls.length;
  // A new output, even of the same size, costs a new texture.
  if (first) kernel.setOutput([...first.output]);
  return calls.map(async (call): Promise<SessionOutcome> => {
    const values = call.values.map((value) =>
      typeof value === 'number' ? value : environment.input(value.data, [...value.size]),
    );
    try {
      return settle(await Promise.resolve(kernel(...values)), call);
    } catch (problem) {
      return { ok: false, kind: 'threw', message: thrownMessage(problem) };
    }
  });
}

function settle(result: GpuResult, { output }: SessionCall): SessionOutcome {
  const actual = shapeOf(result);
  if (actual.join() !== output.toReversed().join()) return { ok: false, kind: 'wrong-shape', actual: actual.join('×') };
  return { ok: true, output: flatten(result, new Float32Array(output.reduce((product, size) => product * size, 1))) };
}

function shapeOf(result: GpuResult | undefined): readonly number[] {
  if (result === undefined) return [];
  return result instanceof Float32Array ? [result.length] : [result.length, ...shapeOf(result[0])];
}

function flatten(result: GpuResult, into: Float32Array): Float32Array {
  if (result instanceof Float32Array) into.set(result);
  else {
    const width = into.length / result.length;
    result.forEach((part, i) => flatten(part, into.subarray(i * width, (i + 1) * width)));
  }
  return into;
}

/** What computed in place of the device; null if the device itself did, with the kernel that was requested. */
function replacement({ environment, mode }: State, { kernel: used }: GpuKernel): SessionProblem | null {
  const wanted = mode === 'webgl2' ? environment.WebGL2Kernel : environment.WebGPUKernel;
  if (used instanceof wanted && used.fallbackReason === null) return null;
  return { kind: 'replaced', ran: used.constructor.name, reason: used.fallbackReason ?? 'it gives no reason' };
}

function closeKernel(state: State, id: number): SessionReply {
  try {
    state.kernels.get(id)?.destroy();
  } catch (problem) {
    // What never ran has nothing to destroy, and gpu.js says so by throwing.
    state.errors.push(thrownMessage(problem));
  }
  state.kernels.delete(id);
  return { kind: 'closed' };
}
