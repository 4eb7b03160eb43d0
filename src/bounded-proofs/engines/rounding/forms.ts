/**
 * Error forms of every node of a graph, bottom up: the running error of Higham (Accuracy and Stability of Numerical
 * Algorithms, 2nd ed., §3.3) with every second-order part kept, in three measures at once.
 */
import { addDown, divideUp, magnitude, mignitude, type Interval } from '../../../numeric/interval.ts';
import { compareRational, isWhole, ONE, toFloat } from '../../../numeric/rational.ts';
import type { Graph, NumberExpression } from '../../expression.ts';
import type { AxiomId } from '../../axioms.ts';
import { numberArguments, type Ranges } from '../interval/ranges.ts';
import type { BinaryNode, UnaryNode } from '../interval/selection.ts';
import { functionRoundoff, propagate } from './elementary-error.ts';
import { addBounds, constantBound, scaleBound } from './bound.ts';
import type { BoundArithmetic } from './bound-arithmetic.ts';
import {
  exactForm,
  HALF_SMALLEST,
  halfUnit,
  isExactForm,
  NO_UNIT,
  SMALLEST_NORMAL,
  UNIT_ROUNDOFF,
  type ErrorForm,
} from './error-form.ts';
import { plus, times } from './numbers-up.ts';
import { scaledError, type Scaled } from './scaled.ts';
import { inOneUnit, inUnits, multiplyUnits, unitForm, withoutUnit } from './units.ts';

/** Which of the three measures becomes the bound that a claim is compared with. */
export type Measure =
  /** One number. */
  | 'total'
  /** A number times the exact value's size, where errors are of that kind. */
  | 'relative'
  /** The running error as an expression. */
  | 'symbolic';

/** How errors are measured, and where they begin. */
export interface FormOptions {
  readonly graph: Graph;
  readonly ranges: Ranges;
  readonly isFloat32: (node: NumberExpression) => boolean;
  readonly measure: Measure;
  readonly bounds: BoundArithmetic;
  /** Whether results of float32 functions count as inputs of their own, so that only what follows them errs. */
  readonly cutFunctions: boolean;
  /** Other values that do. */
  readonly cutAt?: ReadonlySet<NumberExpression> | null;
  /** Roundings that are another one, scaled, up to underflow; those others are cut. */
  readonly scaled?: ReadonlyMap<NumberExpression, Scaled>;
  /** Whether the product of two errors is a product of bounds, which small inputs make small, and not a number. */
  readonly secondOrder?: boolean;
  /** Whether an exponential of what is not positive errs by a number, where its share would be large: xeˣ is small. */
  readonly falling?: boolean;
  /** Whether values count as multiples of positive inputs. */
  readonly units?: boolean;
}

/** Error forms, computed once per node. */
export interface Forms {
  readonly form: (node: NumberExpression) => ErrorForm;
  /** Of two values in one unit, which is positive: they compare as the values themselves do. */
  readonly pair: (a: NumberExpression, b: NumberExpression) => readonly [ErrorForm, ErrorForm];
  readonly axioms: () => readonly AxiomId[];
}

interface Context extends FormOptions {
  /** Of the value itself. */
  readonly get: (node: NumberExpression) => ErrorForm;
  /** Of the value in its unit. */
  readonly raw: (node: NumberExpression) => ErrorForm;
  readonly assume: (axiom: AxiomId) => void;
}

/** Nothing is computed yet; axioms are collected as they are used. */
export function createForms(options: FormOptions): Forms {
  const known = new Map<number, ErrorForm>();
  const used = new Set<AxiomId>();
  const raw = (node: NumberExpression): ErrorForm => known.get(node.id) ?? exactForm(node);
  const get = (node: NumberExpression): ErrorForm => withoutUnit(raw(node), options);
  const context: Context = { ...options, get, raw, assume: (axiom) => void used.add(axiom) };
  const form = (node: NumberExpression): ErrorForm => {
    const stack = [node];
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return raw(node);
      const waiting = known.has(top.id) ? [] : argumentsToVisit(top, options).filter(({ id }) => !known.has(id));
      if (waiting.length > 0) stack.push(...waiting);
      else {
        if (!known.has(top.id)) known.set(top.id, measured(top, formOf(top, context), context));
        stack.pop();
      }
    }
  };
  return {
    form: (node) => withoutUnit(form(node), options),
    pair: (a, b) => inOneUnit(form(a), form(b), options),
    axioms: () => [...new Set([...used, ...options.ranges.axioms()])].toSorted(),
  };
}

function argumentsToVisit(
  node: NumberExpression,
  { cutFunctions, cutAt, scaled }: FormOptions,
): readonly NumberExpression[] {
  return cutAt?.has(node) || scaled?.has(node) || (cutFunctions && node.kind.startsWith('machine'))
    ? []
    : numberArguments(node);
}

