/**
 * Compute shaders of WGSL inside the program that has the device. A page gets these functions as text (`shaderText`), so they use
 * nothing from outside them but each other.
 */
import type { DeviceBuffer, ShaderDevice, ShaderModule } from './shader-device.ts';

/** A buffer of the bind groups. */
interface SessionBinding {
  readonly group: number;
  readonly binding: number;
  readonly kind: 'uniform' | 'read' | 'read_write';
}

/** One dispatch; `buffers` are in the order of the shader's bindings. Their numbers are bits, whatever the format. */
export interface SessionRun {
  readonly constants: Readonly<Record<string, number>>;
  readonly buffers: readonly Float32Array[];
  readonly dispatch: readonly [number, number, number];
}

/** What a session can be asked about shaders. `kernel` is a number that the asking side chooses. */
export type ShaderRequest =
  | {
      readonly kind: 'open-shader';
      readonly kernel: number;
      readonly code: string;
      readonly entry: string;
      readonly bindings: readonly SessionBinding[];
      /** Whether it needs no constants, so that its pipeline can be made at once. */
      readonly isWhole: boolean;
    }
  /** If nothing ends within `limitMs`, the device is lost. */
  | {
      readonly kind: 'run-shader';
      readonly kernel: number;
      readonly runs: readonly SessionRun[];
      readonly limitMs: number;
    }
  | { readonly kind: 'close-shader'; readonly kernel: number };

/** The answer to a request of the corresponding kind, or why there is none. */
export type ShaderReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly message: string }
  /** The buffers that a shader can write, after each run. */
  | { readonly kind: 'written'; readonly runs: readonly (readonly Float32Array[])[] }
  | { readonly kind: 'closed' }
  /** `at`: the first run that did not end. */
  | {
      readonly kind: 'problem';
      readonly problem: { readonly kind: 'lost'; readonly message: string; readonly at: number };
    };

interface OpenShader {
  readonly module: ShaderModule;
  readonly code: string;
  readonly entry: string;
  readonly bindings: readonly SessionBinding[];
  readonly groups: readonly object[];
  readonly layout: object;
  readonly pipelines: Map<string, object>;
}

/** Shaders by the number of their kernel. */
export type OpenShaders = Map<number, OpenShader>;

/** The part of a session's state that shaders need. */
interface ShaderState {
  readonly device: ShaderDevice | null;
  readonly shaders: OpenShaders;
  lost: string | null;
}

/** Answers one request. */
export async function answerShader(state: ShaderState, request: ShaderRequest): Promise<ShaderReply> {
  switch (request.kind) {
    case 'open-shader':
      return openShader(state, request);
    case 'run-shader':
      return runShader(state, request);
    case 'close-shader':
      return closeShader(state, request.kernel);
  }
}

/** The functions of shaders as a script, of which `answerShader` is one. */
export function shaderText(): string {
  const functions = [answerShader, openShader, messagesOf, shaderPipeline, runShader, sendRuns, startRun, closeShader];
  return `${functions.map(String).join('\n')}\nglobalThis.answerShader = ${answerShader.name};`;
}

