/**
 * Lemmas that relate two numbers that are not constants: increasing functions preserve order; products and quotients do
 * according to signs.
 */
import { ZERO } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import { axiomSet, noAxioms, type AxiomSet } from './axiom-set.ts';
import { factsOf } from './elementary-facts.ts';
import { nonNegative, nonPositive, positive, when, type Collector, type Guard } from './lemma.ts';
import { isLinear, unknownsOf } from './linear.ts';
import { sharedFactor } from './order-rules.ts';
import type { Binary, Unary } from './node-shapes.ts';

/** States what decides the order of two numbers, and requests lemmas about their operands. */
export function comparePair(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  if (branches(collector, a, b) || branches(collector, b, a)) return;
  againstRange(collector, a, b);
  againstRange(collector, b, a);
  if (isLinear(a) || isLinear(b)) {
    besidePart(collector, a, b);
    return compareUnknowns(collector, a, b);
  }
  if (a.kind === 'round32' && b.kind === 'round32')
    return sameFunction(collector, { a, b, axioms: axiomSet('rounding-monotone'), guards: [] });
  if (a.kind === 'machine' || a.kind === 'function') {
    if (b.kind === a.kind && a.fn === b.fn) {
      const { increasing } = factsOf(a.kind, a.fn);
      if (!increasing) return;
      const guards = increasing.from === null ? [] : [positive(collector, a.operand), positive(collector, b.operand)];
      return sameFunction(collector, { a, b, axioms: axiomSet(increasing.axiom), guards });
    }
  }
  if (a.kind === 'sqrt' && b.kind === 'sqrt')
    return sameFunction(collector, {
      a,
      b,
      axioms: noAxioms,
      guards: [nonNegative(collector, a.operand), nonNegative(collector, b.operand)],
    });
  if (a.kind === 'divide' && b.kind === 'divide') return quotients(collector, a, b);
  if (a.kind === 'multiply' && b.kind === 'multiply') return products(collector, a, b);
  roots(collector, a, b);
  roots(collector, b, a);
  besidePart(collector, a, b);
}

function besidePart(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const) {
    rounded(collector, x, y);
    factors(collector, x, y);
  }
}

interface SameFunction {
  readonly a: Unary;
  readonly b: Unary;
  readonly axioms: AxiomSet;
  readonly guards: readonly Guard[];
}

function sameFunction(collector: Collector, { a, b, axioms, guards }: SameFunction): void {
  const { graph, state, compare } = collector;
  state([...guards, when(graph.lessEqual(a.operand, b.operand))], graph.lessEqual(a, b), axioms);
  state([...guards, when(graph.lessEqual(b.operand, a.operand))], graph.lessEqual(b, a), axioms);
  // These functions increase strictly over the reals; rounded ones have steps.
  if (a.kind === 'function' || a.kind === 'sqrt') {
    state([...guards, when(graph.less(a.operand, b.operand))], graph.less(a, b), axioms);
    state([...guards, when(graph.less(b.operand, a.operand))], graph.less(b, a), axioms);
  }
  compare(a.operand, b.operand);
}

/** For a choice, compares each branch; for two negations, their operands. */
function branches(collector: Collector, a: NumberExpression, b: NumberExpression): boolean {
  switch (a.kind) {
    case 'negate':
      if (b.kind !== 'negate') return false;
      collector.compare(a.operand, b.operand);
      return true;
    case 'minimum':
    case 'maximum':
      collector.define(a);
      collector.compare(a.left, b);
      collector.compare(a.right, b);
      return true;
    case 'if':
      collector.define(a);
      collector.compare(a.then, b);
      collector.compare(a.otherwise, b);
      return true;
    case 'absolute':
      collector.define(a);
      if (b.kind === 'absolute') {
        collector.define(b);
        collector.compare(a.operand, b.operand);
        return true;
      }
      collector.compare(a.operand, b);
      return true;
    default:
      return false;
  }
}

/**
 * An increasing function and a number that is not one of its values: where the function passes the ends of the number's
 * range.
 */
function againstRange(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  if (a.kind !== 'machine' || (b.kind === 'machine' && b.fn === a.fn)) return;
  const { low, high } = collector.knowledge.range(b);
  for (const end of [low, high]) if (end) collector.compare(a, collector.graph.constant(end));
}

/** For a float32 f, e ≤ f implies RN(e) ≤ f, and f ≤ e implies f ≤ RN(e). */
function rounded(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  if (a.kind !== 'round32' || !collector.knowledge.isFloat32(b)) return;
  const { graph, state, compare } = collector;
  const axioms = axiomSet('rounding-monotone', 'rounding-exact');
  state([when(graph.lessEqual(a.operand, b))], graph.lessEqual(a, b), axioms);
  state([when(graph.lessEqual(b, a.operand))], graph.lessEqual(b, a), axioms);
  compare(a.operand, b);
}

