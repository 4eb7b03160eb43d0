/**
 * An interval around every value that an expression takes on the domain of a problem, node by node, using the premises.
 */
import {
  absoluteInterval,
  addDown,
  addIntervals,
  addUp,
  divideIntervals,
  enclose,
  hull,
  intersect,
  magnitude,
  maximumIntervals,
  minimumIntervals,
  multiplyIntervals,
  negateInterval,
  point,
  powerInterval,
  round32Interval,
  sqrtInterval,
  squareInterval,
  subtractIntervals,
  WHOLE,
  type Interval,
} from '../../../numeric/interval.ts';
import { functionInterval, functionUlps, generalPower } from '../../../numeric/interval-elementary.ts';
import { ulp64 } from '../../../numeric/float.ts';
import { isWhole, toFloat } from '../../../numeric/rational.ts';
import type { BooleanExpression, ElementaryFunction, Expression, NumberExpression } from '../../expression.ts';
import type { AxiomId } from '../../axioms.ts';
import type { ProofProblem } from '../../problem.ts';
import { attainedGain, attainedTerm, type AttainedContext } from './attained.ts';
import { selectionOperands, type BinaryNode } from './selection.ts';
import { isTangentGap } from './tangent.ts';
import { truthOf, type RangeOf, type TruthOf } from './truth-of.ts';

/** Variables by name. */
export type Box = ReadonlyMap<string, Interval>;

/** Enclosures of values, computed once per node. */
export interface Ranges {
  readonly range: (node: NumberExpression) => Interval;
  /** True or false on the whole domain, or null if it depends or is not known. */
  readonly truth: (node: BooleanExpression) => boolean | null;
  /** What the ranges given so far assume. */
  readonly axioms: () => readonly AxiomId[];
}

/** The box that the variables' bounds span. */
export function boxOf(problem: ProofProblem): Box {
  return new Map(
    problem.variables.map(({ name, low, high }) => [
      name,
      { low: low ? enclose(low).low : -Infinity, high: high ? enclose(high).high : Infinity },
    ]),
  );
}

/** Ranges over a box; `premises` hold on every point that counts. */
export function createRanges(box: Box, premises: readonly BooleanExpression[]): Ranges {
  const known = new Map<number, Interval>();
  const caps: Caps = { nodes: new Map(), differences: new Map() };
  const used = new Set<AxiomId>();
  const range = (node: NumberExpression): Interval => {
    visitOnce(node, known, (inner) => {
      for (const axiom of axiomsFor(inner)) used.add(axiom);
      const raw = raised(inner, compute(inner, box, range, truth));
      const cap = capOf(inner, caps);
      // Contradictory premises leave no point, so any interval is correct.
      return cap ? (intersect(raw, cap) ?? raw) : raw;
    });
    return known.get(node.id) ?? WHOLE;
  };
  const truth = (node: BooleanExpression): boolean | null => truthOf(node, range, truth);
  const attained = {
    reached: new Map<number, number>(),
    range,
    rangeOver: (node: NumberExpression, over: RangeOf) => compute(node, box, over, truth),
    argumentsOf: numberArguments,
  };
  const raised = (node: NumberExpression, raw: Interval): Interval => {
    if (node.kind === 'round32' && node.operand.kind === 'add') return raisedFloatSum(node, raw, attained);
    if (node.kind !== 'add') return raw;
    const gain = attainedGain(summands(node), attained);
    return gain > 0 ? { low: Math.max(raw.low, addDown(plainLow(node, range), gain)), high: raw.high } : raw;
  };
  // One premise may sharpen another, so a second pass uses the results of the first.
  for (let round = 0; round < 2; round++) {
    for (const premise of premises) applyPremise(premise, range, caps);
    known.clear();
    attained.reached.clear();
  }
  return { range, truth, axioms: () => [...used].toSorted() };
}

function axiomsFor(node: NumberExpression): readonly AxiomId[] {
  // A sum is also bounded by its terms, which rounding does not change.
  if (node.kind === 'round32')
    return node.operand.kind === 'add' ? ['rounding-exact', 'rounding-monotone'] : ['rounding-monotone'];
  if (node.kind === 'add') return isTangentGap(node) ? ['real-convex'] : [];
  return node.kind === 'machine' || node.kind === 'function' || node.kind.endsWith('power')
    ? ['function-envelope', ...(node.kind.startsWith('machine') ? (['rounding-monotone'] as const) : [])]
    : [];
}

