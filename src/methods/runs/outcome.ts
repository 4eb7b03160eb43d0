/**
 * The result of property and falsification runs: plain data, equal for equal requests.
 */
import type { RanOn } from '../../backends/backend.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type {
  CasesBeyond,
  CombinationsRun,
  Counterexample,
  KernelThere,
  LargeRun,
  RecordedInput,
  StatisticRecord,
  WorstCase,
} from '../../evidence/receipt.ts';
import type { Verdict } from '../../evidence/verdict.ts';
import type { Case } from '../../math/compile/compiled.ts';
import { parseInput, recordInput, valueText } from '../../runtime/case-text.ts';
import { explain } from '../../runtime/check-case.ts';
import { GENERATOR } from '../../runtime/generate/generator.ts';
import type { DomainPlan } from '../../runtime/generate/domain-plan.ts';
import { SHRINK_BUDGET, shrinkCase } from '../../runtime/shrink/shrink-case.ts';
import type { TestableGoal } from '../../runtime/testable-goal.ts';
import { openExecutor, type CaseExecutor, type ExecutionRequest } from './execute.ts';
import type { Agreement } from './agreement.ts';
import { emptyTally, gradeTally, keepCase, type Grade, type Tally } from './tally.ts';

/** What a run found. It contains no times, so that equal requests give equal outcomes. */
export interface PropertyOutcome {
  readonly verdict: Verdict;
  /** The reason for any verdict that is not green. */
  readonly reason: string | null;
  readonly generator: { readonly name: string; readonly version: number; readonly seed: number };
  readonly declaredCases: number;
  /** Cases that passed the preconditions and were run, replayed ones excluded. */
  readonly cases: number;
  readonly filtered: number;
  readonly premiseHits: number;
  /** Cases that could not be decided. */
  readonly open: number;
  /** For a claim about the mathematics: cases of inputs that no kernel receives, and how many more could not be decided. */
  readonly beyond?: CasesBeyond;
  /** Of a property run that describes what it found; absent: the domain has no sizes to choose. */
  readonly combinations?: CombinationsRun;
  /** Inputs on the boundaries of the formula, besides `cases`; absent: none. */
  readonly boundaries?: number;
  /** Inputs at the numbers of the kernel's text, besides `cases`; absent: none. */
  readonly literals?: number;
  /** Inputs at large sizes, besides `cases`; absent: none. */
  readonly large?: readonly LargeRun[];
  /** Over the reals: the least digits in which numbers were treated as equal. */
  readonly equalTo?: number;
  /** Stored failing inputs that were run again first. */
  readonly replayed: number;
  /** Smallest and largest value of every size that was run. */
  readonly sizes: Readonly<Record<string, { readonly minimum: number; readonly maximum: number }>>;
  readonly worst: WorstCase | null;
  readonly counterexample: Counterexample | null;
  /** Of a statistical run; else null. */
  readonly statistics: readonly StatisticRecord[] | null;
  /** The failing case before shrinking, for `.pv/failures`; null if it was replayed from there or none failed. */
  readonly found: { readonly index: number; readonly input: RecordedInput } | null;
  /** Where the kernels ran; null for a goal without kernels. */
  readonly ran: RanOn | null;
}

function recordWorst(request: ExecutionRequest, tally: Tally): WorstCase | null {
  return tally.worst && { ...tally.worst, input: recordInput(request.goal.domain, tally.worst.input) };
}

/** The results from which an outcome is built. */
export interface OutcomeParts {
  readonly request: ExecutionRequest;
  readonly tally: Tally;
  readonly seed: number;
  readonly declaredCases: number;
  readonly replayed: number;
  readonly stopped: boolean;
  readonly counterexample: Counterexample | null;
  readonly foundIndex: number | null;
}

/** The outcome of a run, with the verdict that its tally allows. */
export function buildOutcome({
  request,
  tally,
  seed,
  declaredCases,
  replayed,
  stopped,
  counterexample,
  foundIndex,
}: OutcomeParts): PropertyOutcome {
  const { goal, kernels } = request;
  const agreement = request.executor?.agreement;
  const grade = counterexample
    ? ({ verdict: 'falsified', reason: counterexample.explanation } as const)
    : withAgreement(gradeTally(tally, declaredCases, stopped), agreement);
  const equalTo = counterexample ? null : (agreement?.equalTo() ?? null);
  const [first] = goal.applications;
  return {
    ...grade,
    generator: { ...GENERATOR, seed },
    declaredCases,
    cases: tally.cases,
    filtered: tally.filtered,
    premiseHits: tally.premiseHits,
    open: tally.undecided,
    ...(equalTo === null ? {} : { equalTo }),
    replayed,
    sizes: Object.fromEntries(
      goal.domain.sizes.flatMap((size, i) => (tally.sizes[i] ? [[size.name, { ...tally.sizes[i] }]] : [])),
    ),
    worst: recordWorst(request, tally),
    counterexample,
    statistics: null,
    found:
      tally.broken && foundIndex !== null ? { index: foundIndex, input: recordInput(goal.domain, tally.broken) } : null,
    ran: (first && kernels.get(first.equation)?.ran) ?? null,
  };
}

/** Numbers that are equal only to the computed digits leave a claim open. */
function withAgreement(grade: Grade, agreement: Agreement | undefined): Grade {
  const open = grade.verdict === 'tested' ? (agreement?.open() ?? null) : null;
  return open === null ? grade : { verdict: 'undetermined', reason: open };
}

