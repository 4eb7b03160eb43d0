/** How an elementary function propagates the error of its argument, to first order with the rest bounded. */
import { addDown, addUp, divideUp, magnitude, mignitude, type Interval } from '../../../numeric/interval.ts';
import { functionInterval, functionUlps } from '../../../numeric/interval-elementary.ts';
import { fromFloat } from '../../../numeric/rational.ts';
import type { ElementaryFunction, Graph, NumberExpression } from '../../expression.ts';
import { addBounds, constantBound, scaleBound } from './bound.ts';
import type { BoundArithmetic } from './bound-arithmetic.ts';
import { UNIT_ROUNDOFF, type ErrorForm } from './error-form.ts';
import { plus, times } from './numbers-up.ts';

/** |f(value) − f(exact)|, as an `ErrorForm` has it. */
export type Propagated = Omit<ErrorForm, 'unit' | 'exact'>;

interface Tools {
  readonly graph: Graph;
  readonly bounds: BoundArithmetic;
  /** As in `FormOptions`. */
  readonly falling?: boolean;
}

/** Null if nothing is known: the argument may leave the domain, or the slope has no bound. */
export function propagate(
  tools: Tools,
  fn: ElementaryFunction,
  argument: ErrorForm,
  range: Interval,
): Propagated | null {
  const { total } = argument;
  if (!Number.isFinite(total)) return null;
  switch (fn) {
    case 'exp':
      return exponential(tools, argument, range);
    case 'log':
    case 'log2':
    case 'log10':
      return logarithm(tools, fn, argument, range);
    case 'sin':
    case 'cos':
    case 'tanh':
    case 'atan':
    case 'erf':
      return smooth(tools, fn, argument);
    default:
      return steep(fn, argument, range);
  }
}

/** |e^(E+δ) − e^E| = e^E·|e^δ − 1| ≤ e^E·(e^|δ| − 1), and (e^δ − 1)/δ grows with δ. */
function exponential({ graph, bounds, falling }: Tools, argument: ErrorForm, range: Interval): Propagated | null {
  const { exact, bound, total } = argument;
  if (total > 600) return null;
  const growth = expm1Up(total);
  const number = falling && range.high <= 0 ? fallingError(argument) : Infinity;
  if (times(2, number) < growth)
    return { bound: constantBound(graph, number), scales: true, relative: 0, absolute: number, total: number };
  const slope = total === 0 ? 1 : divideUp(growth, total);
  const value = graph.apply('exp', exact);
  return {
    bound: scaleBound(bounds.times(bound, value), slope),
    scales: true,
    relative: growth,
    absolute: 0,
    total: times(growth, functionInterval('exp', range).high),
  };
}

/**
 * |e^(E+δ) − e^E| ≤ |δ|·e^(|δ|+E) for |δ| ≤ ρ·|E| + α and E ≤ 0 is at most e^α·(ρ/(e·(1 − ρ)) + α), since x·e^(−(1−ρ)x) is at most
 * 1/(e·(1 − ρ)).
 */
function fallingError({ relative, absolute }: ErrorForm): number {
  if (!(relative < 0.5) || !(absolute < 1)) return Infinity;
  const share = divideUp(times(relative, INVERSE_E), addDown(1, -relative));
  return times(plus(1, expm1Up(absolute)), plus(share, absolute));
}

/** 1/e = 0.36787944…, rounded up. */
const INVERSE_E = 0.367_879_45;

/** Math.expm1 errs by less than a unit; two are allowed. */
function expm1Up(x: number): number {
  return x === 0 ? 0 : Math.expm1(x) * (1 + 2 ** -50);
}

/** log₂ e and log₁₀ e, rounded up. */
const perNatural = { log: 1, log2: Math.LOG2E * (1 + 2 ** -52), log10: Math.LOG10E * (1 + 2 ** -52) } as const;

/** |log(E(1 + θ)) − log E| ≤ −log(1 − |θ|), and −log(1 − θ)/θ grows with θ. */
function logarithm(
  { bounds }: Tools,
  fn: 'log' | 'log2' | 'log10',
  { exact, bound, relative, absolute, total }: ErrorForm,
  range: Interval,
): Propagated | null {
  if (range.low <= 0) return null;
  const share = Math.min(plus(relative, divideUp(absolute, range.low)), divideUp(total, range.low));
  if (!(share < 0.5)) return null;
  const size = share === 0 ? 0 : -Math.log1p(-share) * (1 + 2 ** -50) * perNatural[fn];
  const slope = share === 0 ? perNatural[fn] : divideUp(size, share);
  return {
    bound: scaleBound(bounds.over(bound, exact, range.low), slope),
    scales: false,
    relative: 0,
    absolute: size,
    total: size,
  };
}

