/**
 * Adequacy: wrong kernels must be caught.
 *
 * Each wrong kernel takes the place of one equation's kernel and is run against every goal that runs that equation.
 * Source: DeMillo, Lipton & Sayward (1978), Hints on Test Data Selection, section 3 (mutation analysis).
 */
import type { OpenKernel } from '../../backends/backend.ts';
import type { MostAllowed, MutantOutcome } from '../../evidence/receipt.ts';
import type { Type } from '../../math/term/term.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import { neverEqual } from './equal-sizes.ts';
import type { ToCall } from '../runs/execute.ts';
import { RECORDED_BYTES, recordCases, takenBy, type RecordedCase } from '../runs/recorded-cases.ts';
import { remembering } from './remembering.ts';
import {
  firstCases,
  goalsWith,
  looksAt,
  narrowedTo,
  trialOf,
  type LargeOf,
  type Looks,
  type LookRequest,
  type OpenMutant,
} from './looks.ts';
import { lookWhereMostIsAllowed } from './most-lenient.ts';
import { indistinguishable, separate, type Separation, type SeparationRequest } from './separate.ts';
import {
  breaksOrdinarily,
  measureOrdinary,
  tryGoal,
  type Ordinary,
  type TrialGoal,
  type TrialRequest,
} from './trial.ts';

/** A kernel that is wrong on purpose. */
export interface WrongKernel extends Pick<OpenMutant, 'calledAs' | 'exchanges'> {
  /** Stable and readable: `saboteur:zero`, `kernel:3:20 i < n → i <= n`, `equation:x_i - max(x) → x_i`. */
  readonly id: string;
  /** What is wrong with it, if the id does not say. */
  readonly description: string | null;
  /** Whether its text reads outside an array, as no contract may; absent: only its runs can show it. */
  readonly readsOutside?: () => boolean;
  /** Opens it from the correct kernel, which remains open. Null if it cannot run at all and is therefore not a mutant. */
  readonly open: (right: OpenKernel) => Promise<OpenKernel | null>;
}

/** The wrong kernels of one equation, and the claims that must catch them. */
export interface AdequacyRequest
  extends LookRequest, Pick<SeparationRequest, 'application' | 'parameters' | 'domain' | 'precondition' | 'known'> {
  /** The kernel that the wrong ones replace. */
  readonly original: OpenKernel;
  /** The equation in float64, called as equations are; null if it has no formula. */
  readonly reference: OpenKernel | null;
  /** Calls of the bound kernels. */
  readonly toCall: ToCall;
  /** Calls of the equation by its own parameters; other equations are called as bound. */
  readonly toEquationCall: ToCall;
  readonly wrong: readonly WrongKernel[];
  /** Author's reasons by mutant id. */
  readonly equivalent: ReadonlyMap<string, string>;
}

/** What became of each wrong kernel that was tried. */
export interface AdequacyOutcome {
  readonly mutants: readonly MutantOutcome[];
  readonly mostAllowed: readonly MostAllowed[];
  /** True if the time budget ended before every wrong kernel was tried. */
  readonly stopped: boolean;
}

/**
 * Tries every wrong kernel on every goal; survivors come with an input that distinguishes them, when one is found.
 *
 * A wrong kernel that some goal catches on the first cases is not tried further on the others; one that none catches is tried
 * on all cases. Extreme values break a goal first if they can, so goals that nothing else has broken are tried again on all
 * cases.
 */
export async function runAdequacy(given: AdequacyRequest): Promise<AdequacyOutcome> {
  const goals = await withCases(given);
  const right = remembering(given.original, given.equation, goals);
  const request = { ...given, goals, right, largeOf: recordingLarge(given), known: new WeakMap() };
  const ordinary = await measureOrdinary(goals, trialOf(request, boundOf(request)));
  const tried = new Map<WrongKernel, Tried>();
  for (const wrong of request.wrong) {
    const outcome = request.expired?.() ? 'no time' : await tryWrong(request, wrong, ordinary);
    if (outcome === 'no time') return { mutants: outcomesOf(tried), mostAllowed: [], stopped: true };
    if (outcome !== 'no mutant') tried.set(wrong, outcome);
  }
  for (const one of request.goals) {
    const among = ({ killedByOrdinary }: MutantOutcome): boolean => killedByOrdinary.includes(one.goal.id);
    if (outcomesOf(tried).some(among)) continue;
    await lookAgain(request, one, tried, ordinary);
  }
  const mostAllowed: MostAllowed[] = [];
  for (const one of request.goals) mostAllowed.push(...(await lookWhereLenient(request, one, tried, ordinary)));
  return { mutants: outcomesOf(tried), mostAllowed, stopped: request.expired?.() ?? false };
}

