/** How a plain function behaves: its calls are repeated under other conditions, and what differs is named. */
import { fileURLToPath } from 'node:url';
import type { KernelOutcome } from '../../backends/backend.ts';
import { quoted } from '../../base/text.ts';
import { importsWhileItRuns } from '../../host/inputs/late-imports.ts';
import type { Input, Inputs } from '../../host/inputs/input.ts';
import { startBareProcess, startProcess, type RunnerEvents } from '../../host/runner.ts';
import { nextUint32, streamAt, streamKey, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { KernelCall, KernelProgram } from '../../subject/kernel.ts';
import { bareEntry, functionEntry } from '../build-version.ts';
import type { Session } from '../session.ts';
import { cheatOfEnd, cheatsOf, type Cheat, type CheatKind } from './judgement.ts';
import { isSameOutcome, replayCalls, type Condition, type Replay } from './replay-calls.ts';

/** Memory of the kernel's process. */
export const judgedMemoryMb = 1024;

/** What the repetitions show. */
export interface ConductFound {
  readonly cheats: readonly Cheat[];
  readonly notes: readonly string[];
  /** Why the kernel did not return, if it did not. */
  readonly hang: string | null;
  readonly conditions: readonly string[];
}

/** The text of the process that knows nothing of pv. */
export async function bareText({ host }: Session): Promise<string> {
  const text = await host.readText(fileURLToPath(bareEntry));
  if (!text.ok) throw new Error(`${fileURLToPath(bareEntry)} ${text.error.message}`);
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

function conditionsOf(text: string, count: number, seed: number): readonly Compared[] {
  const stream = streamAt(streamKey(seed, 'replays/order'), 0);
  const inOrder = Array.from({ length: count }, (_, i) => i);
  const backwards = inOrder.toReversed();
  const bare = bareStart(text);
  const history = { kind: 'depends-on-history', how: 'its results depend on the calls before' } as const;
  const base = { start: bare, world: null };
  return [
    { ...base, ...history, name: 'each call twice, then backwards', order: [...inOrder.flatMap((i) => [i, i]), ...backwards] },
    { ...base, ...history, name: 'a fresh process, in another order', order: shuffled(inOrder, stream) },
    ...clocks.map(
      (clockMs): Compared => ({
        name: 'another clock',
        kind: 'depends-on-clock',
        how: 'its results depend on the clock',
        start: bare,
        world: { clockMs, random: null },
        order: inOrder,
      }),
    ),
    {
      name: 'other random numbers',
      kind: 'depends-on-randomness',
      how: 'its results depend on random numbers',
      start: bare,
      world: { clockMs: 0, random: nextUint32(stream) },
      order: inOrder,
    },
    {
      name: "the user's folder and environment, watched",
      kind: 'depends-on-surroundings',
      how: 'its results depend on where it runs: the environment, the arguments or the callers of its process',
      start: (events) => startProcess(functionEntry, { memoryMb: judgedMemoryMb }, events),
      world: null,
      order: inOrder,
    },
  ];
}

function shuffled(values: readonly number[], s: Xoshiro): readonly number[] {
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
}

/** Repeats the calls until something shows that makes the rest pointless: a process that ends or hangs. */
export async function judgeConduct(session: Session, request: ConductRequest): Promise<ConductFound> {
  const { program, calls, seed, timeoutMs } = request;
  const text = await bareText(session);
  const order = calls.map((_, i) => i);
  const first = await replayCalls(program, calls, { name: 'first', start: bareStart(text), world: null, order }, timeoutMs);
  if (!first.ok) return endedEarly(first, []);
  // A second process, with nothing changed: what differs here differs by itself.
  const again = await replayCalls(program, calls, { name: 'again', start: bareStart(text), world: null, order }, timeoutMs);
  if (!again.ok) return endedEarly(again, []);
  const cheats: Cheat[] = [...cheatsOf(first.report.conduct), ...mutations(program, first.outcomes)];
  const unsteady = differing(order, again, first.outcomes);
  if (unsteady !== null)
    cheats.push({
      kind: await differsByChance(program, calls, text, timeoutMs),
      how: `two processes gave different results for ${unsteady} of ${order.length} equal calls`,
    });
  const conditions: string[] = ['again in a fresh process'];
  const notes: string[] = [];
  for (const condition of conditionsOf(text, calls.length, seed)) {
    const replay = await replayCalls(program, calls, condition, timeoutMs);
    conditions.push(condition.name);
    if (!replay.ok) return { ...endedEarly(replay, cheats), conditions, notes };
    const odd = differing(condition.order, replay, first.outcomes);
    if (odd !== null && unsteady === null)
      cheats.push({ kind: condition.kind, how: `${condition.how}: ${odd} of ${condition.order.length} differ` });
    cheats.push(...cheatsOf(replay.report.conduct));
    const reached = reachedBy(replay.report.inputs);
    cheats.push(...reached.cheats);
    notes.push(...reached.notes);
  }
  if (importsWhileItRuns(program.source))
    cheats.push({ kind: 'reaches-outside', how: 'it loads modules while it runs' });
  return { cheats, notes: [...new Set(notes)], hang: null, conditions };
}

function endedEarly(replay: Extract<Replay, { ok: false }>, before: readonly Cheat[]): ConductFound {
  return {
    cheats: replay.timedOut ? before : [...before, cheatOfEnd(replay.reason)],
    notes: [],
    hang: replay.timedOut ? replay.reason : null,
    conditions: [],
  };
}

/** How many outcomes differ from those of the first process; null if none does. */
function differing(order: readonly number[], replay: Extract<Replay, { ok: true }>, first: readonly KernelOutcome[]): number | null {
  const odd = order.filter((at, i) => !isSameOutcome(replay.outcomes[i], first[at])).length;
  return odd === 0 ? null : odd;
}

/** Whether a kernel that two equal processes disagree about agrees with itself on fixed random numbers: else it is the clock, or a race. */
async function differsByChance(
  program: KernelProgram,
  calls: readonly KernelCall[],
  text: string,
  timeoutMs: number,
): Promise<CheatKind> {
  const order = calls.map((_, i) => i);
  const fixed = { name: 'fixed', start: bareStart(text), world: { clockMs: 0, random: 1 }, order };
  const one = await replayCalls(program, calls, fixed, timeoutMs);
  const two = await replayCalls(program, calls, fixed, timeoutMs);
  if (!one.ok || !two.ok) return 'depends-on-surroundings';
  return differing(order, two, one.outcomes) === null ? 'depends-on-randomness' : 'depends-on-clock';
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
const variablesOfNode: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'WATCH_REPORT_DEPENDENCIES']);
const harmlessReach: ReadonlySet<string> = new Set(['the clock', 'randomness']);

function reachedBy({ closed, open }: Inputs): Pick<ConductFound, 'cheats' | 'notes'> {
  const asked = closed.filter((input) => !harmless(input)).map(({ kind, name }) => questionText(kind, name));
  const reached = [...asked, ...open.filter((what) => !harmlessReach.has(what))];
  const shown = reached.slice(0, 4).join(', ');
  return {
    cheats: reached.length === 0 ? [] : [{ kind: 'reaches-outside', how: `it asked for ${shown}` }],
    notes: open.filter((what) => harmlessReach.has(what)).map((what) => `it reads ${what}; its results do not depend on it`),
  };
}

function questionText(kind: Input['kind'], name: string): string {
  if (kind === 'variable') return `the environment variable ${quoted(name)}`;
  if (kind === 'place') return 'the folder that it runs in';
  return kind === 'environment' ? 'all environment variables' : `the ${kind === 'file' ? 'file' : `${kind} of`} ${quoted(name)}`;
}
