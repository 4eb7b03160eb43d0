/**
 * Bounds of errors charged to the terms of a tolerance. A tolerance that follows the reference's own running error (`cond`)
 * is a sum over the same intermediate values that the code computes; so the error of each of them is at most c times the
 * sum that the tolerance has for it, and one number c per value is all that is carried on. Nothing is multiplied out: the
 * work grows with the code and not with the powers of its terms.
 *
 * A charge is sound whatever the tolerance says: c₁·s₁ + c₂·s₂ ≤ max(c₁, c₂)·(s₁ + s₂ + …) for sizes that are not negative.
 */
import { divideUp, magnitude } from '../../../numeric/interval.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import type { Effort } from '../algebra/effort.ts';
import type { Ranges } from '../interval/ranges.ts';
import {
  addBounds,
  boundExpression,
  constantBound,
  multiplyBound,
  scaleBound,
  termBound,
  type Bound,
} from './bound.ts';
import type { BoundArithmetic } from './bound-arithmetic.ts';
import { plus, times } from './numbers-up.ts';
import { createSizes, multiplySizes, UNIT, type Size, type Sizes } from './sizes.ts';
import { toleranceOf, type Tolerance } from './tolerance.ts';

/** Bounds with more terms are not charged, which ends in `unknown`. */
const mostTerms = 4_096;
/** Coefficients below this are underflow's: their terms become numbers. */
const tiny = 2 ** -100;

/** The tolerance to which errors are charged. */
export interface ChargingOptions {
  readonly graph: Graph;
  readonly ranges: Ranges;
  /** What the error is going to be compared with. */
  readonly allowed: NumberExpression;
  readonly effort: Effort;
}

/** Bounds of errors whose terms are terms of the tolerance, as far as possible. */
export interface Charging {
  readonly bounds: BoundArithmetic;
  /** Whether the bound is at most what is allowed, as far as charging alone shows. */
  readonly covers: (bound: Bound) => boolean;
  /** Sums among the atoms of a bound, which are treated as opaque. */
  readonly sumsIn: (bound: Bound) => ReadonlySet<NumberExpression>;
}

