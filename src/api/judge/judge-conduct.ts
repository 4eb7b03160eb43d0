/** How a plain function behaves: its calls are repeated under other conditions, and what differs is named. */
import { fileURLToPath } from 'node:url';
import type { KernelOutcome } from '../../backends/backend.ts';
import { count, quoted } from '../../base/text.ts';
import { importsWhileItRuns } from '../../host/inputs/late-imports.ts';
import type { Input, Inputs } from '../../host/inputs/input.ts';
import { startBareProcess, startFunctionProcess, type RunnerEvents } from '../../host/runner.ts';
import { nextUint32, streamAt, streamKey, type Xoshiro } from '../../numeric/xoshiro.ts';
import { isSameOutcome } from '../../plan/same-outcome.ts';
import { terminalVariables } from '../../plan/vary-terminal.ts';
import type { KernelCall, KernelProgram } from '../../subject/kernel.ts';
import { aloneEntry, bareEntry, functionEntry } from '../build-version.ts';
import type { Session } from '../session.ts';
import { cheatOfEnd, cheatsOf, type Cheat, type CheatKind } from './judgement.ts';
import { replayAlone, replayCalls, type Condition, type Replay } from './replay-calls.ts';

/** Memory of the kernel's process. */
export const judgedMemoryMb = 1024;

/** What the repetitions show. */
export interface ConductFound {
  readonly cheats: readonly Cheat[];
  readonly notes: readonly string[];
  /** Why the kernel did not return, if it did not. */
  readonly hang: string | null;
  readonly conditions: readonly string[];
  /** Calls that were repeated. */
  readonly replayed: number;
}

/** The text of the process that knows nothing of pv. */
export function bareText(session: Session): Promise<string> {
  return ownText(session, bareEntry);
}

async function ownText({ host }: Session, entry: URL): Promise<string> {
  const text = await host.readText(fileURLToPath(entry));
  if (!text.ok) throw new Error(`${fileURLToPath(entry)} ${text.error.message}`);
  return text.value;
}

/** A process of the kernel alone. */
export const bareStart =
  (text: string) =>
  (events: RunnerEvents): ReturnType<typeof startBareProcess> =>
    startBareProcess(text, { memoryMb: judgedMemoryMb }, events);

const dayMs = 86_400_000;

/** Clocks, relative to now: other weekdays, months, years and hours, before and after. */
const clocks = [1357 * dayMs + 7_654_321, -dayMs * 400 - 12_345_678];

interface Compared extends Condition {
  readonly kind: CheatKind;
  /** What a difference shows. */
  readonly how: string;
}

/** Other processes than the first, each different in one respect, or in two that are told apart where something differs. */
function conditionsOf(bare: Condition['start'], calls: readonly KernelCall[], seed: number): readonly Compared[] {
  const stream = streamAt(streamKey(seed, 'replays/order'), 0);
  const inOrder = calls.map((_, i) => i);
  const base = { start: bare, world: null, order: inOrder };
  const mixed = shuffled(inOrder, stream);
  return [
    {
      ...base,
      name: 'in another order, each twice, then backwards',
      kind: 'depends-on-history',
      how: 'its results depend on the calls before',
      order: [...mixed.flatMap((i) => [i, i]), ...mixed.toReversed()],
    },
    {
      ...base,
      name: 'after thousands of calls',
      kind: 'depends-on-history',
      how: 'its results depend on how often it was called',
      repeated: { at: smallest(calls, inOrder), most: mostRepeated, enoughMs: repeatedMs },
    },
    ...clocks.map((clockMs): Compared => ({
      ...base,
      name: 'another clock and other random numbers',
      kind: 'depends-on-clock',
      how: 'its results depend on the clock',
      world: { clockMs, random: nextUint32(stream), hasTerminal: false },
    })),
    {
      ...base,
      name: 'at a terminal',
      kind: 'depends-on-surroundings',
      how: 'its results depend on whether a terminal is attached',
      world: { clockMs: 0, random: null, hasTerminal: true },
    },
    {
      ...base,
      name: "the user's folder and environment, watched",
      kind: 'depends-on-surroundings',
      how: 'its results depend on where it runs: the environment, the arguments or the callers of its process',
      start: (events) => startFunctionProcess(functionEntry, { memoryMb: judgedMemoryMb }, events),
    },
  ];
}

/** Calls that are made over and over: until a kernel that counts them has counted far, or for so long. */
const mostRepeated = 20_000;
const repeatedMs = 1000;
const repeatedCalls = 16;

