/** The functions of `Math` as kernels call them. */
import { float32FromBits } from '../../numeric/float.ts';
import { fromFloat } from '../../numeric/rational.ts';
import type { MathFunction } from '../../subject/kernel-syntax.ts';
import type { ElementaryFunction, NumberExpression } from '../expression.ts';
import { exactRoot, knownValues } from '../exact-function.ts';
import { operate, toFloat32 } from './arithmetic.ts';
import { demand, refuse, type Execution } from './execution.ts';
import { power } from './power.ts';
import { unlessNaN, type Site } from './site.ts';
import { expressionOf, isFloat32, isZero, settled, type NumberValue } from './value.ts';

/** The largest float32 whose exponential, and whose hyperbolic sine and cosine, are float32: the next one gives ∞. */
export const largestExponent = float32FromBits(0x42b17217);
/** Largest float32 argument at which `sinh` and `cosh` do not overflow. */
export const largestHyperbolic = float32FromBits(0x42b2d4fc);

/** What `fn` of `values` is. */
export function callMath(
  execution: Execution,
  fn: MathFunction,
  values: readonly NumberValue[],
  site: Site,
): NumberValue {
  const [a = 0, b = 0] = values;
  switch (fn) {
    case 'min':
    case 'max':
      return values.slice(1).reduce((best, next) => select(execution, fn, [best, next], site), a);
    case 'pow':
      return power(execution, a, b, site);
    case 'atan2':
      return angle(execution, [a, b], site);
    case 'fround':
      return execution.reading === 'float32' ? toFloat32(execution, a, site) : a;
    case 'round':
      return roundHalfUp(execution, a, site);
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'sign':
      return typeof a === 'number' ? Math[fn](a) : settled(execution, step(execution, fn, a));
    case 'sqrt':
      return squareRoot(execution, a, site);
    default:
      return elementary(execution, fn, a, site);
  }
}

/** There is no node for this function: it is evaluated if its arguments, or their signs, determine the result. */
function angle(execution: Execution, [y, x]: readonly [NumberValue, NumberValue], site: Site): NumberValue {
  if (execution.reading === 'float32') {
    if (isZero(y) && typeof y === 'object' && typeof x === 'number' && x > 0) return y;
    const across = isZero(x) && !isZero(y) ? 0 : x;
    if (typeof y === 'number' && typeof across === 'number')
      return unlessNaN(execution, Math.fround(Math.atan2(y, across)), site);
  }
  refuse(
    execution,
    site.place,
    isZero(y)
      ? 'Math.atan2 of 0 depends on the signs of zeros, which proofs do not track'
      : 'Math.atan2 has no model in proofs',
  );
  return 0;
}

function select(
  execution: Execution,
  fn: 'min' | 'max',
  [a, b]: readonly [NumberValue, NumberValue],
  { place }: Site,
): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') return Math[fn](a, b);
  const beyond = fn === 'max' ? Infinity : -Infinity;
  if (a === beyond || b === beyond) return beyond;
  if (a === -beyond) return b;
  if (b === -beyond) return a;
  const { graph } = execution;
  const [x, y] = [expressionOf(execution, a, place), expressionOf(execution, b, place)];
  return settled(execution, fn === 'max' ? graph.maximum(x, y) : graph.minimum(x, y));
}

/** As ref32 has it: ⌊fl(x + ½)⌋. */
function roundHalfUp(execution: Execution, value: NumberValue, site: Site): NumberValue {
  if (typeof value === 'number' && !Number.isFinite(value)) return value;
  const { graph, reading } = execution;
  const half = reading === 'float32' ? 0.5 : graph.constant(fromFloat(0.5));
  const moved = operate(execution, '+', [value, half], false, site);
  return typeof moved === 'number' ? Math.floor(moved) : settled(execution, graph.step('floor', moved));
}

