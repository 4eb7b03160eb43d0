/** Lemmas that relate a number to a constant: thresholds of roundings and of functions, quotients and products by sign. */
import {
  compareRational,
  divideRational,
  fromFloat,
  multiplyRational,
  negateRational,
  ONE,
  subtractRational,
  ZERO,
  type Rational,
} from '../../../numeric/rational.ts';
import { float32FromOrdinal, float32Ordinal, MAX_FLOAT32, nextDown32, nextUp32 } from '../../../numeric/float.ts';
import type { ElementaryFunction, NumberExpression } from '../../expression.ts';
import { axiomSet } from './axiom-set.ts';
import { factsOf, machineValue } from './elementary-facts.ts';
import { ceilingFloat32, floorFloat32, isFloat32Value } from './float32-bounds.ts';
import { nonNegative, positive, when, type Collector } from './lemma.ts';
import { unknownsOf } from './linear.ts';
import type { Binary, Unary } from './node-shapes.ts';

const rounding = axiomSet('rounding-monotone', 'rounding-exact');

/** States the conditions under which a number is below or above a constant, and requests lemmas about the operands. */
export function compareWithConstant(collector: Collector, node: NumberExpression, value: Rational): void {
  switch (node.kind) {
    case 'round32':
      for (const threshold of around(value)) onEitherSide(collector, node, node.operand, fromFloat(threshold));
      return;
    case 'machine':
    case 'function':
      return compareFunction(collector, node, value);
    case 'sqrt':
      return compareRoot(collector, node, value);
    case 'divide':
      if (node.right.kind !== 'constant') return compareQuotient(collector, node, value);
      return collector.compare(node.left, collector.graph.constant(multiplyRational(value, node.right.value)));
    case 'multiply':
      return compareProduct(collector, node, value);
    case 'negate':
      return collector.compare(node.operand, collector.graph.constant(negateRational(value)));
    case 'add':
      return compareSum(collector, node, value);
    case 'minimum':
    case 'maximum':
      collector.define(node);
      collector.compare(node.left, collector.graph.constant(value));
      return collector.compare(node.right, collector.graph.constant(value));
    case 'if':
      collector.define(node);
      collector.compare(node.then, collector.graph.constant(value));
      return collector.compare(node.otherwise, collector.graph.constant(value));
    case 'absolute':
      collector.define(node);
      collector.compare(node.operand, collector.graph.constant(value));
      return collector.compare(node.operand, collector.graph.constant(negateRational(value)));
    case 'constant':
    case 'variable':
      return;
    default:
      return collector.define(node);
  }
}

/** The constant, if it is a float32, and its float32 neighbour. */
function around(value: Rational): readonly number[] {
  const [below, above] = [floorFloat32(value), ceilingFloat32(value)];
  const exact = isFloat32Value(value);
  const candidates = exact && below !== null ? [nextDown32(below), below, nextUp32(below)] : [below, above];
  return candidates.filter((each) => each !== null).filter((each) => Math.abs(each) <= MAX_FLOAT32);
}

/** RN(e) ≤ f where e ≤ f, and f ≤ RN(e) where f ≤ e, for a float32 f. */
function onEitherSide(collector: Collector, result: NumberExpression, operand: NumberExpression, at: Rational): void {
  const { graph, state, compare } = collector;
  const threshold = graph.constant(at);
  state([when(graph.lessEqual(operand, threshold))], graph.lessEqual(result, threshold), rounding);
  state([when(graph.lessEqual(threshold, operand))], graph.lessEqual(threshold, result), rounding);
  compare(operand, threshold);
}

function compareFunction(
  collector: Collector,
  node: NumberExpression & { readonly kind: 'machine' | 'function' },
  value: Rational,
): void {
  const { graph, state, compare } = collector;
  const { increasing, point } = factsOf(node.kind, node.fn);
  if (!increasing) return;
  const isDefined = increasing.from === null ? [] : [positive(collector, node.operand)];
  const at = (argument: Rational, result: Rational, axioms: ReturnType<typeof axiomSet>): void => {
    const [threshold, image] = [graph.constant(argument), graph.constant(result)];
    // Below the threshold the operand may be outside the domain; at or above it, it is inside.
    state([...isDefined, when(graph.lessEqual(node.operand, threshold))], graph.lessEqual(node, image), axioms);
    state([when(graph.lessEqual(threshold, node.operand))], graph.lessEqual(image, node), axioms);
    compare(node.operand, threshold);
  };
  if (node.kind === 'function') {
    if (!point) return;
    const axioms = axiomSet(increasing.axiom, 'real-range');
    at(fromFloat(point.at), fromFloat(point.value), axioms);
    // The same for strict inequalities.
    const [threshold, image] = [graph.integer(point.at), graph.integer(point.value)];
    state([...isDefined, when(graph.less(node.operand, threshold))], graph.less(node, image), axioms);
    state([when(graph.less(threshold, node.operand))], graph.less(image, node), axioms);
    return;
  }
  const axioms = axiomSet(increasing.axiom, 'machine-value');
  for (const argument of preimageOf(node.fn, value, increasing.from))
    at(fromFloat(argument), fromFloat(machineValue(node.fn, argument)), axioms);
}