/** Computes the operands of `node` before itself, without recursion: sums of a thousand terms are a thousand deep. */
function visitOnce(
  node: NumberExpression,
  known: Map<number, Interval>,
  computeOne: (node: NumberExpression) => Interval,
): void {
  if (known.has(node.id)) return;
  const stack: NumberExpression[] = [node];
  while (stack.length > 0) {
    const top = stack.at(-1);
    if (top === undefined) return;
    if (known.has(top.id)) {
      stack.pop();
      continue;
    }
    const waiting = numberArguments(top).filter(({ id }) => !known.has(id));
    if (waiting.length > 0) stack.push(...waiting);
    else {
      known.set(top.id, computeOne(top));
      stack.pop();
    }
  }
}

/** The arguments that are numbers; those of a condition are handled with it. */
export function numberArguments(node: Expression): readonly NumberExpression[] {
  if (node.sort === 'boolean') return [];
  switch (node.kind) {
    case 'constant':
    case 'variable':
      return [];
    case 'if':
      return [node.then, node.otherwise];
    case 'add':
    case 'multiply':
    case 'divide':
    case 'minimum':
    case 'maximum':
    case 'power':
    case 'machine-power':
    case 'modulo':
    case 'remainder':
      return [node.left, node.right];
    default:
      return [node.operand];
  }
}

function compute(node: NumberExpression, box: Box, range: RangeOf, truth: TruthOf): Interval {
  switch (node.kind) {
    case 'constant':
      return enclose(node.value);
    case 'variable':
      return box.get(node.name) ?? WHOLE;
    case 'add':
      return sumRange(node, range);
    case 'multiply':
      return node.left === node.right
        ? squareInterval(range(node.left))
        : multiplyIntervals(range(node.left), range(node.right));
    case 'divide':
      return quotientRange(node.left, node.right, range);
    case 'minimum':
      return minimumIntervals(range(node.left), range(node.right));
    case 'maximum':
      return maximumIntervals(range(node.left), range(node.right));
    case 'negate':
      return negateInterval(range(node.operand));
    case 'absolute':
      return absoluteInterval(range(node.operand));
    case 'sqrt':
      return sqrtInterval(range(node.operand));
    case 'round32':
      return round32Interval(range(node.operand));
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up':
      return steppedRange(node.kind, range(node.operand));
    case 'function':
      return functionInterval(node.fn, range(node.operand));
    case 'machine':
      return machineInterval(node.fn, range(node.operand));
    case 'power':
      return powerRange(node.left, node.right, range);
    case 'machine-power':
      return round32Interval(widened(powerRange(node.left, node.right, range), functionUlps.pow + 1));
    case 'modulo':
      return moduloRange(range(node.right));
    case 'remainder':
      return remainderRange(range(node.left), range(node.right));
    case 'if': {
      const holds = truth(node.condition);
      if (holds !== null) return range(holds ? node.then : node.otherwise);
      return hull(range(node.then), range(node.otherwise));
    }
  }
}

/** The float32 function is the float64 one, rounded; the float64 one has the error given in the table. */
function machineInterval(fn: ElementaryFunction, x: Interval): Interval {
  return round32Interval(widened(functionInterval(fn, x), functionUlps[fn] + 1));
}

function widened({ low, high }: Interval, ulps: number): Interval {
  return {
    low: Number.isFinite(low) ? addDown(low, -ulps * ulp64(low)) : low,
    high: Number.isFinite(high) ? addUp(high, ulps * ulp64(high)) : high,
  };
}

