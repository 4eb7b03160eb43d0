/**
 * Compute shaders of WGSL as kernels: each call is dispatched twice, in memory filled with two secret patterns and with buffers of
 * two lengths. A shader of its inputs alone gives the same bits both times.
 */
import { randomInt } from 'node:crypto';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import { arithmeticOf, type GpuBackendId, type KernelProgram } from '../../subject/kernel.ts';
import type { ShaderPlan } from '../../subject/shader.ts';
import type { KernelCall, KernelFailure, KernelOutcome, Opened } from '../backend.ts';
import { elementsOf, misfit, threw, unsupported } from '../check-call.ts';
import { gathered } from '../gathered.ts';
import type { SessionReply } from '../gpu-session.ts';
import type { Join, SharedSession } from '../gpu-sessions.ts';
import { lostDevice, troubleOf } from '../gpu-trouble.ts';
import { prepareRun, resultOf, type Memory, type PreparedRun } from './shader-buffers.ts';
import { strayWrite, unwritten, type DoneRun } from './shader-conduct.ts';

/** A shader that ends takes milliseconds for the inputs that pv draws. */
const limitMs = 5000;

/** Words of one message. */
const mostWords = 2 ** 22;

/** Shaders that did not end once: another try would cost the same time. */
const endless = new Map<string, string>();

/** What is said of a shader whose equal dispatches differ. */
export const racing = 'equal dispatches gave different results: its invocations race with each other';

/** What is said of a shader that reads what an earlier one has left. */
export const staleMemory = 'its result depends on what its output held before: it reads memory that it has not written';

let nextShader = 1;

interface Opening {
  readonly id: GpuBackendId;
  readonly join: Join;
  readonly choice: DeviceChoice;
  readonly program: KernelProgram;
  readonly plan: ShaderPlan;
  readonly kernel: number;
}

/** Opens a shader on a device; one that the device's compiler refuses fails with its messages. */
export async function openShaderKernel(
  id: GpuBackendId,
  join: Join,
  program: KernelProgram,
  choice: DeviceChoice,
): Promise<Opened> {
  const plan = program.shader;
  if (!plan) return { ok: false, failure: unsupported(`${program.name} is not a shader`) };
  const opening = { id, join, choice, program, plan, kernel: nextShader++ };
  const begun = await begin(opening);
  if (!begun.ok) return begun;
  const state = { session: begun.session };
  return {
    ok: true,
    kernel: {
      ran: { backend: id, device: begun.session.device, arithmetic: arithmeticOf[id] },
      runSync: null,
      run: gathered((calls) => runAll(opening, state, calls)),
      close: async () => {
        await state.session.ask({ kind: 'close-shader', kernel: opening.kernel });
        state.session.release();
      },
    },
  };
}

/** For lists that are shorter than they should be. */
const unanswered = { ok: false, failure: threw('the device gave no answer to this call') } as const;

type Begun =
  { readonly ok: true; readonly session: SharedSession } | { readonly ok: false; readonly failure: KernelFailure };

async function begin({ id, join, choice, program, plan, kernel }: Opening): Promise<Begun> {
  const joined = await joinAny(join, choice);
  if (!joined.ok) return { ok: false, failure: { kind: 'device', trouble: joined.trouble } };
  const { session } = joined;
  const bindings = plan.buffers.map(({ group, binding, kind }) => ({ group, binding, kind }));
  const isWhole = plan.constants.length === 0;
  const request = {
    kind: 'open-shader',
    kernel,
    code: program.source,
    entry: program.name,
    bindings,
    isWhole,
  } as const;
  const reply = await session.ask(request);
  if (reply.kind === 'opened') return { ok: true, session };
  session.release();
  return {
    ok: false,
    failure: reply.kind === 'refused' ? { kind: 'refused', message: reply.message } : failureOf(id, reply),
  };
}

/** Joins that have found no driver of the system's. */
const withoutDriver = new WeakSet<Join>();