/** Tries the caught wrong kernels again, at the sizes where the goal's tolerance is largest. */
function lookWhereLenient(
  request: Adequacy,
  one: TrialGoal,
  tried: ReadonlyMap<WrongKernel, Tried>,
  ordinary: Ordinary,
): Promise<readonly MostAllowed[]> {
  const caught = [...tried].filter(([, { outcome }]) => {
    const by = one.asksFiniteness ? outcome.killedBy : outcome.killedByOrdinary;
    return outcome.equivalent === null && by.includes(one.goal.id);
  });
  const zero = caught.filter(([{ id }]) => id === 'saboteur:zero');
  const attempts = (zero.length > 0 ? zero : caught).map(([wrong, { outcome }]) => ({
    mutant: outcome.mutant,
    isCaughtBy: async (pinned: TrialGoal): Promise<boolean> => {
      const mutant = request.expired?.() ? null : await open(request, wrong);
      if (!mutant) return false;
      const found = await breaks(pinned, trialOf({ ...request, cases: firstCases }, mutant), ordinary);
      await mutant.kernel.close();
      return found;
    },
  }));
  return attempts.length === 0 ? Promise.resolve([]) : lookWhereMostIsAllowed(one, request, attempts);
}

/** Whether the goal is broken in a meaningful way: by an extreme value only if it requires finiteness. */
async function breaks(one: TrialGoal, trial: TrialRequest, ordinary: Ordinary): Promise<boolean> {
  if (one.statistics.length === 0 && (await breaksOrdinarily(one, trial, ordinary))) return true;
  if (one.statistics.length === 0 && !one.asksFiniteness) return false;
  const outcome = await tryGoal(one, trial, ordinary);
  return outcome === 'caught' || (one.asksFiniteness && outcome === 'caught by an extreme');
}

/** A request whose cases are drawn. */
interface Adequacy extends AdequacyRequest {
  readonly largeOf: LargeOf;
  /** The original that wrong kernels are derived from, which knows its outputs on the cases. */
  readonly right: OpenKernel;
}

interface Tried {
  readonly outcome: MutantOutcome;
  readonly looks: Looks;
}

const outcomesOf = (tried: ReadonlyMap<WrongKernel, Tried>): readonly MutantOutcome[] =>
  [...tried.values()].map(({ outcome }) => outcome);

/** The goals with their cases, if those can be recorded. */
async function withCases(request: AdequacyRequest): Promise<readonly TrialGoal[]> {
  const { toEquationCall } = request;
  const trial = { ...trialOf(request, boundOf(request)), toEquationCall };
  const goals: TrialGoal[] = [];
  let left = RECORDED_BYTES;
  for (const one of request.goals) {
    const share = left / (request.goals.length - goals.length);
    const recorded = one.statistics.length > 0 ? null : await recordCases(one, trial, share);
    left -= recorded?.bytes ?? 0;
    goals.push({ ...one, recorded: recorded?.cases ?? null });
  }
  return goals;
}

/** Records the large inputs of a goal when the first wrong kernel needs them. */
function recordingLarge(request: AdequacyRequest): LargeOf {
  const known = new Map<string, Promise<readonly RecordedCase[] | null>>();
  return ({ large = [], ...one }) => {
    if (large.length === 0) return Promise.resolve(null);
    const { id } = one.goal;
    const trial = { ...trialOf(request, boundOf(request)), toEquationCall: request.toEquationCall };
    const found =
      known.get(id) ?? recordCases(one, trial, RECORDED_BYTES, large).then((recording) => recording?.cases ?? null);
    known.set(id, found);
    return found;
  };
}

async function tryWrong(
  request: Adequacy,
  wrong: WrongKernel,
  ordinary: Ordinary,
): Promise<Tried | 'no mutant' | 'no time'> {
  if (isNeverDone(request, wrong)) return 'no mutant';
  const mutant = await open(request, wrong);
  if (!mutant) return 'no mutant';
  const looks = await looksAt(request, mutant, ordinary);
  const killedBy = goalsWith(looks, 'caught', 'caught by an extreme');
  const survives = killedBy.length === 0 && goalsWith(looks, 'broke').length === 0;
  const separation = survives ? await separateFrom(request, mutant) : indistinguishable;
  await mutant.kernel.close();
  // A wrong kernel that was not tried for lack of time is not a survivor.
  if (request.expired?.() && killedBy.length === 0) return 'no time';
  const name = mutantName(wrong);
  const declared = request.equivalent.get(wrong.id) ?? request.equivalent.get(name) ?? null;
  // Any claim catches a kernel that gives no output at all, and no contract may read outside: that says nothing about the claims.
  const isUnusable = !survives || (declared === null && (separation.breaks || wrong.readsOutside?.() === true));
  if (isUnusable && killedBy.length === 0) return 'no mutant';
  const equivalent = isClearlyDifferent(wrong, separation) ? null : declared;
  const { separatingInput, separatingOutputs } = separation;
  const killedByOrdinary = goalsWith(looks, 'caught');
  const outcome = { mutant: name, killedBy, killedByOrdinary, equivalent, separatingInput, separatingOutputs };
  return { outcome, looks };
}