/** x − max(…, x, …) is at most 0, x − min(…, x, …) at least 0, and so is a convex function minus its tangent. */
function sumRange(node: BinaryNode, range: RangeOf): Interval {
  const sum = addIntervals(range(node.left), range(node.right));
  if (isTangentGap(node)) return { low: Math.max(sum.low, 0), high: Math.max(sum.high, 0) };
  const difference = asDifference(node);
  if (difference === null) return sum;
  const [from, subtracted] = difference;
  const atMost = isOperandOf(from, subtracted, 'maximum') || isOperandOf(subtracted, from, 'minimum');
  const atLeast = isOperandOf(from, subtracted, 'minimum') || isOperandOf(subtracted, from, 'maximum');
  return {
    low: atLeast ? Math.max(sum.low, 0) : sum.low,
    high: atMost ? Math.min(sum.high, 0) : sum.high,
  };
}

function asDifference(node: BinaryNode): readonly [NumberExpression, NumberExpression] | null {
  if (node.right.kind === 'negate') return [node.left, node.right.operand];
  return node.left.kind === 'negate' ? [node.right, node.left.operand] : null;
}

function isOperandOf(operand: NumberExpression, of: NumberExpression, kind: 'minimum' | 'maximum'): boolean {
  if ((of.kind !== 'minimum' && of.kind !== 'maximum') || of.kind !== kind) return false;
  const operands = selectionOperands(of);
  return choicesOf(operand).every((choice) => operands.has(choice));
}

/** The numbers that a node may equal, whatever its conditions: `z[y]` is an element of z. */
function choicesOf(node: NumberExpression): readonly NumberExpression[] {
  const seen = new Set([node]);
  for (const one of seen) if (one.kind === 'if') seen.add(one.then).add(one.otherwise);
  return [...seen].filter(({ kind }) => kind !== 'if');
}

/**
 * A float32 sum of nonnegative float32 numbers is at least each of them: RN(a + b) ≥ RN(b) = b for a ≥ 0. So it is at least the
 * term that is known to be large in each case.
 */
function raisedFloatSum(node: NumberExpression, raw: Interval, context: AttainedContext): Interval {
  const terms = floatSummands(node);
  if (terms === null) return raw;
  const reached = attainedTerm(terms, context);
  return reached > raw.low && terms.every((term) => context.range(term).low >= 0)
    ? { low: Math.min(reached, raw.high), high: raw.high }
    : raw;
}

/** The terms of a sum whose every step is rounded; null if one of them need not be a float32 number. */
function floatSummands(node: NumberExpression): readonly NumberExpression[] | null {
  const terms: NumberExpression[] = [];
  const stack = [node];
  for (let top = stack.pop(); top && terms.length <= 1024; top = stack.pop()) {
    if (top.kind === 'round32' && top.operand.kind === 'add') stack.push(top.operand.right, top.operand.left);
    else if (top.kind === 'round32' || top.kind === 'machine') terms.push(top);
    else return null;
  }
  return terms;
}

/** The sum of the lower ends of a sum's terms, without what is known about them together. */
function plainLow(node: NumberExpression, range: RangeOf): number {
  return summands(node).reduce((sum, term) => addDown(sum, range(term).low), 0);
}

/** a/b is at most 1 if b is a sum of nonnegative parts including a. */
function quotientRange(left: NumberExpression, right: NumberExpression, range: RangeOf): Interval {
  const quotient = divideIntervals(range(left), range(right));
  const parts = summands(right);
  if (quotient.high <= 1 || !parts.includes(left)) return quotient;
  if (parts.some((part) => range(part).low < 0)) return quotient;
  return { low: Math.max(0, quotient.low), high: 1 };
}

/** The terms of a sum, with nested sums flattened except those that are `closed`; at most 4096 of them. */
export function summands(node: NumberExpression, closed?: ReadonlySet<NumberExpression>): readonly NumberExpression[] {
  const found: NumberExpression[] = [];
  const stack = [node];
  while (stack.length > 0 && found.length + stack.length <= 4096) {
    const top = stack.pop();
    if (top?.kind === 'add' && (top === node || closed?.has(top) !== true)) stack.push(top.right, top.left);
    else if (top) found.push(top);
  }
  return [...found, ...stack.toReversed()];
}

function steppedRange(
  kind: 'floor' | 'ceiling' | 'truncate' | 'round-half-even' | 'round-half-up',
  { low, high }: Interval,
): Interval {
  switch (kind) {
    case 'floor':
      return { low: Math.floor(low), high: Math.floor(high) };
    case 'ceiling':
      return { low: Math.ceil(low), high: Math.ceil(high) };
    case 'truncate':
      return { low: Math.trunc(low), high: Math.trunc(high) };
    default:
      return { low: Math.floor(low), high: Math.ceil(high) };
  }
}

