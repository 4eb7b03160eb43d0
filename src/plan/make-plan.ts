/**
 * From elaborated contracts and bound kernels to the checks that a verdict needs.
 */
import {
  isDeclaredOnly,
  type AppliedEquation,
  type ElaboratedContract,
  type EquationModel,
  type Goal,
} from '../contract/goal.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import { isControlBackend, isGpuBackend, type BackendId } from '../subject/kernel.ts';
import { boundedChecks, type AskedProofs } from './bounded-checks.ts';
import { withId, type Check, type WorkSubject } from './check.ts';
import { equationSubject, kernelSubject, soundnessSubject } from './check-subject.ts';
import { backendsInForce, heldTo } from './in-force.ts';
import { plannedData } from './plan-data.ts';

/** What the command line decides about a plan. */
export interface PlanOptions {
  readonly seed: number;
  /** Property cases instead of each goal's own number. */
  readonly cases: number | null;
  /** Where kernels run when their binding does not say. */
  readonly backends: readonly BackendId[];
  /** On which GPUs, each in a separate check; only for backends that need one. */
  readonly devices: readonly DeviceChoice[];
  readonly tool: Receipt['tool'];
  /** Whether the formula of an equation without a kernel runs in its place; absent: claims that need such a kernel do not run. */
  readonly formulas?: boolean;
  /** Other proofs than those that the contracts require; absent: those. */
  readonly bounded?: AskedProofs;
}

/** What the plan says about one goal. */
export interface PlannedGoal {
  readonly goal: Goal;
  readonly checks: readonly Check[];
  /** Equations that it runs and that have no kernel. */
  readonly unboundEquations: readonly string[];
}

/** A contract with its goals and their checks. */
export interface PlannedContract {
  readonly elaborated: ElaboratedContract;
  readonly goals: readonly PlannedGoal[];
  /** Claims and statements as far as they are understood, held to the mathematics alone: they decide nothing. */
  readonly asRead: readonly PlannedGoal[];
}

/** Everything that an audit would have to run if nothing were stored. */
export interface Plan {
  readonly contracts: readonly PlannedContract[];
  /** Every check once, sub-contracts first. */
  readonly checks: readonly Check[];
}

/** Default number of cases on a GPU, where a call costs a hundred times more than elsewhere. */
const deviceCases = 1_000;
/** Cases of the equation itself in float32: a false claim shows early, and kernels get the full number. */
const soundnessCases = 2_000;
/** Cases per goal and wrong kernel. */
const adequacyCases = 1_000;
/** Cases per wrong equation, in arbitrary precision. */
const realAdequacyCases = 24;

/** `contracts` come in dependency order: sub-contracts first. */
export function makePlan(
  contracts: readonly ElaboratedContract[],
  subjects: readonly BoundSubject[],
  options: PlanOptions,
): Plan {
  const planned = new Map<string, PlannedContract>();
  for (const elaborated of contracts)
    planned.set(elaborated.contract.id, planContract(elaborated, { contracts, subjects, options, planned }));
  const checks = new Map<string, Check>();
  for (const contract of planned.values())
    for (const goal of [...contract.goals, ...contract.asRead])
      for (const check of goal.checks) checks.set(check.id, check);
  return { contracts: [...planned.values()], checks: [...checks.values()] };
}

interface Context {
  readonly contracts: readonly ElaboratedContract[];
  readonly subjects: readonly BoundSubject[];
  readonly options: PlanOptions;
  readonly planned: ReadonlyMap<string, PlannedContract>;
}

function planContract(elaborated: ElaboratedContract, context: Context): PlannedContract {
  const restsOn = checksBelow(elaborated, context.planned);
  const goals = [...elaborated.goals, ...elaborated.statements].map((goal): PlannedGoal => {
    const subjects = runnableSubjects(goal, elaborated, context);
    const checks = [
      ...checksOfGoal(goal, subjects, restsOn, context),
      ...boundedChecks(goal, subjects, { ...context, contract: elaborated.contract, restsOn }),
    ];
    return { goal, checks, unboundEquations: unboundOf(subjects).map(({ equation }) => equation) };
  });
  const equationChecks = new Map(
    elaborated.equations.map((model) => [model.name, checksOfEquation(elaborated, model, { goals, restsOn, context })]),
  );
  const withEquations = goals.map((planned): PlannedGoal => {
    const { goal, checks, unboundEquations } = planned;
    if (unboundEquations.length > 0) return planned;
    return { ...planned, checks: [...checks, ...goal.equations.flatMap((name) => equationChecks.get(name) ?? [])] };
  });
  return {
    elaborated,
    goals: [...withEquations, ...plannedData(elaborated, context.options)],
    asRead: [...elaborated.notGoals, ...elaborated.unevaluated].flatMap(({ asRead }): readonly PlannedGoal[] =>
      asRead ? [{ goal: asRead, checks: checksOfFormulas(asRead, elaborated, context), unboundEquations: [] }] : [],
    ),
  };
}

