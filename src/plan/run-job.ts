/**
 * One job, wherever it runs: opens what the check needs, runs its method, and writes down what happened.
 */
import type { Backend, OpenKernel } from '../backends/backend.ts';
import { invariant } from '../base/invariant.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Counterexample, KernelThere, Receipt, RecordedInput } from '../evidence/receipt.ts';
import type { Verdict } from '../evidence/verdict.ts';
import { isDeclaredOnly, type EquationModel, type Goal } from '../contract/goal.ts';
import { asksFiniteness } from '../math/asks-finiteness.ts';
import { boolean } from '../math/term/build.ts';
import { sizeTolerances } from '../math/size-tolerances.ts';
import type { CompiledGoal } from '../math/compile/compiled.ts';
import { loadGoal } from '../math/compile/load.ts';
import { runAdequacy } from '../methods/adequacy/adequacy.ts';
import { hardestStyles, largeTiers } from '../methods/large.ts';
import { withCasesBeyond } from '../methods/beyond.ts';
import type { ExecutionRequest } from '../methods/runs/execute.ts';
import { runFalsify } from '../methods/falsify.ts';
import { kernelThere, type PropertyOutcome } from '../methods/runs/outcome.ts';
import { runProperty, type PropertyRequest } from '../methods/property.ts';
import { runStatistical } from '../methods/statistical/statistical.ts';
import { loadStatistics } from '../methods/statistical/load.ts';
import type { TrialGoal } from '../methods/adequacy/trial.ts';
import { GENERATOR } from '../runtime/generate/generator.ts';
import { createHostileGenerator } from '../runtime/generate/hostile.ts';
import { arithmeticOf } from '../subject/kernel.ts';
import type { Check, HeldTo, Job, JobResult, Work, WorkSubject } from './check.ts';
import { chosenInputs } from './chosen-inputs.ts';
import { largeSizesOf, secretLargeSizes } from './large-inputs.ts';
import { steeredInputs } from './steered-inputs.ts';
import { overRealsAt, type BrokenClaim } from './over-reals-at.ts';
import { fromOutcome, nothing, type Found } from './found.ts';
import {
  equationCall,
  openEquation,
  openEquations,
  openKernels,
  type OpenedSubjects,
  type OpenSubjects,
} from './open-subjects.ts';
import { runBoundedCheck } from './run-bounded.ts';
import { runControlsCheck } from './run-controls.ts';
import { isExhaustive, runExhaustiveCheck } from './run-exhaustive.ts';
import { refusedShader } from './refused-shader.ts';
import { runOverReals } from './run-reals.ts';
import { wrongKernels } from './wrong-kernels.ts';

/** Milliseconds from a fixed start. */
export type Clock = () => number;

/** What a job needs besides its data. */
interface Means {
  readonly expired: () => boolean;
  readonly remainingMs: () => number;
  readonly functions: Backend;
}

/** Runs a job to its receipt, its plain functions on `functions`. Rejects only for defects of pv, and where the process of functions misbehaves. */
export async function runJob(job: Job, clock: Clock, functions: Backend): Promise<JobResult> {
  const start = clock();
  const remainingMs = (): number => job.timeoutMs - (clock() - start);
  const found = await run(job, job.check.work, { expired: () => remainingMs() < 0, remainingMs, functions });
  const finding = findingOf(job.check, found);
  const result = { receipt: receiptOf(job, found, clock() - start), failure: found.failure, finding };
  return found.scanned ? { ...result, scanned: found.scanned } : result;
}

function run(job: Job, work: Work, means: Means): Promise<Found> {
  switch (work.kind) {
    case 'goal':
      return runGoal(job, work, means);
    case 'equation':
      return runEquation(job, work, means);
    case 'reals':
      return runOverReals(job.check, work, means.expired);
    case 'controls':
      return runControlsCheck(job.check, work);
    case 'bounded':
      return isExhaustive(work)
        ? runExhaustiveCheck(job.check, work, { ...means, part: job.part ?? null })
        : runBoundedCheck(job.check, work, { ...means, standing: job.standing ?? {} });
  }
}