/** Null for what is cut off: it is an atom. */
function formOf(node: NumberExpression, context: Context): ErrorForm | null {
  const { get, raw, cutFunctions, cutAt } = context;
  if (cutAt?.has(node)) return null;
  const scaled = context.scaled?.get(node);
  if (scaled) return scaledForm(scaled, context);
  switch (node.kind) {
    case 'variable':
      return context.units ? unitForm(node, context) : null;
    case 'add':
      return sum(...inOneUnit(raw(node.left), raw(node.right), context), context);
    case 'multiply':
      return product(raw(node.left), raw(node.right), context);
    case 'divide':
      return quotient(raw(node.left), raw(node.right), context);
    case 'negate': {
      const operand = raw(node.operand);
      return { ...operand, exact: context.graph.negate(operand.exact) };
    }
    case 'absolute': {
      const operand = raw(node.operand);
      return { ...operand, exact: context.graph.absolute(operand.exact) };
    }
    case 'minimum':
    case 'maximum':
      return selection(node, node.kind, context);
    case 'if': {
      const [then, otherwise] = [get(node.then), get(node.otherwise)];
      const { graph, bounds, ranges } = context;
      const known = ranges.truth(node.condition);
      if (known !== null) return known ? then : otherwise;
      return {
        unit: NO_UNIT,
        exact: graph.if(node.condition, then.exact, otherwise.exact),
        bound: bounds.larger(then.bound, otherwise.bound),
        ...larger(then, otherwise),
      };
    }
    case 'sqrt':
      return root(get(node.operand), context);
    case 'round32':
      return roundedForm(node.operand, context);
    case 'function':
      return functionForm(node, node.fn, context);
    case 'machine': {
      if (cutFunctions) return null;
      const exact = functionForm(node, node.fn, context);
      return exact && roundedFunction(exact, functionRoundoff(node.fn), context);
    }
    case 'power':
      return powerForm(node, context);
    case 'machine-power': {
      // The float64 power errs by a few of its units, and the float32 next to that is the base itself.
      if (
        node.right.kind === 'constant' &&
        compareRational(node.right.value, ONE) === 0 &&
        context.isFloat32(node.left)
      ) {
        context.assume('function-envelope');
        return get(node.left);
      }
      if (cutFunctions) return null;
      const exact = powerForm(node, context);
      return exact && roundedFunction(exact, functionRoundoff('pow'), context);
    }
    default:
      return null;
  }
}

function measured(node: NumberExpression, form: ErrorForm | null, context: Context): ErrorForm {
  const { graph, measure, ranges, bounds } = context;
  if (form === null) return exactForm(node);
  const size = magnitude(ranges.range(form.exact));
  const scaled = Number.isFinite(form.relative) ? plus(times(form.relative, size), form.absolute) : Infinity;
  const total = Math.min(form.total, scaled);
  if (total === 0) return { ...exactForm(form.exact), unit: form.unit, scales: form.scales };
  if ((measure === 'total' || bounds.isNumber(form.exact)) && Number.isFinite(total))
    return { ...form, total, bound: constantBound(graph, total) };
  if (measure === 'relative' && form.scales && Number.isFinite(form.relative) && Number.isFinite(form.absolute)) {
    const share = bounds.size(form.exact, form.relative);
    return { ...form, total, bound: addBounds(share, constantBound(graph, form.absolute)) };
  }
  return { ...form, total, bound: bounds.settle(form.bound) };
}

function larger(a: ErrorForm, b: ErrorForm): Omit<ErrorForm, 'unit' | 'exact' | 'bound'> {
  return {
    scales: a.scales && b.scales,
    relative: Math.max(a.relative, b.relative),
    absolute: Math.max(a.absolute, b.absolute),
    total: Math.max(a.total, b.total),
  };
}

/** Errors of terms of one sign keep their share of the sum; where signs differ only sizes can be added. */
function sum(a: ErrorForm, b: ErrorForm, { graph, ranges }: Context): ErrorForm {
  const [left, right] = [ranges.range(a.exact), ranges.range(b.exact)];
  const sameSign = (left.low >= 0 && right.low >= 0) || (left.high <= 0 && right.high <= 0);
  const total = plus(a.total, b.total);
  return {
    unit: a.unit,
    exact: graph.add(a.exact, b.exact),
    bound: addBounds(a.bound, b.bound),
    relative: sameSign ? Math.max(a.relative, b.relative) : 0,
    absolute: sameSign ? plus(a.absolute, b.absolute) : total,
    total,
    scales: sameSign && a.scales && b.scales,
  };
}