/** Searches all cases for one wrong kernel that the goal catches, starting with those that it caught by an extreme value. */
async function lookAgain(
  request: Adequacy,
  one: TrialGoal,
  tried: Map<WrongKernel, Tried>,
  ordinary: Ordinary,
): Promise<void> {
  const { id } = one.goal;
  const isCaught = ({ outcome }: Tried): boolean => outcome.killedBy.includes(id);
  const [byExtreme, others] = [
    [...tried].filter(([, before]) => isCaught(before)),
    [...tried].filter(([, before]) => !isCaught(before)),
  ];
  if (one.asksFiniteness && byExtreme.length > 0) return;
  for (const [wrong, before] of [...byExtreme, ...others]) {
    const { outcome, looks } = before;
    // A survivor has been tried on all cases.
    if (request.expired?.() || outcome.killedBy.length === 0) continue;
    const held = one.recorded && looks.outcomes.get(id) === 'held' ? looks.cases : 0;
    if (held > 0 && isAll(one, held, request.cases)) continue;
    const mutant = await open(request, wrong);
    if (!mutant) continue;
    const trial = { ...trialOf(request, mutant), held };
    const found =
      one.statistics.length > 0
        ? (await tryGoal(one, trial, ordinary)) === 'caught'
        : await breaksOrdinarily(one, trial, ordinary);
    const extreme = !found && one.asksFiniteness && (await tryGoal(one, trial, ordinary)) === 'caught by an extreme';
    await mutant.kernel.close();
    if (!found && !extreme) continue;
    const { killedBy, killedByOrdinary } = outcome;
    const again = {
      ...outcome,
      killedBy: isCaught(before) ? killedBy : [...killedBy, id],
      killedByOrdinary: found ? [...killedByOrdinary, id] : killedByOrdinary,
    };
    tried.set(wrong, { outcome: again, looks });
    return;
  }
}

/** Whether `held` recorded cases are as many as there are among `cases`. */
function isAll(one: TrialGoal, held: number, cases: number): boolean {
  const recorded = one.recorded ?? [];
  return takenBy(one, recorded, held) === takenBy(one, recorded, cases);
}

async function open(request: Adequacy, wrong: WrongKernel): Promise<OpenMutant | null> {
  const kernel = await wrong.open(request.right);
  const { calledAs, exchanges } = wrong;
  const toCall = calledAs === 'kernel' ? request.toCall : request.toEquationCall;
  return kernel && { kernel, toCall, calledAs, exchanges };
}

/** As receipts and reports show it; authors may use this or the bare id. */
function mutantName({ id, description }: Pick<WrongKernel, 'id' | 'description'>): string {
  return description === null ? id : `${id} (${description})`;
}

const boundOf = ({ original, toCall }: AdequacyRequest): OpenMutant => ({
  kernel: original,
  toCall,
  calledAs: 'kernel',
  exchanges: null,
});

async function separateFrom(request: AdequacyRequest, mutant: OpenMutant): Promise<Separation> {
  const { equation, original, toCall, application, parameters, domain, precondition, seed, known } = request;
  const right = { kernel: original, toCall };
  const reference = request.reference && { kernel: request.reference, toCall: request.toEquationCall };
  const common = { equation, right, reference, wrong: mutant, application, parameters, precondition, seed, known };
  const [a, b] = (mutant.exchanges ?? []).map((at) => typeIn(domain, parameters[at]));
  const narrowed = narrowedTo(domain, a, b);
  const first = narrowed ? await separate({ ...common, domain: narrowed }) : indistinguishable;
  return first.separatingInput === null ? separate({ ...common, domain }) : first;
}

/** Whether it would exchange two tensors that cannot be confused. */
function isNeverDone({ domain, parameters }: AdequacyRequest, { exchanges }: WrongKernel): boolean {
  const [a, b] = (exchanges ?? []).map((at) => typeIn(domain, parameters[at]));
  return a?.kind === 'tensor' && b?.kind === 'tensor' && neverEqual(a.shape, b.shape);
}

function typeIn({ variables }: TestableGoal['domain'], name: string | undefined): Type | undefined {
  const found = variables.find((variable) => variable.name === name);
  return found && { kind: 'tensor', element: found.element, shape: found.shape };
}

/** Cancellation can amplify rounding on a few inputs, but not on one in twenty. */
const plainShareLimit = 0.05;

/**
 * Whether the outputs refute an author's declaration that a mutant is equivalent: for a generic saboteur any difference does,
 * for an edit clear differences on a share of the inputs that rounding does not explain.
 */
function isClearlyDifferent({ id }: WrongKernel, { differs, plainShare }: Separation): boolean {
  return id.startsWith('saboteur:') ? differs : plainShare > plainShareLimit;
}