/** What the person must fix before this check can say anything. */
function findingOf({ backend }: Check, { trouble }: Found): Diagnostic | null {
  if (!trouble) return null;
  if ('refused' in trouble) return refusedShader(trouble);
  return diagnostic(trouble.code, null, trouble.message, { hint: trouble.hint, subject: backend });
}

/** A job that ended without an outcome: its worker hung or crashed. */
export function abortedResult(job: Job, verdict: Verdict, reason: string): JobResult {
  return {
    receipt: receiptOf(job, { ...nothing, declaredCases: job.check.cases, verdict, reason }, job.timeoutMs),
    failure: null,
    finding: null,
  };
}

async function runGoal(
  { check, replay, hostile = false }: Job,
  work: Extract<Work, { kind: 'goal' }>,
  { expired, functions }: Means,
): Promise<Found> {
  const sound = check.method === 'soundness';
  const opened = sound
    ? await openEquations(work.subjects, check.backend === 'ref64' ? 'f64' : 'f32')
    : await openKernels(work.subjects, check, functions);
  if (!opened.ok) return notOpened(opened);
  const { kernels, toCall, trouble, close } = opened.value;
  const { goal } = work;
  const request = { goal, compiled: await loadGoal(goal), kernels, toCall, seed: check.seed, expired };
  const statistics = await loadStatistics(goal);
  const isDrawn = !statistics && goal.source !== 'falsification';
  const property = isDrawn
    ? await drawnOf(request, { check, work, replay: sound ? [] : replay })
    : { ...request, cases: check.cases };
  const outcome = statistics
    ? await runStatistical({ ...request, statistics, draws: Math.ceil(check.cases / statistics.settings) })
    : goal.source === 'falsification'
      ? await runFalsify(request)
      : await runGenerated(property, hostile ? work : null);
  const overReals = sound && !statistics ? await overRealsOf(outcome, property, { check, work }) : null;
  await close();
  const found = { ...fromOutcome(sound ? outcome : await withCasesBeyond(outcome, request)), trouble: trouble() };
  const { counterexample } = found;
  if (!sound || counterexample === null) return found;
  // No single draw shows a distribution.
  const kernel = statistics ? null : await kernelAt(counterexample.input, request, work.subjects, functions);
  return { ...found, verdict: 'unsound', counterexample: { ...counterexample, kernel, ...overReals } };
}

/** The claim on inputs that are drawn and chosen. */
async function drawnOf(
  request: Omit<PropertyRequest, 'cases'> & { readonly goal: Goal },
  { check, work, replay }: Pick<Job, 'check' | 'replay'> & { readonly work: Extract<Work, { kind: 'goal' }> },
): Promise<PropertyRequest> {
  const { goal, subjects, steered, hardest } = work;
  return {
    ...request,
    cases: check.cases,
    replay,
    ...(await chosenInputs({ ...request, subjects })),
    ...(steered ? { steered: steeredInputs(goal, modelsOf(subjects), check.seed, 'floats') } : {}),
    // The textures of a device hold fewer rows.
    large: hardest ?? (check.device === undefined ? largeSizesOf(goal, subjects) : []),
    ...(hardest ? { largeStyles: hardestStyles } : {}),
  };
}

/** In arbitrary precision, each costs a thousand times what a float does. */
const refutingCases = 100;

async function overRealsOf(
  { counterexample }: PropertyOutcome,
  property: PropertyRequest,
  { check, work }: { readonly check: Check; readonly work: Extract<Work, { kind: 'goal' }> },
): Promise<Pick<Counterexample, 'overReals'>> {
  const { goal, subjects, hardest } = work;
  // pv adopt, which gives the hardest sizes, judges over the reals itself.
  if (counterexample === null || hardest) return {};
  const runAgain: BrokenClaim['runAgain'] = (loosened, compiled) => {
    const again = { ...property, goal: loosened, compiled, shrinkBudget: null };
    return goal.source === 'falsification' ? runFalsify(again) : runProperty(again);
  };
  const refute: BrokenClaim['refute'] = async (exact) => {
    const asked: Check = { ...check, method: 'reals', backend: 'decimal', cases: refutingCases };
    return (await runOverReals(asked, { kind: 'reals', goal: exact, subjects: [] }, property.expired ?? (() => false)))
      .counterexample;
  };
  const { input } = counterexample;
  return { overReals: await overRealsAt({ goal, compiled: property.compiled, subjects, input, runAgain, refute }) };
}

