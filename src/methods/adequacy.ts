/**
 * Adequacy: wrong kernels must be caught.
 *
 * Each wrong kernel takes the place of one equation's kernel and is run against every goal that runs that equation.
 * Source: DeMillo, Lipton & Sayward (1978), Hints on Test Data Selection, section 3 (mutation analysis).
 */
import type { OpenKernel } from '../backends/backend.ts';
import type { MutantOutcome } from '../evidence/receipt.ts';
import type { Type } from '../math/term.ts';
import type { TestableGoal } from '../runtime/testable-goal.ts';
import { neverEqual, withEqualShapes } from './equal-sizes.ts';
import type { ToCall } from './execute.ts';
import { RECORDED_BYTES, recordCases } from './recorded-cases.ts';
import { indistinguishable, separate, type Callable, type Separation, type SeparationRequest } from './separate.ts';
import {
  breaksOrdinarily,
  measureOrdinary,
  tryGoal,
  type Ordinary,
  type TrialGoal,
  type TrialOutcome,
  type TrialRequest,
} from './trial.ts';

/** A kernel that is wrong on purpose. */
export interface WrongKernel {
  /** Stable and readable: `saboteur:zero`, `kernel:3:20 i < n → i <= n`, `equation:x_i - max(x) → x_i`. */
  readonly id: string;
  /** What is wrong with it, where the id does not say. */
  readonly description: string | null;
  /** Whether it takes its arguments as the bound kernel does or as the equation does (all parameters, then all sizes). */
  readonly calledAs: 'kernel' | 'equation';
  /** Two parameters of the equation (by position) that it takes for each other, where their shapes are equal; else null. */
  readonly exchanges: readonly [number, number] | null;
  /** Null when it cannot run at all: then it is no mutant. */
  readonly open: () => Promise<OpenKernel | null>;
}

export interface AdequacyRequest extends Pick<
  SeparationRequest,
  'application' | 'parameters' | 'domain' | 'precondition' | 'known'
> {
  readonly equation: string;
  readonly goals: readonly TrialGoal[];
  /** The kernel that the wrong ones replace. */
  readonly original: OpenKernel;
  /** The kernels of the other equations that the goals run. */
  readonly others: ReadonlyMap<string, OpenKernel>;
  /** Calls of the bound kernels. */
  readonly toCall: ToCall;
  /** Calls of the equation by its own parameters; other equations are called as bound. */
  readonly toEquationCall: ToCall;
  readonly wrong: readonly WrongKernel[];
  /** Author's reasons by mutant id. */
  readonly equivalent: ReadonlyMap<string, string>;
  readonly seed: number;
  /** Cases per goal and wrong kernel. */
  readonly cases: number;
  readonly expired?: () => boolean;
}

export interface AdequacyOutcome {
  readonly mutants: readonly MutantOutcome[];
  /** True when the time budget ended before every wrong kernel was tried. */
  readonly stopped: boolean;
}

/** Cases of the first look at a wrong kernel: special values come first, and most mistakes show on them. */
const firstCases = 100;

/**
 * Tries every wrong kernel on every goal; survivors come with an input that tells them apart, when one is found.
 *
 * What some goal catches at the first look is not tried further on the others; what none catches is tried on all cases.
 * Extremes break a goal first where they can, so goals that nothing else has broken get a second look, on all cases.
 */
export async function runAdequacy(given: AdequacyRequest): Promise<AdequacyOutcome> {
  const request = { ...given, goals: await withCases(given), known: new WeakMap() };
  const ordinary = await measureOrdinary(request.goals, trialOf(request, request.original, request.toCall));
  const tried = new Map<WrongKernel, MutantOutcome>();
  for (const wrong of request.wrong) {
    const outcome = request.expired?.() ? 'no time' : await tryWrong(request, wrong, ordinary);
    if (outcome === 'no time') return { mutants: [...tried.values()], stopped: true };
    if (outcome !== 'no mutant') tried.set(wrong, outcome);
  }
  for (const one of request.goals) {
    const among = ({ killedByOrdinary }: MutantOutcome): boolean => killedByOrdinary.includes(one.goal.id);
    if ([...tried.values()].some(among)) continue;
    await lookAgain(request, one, tried, ordinary);
  }
  return { mutants: [...tried.values()], stopped: request.expired?.() ?? false };
}

