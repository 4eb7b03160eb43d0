/**
 * Values as multiples of positive inputs: τ·a − max(τ·a, τ·b) is (a − max(a, b)) of the unit τ, and so is its error of float32,
 * except for underflow. What is divided by τ again, or compared with what has the same unit, need not know how large τ is.
 */
import { divideDown, divideUp, multiplyDown } from '../../../numeric/interval.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import { boundedExponent } from '../algebra/effort.ts';
import type { Ranges } from '../interval/ranges.ts';
import type { BoundArithmetic } from './bound-arithmetic.ts';
import { exactForm, isExactForm, NO_UNIT, type ErrorForm, type Unit } from './error-form.ts';
import { times } from './numbers-up.ts';

interface Tools {
  readonly graph: Graph;
  readonly ranges: Ranges;
  readonly bounds: BoundArithmetic;
}

/** The form of a variable that may be a unit: 1 of itself. Null if it may be 0 or negative. */
export function unitForm(variable: NumberExpression, { graph, ranges }: Tools): ErrorForm | null {
  const { low, high } = ranges.range(variable);
  if (!(low > 0) || !Number.isFinite(high)) return null;
  return { ...exactForm(graph.integer(1)), unit: new Map([[variable, 1]]) };
}

/** The unit of a product or, with `sign` −1, of a quotient. */
export function multiplyUnits(a: Unit, b: Unit, sign: 1 | -1 = 1): Unit {
  if (b.size === 0) return a;
  const product = new Map(a);
  for (const [variable, exponent] of b) {
    const sum = boundedExponent((product.get(variable) ?? 0) + sign * exponent);
    if (sum === 0) product.delete(variable);
    else product.set(variable, sum);
  }
  return product;
}

/** An error of at most `size`, in units. */
export function inUnits(size: number, unit: Unit, { ranges }: Pick<Tools, 'ranges'>): number {
  let least = 1;
  for (const [variable, exponent] of unit) {
    const { low, high } = ranges.range(variable);
    for (let i = 0; i < Math.abs(exponent); i++)
      least = exponent > 0 ? multiplyDown(least, low) : divideDown(least, high);
  }
  return size === 0 ? 0 : divideUp(size, least);
}

/** The form of the value itself. */
export function withoutUnit(form: ErrorForm, tools: Tools): ErrorForm {
  if (form.unit.size === 0) return form;
  const { graph, ranges, bounds } = tools;
  let { exact, bound, absolute, total } = form;
  for (const [variable, exponent] of form.unit) {
    const { low, high } = ranges.range(variable);
    const most = exponent > 0 ? high : divideUp(1, low);
    for (let i = 0; i < Math.abs(exponent); i++) {
      exact = exponent > 0 ? graph.multiply(variable, exact) : graph.divide(exact, variable);
      bound = exponent > 0 ? bounds.timesSize(bound, variable) : bounds.over(bound, variable, low);
      absolute = times(absolute, most);
      total = times(total, most);
    }
  }
  return { ...form, unit: NO_UNIT, exact, bound, absolute, total };
}

/** Both in one unit: 0 has every one. */
export function inOneUnit(a: ErrorForm, b: ErrorForm, tools: Tools): readonly [ErrorForm, ErrorForm] {
  if (isSameUnit(a.unit, b.unit)) return [a, b];
  if (isZero(a)) return [{ ...a, unit: b.unit }, b];
  if (isZero(b)) return [a, { ...b, unit: a.unit }];
  return [withoutUnit(a, tools), withoutUnit(b, tools)];
}

function isSameUnit(a: Unit, b: Unit): boolean {
  return a.size === b.size && [...a].every(([variable, exponent]) => b.get(variable) === exponent);
}

function isZero(form: ErrorForm): boolean {
  return isExactForm(form) && form.exact.kind === 'constant' && form.exact.value.numerator === 0n;
}