/** Compiles a shader; the reply to one that the device refuses has its compiler's messages, each with line and column. */
async function openShader(
  state: ShaderState,
  { kernel, code, entry, bindings, isWhole }: Extract<ShaderRequest, { kind: 'open-shader' }>,
): Promise<ShaderReply> {
  const { device, shaders } = state;
  if (!device) return { kind: 'refused', message: 'shaders of WGSL need WebGPU' };
  for (const known of shaders.values()) {
    if (known.code !== code || known.entry !== entry) continue;
    shaders.set(kernel, known);
    return { kind: 'opened' };
  }
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const types = { uniform: 'uniform', read: 'read-only-storage', read_write: 'storage' } as const;
  const groupCount = Math.max(0, ...bindings.map(({ group }) => group + 1));
  const groups = Array.from({ length: groupCount }, (_, at) =>
    device.createBindGroupLayout({
      entries: bindings
        .filter(({ group }) => group === at)
        .map(({ binding, kind }) => ({ binding, visibility: 4, buffer: { type: types[kind] } })),
    }),
  );
  const layout = device.createPipelineLayout({ bindGroupLayouts: groups });
  const info = await module.getCompilationInfo();
  const invalid = await device.popErrorScope();
  const messages = messagesOf(info.messages);
  if (messages !== '') return { kind: 'refused', message: messages };
  if (invalid) return { kind: 'refused', message: invalid.message };
  const shader: OpenShader = { module, code, entry, bindings, groups, layout, pipelines: new Map() };
  if (isWhole) {
    const pipeline = await shaderPipeline(device, shader, {});
    if (typeof pipeline === 'string') return { kind: 'refused', message: pipeline };
  }
  shaders.set(kernel, shader);
  return { kind: 'opened' };
}

/** Errors of a compiler, one a line, `3:14 unresolved value`; '' if there are none. */
function messagesOf(
  messages: Iterable<{
    readonly type: string;
    readonly message: string;
    readonly lineNum: number;
    readonly linePos: number;
  }>,
): string {
  return Array.from(messages)
    .filter(({ type }) => type === 'error')
    .map(({ lineNum, linePos, message }) => `${lineNum}:${linePos} ${message}`)
    .join('\n');
}

/** The pipeline for some constants, made once; a text says why there is none. */
async function shaderPipeline(
  device: ShaderDevice,
  { module, entry, layout, pipelines }: OpenShader,
  constants: Readonly<Record<string, number>>,
): Promise<object | string> {
  const key = JSON.stringify(constants);
  const known = pipelines.get(key);
  if (known) return known;
  try {
    const made = await device.createComputePipelineAsync({ layout, compute: { module, entryPoint: entry, constants } });
    pipelines.set(key, made);
    return made;
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}

/** Runs one dispatch after another, each in memory of its own. */
async function runShader(
  state: ShaderState,
  { kernel, runs, limitMs }: Extract<ShaderRequest, { kind: 'run-shader' }>,
): Promise<ShaderReply> {
  const { device, shaders } = state;
  const shader = shaders.get(kernel);
  if (!device || !shader) return { kind: 'refused', message: 'there is no such shader' };
  const pipelines: object[] = [];
  for (const { constants } of runs) {
    const pipeline = await shaderPipeline(device, shader, constants);
    if (typeof pipeline === 'string') return { kind: 'refused', message: pipeline };
    pipelines.push(pipeline);
  }
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  const sent = sendRuns(device, shader, runs, pipelines);
  const problems = [device.popErrorScope(), device.popErrorScope()];
  // Whichever is first: all have ended, the device was lost, or none has ended for the limit.
  let lost = '';
  let ended = 0;
  const over = device.lost.then(({ message }) => void (lost = message === '' ? 'no reason was given' : message));
  const all = Promise.all(sent.done.map((done) => done.then(() => ended++))).then(() => sent.map());
  const looks = 5;
  for (let before = -1, idle = 0; idle < looks && lost === ''; idle = before < ended ? 0 : idle + 1) {
    before = ended;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), limitMs / looks)));
    const won = await Promise.race([all, over.then(() => null), limit]);
    clearTimeout(timer);
    if (won !== 'late' && won !== null && lost === '') {
      const messages = (await Promise.all(problems)).flatMap((problem) => problem?.message ?? []);
      sent.destroy();
      return messages.length > 0 ? { kind: 'refused', message: messages.join('; ') } : { kind: 'written', runs: won };
    }
  }
  state.lost = lost === '' ? 'it did not end' : lost;
  const message = lost === '' ? `it did not end within ${limitMs / 1000} s` : `the device was lost: ${lost}`;
  return { kind: 'problem', problem: { kind: 'lost', message, at: ended } };
}