/** Indices of the calls with the fewest numbers, which cost the least. */
function smallest(calls: readonly KernelCall[], indices: readonly number[]): readonly number[] {
  const numbersAt = (at: number): number =>
    [calls[at]?.outputShape ?? [], ...(calls[at]?.shapes ?? [])].reduce(
      (sum, shape) => sum + shape.reduce((product, size) => product * size, 1),
      0,
    );
  return indices.toSorted((a, b) => numbersAt(a) - numbersAt(b)).slice(0, repeatedCalls);
}

/** The values in an order that the stream decides. */
export function shuffled(values: readonly number[], s: Xoshiro): readonly number[] {
  const out = [...values];
  for (let i = out.length - 1; i > 0; i--) {
    const j = nextUint32(s) % (i + 1);
    [out[i], out[j]] = [out[j] ?? 0, out[i] ?? 0];
  }
  return out;
}

interface ConductRequest {
  readonly program: KernelProgram;
  readonly calls: readonly KernelCall[];
  readonly seed: number;
  readonly timeoutMs: number;
  /** Whether it ran for a claim: then it can be loaded. */
  readonly hasRun: boolean;
}

/** Repeats the calls until something shows that makes the rest pointless: a process that ends or hangs. */
export async function judgeConduct(session: Session, request: ConductRequest): Promise<ConductFound> {
  const { program, seed, timeoutMs } = request;
  const bare = bareStart(await bareText(session));
  const every = { name: 'again in a fresh process', start: bare, world: null, order: request.calls.map((_, i) => i) };
  const run = (condition: Condition): Promise<Replay> => replayCalls(program, request.calls, condition, timeoutMs);
  // Of a slow kernel fewer calls are repeated.
  const first = await run({ ...every, enoughMs: timeoutMs / 3 });
  if (!first.ok) return endedEarly(first, nothingFound, request.hasRun);
  const calls = request.calls.slice(0, first.outcomes.length);
  const plain = { ...every, order: every.order.slice(0, calls.length) };
  const again = await run(plain);
  if (!again.ok) return endedEarly(again, nothingFound);
  const isSteady = differing(plain.order, again, first.outcomes) === null;
  const cheats: Cheat[] = [...cheatsOf(first.report.conduct), ...mutations(program, first.outcomes)];
  if (!isSteady)
    cheats.push({ kind: await cheatOfChance(run, plain), how: 'equal calls in two processes gave different results' });
  const found = { cheats, notes: new Array<string>(), hang: null, conditions: [plain.name], replayed: calls.length };
  for (const condition of conditionsOf(bare, calls, seed)) {
    const replay = await run(condition);
    found.conditions.push(
      replay.ok && condition.repeated ? `after ${count(replay.repeated.made, 'call')}` : condition.name,
    );
    if (!replay.ok) return endedEarly(replay, found);
    const odd = isSteady ? oddOf(condition, replay, first.outcomes) : null;
    if (odd !== null) {
      const kind =
        condition.kind === 'depends-on-clock' ? await cheatOfWorld(run, condition, first.outcomes) : condition.kind;
      const how = kind === 'depends-on-randomness' ? 'its results depend on random numbers' : condition.how;
      cheats.push({ kind, how: `${how}: ${odd} differ` });
    }
    const reached = reachedBy(replay.report.inputs);
    cheats.push(...cheatsOf(replay.report.conduct), ...reached.cheats);
    found.notes.push(...reached.notes);
  }
  const alone = {
    text: await ownText(session, aloneEntry),
    cwd: session.host.root,
    memoryMb: judgedMemoryMb,
    timeoutMs,
  };
  const free = await replayAlone(program, calls, alone);
  if (free.ok || free.ran) found.conditions.push('a file that Node runs, with nothing of pv');
  else found.notes.push(`its calls were not repeated in a program of its own: ${free.reason}`);
  if (!free.ok && free.ran) return endedEarly(free, found);
  const odd = isSteady && free.ok ? differing(plain.order, free, first.outcomes) : null;
  if (odd !== null) {
    const how = 'its results depend on whether pv calls it';
    cheats.push({ kind: 'depends-on-surroundings', how: `${how}: ${odd} of ${calls.length} differ` });
  }
  if (importsWhileItRuns(program.source))
    cheats.push({ kind: 'reaches-outside', how: 'it loads modules while it runs' });
  return { ...found, notes: [...new Set(found.notes)] };
}

