/**
 * Roundings whose operands differ by a power of two: RN(2ᵏ·p) is 2ᵏ·RN(p) except for underflow, so that one of them represents
 * the other.
 */
import type { Rational } from '../../../numeric/rational.ts';
import type { NumberExpression } from '../../expression.ts';
import { numberArguments } from '../interval/ranges.ts';

/** A rounding of 2^`exponent` times what `of` rounds; the exponent is not negative. */
export interface Scaled {
  readonly of: NumberExpression;
  readonly exponent: number;
}

/** |RN(2ᵏ·p) − 2ᵏ·RN(p)| for k ≥ 1, at most: half a subnormal unit on either side, the one below times 2ᵏ. */
export const scaledError = (exponent: number): number => (exponent === 0 ? 0 : 2 ** (exponent - 149));

/** Larger scales decide nothing that is asked, and their errors would not be small. */
const mostExponent = 64;
const mostFactors = 64;

/** The roundings at or below some nodes that are scaled copies of another of them; that other rounding is not included. */
export function scaledIn(
  roots: readonly NumberExpression[],
  isFloat32: (node: NumberExpression) => boolean,
): ReadonlyMap<NumberExpression, Scaled> {
  const groups = new Map<string, Scaled[]>();
  const seen = new Set(roots);
  for (const node of seen) {
    for (const part of numberArguments(node)) seen.add(part);
    const product = node.kind === 'round32' ? productOf(node.operand, isFloat32) : null;
    if (product) groups.set(product.key, [...(groups.get(product.key) ?? []), { of: node, ...product }]);
  }
  const found = new Map<NumberExpression, Scaled>();
  for (const group of groups.values()) {
    const [least, ...others] = group.toSorted((a, b) => a.exponent - b.exponent || a.of.id - b.of.id);
    for (const { of, exponent } of others)
      if (least && exponent - least.exponent <= mostExponent)
        found.set(of, { of: least.of, exponent: exponent - least.exponent });
  }
  return found;
}

interface Product {
  /** Equal for products of the same factors and divisors. */
  readonly key: string;
  readonly exponent: number;
}

/** A product or a quotient without its powers of two; null for what is neither, or of too many factors. */
function productOf(root: NumberExpression, isFloat32: (node: NumberExpression) => boolean): Product | null {
  if (root.kind !== 'multiply' && root.kind !== 'divide') return null;
  const above: number[] = [];
  const below: number[] = [];
  let exponent = 0;
  const stack: { readonly node: NumberExpression; readonly sign: 1 | -1 }[] = [{ node: root, sign: 1 }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { node, sign } = top;
    const doubled = node.kind === 'round32' ? doubledIn(node.operand, isFloat32) : null;
    const power = node.kind === 'constant' ? powerOfTwo(node.value) : null;
    if (node.kind === 'multiply') stack.push({ node: node.left, sign }, { node: node.right, sign });
    else if (node.kind === 'divide')
      stack.push({ node: node.left, sign }, { node: node.right, sign: sign === 1 ? -1 : 1 });
    else if (power !== null) exponent += sign * power;
    else if (doubled) stack.push({ node: doubled, sign });
    else (sign === 1 ? above : below).push(node.id);
    if (above.length + below.length > mostFactors) return null;
  }
  const text = (ids: number[]): string => ids.toSorted((a, b) => a - b).join('·');
  return { key: `${text(above)} / ${text(below)}`, exponent };
}

/** The operand of a rounding that is 2ᵏ times a float32, with k ≥ 0: a float32 itself, since exponents have no upper end here. */
function doubledIn(operand: NumberExpression, isFloat32: (node: NumberExpression) => boolean): NumberExpression | null {
  if (operand.kind !== 'multiply') return null;
  for (const [by, factor] of [
    [operand.left, operand.right],
    [operand.right, operand.left],
  ] as const)
    if (by.kind === 'constant' && (powerOfTwo(by.value) ?? -1) >= 0 && isFloat32(factor)) return operand;
  return null;
}

function powerOfTwo({ numerator, denominator }: Rational): number | null {
  const [large, sign] = denominator === 1n ? [numerator, 1] : [denominator, -1];
  if (large <= 0n || (sign === -1 && numerator !== 1n) || (large & (large - 1n)) !== 0n) return null;
  return sign * (large.toString(2).length - 1);
}
