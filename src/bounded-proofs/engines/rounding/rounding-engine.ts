/**
 * The rounding engine: float32 code against exact mathematics. Every computed value is an exact one and an error; the exact
 * parts are compared by the algebra, the errors with what the claim allows.
 */
import type { AxiomId } from '../../axioms.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import { createExperience, shapeOf, type Experience } from '../../shape.ts';
import type { Budget, Engine, EngineOutcome } from '../engine.ts';
import { guarded } from '../algebra/algebra-engine.ts';
import type { NormaliserOptions } from '../algebra/context.ts';
import { effortUpTo, type Effort } from '../algebra/effort.ts';
import { wholesOf } from '../algebra/indicators.ts';
import { isNonnegative } from '../algebra/nonnegative.ts';
import { createNormaliser, type Normaliser } from '../algebra/normalise.ts';
import { isZeroFunction } from '../algebra/rational-function.ts';
import { coverBoxes } from '../interval/branch-and-bound.ts';
import { claimsOf, type Claim } from '../interval/claims.ts';
import { boxOf, createRanges, type Ranges } from '../interval/ranges.ts';
import { wholeRanges } from '../interval/whole-ranges.ts';
import { boundExpression } from './bound.ts';
import { collapsingArithmetic } from './bound-arithmetic.ts';
import { charging, type Charging } from './charging.ts';
import { isExactForm, type ErrorForm } from './error-form.ts';
import { cutsOf, hasExponential } from './cuts.ts';
import { createForms, type Forms } from './forms.ts';
import { float32Values } from './float32-values.ts';
import { scaledIn, type Scaled } from './scaled.ts';
import { isWithinBySquares } from './squares.ts';
import { weighingArithmetic, type WeighingArithmetic } from './weighing-arithmetic.ts';
import { describe, ways, type Way } from './ways.ts';

/** Operations on terms for one way of measuring, whatever the budget. */
const effortLimit = 1_000_000;
/** Of those that compare what charging leaves over. */
const chargedEffort = 200_000;
/** Of those that compare exact parts before anything is charged: the other ways are there for parts that are not alike. */
const alikeEffort = 20_000;
/** Of those that compare what weights leave over. */
const weighedEffort = 300_000;

/** Synchronous. Remembers which way of measuring proved a statement, and tries it first on similar ones. */
export function roundingEngine(): Engine {
  const experience = createExperience<Way>();
  return {
    id: 'rounding',
    version: '9',
    decide: (problem, budget) => Promise.resolve(decide(problem, budget, experience)),
    close: () => Promise.resolve(),
  };
}

function decide(problem: ProofProblem, budget: Budget, experience: Experience<Way>): EngineOutcome {
  const { conclusion } = problem;
  if (conclusion.kind === 'truth' && conclusion.value)
    return { verdict: 'proved', axioms: [], detail: 'true by construction' };
  const whole = wholeRanges(problem);
  if (whole.truth(conclusion) === true)
    return { verdict: 'proved', axioms: whole.axioms(), detail: 'by intervals on the whole domain' };
  let spent: string | null = null;
  for (const claim of claimsOf(problem)) {
    const shape = `${claim.relation}: ${shapeOf(claim.left)}: ${shapeOf(claim.right)}`;
    for (const way of experience.order(shape, ways)) {
      // There is nothing to charge to in a number, and nothing else is compared with a tolerance.
      if (way.charged && (claim.relation !== 'within' || claim.right.kind === 'constant')) continue;
      if (way.weighed && !hasExponential(claim)) continue;
      const attempt = guarded(() => attemptClaim(problem, claim, way, budget));
      if (typeof attempt === 'string') spent = attempt;
      else if (attempt) {
        experience.learn(shape, way);
        return { verdict: 'proved', axioms: attempt, detail: describe(way) };
      }
    }
    experience.learn(shape, null);
  }
  return spent === null
    ? {
        verdict: 'unknown',
        detail: 'the error bound is not within what is allowed, or the exact parts are not comparable',
      }
    : { verdict: 'exhausted', budget: 'steps', detail: spent };
}

/** What a comparison is decided with. */
interface Tools {
  readonly problem: ProofProblem;
  readonly graph: Graph;
  readonly ranges: Ranges;
  readonly forms: Forms;
  /**
   * The algebra with exponentials and signs taken apart: without what is known about all values of a whole number together, and
   * with it.
   */
  readonly equality: readonly Normaliser[];
  /**
   * For sizes: as they are, taken apart, and taken apart except for what is known about all values of a whole number together.
   */
  readonly sizes: readonly Normaliser[];
  readonly charges: Charging | null;
  readonly effort: Effort;
  /** Whether to try boxes at last: once, where the error is an expression over the inputs. */
  readonly byBoxes: boolean;
  /** Whether |a·(b + c)| may count as |a|·|b| + |a|·|c|. */
  readonly byTerms: boolean;
  /** Whether |a| ≤ b may be shown by a² ≤ b². */
  readonly bySquares: boolean;
  /** What covers by boxes assumed. */
  readonly boxAxioms: Set<AxiomId>;
}