/** Where the system has no driver, any device is the one that comes with Chromium. */
async function joinAny(join: Join, choice: DeviceChoice): ReturnType<Join> {
  if (choice !== 'any') return join(choice);
  const joined = withoutDriver.has(join) ? null : await join(choice);
  if (joined && (joined.ok || joined.trouble.code !== 'PV-5032')) return joined;
  withoutDriver.add(join);
  return join('swiftshader');
}

interface ShaderState {
  session: SharedSession;
}

async function runAll(
  opening: Opening,
  state: ShaderState,
  calls: readonly KernelCall[],
): Promise<readonly KernelOutcome[]> {
  const { program } = opening;
  const outcomes = new Array<KernelOutcome | undefined>(calls.length);
  let wanted: number[] = [];
  let words = 0;
  const flush = async (): Promise<void> => {
    const own = wanted.flatMap((at) => calls[at] ?? []);
    const found = await runSome(opening, state, own);
    wanted.forEach((at, i) => (outcomes[at] = found[i]));
    wanted = [];
    words = 0;
  };
  for (const [at, call] of calls.entries()) {
    const failure = misfit(program, call);
    if (failure) outcomes[at] = { ok: false, failure };
    else if (elementsOf(call.outputShape) === 0) outcomes[at] = { ok: true, output: new Float32Array(0) };
    else wanted.push(at);
    words += wordsOf(call);
    if (words > mostWords) await flush();
  }
  if (wanted.length > 0) await flush();
  return outcomes.map((outcome) => outcome ?? unanswered);
}

function wordsOf(call: KernelCall): number {
  const given = call.arguments.map((value) => (typeof value === 'object' ? value.length : 1));
  return given.reduce((sum, length) => sum + length, elementsOf(call.outputShape));
}

/** NaN with a secret payload, and a secret number: what was not written gives itself away, and what was read spoils the result. */
function secretMemory(isPadded: boolean): Memory {
  const secret = randomInt(2 ** 21);
  // A thousandth: results are not lost when they are added to it.
  const head = isPadded ? 0x3a80_0000 : 0x7fc0_0000;
  return { isPadded, fill: (at) => head | ((secret + 40_503 * at) & 0x1f_ffff) };
}

async function runSome(
  opening: Opening,
  state: ShaderState,
  calls: readonly KernelCall[],
): Promise<readonly KernelOutcome[]> {
  const { plan } = opening;
  const [exact, padded] = [secretMemory(false), { ...secretMemory(true), isPadded: !plan.asksLength }];
  const asked = calls.flatMap((call) => [exact, padded].map((memory) => ({ call, memory })));
  const done = await dispatchAll(opening, state, asked);
  const outcomes: KernelOutcome[] = [];
  for (const [i, call] of calls.entries()) {
    const [one, two] = [done[2 * i] ?? unanswered, done[2 * i + 1] ?? unanswered];
    if (!one.ok) outcomes.push(one);
    else if (!two.ok) outcomes.push(two);
    else outcomes.push(await judged(opening, state, { call, one: one.run, two: two.run, exact }));
  }
  return outcomes;
}

interface Twice {
  readonly call: KernelCall;
  readonly one: DoneRun;
  readonly two: DoneRun;
  readonly exact: Memory;
}

async function judged(opening: Opening, state: ShaderState, twice: Twice): Promise<KernelOutcome> {
  const { plan } = opening;
  const { call, one, two } = twice;
  const stray = strayWrite(plan, one) ?? strayWrite(plan, two);
  if (stray) return { ok: false, failure: stray };
  const hole = unwritten(plan, one, two);
  if (hole !== null) return { ok: false, failure: threw(`it did not write element ${hole} of its result`) };
  const output = resultOf(plan, call, one.written);
  const other = resultOf(plan, call, two.written);
  if (!output || !other) return unanswered;
  if (isSame(output, other)) return { ok: true, output };
  return { ok: false, failure: await explained(opening, state, twice) };
}

