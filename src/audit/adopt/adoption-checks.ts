/**
 * The checks that judge what a contract without kernels says: each goal over the reals, its formulas in float32, and those at large
 * sizes.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Contract, Tolerance } from '../../contract/contract.ts';
import { isDeclaredOnly, type ElaboratedContract, type EquationModel, type Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import type { Receipt, RecordedInput } from '../../evidence/receipt.ts';
import { call, conjunction } from '../../math/term/build.ts';
import type { SizeVariable } from '../../math/domain.ts';
import { boundsOf, withArguments } from '../../methods/reals.ts';
import type { LargeSizes } from '../../methods/large.ts';
import { asWritten } from '../../methods/meant-numbers.ts';
import { withId, type Check, type WorkSubject } from '../../plan/check.ts';
import { equationSubject } from '../../plan/check-subject.ts';
import { withinCost } from '../../plan/large-inputs.ts';
import { subjectsOf } from '../../plan/make-plan.ts';
import { givenInput } from '../../plan/given-input.ts';
import { undeclaredIndices } from './index-inputs.ts';

/** One goal and what is run to judge it. */
export interface AdoptedGoal {
  readonly contract: string;
  /** The part of a statement that is understood, if the goal is no more than that. */
  readonly inPart: Goal | null;
  readonly goal: Goal;
  readonly subjects: readonly WorkSubject[];
  /** The same claim about the mathematics; null if there is none to evaluate. */
  readonly mathematics: Goal | null;
  /** Over the reals; null if the author or the formula leaves nothing to evaluate. */
  readonly exact: Check | null;
  /** In the arithmetic of a machine: first at the sizes of the domain, then at large ones. */
  readonly rounded: readonly Check[];
  /** Why neither is run; null if one is. */
  readonly reason: string | null;
  /** Inputs that are bounded as indices, and whose type nothing declares. */
  readonly indices: readonly string[];
  /** What the author allows, if the claim is exact all the same: `=` and `≤` use no tolerance. */
  readonly unused: Tolerance | null;
}

/** What the checks have in common. */
export interface AdoptionOptions {
  readonly tool: Receipt['tool'];
  readonly seed: number;
}

/** Cases in arbitrary precision, each of which costs a thousand times what a float does. */
const exactCases = 240;
const roundedCases = 2_000;
/** Operations for one input at a large size; a second or so. */
const mostOperations = 2 ** 24;
/** Where rounding shows: the largest size that a contract declares, a usual one, and a long context. */
const largeSizes = [4_096, 32_768] as const;

/** The contract with every claim about its mathematics in place of a kernel. */
export function asMathematics(contract: Contract): Contract {
  const { obligations, falsificationTests } = contract;
  return {
    ...contract,
    obligations: obligations.map((one) => (one.about === 'kernel' ? { ...one, ...mathematics } : one)),
    falsificationTests: falsificationTests.map((one) => ({ ...one, semantics: 'real' })),
  };
}

const mathematics = { about: 'mathematics', semantics: 'real' } as const;

/** Contracts as they are written and {@link asMathematics}. */
export interface AdoptedContracts {
  readonly written: readonly ElaboratedContract[];
  readonly exact: readonly ElaboratedContract[];
}

/** The goals of all contracts, each with its checks; claims about data and distributions are left to the commands that have them. */
export function adoptedGoals({ written, exact }: AdoptedContracts, options: AdoptionOptions): readonly AdoptedGoal[] {
  const overReals = new Map(
    exact.flatMap((one) => [...one.goals, ...partsOf(one)].map((goal) => [`${goal.source} ${goal.id}`, goal])),
  );
  return written.flatMap((elaborated) => {
    const parts = new Set(partsOf(elaborated));
    const stated = statedIn(elaborated.contract);
    return [...elaborated.goals, ...elaborated.statements, ...elaborated.dataGoals, ...parts].map((goal) => {
      const twin = goal.overReals ? goal : (overReals.get(`${goal.source} ${goal.id}`) ?? null);
      return adoptedGoal({ goal, twin, inPart: parts.has(goal) ? goal : null, elaborated, written, stated }, options);
    });
  });
}

/** Of statements that are understood in part, what is. */
function partsOf({ notGoals, unevaluated }: ElaboratedContract): readonly Goal[] {
  return [...notGoals, ...unevaluated].flatMap(({ asRead }) => asRead ?? []);
}

interface Found {
  readonly goal: Goal;
  readonly twin: Goal | null;
  readonly inPart: Goal | null;
  readonly elaborated: ElaboratedContract;
  readonly written: readonly ElaboratedContract[];
  readonly stated: ReturnType<typeof statedIn>;
}

