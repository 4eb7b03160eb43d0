/** The rules of the running error in float32: how each function passes errors on, and whether it rounds. */
import { call, choose, decimal, integer } from '../term/build.ts';
import type { FunctionName } from '../functions.ts';
import { logSlope, powerSlope, slopeOf } from '../derivative/slopes.ts';
import { REAL, type Term } from '../term/term.ts';
import { isZero, zero } from '../term/zero.ts';

/** The value of an operand and a bound of its error, in roundings. */
export interface Operand {
  readonly value: Term;
  readonly error: Term;
}

/** What an arithmetic adds to the errors that it is handed, in units of one rounding of float32 (2⁻²⁴). */
export interface ErrorRules {
  /** E of a call whose operands' values and errors are known; `result` is the call over the values. */
  readonly ofCall: (term: Extract<Term, { kind: 'call' }>, result: Term, operands: readonly Operand[]) => Term;
  /** Of a constant that float32 does not hold. */
  readonly ofConstant: (value: Term) => Term;
  /** What one term of a sum of `count()` terms adds, in any order of addition. */
  readonly ofSummand: (value: Term, count: () => Term) => Term;
  /** What one factor of a product adds, relative to the product. */
  readonly ofFactor: () => Term;
}

/** Float32 with every operation rounded to nearest. A sum counts once, whatever its length and order. */
export const float32Errors: ErrorRules = {
  ofCall: errorOfCall,
  ofConstant: (value) => call('absolute', value),
  ofSummand: (value) => call('absolute', value),
  ofFactor: () => decimal('1'),
};

/** a + b, where a zero error leaves nothing. */
export function plus(a: Term, b: Term): Term {
  return isZero(a) ? b : isZero(b) ? a : call('add', a, b);
}

/** |factor|·error; zero errors stay zero even where the factor is infinite. */
function times(factor: Term, error: Term): Term {
  if (isZero(error)) return zero;
  const [inner] = factor.kind === 'call' && factor.fn === 'negate' ? factor.arguments : [factor];
  return call('multiply', call('absolute', inner ?? factor), error);
}

function errorOfCall(term: Extract<Term, { kind: 'call' }>, result: Term, operands: readonly Operand[]): Term {
  const [a, b, c] = operands;
  if (a === undefined) return zero;
  if (selections.has(term.fn)) return errorOfSelection(term.fn, a, b, c);
  if (exact.has(term.fn)) return zero;
  const rounding = call('absolute', result);
  if (b !== undefined) return plus(propagated(term.fn, a, b, result), rounding);
  if (term.fn === 'sqrt') return plus(errorOfRoot(a, result), rounding);
  return plus(throughSlope(term.fn, a, result), rounding);
}

/** |f′(a)|·E(a). */
export function throughSlope(fn: FunctionName, a: Operand, result: Term): Term {
  const slope = slopeOf(fn, a.value, result);
  return slope === null ? zero : times(slope, a.error);
}

/** Functions whose result is one of finitely many steps: the first-order error is zero. */
export const exact: ReadonlySet<FunctionName> = new Set([
  'floor',
  'ceiling',
  'round',
  'sign',
  'floor-divide',
  'ulp32',
  'ulp-distance',
  'factorial',
  'binomial',
] as const);

/** Functions that return an operand, up to its sign: nothing is rounded. */
export const selections: ReadonlySet<FunctionName> = new Set([
  'negate',
  'absolute',
  'minimum',
  'maximum',
  'clamp',
  'round32',
] as const);

/** The largest error of the operands. */
export function errorOfSelection(fn: FunctionName, a: Operand, b: Operand | undefined, c: Operand | undefined): Term {
  if (fn === 'round32') return plus(a.error, call('absolute', a.value));
  return [b, c].reduce((largest, next) => {
    if (next === undefined || isZero(next.error)) return largest;
    return isZero(largest) ? next.error : call('maximum', largest, next.error);
  }, a.error);
}

/** What the errors of two operands make of the result, before it is rounded. */
export function propagated(fn: FunctionName, a: Operand, b: Operand, result: Term): Term {
  switch (fn) {
    case 'add':
    case 'subtract':
      return plus(a.error, b.error);
    case 'multiply':
      return plus(plus(times(a.value, b.error), times(b.value, a.error)), bothErrors(a.error, b.error));
    case 'divide':
      return plus(over(a.error, b.value), over(times(result, b.error), b.value));
    case 'modulo':
      return a.error;
    case 'power':
      return plus(times(powerSlope(a.value, b.value), a.error), times(logSlope(a.value, result), b.error));
    default:
      return zero;
  }
}

/** The unit roundoff of float32, and its reciprocal. */
const roundoff = decimal('5.9604644775390625e-8');
const inverseRoundoff = integer(16_777_216);

/** The second-order part of a product, u·E(a)·E(b): all that is left where cancellation makes both factors zero. */
function bothErrors(a: Term, b: Term): Term {
  return isZero(a) || isZero(b) ? zero : call('multiply', roundoff, call('multiply', a, b));
}

/** √ has no derivative at 0, but √(a + δ) − √a ≤ √δ: in units of u, √(E/u). The smaller bound counts. */
export function errorOfRoot(a: Operand, root: Term): Term {
  if (isZero(a.error)) return zero;
  const far = call('greater', call('multiply', call('multiply', integer(4), inverseRoundoff), a.value), a.error);
  const slope = call('divide', a.error, call('multiply', integer(2), root));
  return choose(far, slope, call('sqrt', call('multiply', a.error, inverseRoundoff)), REAL);
}

function over(error: Term, divisor: Term): Term {
  return isZero(error) ? zero : call('divide', error, call('absolute', divisor));
}
