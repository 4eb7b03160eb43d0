/**
 * Sizes of numbers as products of atoms: |a·b/c| is |a|·|b|/|c|. Two ways of writing one product are one node, so that a
 * bound of an error and the tolerance that it is compared with name the same things by the same names.
 */
import { addDown, addUp, divideDown, divideUp, enclose, multiplyDown, multiplyUp } from '../../../numeric/interval.ts';
import { isWhole, toFloat } from '../../../numeric/rational.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import { boundedExponent, type Effort } from '../algebra/effort.ts';
import { summands, type Ranges } from '../interval/ranges.ts';

/** Exponent by atom; atoms are never negative. */
type Factors = ReadonlyMap<NumberExpression, number>;

/** coefficient·Π atomᵉ, the coefficient between two float64. */
export interface Size {
  readonly low: number;
  readonly high: number;
  readonly factors: Factors;
}

/** Computes sizes, each node's once. */
export interface Sizes {
  /** What looking at products spends. */
  readonly effort: Effort;
  /** Of |node|. */
  readonly of: (node: NumberExpression) => Size;
  /** The node that represents a product: one for each. */
  readonly node: (factors: Factors) => NumberExpression;
  /** |atom| as the sum of the sizes of its terms where it is a sum, at least as large; null if it is not a sum. */
  readonly terms: (atom: NumberExpression) => readonly Size[] | null;
}

/** Powers of more factors than this are not written as one product of them. */
const mostFactors = 16;

/** The size of 1. */
export const UNIT: Size = { low: 1, high: 1, factors: new Map() };

/** Nothing is computed yet. */
export function createSizes(graph: Graph, ranges: Ranges, effort: Effort): Sizes {
  const known = new Map<NumberExpression, Size>();
  const products = new Map<string, NumberExpression>();
  const of = (node: NumberExpression): Size => {
    const found = known.get(node);
    if (found) return found;
    const size = compute(node);
    known.set(node, size);
    return size;
  };
  const atom = (node: NumberExpression): Size => ({ low: 1, high: 1, factors: new Map([[node, 1]]) });
  const compute = (node: NumberExpression): Size => {
    switch (node.kind) {
      case 'constant': {
        const { numerator, denominator } = node.value;
        return { ...enclose({ numerator: numerator < 0n ? -numerator : numerator, denominator }), factors: new Map() };
      }
      case 'negate':
      case 'absolute':
        return of(node.operand);
      case 'multiply':
        return multiplySizes(of(node.left), of(node.right));
      case 'divide':
        return multiplySizes(of(node.left), inverse(of(node.right)));
      case 'power':
        return powerOf(node.left, node.right) ?? atom(graph.absolute(node));
      case 'add':
        return twice(node.left, node.right) ?? signed(node);
      case 'maximum':
        return largerOf(node.left, node.right) ?? signed(node);
      case 'function':
        return node.fn === 'exp' ? atom(node) : signed(node);
      default:
        return signed(node);
    }
  };
  const signed = (node: NumberExpression): Size => atom(ranges.range(node).low >= 0 ? node : graph.absolute(node));
  const powerOf = (base: NumberExpression, exponent: NumberExpression): Size | null => {
    if (exponent.kind !== 'constant' || !isWhole(exponent.value)) return null;
    const count = toFloat(exponent.value);
    if (Math.abs(count) > mostFactors) return null;
    let product = UNIT;
    for (let i = 0; i < Math.abs(count); i++) product = multiplySizes(product, of(base));
    return count < 0 ? inverse(product) : product;
  };
  const isCounted = (node: NumberExpression): boolean => ranges.range(node).low >= 0;
  /** c·s + d·s as (c + d)·s. */
  const twice = (left: NumberExpression, right: NumberExpression): Size | null => {
    if (!isCounted(left) || !isCounted(right)) return null;
    const [a, b] = [of(left), of(right)];
    return areEqual(a.factors, b.factors)
      ? { low: addDown(a.low, b.low), high: addUp(a.high, b.high), factors: a.factors }
      : null;
  };
  /** max(c·s, c·t) as c·max(s, t), and max(0, s) as s. */
  const largerOf = (left: NumberExpression, right: NumberExpression): Size | null => {
    if (!isCounted(left) || !isCounted(right)) return null;
    const [a, b] = [of(left), of(right)];
    if (a.high === 0) return b;
    if (b.high === 0) return a;
    if (a.low !== a.high || b.low !== a.low || b.high !== a.high) return null;
    return { low: a.low, high: a.high, factors: new Map([[graph.maximum(nodeOf(a.factors), nodeOf(b.factors)), 1]]) };
  };
  /** As many nodes as the exponent has digits: a value squared 20 times has a million factors. */
  const bySquares = (base: NumberExpression, exponent: number): NumberExpression => {
    if (exponent === 1) return base;
    effort.spend(1);
    const half = bySquares(base, Math.floor(exponent / 2));
    const square = graph.multiply(half, half);
    return exponent % 2 === 0 ? square : graph.multiply(square, base);
  };
  const nodeOf = (factors: Factors): NumberExpression => {
    effort.spend(1 + factors.size);
    const sorted = [...factors].toSorted(([a], [b]) => a.id - b.id);
    const key = sorted.map(([base, exponent]) => `${base.id}^${exponent}`).join(' ');
    const made = products.get(key);
    if (made) return made;
    const product = (sign: 1 | -1): NumberExpression => {
      let result = graph.integer(1);
      for (const [base, exponent] of sorted) {
        const count = sign * exponent;
        if (count > mostFactors) result = graph.multiply(result, bySquares(base, count));
        else for (let i = 0; i < count; i++) result = graph.multiply(result, base);
      }
      return result;
    };
    const result = graph.divide(product(1), product(-1));
    known.set(result, { low: 1, high: 1, factors });
    products.set(key, result);
    return result;
  };
  return {
    effort,
    of,
    node: nodeOf,
    terms: (node) => {
      const sum = node.kind === 'absolute' ? node.operand : node;
      return sum.kind === 'add' ? summands(sum).map(of) : null;
    },
  };
}

/** The size of a product: bounds multiply, and factors that cancel are dropped. */
export function multiplySizes(a: Size, b: Size): Size {
  const factors = new Map(a.factors);
  for (const [node, exponent] of b.factors) {
    const sum = boundedExponent((factors.get(node) ?? 0) + exponent);
    if (sum === 0) factors.delete(node);
    else factors.set(node, sum);
  }
  return { low: multiplyDown(a.low, b.low), high: multiplyUp(a.high, b.high), factors };
}

/** The atoms are divisors elsewhere already, so that they are not 0. */
function inverse({ low, high, factors }: Size): Size {
  return {
    low: divideDown(1, high),
    high: low > 0 ? divideUp(1, low) : Infinity,
    factors: new Map([...factors].map(([node, exponent]) => [node, -exponent])),
  };
}

function areEqual(a: Factors, b: Factors): boolean {
  return a.size === b.size && [...a].every(([node, exponent]) => b.get(node) === exponent);
}
