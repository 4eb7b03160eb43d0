/**
 * The rounding engine: float32 code against exact mathematics. Every computed value is an exact one and an error; the exact
 * parts are compared by the algebra, the errors with what the claim allows.
 */
import type { AxiomId } from '../../axioms.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Budget, Engine, EngineOutcome } from '../engine.ts';
import { guarded } from '../algebra/algebra-engine.ts';
import { effortUpTo, type Effort } from '../algebra/effort.ts';
import { isNonnegative } from '../algebra/nonnegative.ts';
import { createNormaliser, type Normaliser } from '../algebra/normalise.ts';
import { isZeroFunction } from '../algebra/rational-function.ts';
import { coverBoxes } from '../interval/branch-and-bound.ts';
import { claimsOf, type Claim } from '../interval/claims.ts';
import { boxOf, createRanges, type Ranges } from '../interval/ranges.ts';
import { boundExpression } from './bound.ts';
import { createForms, type FormOptions, type Forms } from './forms.ts';
import { float32Values } from './float32-values.ts';

/** Operations on terms for one way of measuring, whatever the budget. */
const effortLimit = 3_000_000;

type Way = Pick<FormOptions, 'cutFunctions' | 'measure' | 'triangle'>;

/** From the cheapest to the most precise. */
const ways: readonly Way[] = (
  [
    ['total', false],
    ['relative', true],
    ['symbolic', false],
    ['symbolic', true],
  ] as const
).flatMap(([measure, triangle]) => [true, false].map((cutFunctions) => ({ measure, triangle, cutFunctions })));

export function roundingEngine(): Engine {
  return {
    id: 'rounding',
    version: '1',
    decide: (problem, budget) => Promise.resolve(decide(problem, budget)),
    close: () => Promise.resolve(),
  };
}

function decide(problem: ProofProblem, budget: Budget): EngineOutcome {
  const { conclusion } = problem;
  if (conclusion.kind === 'truth' && conclusion.value)
    return { verdict: 'proved', axioms: [], detail: 'true by construction' };
  const whole = createRanges(boxOf(problem), problem.premises);
  if (whole.truth(conclusion) === true)
    return { verdict: 'proved', axioms: whole.axioms(), detail: 'by intervals on the whole domain' };
  let spent: string | null = null;
  for (const claim of claimsOf(problem))
    for (const way of ways) {
      const attempt = guarded(() => attemptClaim(problem, claim, way, budget));
      if (typeof attempt === 'string') spent = attempt;
      else if (attempt) return { verdict: 'proved', axioms: attempt, detail: describe(way) };
    }
  return spent === null
    ? {
        verdict: 'unknown',
        detail: 'the error bound is not within what is allowed, or the exact parts are not comparable',
      }
    : { verdict: 'exhausted', budget: 'steps', detail: spent };
}

function describe({ cutFunctions, measure }: Way): string {
  const from = cutFunctions ? 'from the results of float32 functions on' : 'from the inputs on';
  return `rounding errors ${from}, ${measure === 'symbolic' ? 'as an expression' : `as a ${measure} bound`}`;
}

/** What a comparison is decided with. */
interface Tools {
  readonly problem: ProofProblem;
  readonly graph: Graph;
  readonly ranges: Ranges;
  readonly forms: Forms;
  /** The algebra with exponentials and signs taken apart, for equality; and as they are, for sizes. */
  readonly equality: Normaliser;
  readonly sizes: Normaliser;
  readonly effort: Effort;
  /** Whether to try boxes at last: once, where the error is an expression over the inputs. */
  readonly byBoxes: boolean;
  /** What covers by boxes assumed. */
  readonly boxAxioms: Set<AxiomId>;
}

/** The axioms of a proof, or null. */
function attemptClaim(problem: ProofProblem, claim: Claim, way: Way, budget: Budget): readonly AxiomId[] | null {
  const { graph } = problem;
  const ranges = createRanges(boxOf(problem), claim.premises);
  const isFloat32 = float32Values(problem.variables);
  const forms = createForms({ graph, ranges, isFloat32, ...way });
  const effort = effortUpTo(Math.min(budget.steps, effortLimit));
  const equality = createNormaliser({ ranges, effort, takeApart: true });
  const sizes = createNormaliser({ ranges, effort, takeApart: false });
  const byBoxes = way.measure === 'symbolic' && !way.triangle && !way.cutFunctions;
  const boxAxioms = new Set<AxiomId>();
  const tools = {
    problem: { ...problem, premises: claim.premises },
    graph,
    ranges,
    forms,
    equality,
    sizes,
    effort,
    boxAxioms,
    byBoxes,
  };
  return holds(claim, tools) ? [...new Set([...forms.axioms(), ...boxAxioms])].toSorted() : null;
}

function holds(claim: Claim, tools: Tools): boolean {
  const { graph, forms, ranges } = tools;
  const left = forms.form(claim.left);
  const right = forms.form(claim.right);
  const [leftBound, rightBound] = [boundExpression(graph, left.bound), boundExpression(graph, right.bound)];
  const allowed = graph.subtract(right.exact, rightBound);
  switch (claim.relation) {
    case 'equal':
      return left.total === 0 && right.total === 0 && isZero(graph.subtract(left.exact, right.exact), tools);
    case 'less':
      return ranges.range(graph.subtract(graph.subtract(allowed, leftBound), left.exact)).low > 0;
    case 'less-equal': {
      const room = graph.subtract(allowed, leftBound);
      const difference = graph.subtract(right.exact, left.exact);
      if (isZero(difference, tools)) return isAtLeastZero(graph.negate(graph.add(leftBound, rightBound)), tools);
      return isAtLeastZero(graph.subtract(room, left.exact), tools);
    }
    case 'within': {
      const room = graph.subtract(allowed, leftBound);
      if (isZero(left.exact, tools)) return isAtLeastZero(room, tools);
      return (
        isAtLeastZero(graph.subtract(room, left.exact), tools) && isAtLeastZero(graph.add(room, left.exact), tools)
      );
    }
  }
}

function isZero(node: NumberExpression, { equality }: Tools): boolean {
  if (node.kind === 'constant') return node.value.numerator === 0n;
  const value = equality.normal(node);
  return value !== null && isZeroFunction(value);
}

/** By intervals, by the signs of terms, by boxes where few inputs are left. */
function isAtLeastZero(
  node: NumberExpression,
  { graph, ranges, sizes, equality, effort, problem, boxAxioms, byBoxes }: Tools,
): boolean {
  if (ranges.range(node).low >= 0) return true;
  for (const normaliser of [sizes, equality]) {
    const value = normaliser.normal(node);
    if (value !== null && isNonnegative(value, normaliser.atoms, effort)) return true;
  }
  if (!byBoxes) return false;
  const statement = graph.lessEqual(graph.integer(0), node);
  const cover = coverBoxes(problem, statement, boxesPerComparison);
  if (cover.verdict !== 'proved') return false;
  for (const axiom of cover.axioms) boxAxioms.add(axiom);
  return true;
}

/** Boxes for one comparison: some tenths of a second for the formulas of one input that this is for. */
const boxesPerComparison = 4_000;