const modelsOf = (subjects: readonly WorkSubject[]): ReadonlyMap<string, EquationModel> =>
  new Map(subjects.map(({ equation, model }) => [equation, model]));

/**
 * The claim on generated inputs. Hostile ones, if there are subjects for them, unless the formula in float32 breaks it there as well:
 * then the contract is to blame, and the usual inputs decide.
 */
async function runGenerated(
  request: PropertyRequest,
  hostile: Extract<Work, { kind: 'goal' }> | null,
): Promise<PropertyOutcome> {
  if (hostile === null) return runProperty(request);
  const { goal, subjects } = hostile;
  const secretLarge = secretLargeSizes(goal, subjects, { entries: request.large ?? [], seed: request.seed });
  const outcome = await runProperty({ ...request, generate: createHostileGenerator, secretLarge });
  const { counterexample } = outcome;
  const opened = counterexample ? await openEquations(subjects) : null;
  if (!counterexample || !opened?.ok) return outcome;
  const { kernels, toCall, close } = opened.value;
  const formula = await kernelThere({ ...request, kernels, toCall }, counterexample.input);
  await close();
  return formula?.broken === null || formula === null ? outcome : runProperty(request);
}

/** The bound kernel where the equation itself breaks its claim: it shows which of the two is to blame. */
async function kernelAt(
  input: RecordedInput,
  request: Omit<ExecutionRequest, 'kernels' | 'toCall'>,
  subjects: readonly WorkSubject[],
  functions: Backend,
): Promise<KernelThere | null> {
  const opened = await openKernels(subjects, { backend: 'ref32' }, functions);
  if (!opened.ok) return null;
  const { kernels, toCall, close } = opened.value;
  const kernel = await kernelThere({ ...request, kernels, toCall }, input);
  await close();
  return kernel;
}

function notOpened({ reason, trouble }: Extract<OpenedSubjects, { ok: false }>): Found {
  return { ...nothing, verdict: 'undetermined', reason, ...(trouble ? { trouble } : {}) };
}

async function runEquation(
  { check }: Job,
  work: Extract<Work, { kind: 'equation' }>,
  { expired, functions }: Means,
): Promise<Found> {
  // Without any kernel the formulas are the correct ones: what the claims catch then says something of the contract alone.
  const opened: OpenedSubjects = work.subjects.every(({ bound }) => bound === null)
    ? await openEquations(work.subjects)
    : await openKernels(work.subjects, check, functions);
  if (!opened.ok) return notOpened(opened);
  const original = opened.value.kernels.get(work.equation);
  if (!original) return { ...nothing, verdict: 'undetermined', reason: `no kernel is open for ${work.equation}` };
  const found = await tryWrongKernels(check, work, { opened: opened.value, original, expired });
  await opened.value.close();
  return found;
}

interface Stage {
  readonly opened: OpenSubjects;
  readonly original: OpenKernel;
  readonly expired: () => boolean;
}