/** The axioms of a proof, or null. */
function attemptClaim(problem: ProofProblem, claim: Claim, way: Way, budget: Budget): readonly AxiomId[] | null {
  const { graph } = problem;
  const ranges = createRanges(boxOf(problem), claim.premises);
  const isFloat32 = float32Values(problem.variables);
  const { measure, cut, triangle, charged, fine, weighed, units } = way;
  const cutFunctions = cut === 'functions' || cut === 'quotients';
  const scaled = cut === 'scaled' ? scaledIn([claim.left, claim.right], isFloat32) : new Map<never, Scaled>();
  const cutAt = scaled.size > 0 ? new Set([...scaled.values()].map(({ of }) => of)) : cutsOf(cut, claim);
  if (cutAt === null && cut !== 'functions' && cut !== 'inputs') return null;
  const chargingEffort = effortUpTo(Math.min(budget.steps, effortLimit));
  const charges = charged ? charging({ graph, ranges, allowed: claim.right, effort: chargingEffort }) : null;
  const insideProducts = fine || cut === 'quotients';
  const weighing = weighed ? weighingArithmetic(graph, ranges) : null;
  const bounds = charges?.bounds ?? weighing ?? collapsingArithmetic({ graph, ranges, triangle, insideProducts });
  const forms = createForms({
    graph,
    ranges,
    isFloat32,
    measure,
    cutFunctions,
    cutAt,
    scaled,
    bounds,
    secondOrder: fine,
    falling: weighed,
    units,
  });
  const effort = effortUpTo(Math.min(budget.steps, effortOf(way)));
  const byBoxes = measure === 'symbolic' && !triangle && cut === 'inputs';
  const boxAxioms = new Set<AxiomId>();
  const tools = {
    problem: { ...problem, premises: claim.premises },
    graph,
    ranges,
    forms,
    ...normalisersOf({ ranges, effort }, wholesOf(problem.variables), weighing),
    effort,
    boxAxioms,
    byBoxes,
    charges,
    byTerms: triangle && !charged,
    bySquares: measure === 'relative' && !weighed,
  };
  return holds(claim, tools) ? [...new Set([...forms.axioms(), ...boxAxioms])].toSorted() : null;
}

function effortOf({ charged, weighed }: Way): number {
  if (charged) return alikeEffort;
  return weighed ? weighedEffort : effortLimit;
}

function normalisersOf(
  options: { readonly ranges: Ranges; readonly effort: Effort },
  wholes: NonNullable<NormaliserOptions['wholes']>,
  weighing: WeighingArithmetic | null,
): Pick<Tools, 'equality' | 'sizes'> {
  const plain = createNormaliser({ ...options, takeApart: false });
  const signs = wholes.size === 0 ? [] : [createNormaliser({ ...options, takeApart: true })];
  const equality = [...signs, createNormaliser({ ...options, takeApart: true, wholes })];
  // A weight is at most 1 whatever it is made of: where that does, no sum of weights need be multiplied out.
  const apart = weighing ? [createNormaliser({ ...options, takeApart: false, closed: weighing.weights })] : [];
  return { equality, sizes: [...apart, plain, ...equality.toReversed()] };
}

function holds(claim: Claim, tools: Tools): boolean {
  const { graph, forms, ranges } = tools;
  const [left, right] = forms.pair(claim.left, claim.right);
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
      if (isZero(left.exact, tools)) return isWithin(left, right, tools) || isAtLeastZero(room, tools);
      const [below, above] = [graph.subtract(room, left.exact), graph.add(room, left.exact)];
      if (isAtLeastZero(below, tools) && isAtLeastZero(above, tools)) return true;
      if (tools.byTerms && isAtLeastZero(graph.subtract(room, termsOf(left.exact, tools)), tools)) return true;
      return tools.bySquares && isWithinBySquares(left, right, { ...tools, normaliser: tools.sizes[0] });
    }
  }
}

/** Sizes of terms, and of factors' terms: at least |node|. */
function termsOf(node: NumberExpression, { graph, ranges }: Tools): NumberExpression {
  const { size } = collapsingArithmetic({ graph, ranges, triangle: true, insideProducts: true });
  return boundExpression(graph, size(node, 1));
}

/** Whether the error of the left is at most the right, by what it was charged to. */
function isWithin(left: ErrorForm, right: ErrorForm, { charges, graph, ranges }: Tools): boolean {
  if (charges === null || !isExactForm(right)) return false;
  if (charges.covers(left.bound)) return true;
  const closed = charges.sumsIn(left.bound);
  const effort = effortUpTo(chargedEffort);
  const normaliser = createNormaliser({ ranges, effort, takeApart: false, closed });
  const room = normaliser.normal(graph.subtract(right.exact, boundExpression(graph, left.bound)));
  return room !== null && isNonnegative(room, normaliser.atoms, effort);
}

function isZero(node: NumberExpression, { equality }: Tools): boolean {
  if (node.kind === 'constant') return node.value.numerator === 0n;
  return equality.some(({ normal }) => {
    const value = normal(node);
    return value !== null && isZeroFunction(value);
  });
}

/** By intervals, by the signs of terms, by boxes where few inputs are left. */
function isAtLeastZero(
  node: NumberExpression,
  { graph, ranges, sizes, effort, problem, boxAxioms, byBoxes }: Tools,
): boolean {
  if (ranges.range(node).low >= 0) return true;
  for (const normaliser of sizes) {
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
