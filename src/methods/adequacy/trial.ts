/**
 * One goal against one wrong kernel: is it caught, and by outputs that are plausible for this equation?
 */
import type { OpenKernel } from '../../backends/backend.ts';
import type { Case, CaseValue, CompiledGoal } from '../../math/compile/compiled.ts';
import type { Term } from '../../math/term/term.ts';
import { SMALL_BLOCK_SIZE } from '../../runtime/generate/generator.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import type { ToCall } from '../runs/execute.ts';
import { runFalsify } from '../falsify.ts';
import type { PropertyOutcome } from '../runs/outcome.ts';
import { runProperty } from '../property.ts';
import type { CalledAs, RecordableGoal, RecordedCase } from '../runs/recorded-cases.ts';
import { replayCases } from './replay-cases.ts';
import { runStatistical } from '../statistical/statistical.ts';
import type { LoadedStatistics } from '../statistical/load.ts';

/** A claim with what judging wrong kernels by it needs. */
export interface TrialGoal extends RecordableGoal {
  /** Extremes are what such a goal is about. */
  readonly asksFiniteness: boolean;
  /** For a statistical claim, once per tolerance that applies; empty for one about single runs. */
  readonly statistics: readonly LoadedStatistics[];
  /** Its cases with what the correct kernels do on them; null or absent where every wrong kernel draws its own. */
  readonly recorded?: readonly RecordedCase[] | null;
  /** Inputs at sizes beyond those of the domain, for wrong kernels that every other case accepts. */
  readonly large?: readonly Case[];
  /** The allowed error if it depends only on sizes, for every tolerance that applies. */
  readonly sizeTolerances: readonly Term[];
}

/** One wrong kernel and how it is called. */
export interface TrialRequest {
  /** The equation whose outputs are inspected. */
  readonly equation: string;
  /** By equation. */
  readonly kernels: ReadonlyMap<string, OpenKernel>;
  readonly toCall: ToCall;
  /** How `toCall` calls the kernel of `equation`. */
  readonly calledAs: CalledAs;
  readonly seed: number;
  readonly cases: number;
  /** How many cases held earlier; recorded ones are not evaluated again. */
  readonly held?: number;
  readonly expired?: () => boolean;
}

/** The range of the correct kernel's outputs. */
export interface Ordinary {
  /** The largest magnitude among them; infinite if one of them is. */
  readonly largest: number;
  /** Whether one of them is NaN. */
  readonly nan: boolean;
}

/**
 * `caught`: an ordinary output breaks the goal. `caught by an extreme`: the first that does is NaN, infinite or runaway. `broke`: the
 * kernel threw, or returned something of a wrong shape, before a goal could judge it.
 */
export type TrialOutcome = 'held' | 'caught' | 'caught by an extreme' | 'broke' | 'undetermined';

/**
 * An output this many times larger than any correct one is a runaway. Mistakes that double something twice stay below; a bound
 * that only runaway outputs break is not about this kernel's values.
 */
const runawayFactor = 4;

/** The outputs of `equation` over the cases of all goals. */
export async function measureOrdinary(goals: readonly TrialGoal[], request: TrialRequest): Promise<Ordinary> {
  let largest = 0;
  let nan = false;
  for (const one of goals) {
    const look = (outputs: readonly CaseValue[]): boolean => {
      eachOutput(one.goal, request.equation, outputs, (x) => {
        if (Number.isNaN(x)) nan = true;
        else largest = Math.max(largest, Math.abs(x));
        return true;
      });
      return true;
    };
    if (one.recorded) one.recorded.forEach(({ outputs }) => look(outputs));
    else
      await run({ ...one, compiled: { ...one.compiled, check: (_sizes, _values, outputs) => look(outputs) } }, request);
  }
  return { largest, nan };
}

/** Tries one wrong kernel, which is among `request.kernels`, on one goal, up to the first output that breaks it. */
export async function tryGoal(one: TrialGoal, request: TrialRequest, ordinary: Ordinary): Promise<TrialOutcome> {
  if (one.statistics.length > 0) return tryStatistics(one, request);
  let brokenByOrdinary = false;
  const outcome = await attempt(one, request, (decide) => (sizes, values, outputs, report) => {
    const holds = decide(sizes, values, outputs, report);
    if (!holds) brokenByOrdinary = isOrdinary(one.goal, request.equation, outputs, ordinary);
    return holds;
  });
  return outcome === 'caught' && !brokenByOrdinary ? 'caught by an extreme' : outcome;
}

