/** Ranges of numbers from the ranges of their arguments, by exact rational arithmetic, rounded outwards where it grows long. */
import { nextDown64, nextUp64 } from '../../../numeric/float.ts';
import {
  addRational,
  bitLength,
  compareRational,
  divideRational,
  floorRational,
  fromFloat,
  multiplyRational,
  negateRational,
  ONE,
  toFloat,
  ZERO,
  type Rational,
} from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import { axiomSet, noAxioms, unionOf, type AxiomSet } from './axiom-set.ts';
import { factsOf, machineValue } from './elementary-facts.ts';
import { roundRational32 } from '../../../numeric/round-rational.ts';
import { ceilingFloat32, floorFloat32 } from './float32-bounds.ts';
import type { Knowledge, Range } from './known.ts';
import type { Binary } from './node-shapes.ts';

/** The range of a number about which nothing is known. */
export const everything: Range = { low: null, high: null, axioms: noAxioms };

type End = Rational | null;

/** The intersection, which rests on the axioms of both. */
export function intersect(a: Range, b: Range): Range {
  return { low: laterOf(a.low, b.low), high: earlierOf(a.high, b.high), axioms: unionOf(a.axioms, b.axioms) };
}

/** The range of a node; the ranges of its arguments are known. */
export function rangeOf(node: NumberExpression, knowledge: Knowledge): Range {
  const { low, high, axioms } = plainRange(node, knowledge);
  return { low: shortened(low, 'down'), high: shortened(high, 'up'), axioms };
}

function plainRange(node: NumberExpression, knowledge: Knowledge): Range {
  const { range } = knowledge;
  switch (node.kind) {
    case 'constant':
      return { low: node.value, high: node.value, axioms: noAxioms };
    case 'variable': {
      const variable = knowledge.variable(node.name);
      return variable ? { low: variable.low, high: variable.high, axioms: noAxioms } : everything;
    }
    case 'add':
      return sumRange(node, knowledge);
    case 'multiply':
      return node.left === node.right
        ? intersect(productRange(range(node.left), range(node.right)), { ...everything, low: ZERO })
        : productRange(range(node.left), range(node.right));
    case 'divide':
      return quotientRange(node, knowledge);
    case 'negate': {
      const { low, high, axioms } = range(node.operand);
      return { low: high && negateRational(high), high: low && negateRational(low), axioms };
    }
    case 'absolute':
      return magnitude(range(node.operand));
    case 'minimum':
    case 'maximum': {
      const [a, b] = [range(node.left), range(node.right)];
      const axioms = unionOf(a.axioms, b.axioms);
      return node.kind === 'minimum'
        ? { low: bothOf(a.low, b.low, -1), high: earlierOf(a.high, b.high), axioms }
        : { low: laterOf(a.low, b.low), high: bothOf(a.high, b.high, 1), axioms };
    }
    case 'if': {
      const [a, b] = [range(node.then), range(node.otherwise)];
      return {
        low: bothOf(a.low, b.low, -1),
        high: bothOf(a.high, b.high, 1),
        axioms: unionOf(a.axioms, b.axioms),
      };
    }
    case 'sqrt': {
      const { low, high, axioms } = range(node.operand);
      // A negative number has no root, so nothing is said about the node there.
      if (low === null || low.numerator < 0n) return everything;
      return { low: rootBelow(low), high: high && rootAbove(high), axioms };
    }
    case 'round32': {
      const { low, high, axioms } = range(node.operand);
      return {
        low: low && roundRational32(low),
        high: high && roundRational32(high),
        axioms: unionOf(axioms, axiomSet('rounding-monotone', 'rounding-exact')),
      };
    }
    case 'machine':
    case 'function':
      return elementaryRange(node, range(node.operand));
    case 'floor':
    case 'ceiling':
    case 'truncate':
    case 'round-half-even':
    case 'round-half-up': {
      const { low, high, axioms } = range(node.operand);
      // Each of them is at least the floor and at most the ceiling.
      return { low: low && whole(floorRational(low)), high: high && whole(ceilingRational(high)), axioms };
    }
    case 'power':
      return isEvenConstant(node.right) ? { ...everything, low: ZERO } : everything;
    case 'modulo': {
      const { low, high, axioms } = range(node.right);
      return low !== null && low.numerator > 0n ? { low: ZERO, high, axioms } : everything;
    }
    case 'remainder': {
      // The remainder has the sign of the dividend and is no further from zero.
      const { low, high, axioms } = range(node.left);
      return { low: bothOf(low, ZERO, -1), high: bothOf(high, ZERO, 1), axioms };
    }
    case 'machine-power':
      return everything;
  }
}