/** t ≤ √a exactly where t is negative or t·t ≤ a. */
function roots(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  if (a.kind !== 'sqrt' || b.kind === 'sqrt') return;
  const { graph, state, compare } = collector;
  const square = graph.multiply(b, b);
  const guards = [nonNegative(collector, a.operand), nonNegative(collector, b)];
  state([...guards, when(graph.lessEqual(square, a.operand))], graph.lessEqual(b, a));
  state([...guards, when(graph.lessEqual(a.operand, square))], graph.lessEqual(a, b));
  compare(square, a.operand);
}

function quotients(collector: Collector, a: Binary, b: Binary): void {
  const { graph, state, compare, knowledge } = collector;
  if (a.right === b.right) {
    const guard = positive(collector, a.right);
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      state([guard, when(graph.lessEqual(x.left, y.left))], graph.lessEqual(x, y));
      state([guard, when(graph.less(x.left, y.left))], graph.less(x, y));
      if (!knowledge.positive(a.right)) {
        const negative = when(graph.less(a.right, graph.constant(ZERO)));
        state([negative, when(graph.lessEqual(x.left, y.left))], graph.lessEqual(y, x));
      }
    }
    if (guard.literal !== graph.true) compare(a.right, graph.constant(ZERO));
    return compare(a.left, b.left);
  }
  // A larger dividend over a smaller divisor, all of them positive.
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const)
    state(
      [
        nonNegative(collector, x.left),
        positive(collector, y.right),
        when(graph.lessEqual(x.left, y.left)),
        when(graph.lessEqual(y.right, x.right)),
      ],
      graph.lessEqual(x, y),
    );
  compare(a.left, b.left);
  compare(a.right, b.right);
}

function products(collector: Collector, a: Binary, b: Binary): void {
  const { graph, state, compare } = collector;
  const zero = graph.constant(ZERO);
  const shared = sharedFactor(a, b);
  if (shared) {
    const { factor, first, second } = shared;
    const [up, down] = [nonNegative(collector, factor), nonPositive(collector, factor)];
    for (const [x, y, left, right] of [
      [first, second, a, b],
      [second, first, b, a],
    ] as const) {
      state([up, when(graph.lessEqual(x, y))], graph.lessEqual(left, right));
      state([down, when(graph.lessEqual(x, y))], graph.lessEqual(right, left));
    }
    compare(factor, zero);
    return compare(first, second);
  }
  for (const [x, y] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [first, second] of [
      [y.left, y.right],
      [y.right, y.left],
    ] as const)
      state(
        [
          nonNegative(collector, x.left),
          nonNegative(collector, x.right),
          when(graph.lessEqual(x.left, first)),
          when(graph.lessEqual(x.right, second)),
        ],
        graph.lessEqual(x, y),
      );
  // For squares, the distance from zero decides.
  if (a.left === a.right && b.left === b.right) {
    const [x, y] = [graph.absolute(a.left), graph.absolute(b.left)];
    state([when(graph.lessEqual(x, y))], graph.lessEqual(a, b));
    state([when(graph.lessEqual(y, x))], graph.lessEqual(b, a));
    collector.define(x);
    collector.define(y);
  }
  compare(a.left, b.left);
  compare(a.right, b.right);
}

/** To compare a product with one of its factors, compare the other factor with 1. */
function factors(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  if (a.kind !== 'multiply' || isLinear(a) || (a.left !== b && a.right !== b)) return;
  const { graph, state, compare } = collector;
  const [one, other] = [graph.integer(1), a.left === b ? a.right : a.left];
  const [up, down] = [nonNegative(collector, b), nonPositive(collector, b)];
  state([up, when(graph.lessEqual(other, one))], graph.lessEqual(a, b));
  state([up, when(graph.lessEqual(one, other))], graph.lessEqual(b, a));
  state([down, when(graph.lessEqual(other, one))], graph.lessEqual(b, a));
  state([down, when(graph.lessEqual(one, other))], graph.lessEqual(a, b));
  compare(other, one);
  compare(b, graph.constant(ZERO));
}

/** Compares the unknowns of two linear forms that are of the same kind. */
function compareUnknowns(collector: Collector, a: NumberExpression, b: NumberExpression): void {
  const [allOfA, allOfB] = [unknownsOf(a, 12), unknownsOf(b, 12)];
  if (!allOfA || !allOfB) return;
  // An unknown that occurs on both sides usually cancels, and says nothing about their order.
  const first = allOfA.filter((each) => !allOfB.includes(each));
  const second = allOfB.filter((each) => !allOfA.includes(each));
  for (const x of first) for (const y of second) if (x !== y && x.kind === y.kind) collector.compare(x, y);
  // Within one side, two unknowns of the same kind may be compared: x² − y² ≤ 0.
  for (const side of [first, second])
    if (side.length === 2 && side[0] && side[1] && side[0].kind === side[1].kind) collector.compare(side[0], side[1]);
  const zero = collector.graph.constant(ZERO);
  for (const each of [...first, ...second]) collector.compare(each, zero);
}