function powerRange(left: NumberExpression, right: NumberExpression, range: RangeOf): Interval {
  if (right.kind === 'constant' && isWhole(right.value)) {
    const exponent = toFloat(right.value);
    if (exponent >= 0 && exponent <= 1024) return powerInterval(range(left), exponent);
    if (exponent < 0 && exponent >= -1024) return divideIntervals(point(1), powerInterval(range(left), -exponent));
  }
  return generalPower(range(left), range(right));
}

/** Between 0 and the divisor, whichever its sign. */
function moduloRange(divisor: Interval): Interval {
  return { low: Math.min(0, divisor.low), high: Math.max(0, divisor.high) };
}

/** Smaller than the divisor, no larger than the dividend, and of the dividend's sign. */
function remainderRange(dividend: Interval, divisor: Interval): Interval {
  const size = Math.min(magnitude(dividend), magnitude(divisor));
  return { low: dividend.low >= 0 ? 0 : -size, high: dividend.high <= 0 ? 0 : size };
}

/** What premises say about nodes. */
interface Caps {
  /** By id. */
  readonly nodes: Map<number, Interval>;
  /** Of differences, by `differenceKey`: a premise about a − b is one about −b + a and b − a too, which are other nodes. */
  readonly differences: Map<string, Interval>;
}

const differenceKey = (from: NumberExpression, subtracted: NumberExpression): string => `${from.id} - ${subtracted.id}`;

function capOf(node: NumberExpression, { nodes, differences }: Caps): Interval | undefined {
  const difference = differences.size > 0 && node.kind === 'add' ? asDifference(node) : null;
  const same = difference && differences.get(differenceKey(...difference));
  const cap = nodes.get(node.id);
  return same ? (intersect(same, cap ?? WHOLE) ?? cap) : cap;
}

function capDifference(
  from: NumberExpression,
  subtracted: NumberExpression,
  interval: Interval,
  { differences }: Caps,
): void {
  const key = differenceKey(from, subtracted);
  differences.set(key, intersect(differences.get(key) ?? WHOLE, interval) ?? interval);
}

/** Narrows ranges according to a premise; a premise that it does not understand has no effect. */
function applyPremise(premise: BooleanExpression, range: RangeOf, caps: Caps): void {
  const cap = (node: NumberExpression, interval: Interval): void => {
    const before = caps.nodes.get(node.id) ?? WHOLE;
    const narrower = intersect(before, interval);
    if (narrower === null || (narrower.low === before.low && narrower.high === before.high)) return;
    caps.nodes.set(node.id, narrower);
    if (node.kind === 'negate') cap(node.operand, negateInterval(narrower));
    if (node.kind === 'absolute' && narrower.high >= 0) cap(node.operand, { low: -narrower.high, high: narrower.high });
    if (node.kind === 'add') {
      const [from, subtracted] = asDifference(node) ?? [];
      if (from && subtracted) {
        capDifference(from, subtracted, narrower, caps);
        capDifference(subtracted, from, negateInterval(narrower), caps);
      }
      cap(node.left, subtractIntervals(narrower, range(node.right)));
      cap(node.right, subtractIntervals(narrower, range(node.left)));
    }
  };
  switch (premise.kind) {
    case 'and':
      for (const part of premise.operands) applyPremise(part, range, caps);
      return;
    case 'less':
    case 'less-equal':
      cap(premise.left, { low: -Infinity, high: range(premise.right).high });
      cap(premise.right, { low: range(premise.left).low, high: Infinity });
      return;
    case 'equal':
      cap(premise.left, range(premise.right));
      cap(premise.right, range(premise.left));
      return;
    case 'not':
      if (premise.operand.kind === 'less' || premise.operand.kind === 'less-equal') {
        cap(premise.operand.left, { low: range(premise.operand.right).low, high: Infinity });
        cap(premise.operand.right, { low: -Infinity, high: range(premise.operand.left).high });
      }
      return;
    default:
  }
}