/** v·w − EF = (v − E)·w + E·(w − F), where w is the one that stays nearer to a multiple of F. */
function product(v: ErrorForm, w: ErrorForm, context: Context): ErrorForm {
  const [a, b] = v.absolute < w.absolute ? [w, v] : [v, w];
  const { graph, ranges, bounds } = context;
  const [left, right] = [magnitude(ranges.range(a.exact)), magnitude(ranges.range(b.exact))];
  const bySize = bounds.timesSize(a.bound, b.exact);
  const both = context.secondOrder
    ? bounds.product(a.bound, b.bound)
    : addBounds(scaleBound(bySize, b.relative), scaleBound(a.bound, b.absolute));
  const reach = plus(times(right, plus(1, b.relative)), b.absolute);
  return {
    unit: multiplyUnits(v.unit, w.unit),
    exact: graph.multiply(v.exact, w.exact),
    bound: addBounds(bySize, both, bounds.timesSize(b.bound, a.exact)),
    relative: plus(times(a.relative, plus(1, b.relative)), b.relative),
    absolute: plus(times(a.absolute, reach), times(b.absolute, left, plus(1, a.relative))),
    total: plus(times(a.total, Math.min(reach, plus(right, b.total))), times(left, b.total)),
    scales: a.scales && b.scales,
  };
}

/** v/w − E/F = ((v − E) − (E/F)·(w − F))/w, and |w| ≥ |F|·(1 − share). */
function quotient(a: ErrorForm, b: ErrorForm, { graph, ranges, bounds }: Context): ErrorForm | null {
  const least = mignitude(ranges.range(b.exact));
  if (b.exact.kind === 'constant' && b.exact.value.numerator === 0n) return null;
  const unit = multiplyUnits(a.unit, b.unit, -1);
  if (isExactForm(b) && isExactForm(a)) return { ...exactForm(graph.divide(a.exact, b.exact)), unit };
  if (!isExactForm(b) && least === 0) return null;
  const share = isExactForm(b) ? 0 : Math.min(plus(b.relative, divideUp(b.absolute, least)), divideUp(b.total, least));
  if (!(share < 0.5)) return null;
  const shrink = divideUp(1, addDown(1, -share));
  const exact = graph.divide(a.exact, b.exact);
  const size = magnitude(ranges.range(exact));
  const by = graph.absolute(b.exact);
  // The divisor's error is divided first, so that its underflow stays a number.
  const ofDivisor = bounds.timesSize(bounds.over(b.bound, by, least), exact);
  return {
    unit,
    exact,
    bound: scaleBound(addBounds(bounds.over(a.bound, by, least), ofDivisor), shrink),
    relative: times(plus(a.relative, share), shrink),
    absolute: a.absolute === 0 ? 0 : least === 0 ? Infinity : times(divideUp(a.absolute, least), shrink),
    total: least === 0 ? Infinity : times(divideUp(plus(a.total, times(size, b.total)), least), shrink),
    scales: a.scales && b.scales,
  };
}

/** Where |E| counts for the difference of maxima: t ↦ t ± ρ|t| grows for ρ ≤ 1. */
function selection(node: BinaryNode, kind: 'minimum' | 'maximum', context: Context): ErrorForm {
  const { graph, raw, bounds } = context;
  const [a, b] = inOneUnit(raw(node.left), raw(node.right), context);
  const sizes = larger(a, b);
  const exact = kind === 'minimum' ? graph.minimum(a.exact, b.exact) : graph.maximum(a.exact, b.exact);
  const small = sizes.relative <= 1;
  return {
    unit: a.unit,
    exact,
    bound: bounds.larger(a.bound, b.bound),
    relative: small ? sizes.relative : 0,
    absolute: small ? sizes.absolute : sizes.total,
    total: sizes.total,
    scales: small && sizes.scales,
  };
}

/** √(E + δ) − √E = δ/(√(E + δ) + √E). */
function root(a: ErrorForm, { graph, ranges, bounds }: Context): ErrorForm | null {
  const exact = graph.sqrt(a.exact);
  if (isExactForm(a)) return exactForm(exact);
  const least = ranges.range(a.exact).low;
  if (least < 0) return null;
  const share = least > 0 ? plus(a.relative, divideUp(a.absolute, least)) : a.absolute === 0 ? a.relative : Infinity;
  if (!(share < 0.5)) return null;
  // 1/(1 + √(1 − share)), at most.
  const factor = divideUp(1, addDown(1, Math.sqrt(addDown(1, -share)) * (1 - 2 ** -50)));
  return {
    unit: NO_UNIT,
    exact,
    bound:
      least > 0
        ? scaleBound(bounds.over(a.bound, exact, Math.sqrt(least) * (1 - 2 ** -50)), factor)
        : bounds.size(exact, times(share, factor)),
    relative: times(share, factor),
    absolute: 0,
    total: Infinity,
    scales: a.scales,
  };
}