function adoptedGoal(found: Found, options: AdoptionOptions): AdoptedGoal {
  const { elaborated, written, stated } = found;
  const subjects = found.goal.overReals
    ? realSubjects(found.goal)
    : subjectsOf(found.goal, elaborated, { contracts: written, subjects: [] });
  const goal = whereDefined(found.goal, subjects);
  const twin = found.twin && whereDefined(found.twin, realSubjects(found.twin));
  const reason = whyNotRun(goal, subjects);
  const unused = goal.toleranceText === 'exact' ? (stated.get(`${goal.source} ${goal.claim}`) ?? null) : null;
  const indices = undeclaredIndices(goal, subjects, elaborated.contract);
  const common = { contract: elaborated.contract.id, goal, subjects, inPart: found.inPart, indices, unused };
  if (reason !== null) return { ...common, mathematics: null, exact: null, rounded: [], reason };
  return { ...common, mathematics: twin, ...checksOf(goal, subjects, twin, options), reason };
}

/** The tolerances that claims state themselves, by the source and the claim of a goal. */
function statedIn({ obligations, falsificationTests }: Contract): ReadonlyMap<string, Tolerance | null> {
  const of = (source: Goal['source'], claims: Contract['falsificationTests'] | Contract['obligations']) =>
    claims.map(({ id, tolerance }) => [`${source} ${id}`, tolerance] as const);
  return new Map([...of('obligation', obligations), ...of('falsification', falsificationTests)]);
}

/** What is run of a goal on `subjects`, and of the same about the mathematics. */
export function checksOf(
  goal: Goal,
  subjects: readonly WorkSubject[],
  mathematics: Goal | null,
  options: AdoptionOptions,
): Pick<AdoptedGoal, 'exact' | 'rounded'> {
  return {
    exact: mathematics && exactCheck(mathematics, options),
    rounded: asksOfMachines(goal) ? roundedChecks(goal, subjects, options) : [],
  };
}

/**
 * Who says that a claim is about the reals asks nothing of a machine, and neither do two ways to write one formula. Other
 * statements of equations are what kernels are expected to keep.
 */
function asksOfMachines({ overReals, source, claim }: Goal): boolean {
  return overReals === null || (source === 'statement' && !/\.(?:equality-\d+|law)$/u.test(claim));
}

function whyNotRun(goal: Goal, subjects: readonly WorkSubject[]): string | null {
  if (goal.about === 'data') return 'it is about data of runs: pv check judges it';
  if (goal.statistical) return 'it is about the distribution of a kernel: pv audit draws from a bound one';
  const declared = subjects.find(({ model }) => isDeclaredOnly(model));
  return declared ? `${declared.equation} is only declared: it has no formula to run` : null;
}

/** A goal over the reals on drawn inputs, or on those that it gives. */
export function exactCheck(goal: Goal, options: AdoptionOptions, cases = exactCases): Check {
  // A case that no digits decide leaves a statement open, and the others may still refute it.
  const exact: Goal = { ...goal, source: goal.given ? 'falsification' : 'statement' };
  const models = (goal.overReals?.equations ?? []).map(({ model }) => model);
  return withId(
    {
      ...commonOf(exact, models, options),
      method: 'reals',
      backend: 'decimal',
      cases,
      work: { kind: 'reals', goal: exact, subjects: [] },
    },
    options.tool,
  );
}

function roundedChecks(
  goal: Goal,
  subjects: readonly WorkSubject[],
  options: AdoptionOptions,
): readonly [Check, ...Check[]] {
  const small = roundedCheck(goal, subjects, options);
  if (goal.given || subjects.length === 0) return [small];
  const entries = withinCost(goal, subjects, goal.domain.sizes.flatMap(entriesOf), mostOperations);
  return [small, ...entries.map((entry) => roundedCheck(goal, subjects, options, { entry }))];
}

/** The claim about formulas with every operation rounded, as it is about kernels. */
export function asRounded(goal: Goal, subjects: readonly WorkSubject[]): Goal {
  return {
    ...goal,
    source: goal.given ? 'falsification' : 'obligation',
    equations: subjects.map(({ equation }) => equation),
    onBackends: {},
    overReals: null,
  };
}

