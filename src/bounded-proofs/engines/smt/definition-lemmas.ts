/** Lemmas that define a node, as far as a linear solver understands them. */
import { multiplyRational, negateRational, ONE, ZERO, type Rational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import { axiomSet } from './axiom-set.ts';
import { nonNegative, nonPositive, positive, when, type Collector, type Guard } from './lemma.ts';
import type { Binary, Unary } from './node-shapes.ts';

/** States the definition of a node exactly if it is linear, and otherwise its sign and its order relative to its operands. */
export function defineNode(collector: Collector, node: NumberExpression): void {
  const { graph, state } = collector;
  switch (node.kind) {
    case 'maximum':
    case 'minimum': {
      const { left, right } = node;
      for (const operand of [left, right])
        state([], node.kind === 'maximum' ? graph.lessEqual(operand, node) : graph.lessEqual(node, operand));
      return state([], graph.or([graph.equal(node, left), graph.equal(node, right)]));
    }
    case 'absolute': {
      const opposite = graph.negate(node.operand);
      state([], graph.lessEqual(node.operand, node));
      state([], graph.lessEqual(opposite, node));
      return state([], graph.or([graph.equal(node, node.operand), graph.equal(node, opposite)]));
    }
    case 'if':
      state([when(node.condition)], graph.equal(node, node.then));
      return state([when(graph.not(node.condition))], graph.equal(node, node.otherwise));
    case 'round32':
      return defineRounding(collector, node);
    case 'multiply':
      return defineProduct(collector, node);
    case 'floor':
    case 'ceiling':
      return defineStep(collector, node);
    case 'truncate':
      return defineTruncation(collector, node);
    case 'round-half-even':
    case 'round-half-up': {
      const half = graph.constant({ numerator: 1n, denominator: 2n });
      state([], graph.lessEqual(node, graph.add(node.operand, half)));
      return state([], graph.lessEqual(graph.subtract(node.operand, half), node));
    }
    case 'modulo':
      return defineModulo(collector, node);
    case 'power':
      return definePower(collector, node);
    default:
      return;
  }
}

const exactRounding = axiomSet('rounding-exact');
const boundedRounding = axiomSet('rounding-monotone', 'rounding-exact');

/** RN(a + b) relative to a and b: adding a nonnegative number does not decrease a sum, even after rounding. */
function defineRounding(collector: Collector, node: Unary): void {
  const { graph, state, knowledge } = collector;
  const { operand } = node;
  if (knowledge.isFloat32(operand)) return state([], graph.equal(node, operand), exactRounding);
  if (operand.kind !== 'add') return;
  for (const [kept, added] of [
    [operand.left, operand.right],
    [operand.right, operand.left],
  ] as const) {
    if (!knowledge.isFloat32(kept)) continue;
    state([nonNegative(collector, added)], graph.lessEqual(kept, node), boundedRounding);
    state([nonPositive(collector, added)], graph.lessEqual(node, kept), boundedRounding);
  }
}

/**
 * The error of one rounding, as a share of the result's size and an absolute part for underflow; a sum has no absolute
 * part.
 */
export function boundRounding(collector: Collector, node: Unary): void {
  const { graph, state, knowledge } = collector;
  const { operand } = node;
  if (knowledge.isFloat32(operand)) return;
  const isSum = operand.kind === 'add' && knowledge.isFloat32(operand.left) && knowledge.isFloat32(operand.right);
  const underflow: Rational = isSum ? ZERO : { numerator: 1n, denominator: 1n << 150n };
  const range = knowledge.range(operand);
  const limit: Rational = { numerator: (1n << 128n) - (1n << 104n), denominator: 1n };
  const guards: Guard[] = [
    when(graph.lessEqual(operand, graph.constant(limit))),
    when(graph.lessEqual(graph.constant(negateRational(limit)), operand)),
  ];
  const inRange =
    range.low !== null && range.high !== null && isWithin(range.low, limit) && isWithin(range.high, limit);
  const used = inRange ? [{ literal: graph.true, axioms: range.axioms }] : guards;
  const axioms = axiomSet(isSum ? 'rounding-addition' : 'rounding-relative');
  const unit = graph.constant({ numerator: 1n, denominator: 1n << 24n });
  const within = (guard: Guard, size: NumberExpression): void => {
    const error = graph.add(graph.multiply(unit, size), graph.constant(underflow));
    state([...used, guard], graph.lessEqual(node, graph.add(operand, error)), axioms);
    state([...used, guard], graph.lessEqual(graph.subtract(operand, error), node), axioms);
  };
  const [up, down] = [nonNegative(collector, operand), nonPositive(collector, operand)];
  if (down.literal !== graph.true) within(up, operand);
  if (up.literal !== graph.true) within(down, graph.negate(operand));
  if (up.literal === graph.true && down.literal === graph.true) within(up, operand);
}

function isWithin(value: Rational, limit: Rational): boolean {
  const magnitude = value.numerator < 0n ? -value.numerator : value.numerator;
  return magnitude <= limit.numerator * value.denominator;
}

/** The sign of a product, and of a square; relative to constants if the ranges of both factors are known (McCormick 1976). */
function defineProduct(collector: Collector, node: Binary): void {
  const { graph, state, knowledge } = collector;
  const { left, right } = node;
  const zero = graph.constant(ZERO);
  if (left === right) {
    state([], graph.lessEqual(zero, node));
    // Tangents of the parabola at 1 and −1.
    const one = graph.constant(ONE);
    state([], graph.lessEqual(graph.subtract(graph.multiply(graph.integer(2), left), one), node));
    state([], graph.lessEqual(graph.subtract(graph.multiply(graph.integer(-2), left), one), node));
    state([positive(collector, left)], graph.less(zero, node));
    state([when(graph.less(left, zero))], graph.less(zero, node));
  } else {
    const signs = [left, right].map((factor) => [nonNegative(collector, factor), nonPositive(collector, factor)]);
    const [[up, down] = [], [alsoUp, alsoDown] = []] = signs;
    if (up && down && alsoUp && alsoDown) {
      state([up, alsoUp], graph.lessEqual(zero, node));
      state([down, alsoDown], graph.lessEqual(zero, node));
      state([up, alsoDown], graph.lessEqual(node, zero));
      state([down, alsoUp], graph.lessEqual(node, zero));
    }
    state([positive(collector, left), positive(collector, right)], graph.less(zero, node));
  }
  const [a, b] = [knowledge.range(left), knowledge.range(right)];
  const known: Guard = { literal: graph.true, axioms: new Set([...a.axioms, ...b.axioms]) };
  for (const [p, q, isLower] of [
    [a.low, b.low, true],
    [a.high, b.high, true],
    [a.high, b.low, false],
    [a.low, b.high, false],
  ] as const) {
    if (p === null || q === null) continue;
    // The sign of (left − p)·(right − q) is constant on the ranges.
    const plane = graph.add(
      graph.add(graph.multiply(graph.constant(p), right), graph.multiply(graph.constant(q), left)),
      graph.constant(negateRational(multiplyRational(p, q))),
    );
    state([known], isLower ? graph.lessEqual(plane, node) : graph.lessEqual(node, plane));
  }
}

/** ⌊a⌋ ≤ a < ⌊a⌋ + 1, and its mirror image for the ceiling; for a quotient of whole numbers, stated in whole numbers. */
function defineStep({ graph, state, knowledge }: Collector, node: Unary): void {
  const { operand } = node;
  const isFloor = node.kind === 'floor';
  const isQuotient =
    operand.kind === 'divide' &&
    operand.right.kind === 'constant' &&
    operand.right.value.numerator > 0n &&
    knowledge.isInteger(operand.left) &&
    knowledge.isInteger(operand.right);
  if (isQuotient) {
    const scaled = graph.multiply(operand.right, node);
    const rest = graph.subtract(operand.right, graph.integer(1));
    const [low, high] = isFloor ? [scaled, graph.add(scaled, rest)] : [graph.subtract(scaled, rest), scaled];
    state([], graph.lessEqual(low, operand.left));
    return state([], graph.lessEqual(operand.left, high));
  }
  const one = graph.integer(1);
  state([], isFloor ? graph.lessEqual(node, operand) : graph.lessEqual(operand, node));
  state([], isFloor ? graph.less(operand, graph.add(node, one)) : graph.less(node, graph.add(operand, one)));
}

function defineTruncation(collector: Collector, node: Unary): void {
  const { graph, state } = collector;
  const one = graph.integer(1);
  const [up, down] = [nonNegative(collector, node.operand), nonPositive(collector, node.operand)];
  const zero = graph.constant(ZERO);
  state([up], graph.and([graph.lessEqual(zero, node), graph.lessEqual(node, node.operand)]));
  state([up], graph.less(node.operand, graph.add(node, one)));
  state([down], graph.and([graph.lessEqual(node, zero), graph.lessEqual(node.operand, node)]));
  state([down], graph.less(graph.subtract(node, one), node.operand));
}

/** left − right·⌊left/right⌋ for a constant right; for any other positive divisor, only the bounds 0 and the divisor. */
function defineModulo(collector: Collector, node: Binary): void {
  const { graph, state } = collector;
  const zero = graph.constant(ZERO);
  const guard = positive(collector, node.right);
  state([guard], graph.lessEqual(zero, node));
  state([guard], graph.less(node, node.right));
  state([guard, nonNegative(collector, node.left)], graph.lessEqual(node, node.left));
  if (node.right.kind !== 'constant' || node.right.value.numerator <= 0n) return;
  const steps = graph.step('floor', graph.divide(node.left, node.right));
  collector.define(steps);
  state([], graph.equal(node, graph.subtract(node.left, graph.multiply(node.right, steps))));
}

/** A power with a small whole exponent is a product. */
function definePower(collector: Collector, node: Binary): void {
  const { graph, state, define } = collector;
  const { left, right } = node;
  if (right.kind !== 'constant' || right.value.denominator !== 1n) return;
  const exponent = right.value.numerator;
  if (exponent < 1n || exponent > 8n) return;
  let product = left;
  for (let i = 1n; i < exponent; i += 1n) {
    product = graph.multiply(product, left);
    define(product);
  }
  state([], graph.equal(node, product));
}