interface Smooth {
  /** f′ at the exact value. */
  readonly slope: (graph: Graph, x: NumberExpression) => NumberExpression;
  /** Upper bounds of |f′| and of |f″| everywhere. */
  readonly steepest: number;
  readonly curvature: number;
  /** Odd, and concave above 0: then f(x(1 + θ)) differs from f(x) by at most |θ·f(x)|. */
  readonly star: boolean;
}

const smoothFunctions: Readonly<Record<'sin' | 'cos' | 'tanh' | 'atan' | 'erf', Smooth>> = {
  sin: { slope: (graph, x) => graph.apply('cos', x), steepest: 1, curvature: 1, star: false },
  cos: { slope: (graph, x) => graph.apply('sin', x), steepest: 1, curvature: 1, star: false },
  tanh: {
    slope: (graph, x) => {
      const value = graph.apply('tanh', x);
      return graph.subtract(graph.integer(1), graph.multiply(value, value));
    },
    steepest: 1,
    // 4/(3√3) = 0.7698.
    curvature: 0.77,
    star: true,
  },
  atan: {
    slope: (graph, x) => graph.divide(graph.integer(1), graph.add(graph.integer(1), graph.multiply(x, x))),
    steepest: 1,
    // 3√3/8 = 0.6495.
    curvature: 0.65,
    star: true,
  },
  erf: {
    // 2/√π = 1.12837…, rounded up.
    slope: (graph, x) =>
      graph.multiply(
        graph.constant(fromFloat(1.128_379_167_1)),
        graph.apply('exp', graph.negate(graph.multiply(x, x))),
      ),
    steepest: 1.128_379_167_1,
    // √(8/π)·e^(−1/2) = 0.9679.
    curvature: 0.968,
    star: true,
  },
};

/** |f(E + δ) − f(E)| ≤ |f′(E)|·|δ| + ½·max|f″|·δ². */
function smooth({ graph, bounds }: Tools, fn: keyof typeof smoothFunctions, argument: ErrorForm): Propagated {
  const { exact, bound, relative, absolute, total } = argument;
  const { slope, steepest, curvature, star } = smoothFunctions[fn];
  const slopeHere = graph.absolute(slope(graph, exact));
  const passes = star && relative < 1;
  return {
    bound: addBounds(bounds.times(bound, slopeHere), scaleBound(bound, times(curvature / 2, total))),
    scales: passes && argument.scales,
    relative: passes ? relative : 0,
    absolute: passes ? times(steepest, absolute) : times(steepest, total),
    total: times(steepest, total),
  };
}

/** The largest slope between any two values that the argument may have. */
function steep(fn: ElementaryFunction, argument: ErrorForm, range: Interval): Propagated | null {
  const { bound, total } = argument;
  const reach = { low: addDown(range.low, -total), high: addUp(range.high, total) };
  const slope = steepest(fn, reach);
  if (!Number.isFinite(slope)) return null;
  const size = times(slope, total);
  return { bound: scaleBound(bound, slope), relative: 0, absolute: size, total: size, scales: false };
}

function steepest(fn: ElementaryFunction, reach: Interval): number {
  switch (fn) {
    case 'sinh':
      return functionInterval('cosh', reach).high;
    case 'cosh':
      return magnitude(functionInterval('sinh', reach));
    case 'tan': {
      const least = mignitude(functionInterval('cos', reach));
      const whole = functionInterval('tan', reach);
      return Number.isFinite(magnitude(whole)) && least > 0 ? divideUp(1, least * least * (1 - 2 ** -50)) : Infinity;
    }
    case 'asin':
    case 'acos': {
      const rest = addDown(1, -times(magnitude(reach), magnitude(reach)));
      return rest > 0 ? divideUp(1, Math.sqrt(rest) * (1 - 2 ** -50)) : Infinity;
    }
    default:
      return Infinity;
  }
}

/** The relative error of a float32 function at its own argument: the float64 function's, and one rounding. */
export function functionRoundoff(fn: ElementaryFunction | 'pow'): number {
  return UNIT_ROUNDOFF + (functionUlps[fn] + 1) * 2 ** -52;
}
