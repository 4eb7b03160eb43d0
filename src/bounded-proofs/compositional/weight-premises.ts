/** What the premises of a claim say about sums of numbers that are not negative. */
import { negateRational, ZERO, type Rational } from '../../numeric/rational.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import type { LinearForm } from './linear-form.ts';
import { aroundOne, type BoundTools, type WeightSum } from './weighted-sums.ts';

/** Premises that bound a sum of numbers that are not negative, from below, from above or from both. */
export function weightSums(premises: readonly BooleanExpression[], tools: BoundTools): readonly WeightSum[] {
  const found = new Map<string, Bounds>();
  for (const bounds of premises.flatMap((premise) => boundsIn(premise, tools))) {
    const shares = [...bounds.weights].map(
      ([{ id }, { numerator, denominator }]) => `${id}:${numerator}/${denominator}`,
    );
    const key = shares.join();
    const known = found.get(key);
    found.set(key, { ...bounds, low: bounds.low ?? known?.low ?? null, high: bounds.high ?? known?.high ?? null });
  }
  return [...found.values()].flatMap(({ weights, low, high }) => (low && high ? [aroundOne(weights, low, high)] : []));
}

interface Bounds {
  readonly weights: ReadonlyMap<NumberExpression, Rational>;
  readonly low: Rational | null;
  readonly high: Rational | null;
}

function boundsIn(premise: BooleanExpression, tools: BoundTools): readonly Bounds[] {
  if (premise.kind !== 'less-equal' && premise.kind !== 'less' && premise.kind !== 'equal') return [];
  const { graph, forms } = tools;
  const { left, right } = premise;
  const atMost = (node: NumberExpression): readonly Bounds[] => boundOf(forms.form(node), tools);
  if (premise.kind !== 'equal' && left.kind === 'absolute')
    return [
      ...atMost(graph.subtract(left.operand, right)),
      ...atMost(graph.subtract(graph.negate(left.operand), right)),
    ];
  const difference = graph.subtract(left, right);
  return [...atMost(difference), ...(premise.kind === 'equal' ? atMost(graph.negate(difference)) : [])];
}

/** What Σ cⱼ·wⱼ + k ≤ 0 says about the sum, where all cⱼ have one sign. */
function boundOf({ terms, error }: LinearForm, { graph, forms, range }: BoundTools): readonly Bounds[] {
  const one = graph.integer(1);
  const constant = terms.get(one) ?? ZERO;
  const weights = [...terms].filter(([node]) => node !== one);
  const [first] = weights;
  if (error.size > 0 || first === undefined) return [];
  const isPositive = first[1].numerator > 0n;
  const fits = weights.every(
    ([node, { numerator }]) => numerator > 0n === isPositive && forms.factorsOf(node) === null && range(node).low >= 0,
  );
  if (!fits) return [];
  if (isPositive) return [{ weights: new Map(weights), low: null, high: negateRational(constant) }];
  return [
    { weights: new Map(weights.map(([node, share]) => [node, negateRational(share)])), low: constant, high: null },
  ];
}