/** Charges errors to the terms of `allowed`. */
export function charging({ graph, ranges, allowed, effort }: ChargingOptions): Charging {
  const sizes = createSizes(graph, ranges, effort);
  const tolerance = toleranceOf(allowed, { sizes, isCounted: (node) => ranges.range(node).low >= 0 });
  const one = graph.integer(1);

  const termsOf = termsIn(sizes, tolerance, one);
  const each = (bound: Bound, change: (size: Size) => Size): Bound =>
    addBounds(...[...bound].map(([node, coefficient]) => termsOf(change(sizes.of(node)), coefficient)));
  const timesSize = (bound: Bound, node: NumberExpression): Bound => {
    const by = sizes.of(node);
    return each(bound, (size) => multiplySizes(size, by));
  };

  /** Replaces negligible terms by numbers. */
  const withoutDust = (bound: Bound): Bound => {
    let number = bound.get(one) ?? 0;
    const kept = new Map<NumberExpression, number>();
    for (const [node, coefficient] of bound) {
      if (node === one) continue;
      const most = coefficient < tiny ? times(coefficient, magnitude(ranges.range(node))) : Infinity;
      if (Number.isFinite(most)) number = plus(number, most);
      else kept.set(node, coefficient);
    }
    return number === 0 ? kept : kept.set(one, number);
  };

  const taken = new Set<NumberExpression>();
  const charged = (bound: Bound): Bound | null => {
    const parts = new Map([...bound].filter(([node]) => node !== one));
    if (parts.size < 2 || parts.size > mostTerms) return null;
    const holder = tolerance.smallestHolder([...parts.keys()]);
    if (holder === null) return null;
    const { high, factors } = sizes.of(holder);
    const held = sizes.node(factors);
    taken.add(held);
    const share = times(high, tolerance.charge(holder, parts));
    return addBounds(termBound(held, share), constantBound(graph, bound.get(one) ?? 0));
  };
  const settle = (raw: Bound): Bound => {
    if (raw.size < 2) return raw;
    const bound = withoutDust(raw);
    const apart = (): Bound =>
      addBounds(
        ...[...bound].map(([node, coefficient]) =>
          taken.has(node) ? termBound(node, coefficient) : termsOf(sizes.of(node), coefficient, true),
        ),
      );
    return charged(raw) ?? charged(bound) ?? charged(apart()) ?? bound;
  };

  /** The larger of two terms as the tolerance has it: of the sums themselves, or of sums that they are a part of. */
  const largest = (left: NumberExpression, right: NumberExpression): NumberExpression => {
    for (const a of [left, ...tolerance.sumsOver(left)])
      for (const b of [right, ...tolerance.sumsOver(right)]) {
        const node = sizes.node(sizes.of(graph.maximum(a, b)).factors);
        if (tolerance.holders.has(node)) return node;
      }
    return graph.maximum(left, right);
  };

  /** Of two single terms the larger one, of others each. */
  const larger = (a: Bound, b: Bound): Bound => {
    const partsOf = (bound: Bound): readonly [NumberExpression, number][] =>
      [...bound].filter(([node]) => node !== one);
    const [[left, ...moreLeft], [right, ...moreRight]] = [partsOf(a), partsOf(b)];
    const number = constantBound(graph, Math.max(a.get(one) ?? 0, b.get(one) ?? 0));
    const areSingle = moreLeft.length === 0 && moreRight.length === 0;
    if (areSingle && left && right && left[0] !== right[0])
      return addBounds(termBound(largest(left[0], right[0]), Math.max(left[1], right[1])), number);
    const most = new Map(a);
    for (const [node, coefficient] of b) most.set(node, Math.max(most.get(node) ?? 0, coefficient));
    return most;
  };

  const bounds: BoundArithmetic = {
    size: (node, coefficient) => termsOf(sizes.of(node), coefficient),
    times: timesSize,
    timesSize,
    product: (a, b) =>
      a.size * b.size > mostTerms
        ? multiplyBound(graph, a, boundExpression(graph, b))
        : addBounds(...[...b].map(([node, coefficient]) => scaleBound(timesSize(a, node), coefficient))),
    over: (bound, by, least) => {
      const number = least > 0 ? (bound.get(one) ?? 0) : 0;
      const others = number === 0 ? bound : new Map([...bound].filter(([node]) => node !== one));
      const divisor = sizes.of(graph.divide(one, by));
      return addBounds(
        each(others, (size) => multiplySizes(size, divisor)),
        number === 0 ? new Map() : constantBound(graph, divideUp(number, least)),
      );
    },
    larger,
    settle,
    isNumber: () => false,
  };
  return {
    bounds,
    covers: (bound) => tolerance.charge(allowed, bound) <= 1,
    sumsIn: (bound) =>
      new Set(
        [...bound.keys()]
          .flatMap((node) => [...sizes.of(node).factors.keys()])
          .filter(({ kind }) => kind === 'add' || kind === 'maximum'),
      ),
  };
}

type TermsOf = (size: Size, coefficient: number, all?: boolean) => Bound;

/** Products as the tolerance has them. */
function termsIn(sizes: Sizes, tolerance: Tolerance, one: NumberExpression): TermsOf {
  /** coefficient·size, where the tolerance has it; sums that it does not have, or `all` of them, fall into their terms. */
  const termsOf = (size: Size, coefficient: number, all = false, depth = 0): Bound => {
    const whole = sizes.node(size.factors);
    const scaled = times(coefficient, size.high);
    if (scaled === 0) return new Map();
    if (whole === one || (!all && tolerance.holders.has(whole)) || depth > 3) return termBound(whole, scaled);
    const raised = all ? null : raisedTo(size);
    if (raised !== null) return termBound(raised, scaled);
    for (const [atom, exponent] of size.factors) {
      if (exponent !== 1 || (!all && tolerance.factors.has(atom))) continue;
      const parts = sizes.terms(atom);
      if (parts === null || parts.length > mostTerms) continue;
      const rest = new Map(size.factors);
      rest.delete(atom);
      const others: Size = { ...UNIT, factors: rest };
      return addBounds(...parts.map((part) => termsOf(multiplySizes(others, part), scaled, all, depth + 1)));
    }
    return termBound(whole, scaled);
  };

  /** The product with a larger sum in a part's place, where the tolerance multiplies that sum by the rest. */
  const raisedTo = ({ factors }: Size): NumberExpression | null => {
    for (const [atom, exponent] of factors)
      for (const sum of exponent === 1 ? tolerance.sumsOver(atom) : []) {
        const others = { ...UNIT, factors: new Map([...factors].filter(([node]) => node !== atom)) };
        const product = sizes.node(multiplySizes(others, { ...UNIT, factors: new Map([[sum, 1]]) }).factors);
        if (tolerance.holders.has(product)) return product;
      }
    return null;
  };

  return termsOf;
}