function sumRange(node: Binary, knowledge: Knowledge): Range {
  const { range } = knowledge;
  const [a, b] = [range(node.left), range(node.right)];
  const plain: Range = {
    low: a.low && b.low && addRational(a.low, b.low),
    high: a.high && b.high && addRational(a.high, b.high),
    axioms: unionOf(a.axioms, b.axioms),
  };
  const difference = asDifference(node);
  if (!difference) return plain;
  const { minuend, subtrahend } = difference;
  const under = knowledge.below(minuend, subtrahend);
  const over = knowledge.below(subtrahend, minuend);
  const capped = under ? intersect(plain, { low: null, high: ZERO, axioms: under }) : plain;
  return over ? intersect(capped, { low: ZERO, high: null, axioms: over }) : capped;
}

/** a + (−b) as a − b. */
function asDifference(
  node: NumberExpression,
): { readonly minuend: NumberExpression; readonly subtrahend: NumberExpression } | null {
  if (node.kind !== 'add') return null;
  if (node.right.kind === 'negate') return { minuend: node.left, subtrahend: node.right.operand };
  if (node.left.kind === 'negate') return { minuend: node.right, subtrahend: node.left.operand };
  return null;
}

function productRange(a: Range, b: Range): Range {
  const axioms = unionOf(a.axioms, b.axioms);
  if (a.low && a.high && b.low && b.high) {
    const corners = [a.low, a.high].flatMap((x) => [b.low, b.high].map((y) => multiplyRational(x, y ?? ZERO)));
    return { low: corners.reduce(least), high: corners.reduce(greatest), axioms };
  }
  const [signA, signB] = [signOf(a), signOf(b)];
  if (signA === 0 || signB === 0) return everything;
  return signA === signB
    ? { low: signA > 0 && a.low && b.low ? multiplyRational(a.low, b.low) : ZERO, high: null, axioms }
    : { low: null, high: ZERO, axioms };
}

function quotientRange(node: Binary, knowledge: Knowledge): Range {
  const dividend = knowledge.range(node.left);
  const divisor = knowledge.range(node.right);
  const { low, high } = divisor;
  if (low !== null && low.numerator > 0n)
    return cappedQuotient(node, knowledge, productRange(dividend, reciprocal(low, high, divisor.axioms)));
  if (high !== null && high.numerator < 0n) return productRange(dividend, reciprocal(low, high, divisor.axioms));
  const positive = knowledge.positive(node.right);
  if (!positive) return everything;
  const sign = signOf(dividend);
  const axioms = unionOf(dividend.axioms, positive);
  const signed =
    sign > 0 ? { low: ZERO, high: null, axioms } : sign < 0 ? { low: null, high: ZERO, axioms } : everything;
  return cappedQuotient(node, knowledge, signed);
}

/** a/b ≤ 1 where a ≤ b, for positive b; and a/b ≥ −1 where −b ≤ a, which is not tried. */
function cappedQuotient(node: Binary, knowledge: Knowledge, plain: Range): Range {
  const under = knowledge.below(node.left, node.right);
  const positive = knowledge.positive(node.right);
  return under && positive ? intersect(plain, { low: null, high: ONE, axioms: unionOf(under, positive) }) : plain;
}

/** Of numbers of one sign, at least one end of which is not zero. */
function reciprocal(low: End, high: End, axioms: AxiomSet): Range {
  const ends = [
    low === null ? ZERO : divideRational(ONE, low),
    high === null ? ZERO : divideRational(ONE, high),
  ] as const;
  return { low: least(...ends), high: greatest(...ends), axioms };
}

function magnitude({ low, high, axioms }: Range): Range {
  if (low !== null && low.numerator >= 0n) return { low, high, axioms };
  if (high !== null && high.numerator <= 0n)
    return { low: negateRational(high), high: low && negateRational(low), axioms };
  return { low: ZERO, high: low && high && greatest(negateRational(low), high), axioms };
}