/**
 * A statistic is about all outputs together, so no single output breaks it. It is broken if it is broken under every tolerance.
 */
async function tryStatistics(one: TrialGoal, request: TrialRequest): Promise<TrialOutcome> {
  let outcome: TrialOutcome = 'held';
  for (const statistics of one.statistics) {
    outcome = verdictOf(one.goal, await run({ ...one, statistics: [statistics] }, request));
    if (outcome !== 'caught') return outcome;
  }
  return outcome;
}

/** Whether an ordinary output breaks the goal; cases broken only by extremes are skipped. */
export async function breaksOrdinarily(one: TrialGoal, request: TrialRequest, ordinary: Ordinary): Promise<boolean> {
  const outcome = await attempt(
    one,
    request,
    (decide) => (sizes, values, outputs, report) =>
      !isOrdinary(one.goal, request.equation, outputs, ordinary) || decide(sizes, values, outputs, report),
  );
  return outcome === 'caught';
}

type Wrap = (decide: CompiledGoal['check']) => CompiledGoal['check'];

async function attempt(one: TrialGoal, request: TrialRequest, wrap: Wrap): Promise<TrialOutcome> {
  if (one.recorded) return trialOutcomes[await replayCases(one, one.recorded, { ...request, wrap })];
  const compiled = { ...one.compiled, check: wrap(one.compiled.check) };
  return verdictOf(one.goal, await run({ ...one, compiled }, request));
}

const trialOutcomes = { held: 'held', broken: 'caught', 'no output': 'broke', unsupported: 'undetermined' } as const;

/** Draws per setting for each case that another goal would get: an interval narrows slowly. */
const drawsPerCase = 2;

function run(
  { goal, compiled, source, chosen = [], statistics }: TrialGoal,
  request: TrialRequest,
): Promise<PropertyOutcome> {
  const { kernels, toCall, seed, cases, expired } = request;
  const common = { goal, compiled, kernels, toCall, seed, cases, shrinkBudget: null, ...(expired ? { expired } : {}) };
  const [statistic] = statistics;
  if (statistic) {
    const draws = Math.min(statistic.draws, drawsPerCase * cases);
    return runStatistical({ ...common, statistics: statistic, draws });
  }
  return source === 'falsification'
    ? runFalsify(common)
    : runProperty({ ...common, boundaries: chosen, blockSize: SMALL_BLOCK_SIZE });
}

function verdictOf(goal: TestableGoal, { verdict, counterexample }: PropertyOutcome): TrialOutcome {
  if (verdict === 'undetermined') return 'undetermined';
  if (verdict !== 'falsified') return 'held';
  return (counterexample?.outputs.length ?? 0) < goal.applications.length ? 'broke' : 'caught';
}

function isOrdinary(
  goal: TestableGoal,
  equation: string,
  outputs: readonly CaseValue[],
  { largest, nan }: Ordinary,
): boolean {
  const limit = runawayFactor * largest;
  // If the kernel is always zero, any other finite output is ordinary.
  const isFine = (x: number): boolean =>
    Number.isNaN(x) ? nan : limit > 0 ? Math.abs(x) <= limit : Number.isFinite(x);
  return eachOutput(goal, equation, outputs, isFine);
}

/** Whether `holds` is true for every number that `equation`'s kernel returned, up to the first for which it is not. */
function eachOutput(
  { applications }: TestableGoal,
  equation: string,
  outputs: readonly CaseValue[],
  holds: (x: number) => boolean,
): boolean {
  return applications.every((application, i) => {
    const output = outputs[i];
    if (application.equation !== equation || output === undefined || typeof output === 'string') return true;
    if (typeof output === 'number') return holds(output);
    for (let k = 0; k < output.length; k++) if (!holds(output[k] ?? 0)) return false;
    return true;
  });
}