/** The goals with their cases, where those can be recorded. */
async function withCases(request: AdequacyRequest): Promise<readonly TrialGoal[]> {
  const trial = trialOf(request, request.original, request.toCall);
  const goals: TrialGoal[] = [];
  for (const one of request.goals) {
    const recorded = one.statistics ? null : await recordCases(one, trial, RECORDED_BYTES / request.goals.length);
    goals.push({ ...one, recorded });
  }
  return goals;
}

async function tryWrong(
  request: AdequacyRequest,
  wrong: WrongKernel,
  ordinary: Ordinary,
): Promise<MutantOutcome | 'no mutant' | 'no time'> {
  if (isNeverDone(request, wrong)) return 'no mutant';
  const mutant = await open(request, wrong);
  if (!mutant) return 'no mutant';
  const { killedBy, killedByOrdinary, broke } = await killersOf(request, mutant, ordinary);
  const separation = killedBy.length === 0 ? await separateFrom(request, mutant) : indistinguishable;
  await mutant.kernel.close();
  // What the time was too short for has not survived: nothing is said about it.
  if (request.expired?.() && killedBy.length === 0) return 'no time';
  // Any claim catches a kernel that gives no output at all, so that says nothing about the claims.
  if (broke && killedBy.length === 0) return 'no mutant';
  const name = mutantName(wrong);
  const declared = request.equivalent.get(wrong.id) ?? request.equivalent.get(name) ?? null;
  const equivalent = isClearlyDifferent(wrong, separation) ? null : declared;
  const { separatingInput, separatingOutputs } = separation;
  return { mutant: name, killedBy, killedByOrdinary, equivalent, separatingInput, separatingOutputs };
}

/** Looks on all cases for one wrong kernel that the goal catches, those that it has caught by an extreme first. */
async function lookAgain(
  request: AdequacyRequest,
  one: TrialGoal,
  tried: Map<WrongKernel, MutantOutcome>,
  ordinary: Ordinary,
): Promise<void> {
  const { id } = one.goal;
  const isCaught = ({ killedBy }: MutantOutcome): boolean => killedBy.includes(id);
  const [byExtreme, others] = [
    [...tried].filter(([, outcome]) => isCaught(outcome)),
    [...tried].filter(([, outcome]) => !isCaught(outcome)),
  ];
  if (one.asksFiniteness && byExtreme.length > 0) return;
  for (const [wrong, outcome] of [...byExtreme, ...others]) {
    // What survives every goal has been tried on all cases.
    if (request.expired?.() || outcome.killedBy.length === 0) continue;
    const mutant = await open(request, wrong);
    if (!mutant) continue;
    const trial = trialOf(request, mutant.kernel, mutant.toCall);
    const found = one.statistics
      ? (await tryGoal(one, trial, ordinary)) === 'caught'
      : await breaksOrdinarily(one, trial, ordinary);
    const extreme = !found && one.asksFiniteness && (await tryGoal(one, trial, ordinary)) === 'caught by an extreme';
    await mutant.kernel.close();
    if (!found && !extreme) continue;
    const { killedBy, killedByOrdinary } = outcome;
    tried.set(wrong, {
      ...outcome,
      killedBy: isCaught(outcome) ? killedBy : [...killedBy, id],
      killedByOrdinary: found ? [...killedByOrdinary, id] : killedByOrdinary,
    });
    return;
  }
}

async function open(request: AdequacyRequest, wrong: WrongKernel): Promise<OpenMutant | null> {
  const kernel = await wrong.open();
  const toCall = wrong.calledAs === 'kernel' ? request.toCall : request.toEquationCall;
  return kernel && { kernel, toCall, exchanges: wrong.exchanges };
}

/** As receipts and reports show it; authors may name a mutant so or by its bare id. */
function mutantName({ id, description }: Pick<WrongKernel, 'id' | 'description'>): string {
  return description === null ? id : `${id} (${description})`;
}

type OpenMutant = Callable & Pick<WrongKernel, 'exchanges'>;

function trialOf(request: AdequacyRequest, kernel: OpenKernel, toCall: ToCall): TrialRequest {
  const { equation, seed, cases, expired } = request;
  const kernels = new Map(request.others).set(equation, kernel);
  return { equation, kernels, toCall, seed, cases, ...(expired ? { expired } : {}) };
}