/** Buffers on their way: what was sent, and how to get it back. */
interface Sent {
  readonly done: readonly Promise<void>[];
  readonly map: () => Promise<readonly (readonly Float32Array[])[]>;
  readonly destroy: () => void;
}

/**
 * Sends all runs. Buffers of one kind share one buffer of the device, since making one costs more than most dispatches; each has
 * its own part, and a device keeps shaders inside the part that is bound.
 */
function sendRuns(
  device: ShaderDevice,
  shader: OpenShader,
  runs: readonly SessionRun[],
  pipelines: readonly object[],
): Sent {
  const align = 64; // words: offsets of bound parts are multiples of 256 bytes
  const lengths = { given: 0, written: 0 };
  const places = runs.map(({ buffers }) =>
    buffers.map((data, i) => {
      const part = shader.bindings[i]?.kind === 'read_write' ? 'written' : 'given';
      const at = lengths[part];
      lengths[part] += Math.ceil(data.length / align) * align;
      return { part, at, data } as const;
    }),
  );
  const bytes = { given: 4 * Math.max(align, lengths.given), written: 4 * Math.max(align, lengths.written) };
  // MAP_READ 1, COPY_SRC 4, COPY_DST 8, UNIFORM 64, STORAGE 128
  const given = device.createBuffer({ size: bytes.given, usage: 8 | 64 | 128 });
  const written = device.createBuffer({ size: bytes.written, usage: 4 | 8 | 128 });
  const back = device.createBuffer({ size: bytes.written, usage: 1 | 8 });
  const words = { given: new Float32Array(bytes.given / 4), written: new Float32Array(bytes.written / 4) };
  for (const { part, at, data } of places.flat()) words[part].set(data, at);
  device.queue.writeBuffer(given, 0, words.given);
  device.queue.writeBuffer(written, 0, words.written);
  const done = runs.map((run, i) => {
    device.queue.submit([
      startRun(device, shader, { run, pipeline: pipelines[i] ?? {}, places: places[i] ?? [], given, written }),
    ]);
    return device.queue.onSubmittedWorkDone();
  });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(written, 0, back, 0, bytes.written);
  device.queue.submit([encoder.finish()]);
  return {
    done,
    map: async () => {
      await back.mapAsync(1);
      const all = new Float32Array(back.getMappedRange().slice(0));
      return places.map((own) =>
        own.filter(({ part }) => part === 'written').map(({ at, data }) => all.subarray(at, at + data.length)),
      );
    },
    destroy: () => [given, written, back].forEach((buffer) => buffer.destroy()),
  };
}

interface Starting {
  readonly run: SessionRun;
  readonly pipeline: object;
  readonly places: readonly { readonly part: 'given' | 'written'; readonly at: number; readonly data: Float32Array }[];
  readonly given: DeviceBuffer;
  readonly written: DeviceBuffer;
}

/** The commands of one dispatch. */
function startRun(
  device: ShaderDevice,
  { bindings, groups }: OpenShader,
  { run, pipeline, places, given, written }: Starting,
): object {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  for (const [at, layout] of groups.entries()) {
    const entries = bindings.flatMap(({ group, binding }, i) => {
      const place = places[i];
      if (group !== at || !place) return [];
      const buffer = place.part === 'given' ? given : written;
      return [{ binding, resource: { buffer, offset: 4 * place.at, size: 4 * place.data.length } }];
    });
    pass.setBindGroup(at, device.createBindGroup({ layout, entries }));
  }
  pass.dispatchWorkgroups(...run.dispatch);
  pass.end();
  return encoder.finish();
}

/** Forgets a shader, unless there are few: the next claim opens the same one, and compiling costs more than most claims. */
function closeShader({ shaders }: ShaderState, kernel: number): ShaderReply {
  if (shaders.size > 8) shaders.delete(kernel);
  return { kind: 'closed' };
}