function step(
  { graph }: Execution,
  fn: 'abs' | 'floor' | 'ceil' | 'trunc' | 'sign',
  value: NumberExpression,
): NumberExpression {
  switch (fn) {
    case 'abs':
      return graph.absolute(value);
    case 'floor':
      return graph.step('floor', value);
    case 'ceil':
      return graph.step('ceiling', value);
    case 'trunc':
      return graph.step('truncate', value);
    case 'sign': {
      const zero = graph.integer(0);
      const negative = graph.if(graph.less(value, zero), graph.integer(-1), zero);
      return graph.if(graph.less(zero, value), graph.integer(1), negative);
    }
  }
}

/** Correctly rounded, as float64's root rounded once more is (53 ≥ 2·24 + 2, Figueroa 1995). */
function squareRoot(execution: Execution, value: NumberValue, site: Site): NumberValue {
  const { graph, reading } = execution;
  if (isZero(value)) return value;
  if (typeof value === 'number' && (!Number.isFinite(value) || value < 0))
    return unlessNaN(execution, Math.sqrt(value), site);
  if (reading === 'float32' && !isFloat32(execution, value)) {
    // The operand is not a float32: its float64 root, rounded again, may not be the float32 nearest to the exact root.
    if (typeof value === 'number') return Math.fround(Math.sqrt(value));
    refuse(execution, site.place, noFloat32);
  }
  const operand = expressionOf(execution, value, site.place);
  demand(execution, site.path, {
    kind: 'invalid',
    place: site.place,
    condition: graph.lessEqual(graph.integer(0), operand),
    text: () => `${site.text()} is of a number that is not negative`,
  });
  // The root of a known number stays one: the claim has the exact root in its place, and the two differ by a rounding.
  const root = exactRoot(graph, operand);
  return settled(execution, reading === 'float32' ? graph.round32(root) : root);
}

const noFloat32 = 'a function of a whole number beyond 2²⁴, which is not a float32, has no model in proofs';

type Called = Exclude<ElementaryFunction, 'erf' | 'log10'>;

/** A known argument does not make the result known: it differs between engines. */
function elementary(execution: Execution, fn: Called, value: NumberValue, site: Site): NumberValue {
  const { graph, reading } = execution;
  const known = knownValues[fn];
  if (known?.[0] === 0 && isZero(value)) return known[1] === 0 ? value : known[1];
  if (known && value === known[0]) return known[1];
  if (typeof value === 'number' && !Number.isFinite(value)) return unlessNaN(execution, Math[fn](value), site);
  if (reading === 'float32' && !isFloat32(execution, value)) refuse(execution, site.place, noFloat32);
  const operand = expressionOf(execution, value, site.place);
  demandDefined(execution, fn, operand, site);
  return reading === 'float32' ? graph.machine(fn, operand) : graph.apply(fn, operand);
}

function demandDefined(execution: Execution, fn: Called, operand: NumberExpression, site: Site): void {
  const { graph, reading } = execution;
  const { path, place, text } = site;
  const limit = (kind: 'invalid' | 'overflow', bound: number, what: string): void => {
    const condition = graph.lessEqual(graph.absolute(operand), graph.constant(fromFloat(bound)));
    demand(execution, path, { kind, place, condition, text: () => `${text()} ${what}` });
  };
  switch (fn) {
    case 'log':
    case 'log2':
      demand(execution, path, {
        kind: 'invalid',
        place,
        condition: graph.less(graph.integer(0), operand),
        text: () => `${text()} is of a positive number`,
      });
      break;
    case 'asin':
    case 'acos':
      limit('invalid', 1, 'is of a number in [−1, 1]');
      break;
    case 'exp':
      if (reading === 'float32')
        demand(execution, path, {
          kind: 'overflow',
          place,
          condition: graph.lessEqual(operand, graph.constant(fromFloat(largestExponent))),
          text: () => `${text()} does not overflow`,
        });
      break;
    case 'sinh':
    case 'cosh':
      if (reading === 'float32') limit('overflow', largestHyperbolic, 'does not overflow');
      break;
    default:
      break;
  }
}
