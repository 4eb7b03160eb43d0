/**
 * The process in which plain functions run, whatever it is started for: opens them, calls them and reports how they behaved. What
 * the results mean is decided on a thread of pv, where no untrusted code is loaded.
 */
import type { Opened, OpenKernel, KernelOutcome } from '../backends/backend.ts';
import { messageOf } from '../backends/check-call.ts';
import { watchConduct } from '../backends/function-conduct.ts';
import { functionsWith } from '../backends/function-kernel.ts';
import type { Inputs } from '../host/inputs/input.ts';
import { parentPipe } from '../host/parent-pipe.ts';
import type { BytesOutcome, FunctionAnswer, FunctionRequest, Repeated, RunReport } from './function-protocol.ts';
import { isSameOutcome } from './same-outcome.ts';
import { timesFaster, vary } from './vary-world.ts';

/** How the process differs from another. */
interface Service {
  /** Begins to record everything that is read in this process, since modules loaded by earlier jobs keep what they have read. */
  readonly observe: () => () => Inputs;
  /** Whether inputs are overwritten after each call, and built-ins compared often: see `watchConduct`. */
  readonly strict: boolean;
}

// Kept from before any function is loaded. Functions can replace what others import of these modules.
const { serialize, deserialize, Serializer, Deserializer, DefaultSerializer, DefaultDeserializer } =
  process.getBuiltinModule('node:v8');
const { setTimeout: wait, setImmediate: turn } = process.getBuiltinModule('node:timers/promises');
const now = performance.now.bind(performance);
const cpuUsage = process.cpuUsage.bind(process);
const { EventEmitter } = process.getBuiltinModule('node:events');
const { Readable, Writable, Duplex } = process.getBuiltinModule('node:stream');
const { Socket } = process.getBuiltinModule('node:net');
const watched = Object.entries({
  process,
  performance,
  console,
  Serializer,
  Deserializer,
  DefaultSerializer,
  DefaultDeserializer,
  EventEmitter,
  Readable,
  Writable,
  Duplex,
  Socket,
}).map(([name, value]) => ({ name, value }));

// Becomes another property when it is first read, as `import process from 'node:process'` reads it.
void process.allowedNodeEnvironmentFlags;

/** Longer than a result that is filled in later takes, as an animation frame does; under another clock ten seconds. */
const laterMs = 20;
const laterInFastTimeMs = 10_000 / timesFaster;

/** Collects what nobody refers to any more, so that what code does then happens now. */
function collector(): () => void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

/** Answers the requests of the parent until the process is ended. */
export function serveFunctions({ observe, strict }: Service): void {
  const parent = parentPipe();
  const collect = strict ? collector() : null;
  let waitMs = laterMs;
  let stray: string | null = null;
  process.on('unhandledRejection', (problem) => {
    stray ??= `it left a promise that was rejected: ${messageOf(problem)}`;
  });
  process.on('uncaughtException', (problem) => {
    stray ??= `it left a callback that threw: ${messageOf(problem)}`;
  });
  // Ctrl-C reaches every process of the terminal; pv ends this one when it has noticed.
  process.on('SIGINT', () => undefined);
  // What is pv's own has its means by now, so that only what functions ask for is recorded.
  const inputs = observe();
  const kernels = new Map<number, OpenKernel>();
  const conduct = watchConduct(strict, watched);
  const backend = functionsWith(conduct);

  const finish = async (): Promise<RunReport> => {
    kernels.clear();
    // Rejections are reported between the turns of the event loop.
    await turn();
    await turn();
    collect?.();
    if (strict) await wait(waitMs);
    const found = { inputs: inputs(), stray, conduct: conduct.report() };
    stray = null;
    return found;
  };
  const open = (id: number, opened: Opened): unknown => {
    if (!opened.ok) return opened;
    kernels.set(id, opened.kernel);
    return { ok: true };
  };
  const answerTo = async (request: FunctionRequest): Promise<unknown> => {
    switch (request.kind) {
      case 'vary':
        vary(request.world);
        if (request.world.clockMs !== 0) waitMs = laterInFastTimeMs;
        return conduct.record();
      case 'open':
        return open(request.id, await backend.open(request.program));
      case 'run':
        return (await kernels.get(request.opened)?.run(request.calls))?.map(inBytes);
      case 'repeat':
        return repeated(kernels.get(request.opened), request);
      case 'finish':
        return finish();
    }
  };

  // One request after another: a function runs once at a time.
  let before = Promise.resolve();
  parent.onMessage((message) => {
    before = before.then(async () => {
      const answers: FunctionAnswer[] = [];
      for (const request of deserialize(message) as readonly FunctionRequest[])
        answers.push({ id: request.id, answer: await answerTo(request) });
      parent.send(serialize(answers));
    });
  });
}

type Repeat = Extract<FunctionRequest, { readonly kind: 'repeat' }>;

/** Of this process: on a busy machine the clock runs on while the process waits, and fewer calls would be made. */
function processorMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** In this process, since a message for each call would cost more than the calls. */
async function repeated(kernel: OpenKernel | undefined, { calls, most, enoughMs }: Repeat): Promise<Repeated> {
  const until = processorMs() + enoughMs;
  // A kernel may itself wait, for a GPU say.
  const latest = now() + 5 * enoughMs;
  const first: KernelOutcome[] = [];
  let made = 0;
  let odd = 0;
  while (kernel && calls.length > 0 && made < most && processorMs() < until && now() < latest) {
    const outcomes = await kernel.run(calls);
    for (let i = 0; i < outcomes.length; i++) {
      if (made < calls.length) first[i] = outcomes[i] as KernelOutcome;
      else if (!isSameOutcome(outcomes[i], first[i])) odd += 1;
    }
    made += outcomes.length;
  }
  return { made, odd };
}

/** The outcome with an output that is bytes sent as bytes: files and hashes are an eighth of what their numbers take. */
function inBytes(outcome: KernelOutcome): KernelOutcome | BytesOutcome {
  if (!outcome.ok || !(outcome.output instanceof Float64Array)) return outcome;
  return outcome.output.every(isByte) ? { ...outcome, output: Uint8Array.from(outcome.output) } : outcome;
}

const isByte = (x: number): boolean => Object.is(x & 255, x);
