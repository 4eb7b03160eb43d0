/**
 * Claims over the reals: a contract's own equations, evaluated in arbitrary precision on generated inputs.
 *
 * Green means that the mathematics agreed with the claim on those inputs to many digits. It says nothing about a kernel.
 */
import type { Application, AppliedEquation, EquationModel, Goal } from '../contract/goal.ts';
import { boolean, conjunction, letIn, variable } from '../math/term/build.ts';
import type { Case, CaseValue, CompiledGoal } from '../math/compile/compiled.ts';
import type { Domain, InputVariable } from '../math/domain.ts';
import { factsOf } from '../math/domain-facts.ts';
import { tooManySteps } from '../math/evaluate/machine.ts';
import type { Binding, Environment } from '../math/evaluate/value.ts';
import type { Term } from '../math/term/term.ts';
import { freeVariables, mapParts } from '../math/term/traverse.ts';
import { emptyOutcome, type CaseStatus } from '../runtime/check-case.ts';
import { planDomain } from '../runtime/generate/domain-plan.ts';
import { shapesAt } from '../runtime/generate/sizes.ts';
import { meantIn, type Meant } from './meant-numbers.ts';
import { createAgreement } from './runs/agreement.ts';
import { decide, inDigits, leastEffort, littleEffort, type Answer } from './runs/decide.ts';
import type { CaseExecutor, CaseSource, Visit } from './runs/execute.ts';

/** A goal whose applications mean equations instead of kernels. */
interface RealGoal {
  readonly domain: Domain;
  readonly applications: readonly Application[];
  readonly predicate: Term;
  readonly given?: Goal['given'];
}

/** The predicate with every application replaced by its equation. */
export function realPredicate(
  { applications, predicate }: Pick<RealGoal, 'applications' | 'predicate'>,
  equations: ReadonlyMap<string, EquationModel>,
): Term {
  return applications.reduceRight((inner, application) => {
    const model = equations.get(application.equation);
    return model ? letIn(application.output, withArguments(application, model, model.body), inner) : inner;
  }, predicate);
}

/**
 * A term over an equation's parameters and sizes at the arguments of an application. They are bound to fresh names first: `x = x + c` in
 * one of them must not change the meaning of x in the next.
 */
export function withArguments(
  { output, arguments: args, sizes }: Pick<Application, 'output' | 'arguments' | 'sizes'>,
  model: EquationModel,
  term: Term,
): Term {
  const named = [
    ...model.sizes.map((name, i) => ({ name, value: sizes[i] })),
    ...model.parameters.map(({ name }, i) => ({ name, value: args[i] })),
  ].flatMap(({ name, value }, i) => (value ? [{ name, value, own: `${output}:${i}` }] : []));
  const bound = named.reduceRight((inner, { name, value, own }) => letIn(name, variable(own, value.type), inner), term);
  return named.reduceRight((inner, { value, own }) => letIn(own, value, inner), bound);
}

/** False exactly if some implication's premise holds; used to detect vacuous cases. */
function withoutConclusions(term: Term): Term {
  const inner = mapParts(term, withoutConclusions);
  if (inner.kind !== 'call' || inner.fn !== 'implies') return inner;
  const [premise] = inner.arguments;
  return premise ? { ...inner, arguments: [premise, boolean(false)] } : inner;
}

function hasImplication(term: Term): boolean {
  let found = false;
  const look = (part: Term): Term => {
    found ||= part.kind === 'call' && part.fn === 'implies';
    return found ? part : mapParts(part, look);
  };
  look(term);
  return found;
}

/** A claim without kernels, and the equations that it mentions. */
export interface RealRequest {
  readonly goal: RealGoal;
  readonly compiled: CompiledGoal;
  readonly equations: readonly AppliedEquation[];
  /**
   * Called for each case that no number of digits decides, which then counts as one that held; absent: it leaves the claim open.
   */
  readonly onOpen?: (why: string) => void;
  /** Called for a case that breaks the claim, which counts as filtered if this returns false. */
  readonly confirm?: (candidate: Case) => boolean;
}

/** Inputs that all numbers of digits may leave open; where so many are, more of them show little. */
const mostOpened = 16;
/** Inputs that take two million steps each, some seconds. */
const mostLong = 2;

