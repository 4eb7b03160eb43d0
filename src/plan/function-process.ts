/**
 * Plain functions as the thread that judges them sees them: kernels in another process. They cannot reach what compares their results;
 * what their process says is a result of theirs or a report about them, and anything else ends the check.
 */
import { deserialize, serialize } from 'node:v8';
import type { Backend, KernelFailure, KernelOutcome, KernelProgram, OpenKernel } from '../backends/backend.ts';
import { elementsOf } from '../backends/check-call.ts';
import type { Conduct } from '../backends/conduct.ts';
import { err, ok } from '../base/result.ts';
import { shortened, visible } from '../base/text.ts';
import { inputs } from '../evidence/decode-receipt.ts';
import { count, list, nullable, oneOf, record, text, type Decoder } from '../evidence/decoder.ts';
import {
  floatOutput,
  integerOutput,
  textOutput,
  type FloatOutput,
  type IntegerOutput,
  type TextOutput,
} from '../numeric/kernel-output.ts';
import { arithmeticOf, type KernelCall } from '../subject/kernel.ts';
import type { FunctionAnswer, FunctionRequest, Repeated, RunReport } from './function-protocol.ts';
import type { World } from './vary-world.ts';

/** The functions of one job, in the process that runs them. */
export interface FunctionProcess {
  readonly backend: Backend;
  /** Gives the process another clock and other random numbers; before anything is opened. */
  readonly vary: (world: World) => Promise<void>;
  /** Makes the calls over and over, of the function that was opened last. */
  readonly repeat: (calls: readonly KernelCall[], limits: RepeatLimits) => Promise<Repeated>;
  readonly finish: () => Promise<RunReport>;
  /** Handles a message from the process; throws if it is unexpected. */
  readonly receive: (message: unknown) => void;
}

/** When calls that are made over and over end, whichever comes first. */
export interface RepeatLimits {
  readonly most: number;
  /** Processor time. */
  readonly enoughMs: number;
}

/**
 * `post` sends to the process, and owns the bytes. Requests made in one turn of the event loop are sent together, since a
 * message costs more than most calls.
 */
export function functionProcess(post: (requests: Uint8Array<ArrayBuffer>) => void): FunctionProcess {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked: FunctionRequest[] = [];
  let last = 0;
  const send = (): void => {
    post(serialize(asked));
    asked = [];
  };
  const ask = (request: (id: number) => FunctionRequest): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      if (asked.push(request(last)) === 1) setImmediate(send);
    });

  let latest = 0;
  const open = async (program: KernelProgram): ReturnType<Backend['open']> => {
    let opened = 0;
    const answer = await ask((id) => ({ id: (latest = opened = id), kind: 'open', program }));
    if (isFailed(answer)) return { ok: false, failure: decoded(failure, answer.failure) };
    const run: OpenKernel['run'] = async (calls) => {
      const outcomes = await ask((id) => ({ id, kind: 'run', opened, calls }));
      if (!Array.isArray(outcomes) || outcomes.length !== calls.length) throw foreign();
      return calls.map((call, i) => outcomeOf(program, call, outcomes[i]));
    };
    const ran = { backend: 'function', device: 'node', arithmetic: arithmeticOf.function } as const;
    return { ok: true, kernel: { ran, run, runSync: null, close: () => Promise.resolve() } };
  };

  return {
    backend: { id: 'function', arithmetic: arithmeticOf.function, open },
    vary: async (world) => void (await ask((id) => ({ id, kind: 'vary', world }))),
    repeat: async (calls, { most, enoughMs }) =>
      decoded(repeatedTimes, await ask((id) => ({ id, kind: 'repeat', opened: latest, calls, most, enoughMs }))),
    finish: async () => decoded(finished, await ask((id) => ({ id, kind: 'finish' }))),
    receive: (message) => {
      for (const item of listIn(message)) {
        const { id = 0, answer } = Object(item) as Partial<FunctionAnswer>;
        const resolve = waiting.get(id);
        if (!resolve) throw foreign();
        waiting.delete(id);
        resolve(answer);
      }
    },
  };
}

/** The outcomes of calls that a program has written: see `alone.worker.ts`. Throws if they are anything else. */
export function outcomesIn(
  bytes: Uint8Array,
  program: KernelProgram,
  calls: readonly KernelCall[],
): readonly KernelOutcome[] {
  const outcomes = listIn(bytes);
  if (outcomes.length !== calls.length) throw foreign();
  return calls.map((call, i) => outcomeOf(program, call, outcomes[i]));
}

/** What a stranger's process says, for people: one line that controls no terminal and is not taken for a line of pv's own. */
const said: Decoder<string> = (value, at) => {
  const read = text(value, at);
  return read.ok ? ok(visible(shortened(read.value, 1000))) : read;
};

const finished = record<RunReport>({
  inputs,
  stray: nullable(said),
  conduct: record<Conduct>({ replaced: said, changed: said, changedInput: said, disguised: said }),
});

const repeatedTimes = record<Repeated>({ made: count, odd: count });

const foreign = (): Error => new Error('it sent a message to pv');

function decoded<T>(decoder: Decoder<T>, value: unknown): T {
  const read = decoder(value, '');
  if (!read.ok) throw foreign();
  return read.value;
}

function listIn(message: unknown): readonly unknown[] {
  if (!(message instanceof Uint8Array)) throw foreign();
  let list: unknown;
  try {
    list = deserialize(message);
  } catch {
    throw foreign();
  }
  if (!Array.isArray(list)) throw foreign();
  return list;
}

function outcomeOf({ output: kind = 'numbers' }: KernelProgram, call: KernelCall, said: unknown): KernelOutcome {
  if (isFailed(said)) return { ok: false, failure: decoded(failure, said.failure) };
  const { output, text: written } = Object(said) as { readonly output?: unknown; readonly text?: unknown };
  if (kind === 'text') return resultOf(textOutput(written));
  if (kind === 'numbers') return resultOf(floatOutput(output, elementsOf(call.outputShape)));
  return resultOf(integerOutput(output instanceof Float64Array ? [...output] : output));
}

function resultOf(read: FloatOutput | IntegerOutput | TextOutput): KernelOutcome {
  if (!read.ok) throw foreign();
  return read.text === undefined ? { ok: true, output: read.output } : read;
}

function isFailed(said: unknown): said is { readonly failure: unknown } {
  return typeof said === 'object' && said !== null && 'failure' in said;
}

/** What may go wrong with a plain function. */
const failures: Readonly<Record<string, Decoder<KernelFailure>>> = {
  threw: record({ kind: oneOf('threw'), message: said }),
  unsupported: record({ kind: oneOf('unsupported'), message: said }),
  'mutated-input': record({ kind: oneOf('mutated-input'), parameter: said }),
  'wrong-shape': record({
    kind: oneOf('wrong-shape'),
    expected: (value, at) => (typeof value === 'string' ? said(value, at) : list(count)(value, at)),
    actual: said,
  }),
};

const failure: Decoder<KernelFailure> = (value, at) => {
  const kind: unknown = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  const decoder = typeof kind === 'string' && Object.hasOwn(failures, kind) ? failures[kind] : undefined;
  return decoder ? decoder(value, at) : err(`${at} is not a failure`);
};