/** |RN(p) − p| ≤ u·|p| + η, and at most half a unit of p's binade, which is not known about multiples of an input. */
function roundedForm(operand: NumberExpression, context: Context): ErrorForm {
  const { graph, ranges, bounds, isFloat32, raw, assume } = context;
  const before = raw(operand);
  if (isFloat32(operand)) {
    assume('rounding-exact');
    return before;
  }
  const range = ranges.range(operand);
  const addition = operand.kind === 'add' && isFloat32(operand.left) && isFloat32(operand.right);
  assume(addition ? 'rounding-addition' : 'rounding-relative');
  assume('rounding-unit');
  const { unit } = before;
  const underflow = inUnits(addition || mignitude(range) >= SMALLEST_NORMAL ? 0 : HALF_SMALLEST, unit, context);
  const reach = plus(magnitude(ranges.range(before.exact)), before.total);
  const step =
    unit.size === 0 ? halfUnit(Math.min(magnitude(range), reach)) : plus(times(UNIT_ROUNDOFF, reach), underflow);
  return {
    unit,
    exact: before.exact,
    bound: addBounds(
      scaleBound(before.bound, 1 + UNIT_ROUNDOFF),
      bounds.size(before.exact, UNIT_ROUNDOFF),
      constantBound(graph, underflow),
    ),
    relative: plus(before.relative, times(UNIT_ROUNDOFF, plus(1, before.relative))),
    absolute: plus(times(before.absolute, 1 + UNIT_ROUNDOFF), underflow),
    total: plus(before.total, step),
    scales: before.scales,
  };
}

/** RN(2ᵏ·p) compared with 2ᵏ·RN(p). */
function scaledForm({ of, exponent }: Scaled, { graph, get, assume }: Context): ErrorForm {
  assume('rounding-scaled');
  assume('rounding-exact');
  const error = scaledError(exponent);
  return {
    unit: NO_UNIT,
    exact: graph.multiply(graph.integer(2n ** BigInt(exponent)), get(of).exact),
    bound: constantBound(graph, error),
    relative: 0,
    absolute: error,
    total: error,
    scales: false,
  };
}

/** f of the value compared with f of the exact argument. */
function functionForm(node: UnaryNode, fn: Parameters<typeof propagate>[1], context: Context): ErrorForm | null {
  const { graph, ranges, get } = context;
  const argument = get(node.operand);
  const exact = graph.apply(fn, argument.exact);
  if (isExactForm(argument)) return exactForm(exact);
  const passed = propagate(context, fn, argument, ranges.range(argument.exact));
  return passed && { unit: NO_UNIT, exact, ...passed };
}

/** One more rounding, of a function's result: the float64 function errs a little and may underflow. */
function roundedFunction(draft: ErrorForm, roundoff: number, context: Context): ErrorForm {
  const { graph, ranges, bounds, assume } = context;
  assume('function-envelope');
  assume('rounding-relative');
  const range: Interval = ranges.range(draft.exact);
  const size = plus(magnitude(range), draft.total);
  const underflow = addDown(mignitude(range), -draft.total) > SMALLEST_NORMAL ? 0 : HALF_SMALLEST * (1 + 2 ** -20);
  const unit = plus(halfUnit(times(size, 1 + 2 ** -45)), times(size, roundoff - UNIT_ROUNDOFF), HALF_SMALLEST);
  return {
    unit: NO_UNIT,
    exact: draft.exact,
    bound: addBounds(
      scaleBound(draft.bound, plus(1, roundoff)),
      bounds.size(draft.exact, roundoff),
      constantBound(graph, underflow),
    ),
    relative: plus(times(draft.relative, plus(1, roundoff)), roundoff),
    absolute: plus(times(draft.absolute, plus(1, roundoff)), underflow),
    total: plus(draft.total, Math.min(unit, plus(times(size, roundoff), underflow))),
    scales: draft.scales,
  };
}

/** Small whole powers are products. */
function powerForm(node: BinaryNode, context: Context): ErrorForm | null {
  const { graph, get } = context;
  const base = context.raw(node.left);
  const exponent = node.right.kind === 'constant' && isWhole(node.right.value) ? toFloat(node.right.value) : null;
  if (base.unit.size === 0 && isExactForm(base) && isExactForm(get(node.right)))
    return exactForm(graph.power(base.exact, get(node.right).exact));
  if (exponent === null || exponent < 1 || exponent > 16) return null;
  let power: ErrorForm = base;
  for (let i = 1; i < exponent; i++) power = product(power, base, context);
  return base.unit.size === 0 ? { ...power, exact: graph.power(base.exact, node.right) } : power;
}