/**
 * Decides cases of a goal over the reals. A case that no number of digits decides leaves the claim open, unless another breaks
 * it.
 */
export function realExecutor({ goal, compiled, equations, onOpen, confirm }: RealRequest): CaseExecutor {
  const predicate = realPredicate(goal, new Map(equations.map(({ name, model }) => [name, model])));
  const premise = hasImplication(goal.predicate) ? withoutConclusions(predicate) : null;
  const environmentAt = environmentsOf(goal);
  const membership = conjunction([...goal.domain.variables.flatMap(boundsOf), ...goal.domain.preconditions]);
  // Over the reals, no difference is small enough to be ignored.
  const negligible = goal.domain.unlimited ? -Infinity : undefined;
  /** In n + 2 of a large n the 2 may be hidden: digits that show it tell whether k is n + 2. */
  const isInside = (environment: Environment): Answer =>
    createAgreement().settled(decide(membership, environment, negligible), (digits) =>
      decide(membership, environment, negligible, inDigits(digits)),
    );
  const agreement = createAgreement();
  const outcome = emptyOutcome();
  let explanation: string | null = null;
  let opened = 0;
  let long = 0;
  const check = (candidate: Case): CaseStatus => {
    const environment = environmentAt(candidate);
    outcome.problem = null;
    explanation = null;
    if (!compiled.precondition(candidate.sizes, candidate.values)) return 'filtered';
    const effort = long >= mostLong ? leastEffort : opened < mostOpened ? undefined : littleEffort;
    const answer = agreement.settled(decide(predicate, environment, negligible, effort), (digits) =>
      decide(predicate, environment, negligible, inDigits(digits)),
    );
    outcome.report.premise = premise === null || decide(premise, environment, negligible).kind === 'fails';
    if (answer.kind === 'open' && onOpen) {
      opened++;
      if (answer.why === tooManySteps) long++;
      onOpen(answer.why);
      return 'held';
    }
    if (answer.kind === 'holds') return 'held';
    // Cases are generated in float64, which differs from the reals at the ends of the domain and where it overflows.
    const inside = answer.kind === 'fails' ? isInside(environment) : answer;
    if (inside.kind === 'fails' || (inside.kind === 'holds' && confirm?.(candidate) === false)) return 'filtered';
    explanation = answer.why;
    if (inside.kind === 'open') outcome.problem = { kind: 'undecided', message: inside.why };
    return 'broken';
  };
  const run = (count: number, source: CaseSource, visit: Visit): void => {
    for (let position = 0; position < count; position++) {
      const candidate = source(position);
      if (!visit(candidate ? check(candidate) : 'filtered', position, candidate)) return;
    }
  };
  return { width: 1, outcome, run, explanation: () => explanation, agreement };
}

/** What the domain says of one input. Listed numbers are rounded to the format, but represent what is written. */
export function boundsOf(input: InputVariable): readonly Term[] {
  const isListed = input.choices?.every((choice) => freeVariables(choice).size === 0) ?? false;
  const isNumber = input.element.kind !== 'string' && !input.nonFinite;
  return isNumber && !isListed ? factsOf({ ...input, structure: 'none' }) : [];
}

type EnvironmentOf = (candidate: Case) => Environment;

/** Inputs are used exactly as generated, or as written where a generated number means a written one. */
function environmentsOf({ domain, given }: RealGoal): EnvironmentOf {
  const planned = planDomain(domain);
  const plan = planned.ok ? planned.value : null;
  const meant = meantIn(domain, plan, given ?? []);
  return ({ sizes, values }) => {
    const shapes = plan && shapesAt(plan, sizes);
    const named = domain.sizes.map(({ name }, i): [string, Binding] => [name, sizes[i] ?? 0]);
    const inputs = domain.variables.map(({ name, element }, i): [string, Binding] => [
      name,
      bindingOf(values[i] ?? 0, shapes?.[i] ?? [], element.kind === 'boolean', meant[i] ?? null),
    ]);
    return new Map([...named, ...inputs]);
  };
}

function bindingOf(value: CaseValue, shape: readonly number[], isBoolean: boolean, meant: Meant | null): Binding {
  if (typeof value === 'object') return { shape, data: meant ? Array.from(value, meant) : value };
  if (isBoolean) return value !== 0;
  return meant && typeof value === 'number' ? meant(value) : value;
}