/** The outcome of a goal that could not be run. */
export function undetermined(
  request: ExecutionRequest,
  seed: number,
  declaredCases: number,
  reason: string,
): PropertyOutcome {
  const tally: Tally = { ...emptyTally(), unsupported: reason };
  return buildOutcome({
    request,
    tally,
    seed,
    declaredCases,
    replayed: 0,
    stopped: false,
    counterexample: null,
    foundIndex: null,
  });
}

async function statusOf(executor: CaseExecutor, candidate: Case): Promise<string> {
  let status = 'filtered';
  const only = (): Case => candidate;
  await executor.run(1, only, (seen) => {
    status = seen === 'broken' ? `broken: ${executor.outcome.problem?.kind ?? 'predicate'}` : seen;
    return true;
  });
  return status;
}

/** A nondeterministic kernel may hold where it has just broken. */
const mostRepeats = 20;

interface Repeated {
  /** How the case breaks; null if it no longer does. The executor's outcome is that of the last run. */
  readonly way: string | null;
  readonly runs: number;
}

async function breakAgain(executor: CaseExecutor, candidate: Case): Promise<Repeated> {
  for (let runs = 1; runs <= mostRepeats; runs++) {
    const status = await statusOf(executor, candidate);
    if (status.startsWith('broken')) return { way: status, runs };
  }
  return { way: null, runs: mostRepeats };
}

const unsteadyText = 'the kernel does not give the same output each time';

/** The result of `run`, or why the mathematics of the goal could not be evaluated (loops without a usable end). */
export async function withinLimits<T>(run: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await run());
  } catch (thrown) {
    if (thrown instanceof RangeError) return err(`the claim cannot be evaluated: ${thrown.message}`);
    throw thrown;
  }
}

/** A case that breaks the claim, and how far to shrink it. */
export interface BrokenCase {
  readonly request: ExecutionRequest;
  readonly executor: CaseExecutor;
  readonly plan: DomainPlan;
  readonly broken: Case;
  /** How many runs shrinking may take; 0 leaves the case unchanged. */
  readonly budget: number;
  /** True once no time is left; the smallest case so far is reported. */
  readonly expired: (() => boolean) | undefined;
  /** Adapts a case so that it may be run, if not every case of the domain may. */
  readonly settle?: ((candidate: Case) => Case) | null;
  /** The broken case was visited last: nothing is run again, so it is not known whether it breaks each time. */
  readonly once?: boolean | undefined;
}

/** Describes a broken case according to `shrinkBudget`; with null, only its existence matters. */
export function shrinking(shrinkBudget: number | null = SHRINK_BUDGET): Pick<BrokenCase, 'budget' | 'once'> {
  return { budget: shrinkBudget ?? 0, once: shrinkBudget === null };
}

/** Shrinks a broken case and describes the result. A smaller case counts only if it breaks in the same way. */
export async function counterexampleFrom({
  request,
  executor,
  plan,
  broken,
  budget,
  expired,
  settle,
  once = false,
}: BrokenCase): Promise<Counterexample> {
  const { goal } = request;
  if (once) return describe(request, executor, { input: recordInput(goal.domain, broken), shrinks: 0, runs: 1 });
  const settled = settle ?? ((candidate: Case): Case => candidate);
  const { way } = await breakAgain(executor, broken);
  const fails = async (candidate: Case): Promise<boolean> =>
    !expired?.() && (await statusOf(executor, settled(candidate))) === way;
  const { smallest, shrinks } = await shrinkCase({ plan, start: broken, fails, budget: way === null ? 0 : budget });
  const last = keepCase(shrinks === 0 ? smallest : settled(smallest));
  const input = recordInput(goal.domain, last);
  const again = way === null ? null : await breakAgain(executor, last);
  if (!again || again.way === null) {
    const explanation = `it was broken once, and held in ${mostRepeats} more runs on this input: ${unsteadyText}`;
    return { input, explanation, shrinks, outputs: [] };
  }
  return describe(request, executor, { input, shrinks, runs: again.runs });
}

interface Found extends Pick<Counterexample, 'input' | 'shrinks'> {
  /** How many runs it took to break. */
  readonly runs: number;
}

/** The case that the executor has visited last. */
function describe(
  { goal, compiled }: ExecutionRequest,
  executor: CaseExecutor,
  { input, shrinks, runs }: Found,
): Counterexample {
  const outputs = outputTexts(goal, executor);
  const broke = executor.explanation?.() ?? explain(compiled, executor.outcome);
  const explanation = runs === 1 ? broke : `${broke}; in run ${runs} on this input: ${unsteadyText}`;
  return { input, explanation, shrinks, outputs };
}

function outputTexts({ applications }: TestableGoal, { outcome }: CaseExecutor): readonly string[] {
  return outcome.outputs.map((value, i) => {
    const type = applications[i]?.type;
    return valueText(value, type === undefined ? { kind: 'real' } : type.kind === 'tensor' ? type.element : type);
  });
}

/** The outputs of `request`'s kernels on one input, and whether the claim holds there. Null if that is unknown. */
export async function kernelThere(request: ExecutionRequest, input: RecordedInput): Promise<KernelThere | null> {
  const { goal, compiled } = request;
  const executor = openExecutor(request);
  const parsed = parseInput(goal.domain, input);
  if ('missing' in executor || !parsed.ok) return null;
  const status = await withinLimits(() => statusOf(executor, parsed.value));
  if (!status.ok || status.value === 'filtered' || executor.outcome.problem?.kind === 'unsupported') return null;
  const broken = status.value === 'held' ? null : explain(compiled, executor.outcome);
  return { outputs: outputTexts(goal, executor), broken };
}