/** The formulas with every operation rounded, on drawn inputs or, with `entry`, on the hardest ones at that size. */
export function roundedCheck(
  goal: Goal,
  subjects: readonly WorkSubject[],
  options: AdoptionOptions,
  { backend = 'ref32', entry }: { readonly backend?: 'ref32' | 'ref64'; readonly entry?: LargeSizes } = {},
): Check {
  const rounded = asRounded(goal, subjects);
  const given = (goal.given ?? []).map(({ sizes, values }) => [[...sizes], values.map(String)]);
  const common = commonOf(
    rounded,
    subjects.map(({ model }) => model),
    options,
  );
  return withId(
    {
      ...common,
      goalDigest: sha256(canonicalJson([common.goalDigest, { ...entry }, given])),
      method: 'soundness',
      backend,
      cases: entry ? 1 : roundedCases,
      work: {
        kind: 'goal',
        goal: rounded,
        subjects,
        hardest: entry ? [entry] : [],
        ...(entry ? {} : { steered: true }),
      },
    },
    options.tool,
  );
}

function commonOf(
  goal: Goal,
  models: readonly EquationModel[],
  { seed }: AdoptionOptions,
): Pick<Check, 'contract' | 'goal' | 'goalDigest' | 'subject' | 'seed' | 'restsOn'> {
  return {
    contract: goal.contract,
    goal: goal.id,
    goalDigest: goal.digest,
    subject: equationSubject(goal, models),
    seed: goal.seed ?? seed,
    restsOn: {},
  };
}

/** Sizes beyond those that are drawn and within those that the domain allows, and the largest of these: it is drawn, but rarely at the ends. */
function entriesOf({ name, maximum, declaredMaximum, multipleOf, definition }: SizeVariable): readonly LargeSizes[] {
  if (definition !== null) return [];
  const most = declaredMaximum ?? maximum;
  const wanted = new Set([...largeSizes, ...(Number.isFinite(most) ? [most] : [])].map((n) => Math.min(n, most)));
  return [...wanted]
    .map((n) => Math.floor(n / multipleOf) * multipleOf)
    .filter((n) => n > maximum || n === Math.floor(most / multipleOf) * multipleOf)
    .toSorted((a, b) => a - b)
    .map((n) => ({ [name]: n }));
}

/** The claim over the reals at one input, which a machine's arithmetic breaks; null if the record cannot be read. */
export function exactlyAt(goal: Goal, input: RecordedInput, options: AdoptionOptions): Check | null {
  const recorded = givenInput(goal.domain, input);
  if (recorded === null) return null;
  const given = asWritten(goal, recorded);
  const reached = goal.domain.sizes.map((size, i) => ({
    ...size,
    maximum: Math.max(size.maximum, given.sizes[i] ?? 0),
  }));
  const domain = { ...goal.domain, sizes: reached };
  return exactCheck({ ...goal, domain, given: [given] }, options, 1);
}

/** The claim in float32 at one input, which the reals break; null if the record cannot be read. */
export function roundedAt(
  { goal, subjects }: Pick<AdoptedGoal, 'goal' | 'subjects'>,
  input: RecordedInput,
  options: AdoptionOptions,
): Check | null {
  const given = givenInput(goal.domain, input);
  return given && roundedCheck({ ...goal, given: [given] }, subjects, options);
}

function realSubjects({ overReals }: Goal): readonly WorkSubject[] {
  return (overReals?.equations ?? []).map(({ name, model }) => ({ equation: name, model, bound: null }));
}

/**
 * The claim where its equations are applied inside of their domains: lr(t + 1) ≤ lr(t) says nothing at the last step. Arguments that are
 * inputs of the same name are inside already.
 */
function whereDefined(goal: Goal, subjects: readonly WorkSubject[]): Goal {
  const inside = goal.applications.flatMap((application) => {
    const model = subjects.find(({ equation }) => equation === application.equation)?.model;
    const isPlain = model?.parameters.every(({ name }, i) => {
      const given = application.arguments[i];
      return given?.kind === 'variable' && given.name === name;
    });
    if (!model || application.each || isPlain) return [];
    const facts = [...model.domain.variables.flatMap(boundsOf), ...model.domain.preconditions];
    return facts.length === 0 ? [] : [withArguments(application, model, conjunction(facts))];
  });
  if (inside.length === 0) return goal;
  const { predicate } = goal;
  const [premise, conclusion] = predicate.kind === 'call' && predicate.fn === 'implies' ? predicate.arguments : [];
  // One implication, so that only inputs that meet the whole premise count as those that do.
  const whole =
    premise && conclusion
      ? call('implies', conjunction([...inside, premise]), conclusion)
      : call('implies', conjunction(inside), predicate);
  return { ...goal, predicate: whole };
}
