/** Means that divide by the sum of their weights: RN(A/B) with A = Σ wⱼ·vⱼ and B = Σ wⱼ, both float32 sums. */
import { addDown, divideDown, divideUp, enclose, magnitude } from '../../numeric/interval.ts';
import { fromFloat, multiplyRational, addRational, ZERO, type Rational } from '../../numeric/rational.ts';
import { plus, times } from '../engines/rounding/numbers-up.ts';
import type { NumberExpression } from '../expression.ts';
import { sizeOf, sumOf, type LinearForm } from './linear-form.ts';
import { isAtMostZero, type BoundTools, type WeightSum } from './weighted-sums.ts';

/**
 * c·RN(A/B) + r ≤ 0 for B > 0, as c·A + (r + |c|·(2⁻²⁴·|A/B| + 2⁻¹⁵⁰))·B ≤ 0. The weights are those of B, of which enough is
 * known: together they are at least what B is. Null if it is not shown.
 */
export function quotientSum(difference: LinearForm, tools: BoundTools, strict: boolean): WeightSum | null {
  const { forms, range } = tools;
  if (difference.error.size > 0) return null;
  for (const [node, coefficient] of difference.terms) {
    if (node.kind !== 'round32' || node.operand.kind !== 'divide') continue;
    const { left, right } = node.operand;
    const divisor = forms.form(right);
    const sum = sumIn(divisor, range(right).low, tools);
    const rounding = plus(times(magnitude(range(node.operand)), 2 ** -24), 2 ** -150);
    if (sum === null || !Number.isFinite(rounding)) continue;
    const rest = new Map(difference.terms);
    rest.delete(node);
    const product = timesDivisor(rest, times(sizeOf(coefficient), rounding), divisor, tools);
    if (product && isAtMostZero(sumOf(scaled(forms.form(left), coefficient), product), sum, tools, strict)) return sum;
  }
  return null;
}

/** (Σ rest + extra)·divisor. */
function timesDivisor(
  rest: ReadonlyMap<NumberExpression, Rational>,
  extra: number,
  divisor: LinearForm,
  { graph, forms, range }: BoundTools,
): LinearForm | null {
  const one = graph.integer(1);
  const factor = new Map(rest).set(one, addRational(rest.get(one) ?? ZERO, fromFloat(extra)));
  const exact = forms.product({ terms: factor, error: new Map() }, { terms: divisor.terms, error: new Map() });
  if (exact === null) return null;
  const size = [...factor].reduce((all, [of, share]) => plus(all, times(sizeOf(share), magnitude(range(of)))), 0);
  return { terms: exact.terms, error: new Map([...divisor.error].map(([of, error]) => [of, times(error, size)])) };
}

function scaled({ terms, error }: LinearForm, by: Rational): LinearForm {
  return {
    terms: new Map([...terms].map(([of, coefficient]) => [of, multiplyRational(coefficient, by)])),
    error: new Map([...error].map(([of, coefficient]) => [of, times(coefficient, sizeOf(by))])),
  };
}

/** The sum of the weights without its rounding: Σ (aⱼ + eⱼ)·wⱼ + e is at least the float32 sum, which is at least `low`. */
function sumIn({ terms, error }: LinearForm, low: number, { graph, forms, range }: BoundTools): WeightSum | null {
  if (!(low > 0)) return null;
  let relative = 0;
  for (const [of, share] of terms) {
    if (share.numerator <= 0n || of.kind === 'constant' || forms.factorsOf(of) !== null || range(of).low < 0)
      return null;
    relative = Math.max(relative, divideUp(error.get(of) ?? 0, enclose(share).low));
  }
  const constant = error.get(graph.integer(1)) ?? 0;
  const isCovered = [...error.keys()].every((of) => of.kind === 'constant' || terms.has(of));
  const least = divideDown(addDown(low, -constant), plus(1, relative));
  return isCovered && least > 0 ? { weights: terms, low: least, high: Infinity } : null;
}
