/** Powers over the reals, in the simplest terms that say the same. */
import { isWhole } from '../numeric/rational.ts';
import type { Graph, NumberExpression } from './expression.ts';

/** Whole exponents up to this size become products. */
const mostFactors = 16n;

/** `base` to the power of `exponent`; where it has a value is the caller's condition. */
export function exactPower(graph: Graph, base: NumberExpression, exponent: NumberExpression): NumberExpression {
  if (exponent.kind !== 'constant') return graph.power(base, exponent);
  const { value } = exponent;
  if (isWhole(value)) {
    const factors = value.numerator < 0n ? -value.numerator : value.numerator;
    if (factors <= mostFactors) {
      const product = repeated(graph, base, Number(factors));
      return value.numerator < 0n ? graph.divide(graph.integer(1), product) : product;
    }
  }
  const isHalf = value.numerator === 1n && value.denominator === 2n;
  return isHalf ? graph.sqrt(base) : graph.power(base, exponent);
}

function repeated(graph: Graph, base: NumberExpression, factors: number): NumberExpression {
  let product = graph.integer(1);
  for (let i = 0; i < factors; i++) product = graph.multiply(product, base);
  return product;
}