function checksOfFormulas(goal: Goal, elaborated: ElaboratedContract, context: Context): readonly Check[] {
  const checks = checksOfGoal(goal, subjectsOf(goal, elaborated, context), {}, context);
  return checks.filter(({ method }) => method === 'soundness' || method === 'reals');
}

const unboundOf = (subjects: readonly WorkSubject[]): readonly WorkSubject[] =>
  subjects.filter(({ bound, byFormula }) => bound === null && byFormula === undefined);

/** The deciding check of every goal of the contracts that this one depends on. */
function checksBelow({ contract }: ElaboratedContract, planned: Context['planned']): Readonly<Record<string, string>> {
  const below = contract.dependsOn.flatMap(({ value }) => planned.get(value)?.goals ?? []);
  return Object.fromEntries(
    below.flatMap(({ goal, checks }) => {
      const deciding = checks.find(({ method }) => ['property', 'falsify', 'statistical'].includes(method));
      return deciding ? [[goal.id, deciding.id]] : [];
    }),
  );
}

/** A goal runs kernels of its own contract (`softmax`) and of the contracts it rests on (`softmax-kernel-v1/softmax`). */
export function subjectsOf(
  goal: Goal,
  elaborated: ElaboratedContract,
  { contracts, subjects }: Pick<Context, 'contracts' | 'subjects'>,
): readonly WorkSubject[] {
  return goal.equations.flatMap((equation) => {
    const cut = equation.indexOf('/');
    const id = cut < 0 ? elaborated.contract.id : equation.slice(0, cut);
    const name = equation.slice(cut + 1);
    const home = cut < 0 ? elaborated : contracts.find(({ contract }) => contract.id === id);
    const model = home?.equations.find((candidate) => candidate.name === name);
    if (!model) return [];
    const bound = subjects.find((subject) => subject.contract === id && subject.equation === name) ?? null;
    return [{ equation, model, bound }];
  });
}

/** The subjects of the goal; of those without a kernel the formulas, if the plan allows it and there are any. */
function runnableSubjects(goal: Goal, elaborated: ElaboratedContract, context: Context): readonly WorkSubject[] {
  const subjects = subjectsOf(goal, elaborated, context);
  if (context.options.formulas !== true) return subjects;
  return subjects.map((one) => (one.bound || isDeclaredOnly(one.model) ? one : { ...one, byFormula: 'f32' }));
}

function checksOfGoal(
  goal: Goal,
  subjects: readonly WorkSubject[],
  restsOn: Check['restsOn'],
  { options }: Context,
): readonly Check[] {
  if (goal.overReals) return checksOverReals(goal, goal.overReals.equations, options);
  const commonOf = (one: Goal) =>
    ({
      contract: one.contract,
      goal: one.id,
      goalDigest: one.digest,
      seed: one.seed ?? options.seed,
      work: { kind: 'goal', goal: { ...one, onBackends: {} }, subjects },
    }) as const;
  const method = goal.statistical ? 'statistical' : goal.source === 'falsification' ? 'falsify' : 'property';
  // Fewer draws than a statistical claim declares would be another claim.
  const cases = goal.statistical ? goal.cases : (options.cases ?? goal.cases);
  const models = subjects.map(({ model }) => model);
  // What is only declared has no formula that could satisfy a claim: the kernel alone does.
  const runnable = !models.some(isDeclaredOnly);
  const places = placesOf(subjects, options);
  // A tolerance for float64 may ask for more than float32 gives.
  const inFloat32 = places.map(({ backend }) => backend).filter((id) => id !== 'decimal' && !isControlBackend(id));
  const soundness = heldTo(goal, inFloat32).map((one) =>
    withId(
      {
        ...commonOf(one),
        method: 'soundness',
        subject: soundnessSubject(goal, subjects),
        backend: 'ref32',
        cases: goal.statistical ? cases : Math.min(soundnessCases, cases),
        restsOn: {},
      },
      options.tool,
    ),
  );
  const ofFormulas = runnable && goal.comparesKernels !== true ? soundness : [];
  if (unboundOf(subjects).length > 0) return ofFormulas;
  return [
    ...places.map((place) =>
      withId(
        {
          ...commonOf(goal.onBackends[place.backend] ?? goal),
          method,
          subject: kernelSubject(subjects),
          ...place,
          cases: method === 'property' && 'device' in place ? (options.cases ?? Math.min(cases, deviceCases)) : cases,
          restsOn,
        },
        options.tool,
      ),
    ),
    ...ofFormulas,
  ];
}

