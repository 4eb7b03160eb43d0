/** Square roots of squares, and of products with square factors. */
import { sqrtInterval, type Interval } from '../../../numeric/interval.ts';
import { ONE } from '../../../numeric/rational.ts';
import { rationalRoot } from '../../../numeric/rational-root.ts';
import type { UnaryNode } from '../interval/selection.ts';
import { absoluteAtom, opaque, type Context } from './context.ts';
import { monomialOf, powerOfMonomial } from './monomial.ts';
import { rangeOfFunction } from './nonnegative.ts';
import { primitivePart } from './polynomial.ts';
import {
  constantFunction,
  fromMonomial,
  fromRational,
  functionKey,
  invertFunction,
  multiplyFunctions,
  powerFunction,
  type RationalFunction,
} from './rational-function.ts';

/** Null for the root of an undefined expression. */
export function rootOf(node: UnaryNode, context: Context): RationalFunction | null {
  const square = context.get(node.operand);
  if (square === null) return null;
  const constant = constantFunction(square);
  const exact = constant && rationalRoot(constant);
  if (exact) return fromRational(exact);
  return evenFactorsOut(square, context) ?? rootAtom(square, context.ranges.range(node), context);
}

function rootAtom(square: RationalFunction, range: Interval, context: Context): RationalFunction {
  return opaque(context, `sqrt(${functionKey(square)})`, null, { range, law: { kind: 'root', square } });
}

/** √(a²ᵏ·s) = |a|ᵏ·√s, where a is a factor of every term; null if there is none. */
function evenFactorsOut(square: RationalFunction, context: Context): RationalFunction | null {
  const { effort, atoms } = context;
  const { monomial } = primitivePart(square.numerator);
  const even = monomial.factors
    .map(({ atom, exponent }) => ({ atom, exponent: exponent - (((exponent % 2) + 2) % 2) }))
    .filter(({ exponent }) => exponent !== 0);
  if (even.length === 0) return null;
  let outside = fromRational(ONE);
  for (const { atom, exponent } of even) {
    const power = powerFunction(absoluteAtom(atom, 1, context), Math.abs(exponent) / 2, effort);
    const factor = exponent < 0 ? invertFunction(power, effort) : power;
    if (factor === null) return null;
    outside = multiplyFunctions(outside, factor, effort);
  }
  const inside = multiplyFunctions(square, fromMonomial(powerOfMonomial(monomialOf(even), -1)), effort);
  const constant = constantFunction(inside);
  const exact = constant && rationalRoot(constant);
  const { low, high } = rangeOfFunction(inside, atoms);
  // If a is 0, nothing is known about s, which does not matter: the product is 0 whatever the root of s.
  const root = exact ? fromRational(exact) : rootAtom(inside, sqrtInterval({ low: Math.max(low, 0), high }), context);
  return multiplyFunctions(outside, root, effort);
}