/**
 * The largest float32 whose image is at most `value`, and its successor; also around the image `value` itself, so that
 * strict claims have a threshold. Only arguments with a finite image.
 */
function preimageOf(fn: ElementaryFunction, value: Rational, from: number | null): readonly number[] {
  const isAtMost = (ordinal: number): boolean => {
    const image = machineValue(fn, float32FromOrdinal(ordinal));
    return Number.isFinite(image) ? compareRational(fromFloat(image), value) <= 0 : image < 0;
  };
  const isBelow = (ordinal: number): boolean => {
    const image = machineValue(fn, float32FromOrdinal(ordinal));
    return Number.isFinite(image) ? compareRational(fromFloat(image), value) < 0 : image < 0;
  };
  const lowest = from === null ? -float32Ordinal(MAX_FLOAT32) : float32Ordinal(from) + 1;
  const lastAtMost = lastWhere(isAtMost, lowest);
  const lastBelow = lastWhere(isBelow, lowest);
  const ordinals = new Set([lastBelow, lastBelow + 1, lastAtMost, lastAtMost + 1]);
  return [...ordinals]
    .filter((ordinal) => ordinal >= lowest && ordinal <= float32Ordinal(MAX_FLOAT32))
    .map(float32FromOrdinal)
    .filter((argument) => Number.isFinite(machineValue(fn, argument)));
}

/**
 * The last ordinal of a finite float32 for which `holds`, a condition that is true up to some point; `lowest − 1` if it
 * is never true.
 */
function lastWhere(holds: (ordinal: number) => boolean, lowest: number): number {
  let [low, high] = [lowest - 1, float32Ordinal(MAX_FLOAT32) + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function compareRoot(collector: Collector, node: Unary, value: Rational): void {
  if (value.numerator < 0n) return;
  const { graph, state, compare } = collector;
  const [root, square] = [graph.constant(value), graph.constant(multiplyRational(value, value))];
  const isDefined = nonNegative(collector, node.operand);
  state([isDefined, when(graph.lessEqual(node.operand, square))], graph.lessEqual(node, root));
  state([when(graph.lessEqual(square, node.operand))], graph.lessEqual(root, node));
  state([when(graph.less(square, node.operand))], graph.less(root, node));
  compare(node.operand, square);
}

/** Comparing a/b with c is comparing a with c·b, reversed if b is negative. */
function compareQuotient(collector: Collector, node: Binary, value: Rational): void {
  const { graph, state, compare, knowledge } = collector;
  const constant = graph.constant(value);
  const scaled = graph.multiply(constant, node.right);
  const whenPositive = positive(collector, node.right);
  const relations = [
    (a: NumberExpression, b: NumberExpression) => graph.less(a, b),
    (a: NumberExpression, b: NumberExpression) => graph.lessEqual(a, b),
  ];
  for (const relate of relations) {
    state([whenPositive, when(relate(node.left, scaled))], relate(node, constant));
    state([whenPositive, when(relate(scaled, node.left))], relate(constant, node));
  }
  if (whenPositive.literal !== graph.true) {
    const { high } = knowledge.range(node.right);
    if (high === null || high.numerator < 0n || knowledge.range(node.right).low === null) {
      const whenNegative = when(graph.less(node.right, graph.constant(ZERO)));
      for (const relate of relations) {
        state([whenNegative, when(relate(node.left, scaled))], relate(constant, node));
        state([whenNegative, when(relate(scaled, node.left))], relate(node, constant));
      }
    }
    compare(node.right, graph.constant(ZERO));
  }
  compare(node.left, scaled);
}

function compareProduct(collector: Collector, node: Binary, value: Rational): void {
  const { graph, compare, define } = collector;
  const [factor, other] = node.left.kind === 'constant' ? [node.left, node.right] : [node.right, node.left];
  if (factor.kind === 'constant') {
    if (factor.value.numerator !== 0n) compare(other, graph.constant(divideRational(value, factor.value)));
    return;
  }
  define(node);
  compare(factor, graph.constant(ZERO));
  compare(other, graph.constant(ZERO));
  if (value.numerator !== 0n) {
    compare(factor, graph.constant(ONE));
    compare(other, graph.constant(ONE));
  }
}

/** For a sum with one unknown, a comparison of that unknown; for one with more, the sign of each. */
function compareSum(collector: Collector, node: Binary, value: Rational): void {
  const { graph, compare } = collector;
  const [constant, rest] = node.left.kind === 'constant' ? [node.left, node.right] : [node.right, node.left];
  if (constant.kind === 'constant') return compare(rest, graph.constant(subtractRational(value, constant.value)));
  const { left, right } = node;
  if (right.kind === 'negate') compare(left, right.operand);
  if (left.kind === 'negate') compare(right, left.operand);
  for (const unknown of unknownsOf(node, 16) ?? []) compare(unknown, graph.constant(ZERO));
}