const isSame = (a: Float32Array, b: Float32Array): boolean => a.every((x, i) => Object.is(x, b[i]));

/** Why two dispatches of one call differ: the same memory again, and then other memory of the same length. */
async function explained(opening: Opening, state: ShaderState, { call, one, exact }: Twice): Promise<KernelFailure> {
  const { plan } = opening;
  const first = resultOf(plan, call, one.written);
  const differs = async (memory: Memory): Promise<boolean> => {
    const [again] = await dispatchAll(opening, state, [{ call, memory }]);
    const result = again?.ok ? resultOf(plan, call, again.run.written) : null;
    return !first || !result || !isSame(first, result);
  };
  for (let i = 0; i < 3; i++) if (await differs(exact)) return threw(racing);
  if (await differs({ ...secretMemory(true), isPadded: false })) return threw(staleMemory);
  return threw('its result depends on what follows its buffers in memory: it reads out of bounds');
}

type Dispatched =
  { readonly ok: true; readonly run: DoneRun } | { readonly ok: false; readonly failure: KernelFailure };

async function dispatchAll(
  opening: Opening,
  state: ShaderState,
  asked: readonly { readonly call: KernelCall; readonly memory: Memory }[],
): Promise<readonly Dispatched[]> {
  const { plan } = opening;
  const prepared = asked.map(({ call, memory }) => prepareRun(plan, call, memory));
  const runs = prepared.flatMap((one) => (one.ok ? [one.value] : []));
  const done = runs.length === 0 ? [] : await dispatch(opening, state, runs);
  let at = 0;
  return prepared.map((one): Dispatched => {
    if (!one.ok) return one;
    return done[at++] ?? unanswered;
  });
}

/** One message to the session; if another shader lost it, the same on a new one. */
async function dispatch(
  opening: Opening,
  state: ShaderState,
  runs: readonly PreparedRun[],
  isAgain = false,
): Promise<readonly Dispatched[]> {
  const { id, plan, program, kernel } = opening;
  const all = (failure: KernelFailure): readonly Dispatched[] => runs.map(() => ({ ok: false, failure }));
  const known = endless.get(program.sourceHash);
  if (known !== undefined) return all(unsupported(`it is not run again, since ${known}`));
  const reply = await state.session.ask({ kind: 'run-shader', kernel, runs: runs.map(({ run }) => run), limitMs });
  if (reply.kind === 'written') {
    const places = plan.buffers.flatMap(({ kind }, i) => (kind === 'read_write' ? [i] : []));
    return runs.map((run, i) => {
      const written = new Map(places.map((place, j) => [place, reply.runs[i]?.[j] ?? new Float32Array()]));
      return { ok: true, run: { ...run, written } };
    });
  }
  if (reply.kind === 'refused') return all({ kind: 'refused', message: reply.message });
  if (reply.kind !== 'problem' || reply.problem.kind !== 'lost') return all(failureOf(id, reply));
  const { at, message } = reply.problem;
  if (at === undefined && isAgain) return all(failureOf(id, reply));
  state.session.release();
  const begun = await begin(opening);
  if (!begun.ok) return all(begun.failure);
  state.session = begun.session;
  if (at === undefined) return dispatch(opening, state, runs, true);
  // Those before the one that did not end had ended; their results went with the device.
  const before = at === 0 ? [] : await dispatch(opening, state, runs.slice(0, at), true);
  endless.set(program.sourceHash, message);
  return runs.map((_, i) =>
    i < at
      ? (before[i] ?? { ok: false, failure: threw(message) })
      : { ok: false, failure: i === at ? threw(message) : unsupported(`it is not run again, since ${message}`) },
  );
}

function failureOf(id: GpuBackendId, reply: SessionReply): KernelFailure {
  if (reply.kind === 'problem') return { kind: 'device', trouble: troubleOf(id, reply.problem) };
  return { kind: 'device', trouble: lostDevice(id, `it answered with ${reply.kind}`) };
}
