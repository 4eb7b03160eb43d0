/**
 * An upper bound of Σ wⱼ·(…) + … for nonnegative weights with a partly known sum: it shows that a weighted mean lies between
 * the smallest and the largest averaged value.
 */
import {
  addUp,
  divideDown,
  divideUp,
  enclose,
  magnitude,
  multiplyIntervals,
  type Interval,
} from '../../numeric/interval.ts';
import { addRational, compareRational, multiplyRational, ONE, ZERO, type Rational } from '../../numeric/rational.ts';
import { selectionOperands } from '../engines/interval/selection.ts';
import { plus, times } from '../engines/rounding/numbers-up.ts';
import type { Graph, NumberExpression } from '../expression.ts';
import type { LinearForm, LinearForms } from './linear-form.ts';

/** Σ aⱼ·wⱼ between two numbers, for aⱼ > 0 and wⱼ ≥ 0. */
export interface WeightSum {
  readonly weights: ReadonlyMap<NumberExpression, Rational>;
  readonly low: number;
  readonly high: number;
}

/** What bounding a sum reads of its terms. */
export interface BoundTools {
  readonly graph: Graph;
  readonly forms: LinearForms;
  readonly range: (node: NumberExpression) => Interval;
}

/** coefficient·of, a part of what a weight multiplies. */
interface Entry {
  readonly coefficient: Rational;
  readonly of: NumberExpression;
}

/** Maxima and minima that are tried as reference values for the mean. */
const mostReferences = 4;

/** Whether the form is at most 0 (below 0 where `strict`) whatever its atoms are. */
export function isAtMostZero(form: LinearForm, sum: WeightSum, tools: BoundTools, strict: boolean): boolean {
  const parts = split(form, sum, tools);
  const references = [...parts.rest]
    .filter(({ of }) => of.kind === 'maximum' || of.kind === 'minimum')
    .slice(0, mostReferences);
  return [null, ...references].some((reference) => {
    const most = upperBound(parts, reference, sum, tools);
    return strict ? most < 0 : most <= 0;
  });
}

interface Parts {
  /** What each weight is multiplied by, and by how much that may be larger. */
  readonly by: ReadonlyMap<NumberExpression, { readonly entries: readonly Entry[]; readonly error: number }>;
  readonly rest: readonly Entry[];
  readonly error: number;
}

function split({ terms, error }: LinearForm, { weights }: WeightSum, { graph, forms, range }: BoundTools): Parts {
  const one = graph.integer(1);
  const by = new Map([...weights.keys()].map((weight) => [weight, { entries: [] as Entry[], error: 0 }]));
  const rest: Entry[] = [];
  /** The weight in a monomial, with the other factor. */
  const weightIn = (monomial: NumberExpression): readonly [NumberExpression, NumberExpression] | null => {
    if (by.has(monomial)) return [monomial, one];
    const factors = forms.factorsOf(monomial);
    if (factors === null) return null;
    const [a, b] = factors;
    return by.has(a) ? [a, b] : by.has(b) ? [b, a] : null;
  };
  for (const [monomial, coefficient] of terms) {
    const [weight, of] = weightIn(monomial) ?? [null, monomial];
    (weight ? by.get(weight)?.entries : rest)?.push({ coefficient, of });
  }
  let constant = 0;
  for (const [monomial, coefficient] of error) {
    const [weight, of] = weightIn(monomial) ?? [null, monomial];
    const size = times(coefficient, magnitude(range(of)));
    const part = weight && by.get(weight);
    if (part) part.error = plus(part.error, size);
    else constant = plus(constant, size);
  }
  return { by, rest, error: constant };
}

/**
 * With a reference Y of coefficient β: β·Y = Σ β·aⱼ·wⱼ·Y + β·Y·(1 − Σ aⱼ·wⱼ). So each weight multiplies a difference from Y,
 * and the rest is Y times the difference of the weights' sum from 1.
 */
function upperBound(parts: Parts, reference: Entry | null, sum: WeightSum, tools: BoundTools): number {
  const { range } = tools;
  let most = -Infinity;
  for (const [weight, share] of sum.weights) {
    const { entries, error } = parts.by.get(weight) ?? { entries: [], error: 0 };
    const moved = reference ? [{ coefficient: multiplyRational(reference.coefficient, share), of: reference.of }] : [];
    const value = addUp(entriesUpper([...entries, ...moved], tools), error);
    most = Math.max(most, value >= 0 ? divideUp(value, enclose(share).low) : divideUp(value, enclose(share).high));
  }
  const weighted = most >= 0 ? times(most, sum.high) : -multiplyDownSize(-most, sum.low);
  const missing = reference
    ? times(magnitude(enclose(reference.coefficient)), magnitude(range(reference.of)), distanceToOne(sum))
    : 0;
  const others = parts.rest.filter((entry) => entry !== reference);
  const total = [entriesUpper(others, tools), missing, parts.error].reduce((all, part) => addUp(all, part), weighted);
  return Number.isNaN(total) ? Infinity : total;
}

/** At most a·b for nonnegative numbers. */
const multiplyDownSize = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : divideDown(a, divideUp(1, b)));

function distanceToOne({ low, high }: WeightSum): number {
  return Math.max(addUp(1, -low), addUp(high, -1), 0);
}

/** At least Σ coefficient·of: what is at most another is taken together with it. */
function entriesUpper(entries: readonly Entry[], { range }: BoundTools): number {
  let left = merged(entries);
  for (let pair = dominated(left); pair; pair = dominated(left)) {
    const [small, large] = pair;
    const sum = addRational(small.coefficient, large.coefficient);
    left = merged([...left.filter((entry) => entry !== small && entry !== large), { coefficient: sum, of: large.of }]);
  }
  return left.reduce(
    (total, { coefficient, of }) => addUp(total, multiplyIntervals(enclose(coefficient), range(of)).high),
    0,
  );
}

function merged(entries: readonly Entry[]): readonly Entry[] {
  const sums = new Map<NumberExpression, Rational>();
  for (const { coefficient, of } of entries) sums.set(of, addRational(sums.get(of) ?? ZERO, coefficient));
  return [...sums].flatMap(([of, coefficient]) => (coefficient.numerator === 0n ? [] : [{ coefficient, of }]));
}

/** c·x and −d·Y with x ≤ Y, so that together they are at most (c − d)·Y. */
function dominated(entries: readonly Entry[]): readonly [Entry, Entry] | null {
  for (const small of entries)
    for (const large of entries)
      if (small.coefficient.numerator > 0n && large.coefficient.numerator < 0n && isAtMost(small.of, large.of))
        return [small, large];
  return null;
}

function isAtMost(a: NumberExpression, b: NumberExpression): boolean {
  return (b.kind === 'maximum' && selectionOperands(b).has(a)) || (a.kind === 'minimum' && selectionOperands(a).has(b));
}

/** The sum scaled so that its bounds lie around 1. */
export function aroundOne(weights: ReadonlyMap<NumberExpression, Rational>, low: Rational, high: Rational): WeightSum {
  const twice = addRational(low, high);
  const scale = twice.numerator > 0n ? { numerator: 2n * twice.denominator, denominator: twice.numerator } : ONE;
  const by = (value: Rational): Rational => multiplyRational(value, scale);
  const [least, most] = [by(compareRational(low, ZERO) > 0 ? low : ZERO), by(high)];
  return {
    weights: new Map([...weights].map(([weight, share]) => [weight, by(share)])),
    low: enclose(least).low,
    high: enclose(most).high,
  };
}