/** The claim on its own equations, and on mutants of them: it must catch some, as any claim. */
function checksOverReals(
  goal: Goal,
  equations: readonly AppliedEquation[],
  { cases, seed, tool }: PlanOptions,
): readonly Check[] {
  const models = equations.map(({ model }) => model);
  const common = {
    contract: goal.contract,
    goal: goal.id,
    goalDigest: goal.digest,
    subject: equationSubject(goal, models),
    backend: 'decimal',
    seed: goal.seed ?? seed,
    restsOn: {},
    work: { kind: 'reals', goal, subjects: [] },
  } as const;
  const isStatement = goal.source === 'statement';
  const own = withId({ ...common, method: 'reals', cases: isStatement ? goal.cases : (cases ?? goal.cases) }, tool);
  // A fact that an equation states is not a measure of kernels, so it need not distinguish wrong equations.
  if (models.length === 0 || isStatement) return [own];
  return [own, withId({ ...common, method: 'adequacy', cases: realAdequacyCases }, tool)];
}

/** Where the goal's kernels run: each backend once, and one that needs a device once on each of them. */
function placesOf(
  subjects: readonly WorkSubject[],
  options: PlanOptions,
): readonly Pick<Check, 'backend' | 'device'>[] {
  return backendsOf(subjects, options).flatMap((backend): readonly Pick<Check, 'backend' | 'device'>[] =>
    isGpuBackend(backend) ? options.devices.map((device) => ({ backend, device })) : [{ backend }],
  );
}

/** The backends of the goal's kernels: what the bindings say, the run's otherwise; plain functions run as they are. */
function backendsOf(subjects: readonly WorkSubject[], options: PlanOptions): readonly BackendId[] {
  const bound = subjects.flatMap((subject) => subject.bound ?? []);
  if (bound.length === 0) return ['ref64'];
  const first = bound.find(({ program }) => program.language !== 'function');
  if (first?.program.language !== 'wgsl') return first ? (first.row.backends ?? options.backends) : ['function'];
  const devices = (first.row.backends ?? options.backends).filter(runsShaders);
  return devices.length > 0 ? devices : ['webgpu'];
}

interface EquationContext {
  /** Those of the contract, with the checks of their own. */
  readonly goals: readonly PlannedGoal[];
  readonly restsOn: Check['restsOn'];
  readonly context: Context;
}

/** Adequacy and types of one bound equation; shared by all its goals. */
function checksOfEquation(
  elaborated: ElaboratedContract,
  model: EquationModel,
  { goals: planned, restsOn, context }: EquationContext,
): readonly Check[] {
  // Wrong kernels run on the reference, and are held to what the correct one is held to: claims that need an equation without a
  // kernel say nothing of either.
  const goals = planned
    .filter(
      ({ goal, unboundEquations }) =>
        unboundEquations.length === 0 && goal.source !== 'statement' && goal.equations.includes(model.name),
    )
    .map(({ goal, checks }) => heldTo(goal, backendsInForce(checks)));
  const subjects = distinct(goals.flatMap(([goal]) => runnableSubjects(goal, elaborated, context)));
  const own = subjects.find(({ equation }) => equation === model.name);
  if (!own?.bound || unboundOf(subjects).length > 0) return [];
  const equivalent = (elaborated.contract.qaGate?.equivalentMutants ?? [])
    .filter(({ equation }) => equation === null || equation === model.name)
    .map(({ mutant, reason }) => ({ mutant, reason }));
  // A goal's digest leaves its name out, and an adequacy receipt names the goals that catch each wrong kernel.
  const digests = goals.map((tolerances) => [tolerances[0].id, ...tolerances.map(({ digest }) => digest)]);
  const meaning = { goals: digests, equation: model.digest };
  const declared = equivalent.map((one) => ({ ...one }));
  const { seed, tool } = context.options;
  const common = {
    contract: elaborated.contract.id,
    goal: `${elaborated.contract.id}/${model.name}`,
    goalDigest: sha256(canonicalJson(meaning)),
    subject: kernelSubject(subjects, [own]),
    seed,
    work: { kind: 'equation', equation: model.name, goals, subjects, equivalent },
  } as const;
  const place = wrongKernelsPlace(subjects, context.options);
  const goalDigest = sha256(canonicalJson({ ...meaning, equivalent: declared }));
  return [
    withId({ ...common, goalDigest, method: 'adequacy', ...place, cases: adequacyCases, restsOn }, tool),
    withId({ ...common, method: 'types', backend: place.backend, cases: 1, restsOn: {} }, tool),
  ];
}

/** Where wrong kernels run: shaders on the first device of the run, gpu.js kernels on the reference, functions as they are. */
function wrongKernelsPlace(subjects: readonly WorkSubject[], options: PlanOptions): Pick<Check, 'backend' | 'device'> {
  const languages = new Set(subjects.map(({ bound }) => bound?.program.language));
  if (!languages.has('wgsl')) return { backend: languages.has('gpu.js') ? 'ref32' : 'function' };
  const backend = backendsOf(subjects, options).find(runsShaders) ?? 'webgpu';
  return { backend, device: options.devices[0] ?? 'any' };
}

const runsShaders = (id: BackendId): boolean => id === 'webgpu' || id === 'webgpu-browser';

function distinct(subjects: readonly WorkSubject[]): readonly WorkSubject[] {
  return [...new Map(subjects.map((subject) => [subject.equation, subject])).values()];
}