interface Killers extends Pick<MutantOutcome, 'killedBy' | 'killedByOrdinary'> {
  /** Whether it gave no output before a goal could judge it. */
  readonly broke: boolean;
}

async function killersOf(request: AdequacyRequest, mutant: OpenMutant, ordinary: Ordinary): Promise<Killers> {
  const first = await killersWithin({ ...request, cases: Math.min(firstCases, request.cases) }, mutant, ordinary);
  return first.killedBy.length > 0 ? first : killersWithin(request, mutant, ordinary);
}

async function killersWithin(request: AdequacyRequest, mutant: OpenMutant, ordinary: Ordinary): Promise<Killers> {
  const trial = trialOf(request, mutant.kernel, mutant.toCall);
  const attempt = (one: TrialGoal): Promise<TrialOutcome> => tryGoal(one, trial, ordinary);
  const outcomes: { readonly goal: string; readonly outcome: TrialOutcome }[] = [];
  for (const one of request.goals) {
    const narrowed = mutant.exchanges && exchangeable(one, request.equation, mutant.exchanges);
    const first = narrowed && (await attempt(narrowed));
    // Where sizes are derived from others the narrowed inputs may be few: what holds on them is tried on all.
    const outcome = first === null || first === 'undetermined' || first === 'held' ? await attempt(one) : first;
    outcomes.push({ goal: one.goal.id, outcome });
  }
  const goalsWith = (...wanted: readonly TrialOutcome[]): readonly string[] =>
    outcomes.filter(({ outcome }) => wanted.includes(outcome)).map(({ goal }) => goal);
  return {
    killedBy: goalsWith('caught', 'caught by an extreme'),
    killedByOrdinary: goalsWith('caught'),
    broke: goalsWith('broke').length > 0,
  };
}

/** Random sizes are hardly ever equal: the goal on inputs for which an exchange of two parameters is possible. */
function exchangeable(one: TrialGoal, equation: string, [i, j]: readonly [number, number]): TrialGoal | null {
  const application = one.goal.applications.find((candidate) => candidate.equation === equation);
  const domain =
    application && narrowedTo(one.goal.domain, application.arguments[i]?.type, application.arguments[j]?.type);
  return domain ? { ...one, goal: { ...one.goal, domain }, recorded: null } : null;
}

/** Null where nothing is to be gained. */
function narrowedTo(domain: TestableGoal['domain'], a: Type | undefined, b: Type | undefined): typeof domain | null {
  if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return null;
  const narrowed = withEqualShapes(domain, a.shape, b.shape);
  return narrowed === domain ? null : narrowed;
}

async function separateFrom(request: AdequacyRequest, mutant: OpenMutant): Promise<Separation> {
  const { equation, original, toCall, application, parameters, domain, precondition, seed, known } = request;
  const right = { kernel: original, toCall };
  const common = { equation, right, wrong: mutant, application, parameters, precondition, seed, known };
  const [a, b] = (mutant.exchanges ?? []).map((at) => typeIn(domain, parameters[at]));
  const narrowed = narrowedTo(domain, a, b);
  const first = narrowed ? await separate({ ...common, domain: narrowed }) : indistinguishable;
  return first.separatingInput === null ? separate({ ...common, domain }) : first;
}

/** Whether it would exchange two tensors that cannot be taken for each other. */
function isNeverDone({ domain, parameters }: AdequacyRequest, { exchanges }: WrongKernel): boolean {
  const [a, b] = (exchanges ?? []).map((at) => typeIn(domain, parameters[at]));
  return a?.kind === 'tensor' && b?.kind === 'tensor' && neverEqual(a.shape, b.shape);
}

function typeIn({ variables }: TestableGoal['domain'], name: string | undefined): Type | undefined {
  const found = variables.find((variable) => variable.name === name);
  return found && { kind: 'tensor', element: found.element, shape: found.shape };
}

/** Cancellation can blow up rounding on a few inputs, not on one in twenty. */
const plainShareLimit = 0.05;

/**
 * Whether an author's word that a mutant is right after all is refuted by the outputs: a generic saboteur by any
 * difference, an edit by plain differences on a share of the inputs that rounding does not explain.
 */
function isClearlyDifferent({ id }: WrongKernel, { separatingInput, plainShare }: Separation): boolean {
  return id.startsWith('saboteur:') ? separatingInput !== null : plainShare > plainShareLimit;
}