async function tryWrongKernels(
  check: Check,
  work: Extract<Work, { kind: 'equation' }>,
  { opened, original, expired }: Stage,
): Promise<Found> {
  const subject = work.subjects.find(({ equation }) => equation === work.equation);
  if (!subject) return { ...nothing, verdict: 'undetermined', reason: `${work.equation} has no model` };
  const goals = await Promise.all(work.goals.map((one) => trialGoal(one, work.subjects, check.seed)));
  const { model } = subject;
  const ownCall = equationCall(model);
  const { mutants, mostAllowed, stopped } = await runAdequacy({
    equation: work.equation,
    goals,
    original,
    reference: isDeclaredOnly(model) ? null : await openEquation(model, 'f64'),
    others: opened.kernels,
    toCall: opened.toCall,
    toEquationCall: (application, args, sizes) =>
      application.equation === model.name ? ownCall(sizes, args) : opened.toCall(application, args, sizes),
    wrong: wrongKernels(subject, work.goals.flat(), check),
    equivalent: new Map(work.equivalent.map(({ mutant, reason }) => [mutant, reason])),
    seed: check.seed,
    cases: check.cases,
    application: { output: 'out:0', equation: model.name, arguments: [], type: model.result },
    parameters: model.parameters.map(({ name }) => name),
    domain: model.domain,
    precondition: await preconditionOf(model),
    expired,
  });
  const outcome = stopped
    ? ({ verdict: 'incomplete', reason: `the time budget ended after ${mutants.length} wrong kernels` } as const)
    : ({ verdict: 'tested', reason: null } as const);
  return {
    ...nothing,
    ...outcome,
    declaredCases: check.cases,
    cases: mutants.length * check.cases,
    ran: original.ran,
    mutants,
    ...(mostAllowed.length > 0 ? { mostAllowed } : {}),
  };
}

/** The claim for wrong kernels: a case breaks it that breaks it under every tolerance that is in force. */
async function trialGoal(tolerances: HeldTo, subjects: readonly WorkSubject[], seed: number): Promise<TrialGoal> {
  const [goal] = tolerances;
  const [compiled, ...others] = await Promise.all(tolerances.map(loadGoal));
  invariant(compiled, 'a claim is held to a tolerance at least');
  const { boundaries, literals } = await chosenInputs({ goal, compiled, subjects, seed });
  const statistics = await Promise.all(tolerances.map(loadStatistics));
  return {
    goal,
    compiled: {
      ...compiled,
      check: (...asked) => compiled.check(...asked) || others.some(({ check }) => check(...asked)),
    },
    source: goal.source,
    chosen: [...boundaries, ...literals],
    large: largeTiers(goal.domain, largeSizesOf(goal, subjects), seed, goal.id).flatMap(({ cases }) => cases),
    asksFiniteness: asksFiniteness(goal),
    statistics: statistics.filter((one) => one !== null),
    sizeTolerances: tolerances.flatMap(sizeTolerances),
  };
}

/** What the domain of an equation demands beyond bounds. */
export async function preconditionOf({ name, domain }: EquationModel): Promise<CompiledGoal['precondition']> {
  const goal = await loadGoal({ id: name, formal: '', domain, applications: [], predicate: boolean(true) });
  return goal.precondition;
}

function receiptOf({ check, tool }: Job, found: Found, elapsedMs: number): Receipt {
  const {
    verdict,
    reason,
    declaredCases,
    cases,
    filtered,
    premiseHits,
    worst,
    counterexample,
    statistics,
    mutants,
    proof,
    beyond,
    combinations,
    boundaries,
    literals,
    large,
    equalTo,
    mostAllowed,
    ran,
  } = found;
  return {
    schema: 'pv.receipt/1',
    check: check.id,
    goal: check.goal,
    goalDigest: check.goalDigest,
    method: check.method,
    subject: check.subject,
    backend: {
      id: check.backend,
      device: ran?.device ?? 'none',
      arithmetic: check.backend === 'decimal' ? 'decimal' : arithmeticOf[check.backend],
    },
    generator: { ...GENERATOR, seed: check.seed },
    declaredCases,
    cases,
    filtered,
    premiseHits,
    ...(beyond ? { beyond } : {}),
    ...(combinations ? { combinations } : {}),
    ...(boundaries === undefined ? {} : { boundaries }),
    ...(literals === undefined ? {} : { literals }),
    ...(large ? { large } : {}),
    ...(equalTo === undefined ? {} : { equalTo }),
    verdict,
    worst,
    counterexample,
    statistics,
    mutants,
    ...(mostAllowed ? { mostAllowed } : {}),
    proof,
    reason,
    restsOn: check.restsOn,
    tool,
    timing: { elapsedMs },
  };
}