type Ended = Pick<Extract<Replay, { ok: false }>, 'reason' | 'timedOut' | 'unloaded'>;

/** Nothing, under no condition. */
export const nothingFound: ConductFound = { cheats: [], notes: [], hang: null, conditions: [], replayed: 0 };

/** A file that could never be loaded is not a kernel; one that ran before and cannot be loaded again cheats. */
function endedEarly({ timedOut, reason, unloaded }: Ended, found: ConductFound, hasRun = true): ConductFound {
  if (unloaded !== undefined && !hasRun) return { ...found, hang: unloaded };
  return timedOut ? { ...found, hang: reason } : { ...found, cheats: [...found.cheats, cheatOfEnd(reason)] };
}

/** How many outcomes differ from those of the first process; null if none does. */
function differing(
  order: readonly number[],
  replay: Pick<Extract<Replay, { ok: true }>, 'outcomes'>,
  first: readonly KernelOutcome[],
): number | null {
  const odd = order.filter((at, i) => !isSameOutcome(replay.outcomes[i], first[at])).length;
  return odd === 0 ? null : odd;
}

/** How many of how many calls give other bits than in the first process, or than the first time; null if none does. */
function oddOf(
  { order }: Condition,
  replay: Extract<Replay, { ok: true }>,
  first: readonly KernelOutcome[],
): string | null {
  const odd = differing(order, replay, first);
  if (odd !== null) return `${odd} of ${order.length}`;
  const { repeated } = replay;
  return repeated.odd > 0 ? `${repeated.odd} of ${repeated.made}` : null;
}

type Run = (condition: Condition) => Promise<Replay>;

/** Why two equal processes disagree: if they agree about the same random numbers, it is those, and else the clock or a race. */
async function cheatOfChance(run: Run, plain: Condition): Promise<CheatKind> {
  const fixed = { ...plain, world: { clockMs: 0, random: 1, hasTerminal: false } };
  const one = await run(fixed);
  const two = await run(fixed);
  if (!one.ok || !two.ok) return 'depends-on-surroundings';
  return differing(plain.order, two, one.outcomes) === null ? 'depends-on-randomness' : 'depends-on-clock';
}

/** Which of the two that `condition` varies makes its results differ. */
async function cheatOfWorld(run: Run, condition: Condition, first: readonly KernelOutcome[]): Promise<CheatKind> {
  const { world } = condition;
  const replay = await run({ ...condition, world: world && { ...world, clockMs: 0 } });
  return replay.ok && differing(condition.order, replay, first) === null ? 'depends-on-clock' : 'depends-on-randomness';
}

function mutations({ name }: KernelProgram, outcomes: readonly KernelOutcome[]): readonly Cheat[] {
  return outcomes.flatMap((outcome) =>
    !outcome.ok && outcome.failure.kind === 'mutated-input'
      ? [{ kind: 'changes-inputs' as const, how: `${name} changes its input ${outcome.failure.parameter}` }]
      : [],
  );
}

/** Questions that every process of Node is asked, or that say nothing of where it is. */
const harmless = (input: Input): boolean =>
  input.kind === 'machine' || (input.kind === 'variable' && variablesOfNode.has(input.name));
const variablesOfNode: ReadonlySet<string> = new Set(
  // The last ones when a function prints.
  ['NODE_OPTIONS', 'WATCH_REPORT_DEPENDENCIES', 'NODE_DEBUG', ...terminalVariables],
);
const harmlessReach: ReadonlySet<string> = new Set(['the clock', 'randomness']);

function reachedBy({ closed, open }: Inputs): Pick<ConductFound, 'cheats' | 'notes'> {
  const asked = closed.filter((input) => !harmless(input)).map(({ kind, name }) => questionText(kind, name));
  const reached = [...asked, ...open.filter((what) => !harmlessReach.has(what))];
  const shown = reached.slice(0, 4).join(', ');
  return {
    cheats: reached.length === 0 ? [] : [{ kind: 'reaches-outside', how: `it asked for ${shown}` }],
    notes: open
      .filter((what) => harmlessReach.has(what))
      .map((what) => `it reads ${what}; its results do not depend on it`),
  };
}

function questionText(kind: Input['kind'], name: string): string {
  if (kind === 'variable') return `the environment variable ${quoted(name)}`;
  if (kind === 'place') return 'the folder that it runs in';
  return kind === 'environment'
    ? 'all environment variables'
    : `the ${kind === 'file' ? 'file' : `${kind} of`} ${quoted(name)}`;
}