function elementaryRange(node: NumberExpression & { readonly kind: 'machine' | 'function' }, argument: Range): Range {
  const facts = factsOf(node.kind, node.fn);
  const always: Range = {
    low: facts.low === null ? null : fromFloat(facts.low),
    high: facts.high === null ? null : fromFloat(facts.high),
    axioms: facts.rangeAxiom === null ? noAxioms : axiomSet(facts.rangeAxiom),
  };
  const { increasing } = facts;
  if (!increasing) return always;
  const isDefined = increasing.from === null || (argument.low !== null && argument.low.numerator > 0n);
  if (!isDefined) return always;
  const axioms = unionOf(argument.axioms, axiomSet(increasing.axiom));
  if (node.kind === 'function') return intersect(always, aroundPoint(argument, facts.point, axioms));
  return intersect(always, {
    low: valueAt(node.fn, argument.low && floorFloat32(argument.low)),
    high: valueAt(node.fn, argument.high && ceilingFloat32(argument.high)),
    axioms: unionOf(axioms, axiomSet('machine-value')),
  });
}

/** What an increasing function's value at one point says about its value on a range. */
function aroundPoint(
  argument: Range,
  point: { readonly at: number; readonly value: number } | null,
  increasing: AxiomSet,
): Range {
  if (!point) return everything;
  const [at, value] = [fromFloat(point.at), fromFloat(point.value)];
  return {
    low: argument.low && compareRational(argument.low, at) >= 0 ? value : null,
    high: argument.high && compareRational(argument.high, at) <= 0 ? value : null,
    axioms: unionOf(increasing, axiomSet('real-range')),
  };
}

function valueAt(fn: Parameters<typeof machineValue>[0], argument: number | null): End {
  if (argument === null) return null;
  const value = machineValue(fn, argument);
  return Number.isFinite(value) ? fromFloat(value) : null;
}

/** A float64 square root is the nearest to the root, so its neighbours enclose it. */
function rootBelow(value: Rational): Rational {
  if (value.numerator <= 0n) return ZERO;
  return fromFloat(Math.max(0, nextDown64(Math.sqrt(nextDown64(toFloat(value))))));
}

function rootAbove(value: Rational): End {
  if (value.numerator <= 0n) return ZERO;
  const root = nextUp64(Math.sqrt(nextUp64(toFloat(value))));
  return Number.isFinite(root) ? fromFloat(root) : null;
}

function isEvenConstant(node: NumberExpression): boolean {
  return node.kind === 'constant' && node.value.denominator === 1n && node.value.numerator % 2n === 0n;
}

/** 1 where no number is negative, −1 where none is positive, 0 where it is not known. */
export function signOf({ low, high }: Range): -1 | 0 | 1 {
  if (low !== null && low.numerator >= 0n) return 1;
  return high !== null && high.numerator <= 0n ? -1 : 0;
}

/** Long fractions cost time and gain little: beyond 160 bits they are replaced by the next float64 outwards. */
function shortened(end: End, direction: 'down' | 'up'): End {
  if (end === null || bitLength(end) <= 160) return end;
  const near = toFloat(end);
  const outwards = direction === 'down' ? nextDown64(near) : nextUp64(near);
  return Number.isFinite(outwards) ? fromFloat(outwards) : null;
}

function laterOf(a: End, b: End): End {
  return a === null ? b : b === null ? a : greatest(a, b);
}

function earlierOf(a: End, b: End): End {
  return a === null ? b : b === null ? a : least(a, b);
}

function bothOf(a: End, b: End, sign: -1 | 1): End {
  return a && b && (sign < 0 ? least(a, b) : greatest(a, b));
}

function least(a: Rational, b: Rational): Rational {
  return compareRational(a, b) <= 0 ? a : b;
}

function greatest(a: Rational, b: Rational): Rational {
  return compareRational(a, b) >= 0 ? a : b;
}

function whole(value: bigint): Rational {
  return { numerator: value, denominator: 1n };
}

function ceilingRational(value: Rational): bigint {
  return -floorRational(negateRational(value));
}
