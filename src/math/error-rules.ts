/** The rule of the running error for each function: how it passes errors on, and whether it rounds. */
import { invariant } from '../base/invariant.ts';
import { call, choose, decimal, integer } from './build.ts';
import type { FunctionName } from './functions.ts';
import { REAL, type Term } from './term.ts';

export interface Operand {
  readonly value: Term;
  readonly error: Term;
}

export const zero: Term = integer(0);

export function isZero(term: Term): boolean {
  return term.kind === 'number' && Number(term.value) === 0;
}

/** a + b, where a zero error leaves nothing. */
export function plus(a: Term, b: Term): Term {
  return isZero(a) ? b : isZero(b) ? a : call('add', a, b);
}

/** |factor|·error; zero errors stay zero even where the factor is infinite. */
function times(factor: Term, error: Term): Term {
  return isZero(error) ? zero : call('multiply', call('absolute', factor), error);
}

/** E(term) for a call whose operands' values and errors are known; `result` is the call over the values. */
export function errorOfCall(term: Extract<Term, { kind: 'call' }>, result: Term, operands: readonly Operand[]): Term {
  const [a, b, c] = operands;
  if (a === undefined) return zero;
  if (selections.has(term.fn)) return errorOfSelection(term.fn, a, b, c);
  if (exact.has(term.fn)) return zero;
  const rounding = call('absolute', result);
  if (b !== undefined) return plus(propagated(term.fn, a, b, result), rounding);
  if (term.fn === 'sqrt') return plus(errorOfRoot(a, result), rounding);
  const slope = derivative(term.fn, a.value, result);
  return plus(slope === null ? zero : times(slope, a.error), rounding);
}

/** Functions whose result is one of finitely many steps: the first-order error is zero. */
const exact: ReadonlySet<FunctionName> = new Set([
  'floor',
  'ceiling',
  'round',
  'sign',
  'floor-divide',
  'ulp32',
  'ulp-distance',
  'factorial',
] as const);

/** Functions that return an operand, up to its sign: nothing is rounded. */
const selections: ReadonlySet<FunctionName> = new Set([
  'negate',
  'absolute',
  'minimum',
  'maximum',
  'clamp',
  'round32',
] as const);

function errorOfSelection(fn: FunctionName, a: Operand, b: Operand | undefined, c: Operand | undefined): Term {
  if (fn === 'round32') return plus(a.error, call('absolute', a.value));
  return [b, c].reduce((largest, next) => {
    if (next === undefined || isZero(next.error)) return largest;
    return isZero(largest) ? next.error : call('maximum', largest, next.error);
  }, a.error);
}

function propagated(fn: FunctionName, a: Operand, b: Operand, result: Term): Term {
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
function errorOfRoot(a: Operand, root: Term): Term {
  if (isZero(a.error)) return zero;
  const far = call('greater', call('multiply', call('multiply', integer(4), inverseRoundoff), a.value), a.error);
  const slope = call('divide', a.error, call('multiply', two, root));
  return choose(far, slope, call('sqrt', call('multiply', a.error, inverseRoundoff)), REAL);
}

function over(error: Term, divisor: Term): Term {
  return isZero(error) ? zero : call('divide', error, call('absolute', divisor));
}

/** ∂(a^b)/∂a = b·a^(b−1). */
function powerSlope(base: Term, exponent: Term): Term {
  return call('multiply', exponent, call('power', base, call('subtract', exponent, integer(1))));
}

/** ∂(a^b)/∂b = a^b·ln a; where a ≤ 0 a varying exponent has no derivative and counts nothing. */
function logSlope(base: Term, result: Term): Term {
  return choose(call('greater', base, integer(0)), call('multiply', result, call('log', base)), integer(0), REAL);
}

const one = integer(1);
const two = integer(2);
const square = (term: Term): Term => call('power', term, two);
const reciprocal = (term: Term): Term => call('divide', one, term);

/** f′(a), given a and f(a); null when it is zero. */
function derivative(fn: FunctionName, a: Term, result: Term): Term | null {
  switch (fn) {
    case 'reciprocal-sqrt':
      return call('multiply', decimal('0.5'), call('divide', result, a));
    case 'exp':
      return result;
    case 'expm1':
      return call('add', result, one);
    case 'log':
      return reciprocal(a);
    case 'log1p':
      return reciprocal(call('add', one, a));
    case 'log2':
      return call('divide', decimal('1.442695040888963407359924681001892137427'), a);
    case 'log10':
      return call('divide', decimal('0.4342944819032518276511289189166050822944'), a);
    case 'sin':
      return call('cos', a);
    case 'cos':
      return call('sin', a);
    case 'tan':
      return call('add', one, square(result));
    case 'tanh':
      return call('subtract', one, square(result));
    case 'sinh':
      return call('cosh', a);
    case 'cosh':
      return call('sinh', a);
    case 'atan':
      return reciprocal(call('add', one, square(a)));
    case 'erf':
      return call(
        'multiply',
        decimal('1.128379167095512573896158903121545171688'),
        call('exp', call('negate', square(a))),
      );
    case 'sigmoid':
      return call('multiply', result, call('subtract', one, result));
    case 'softplus':
      return call('sigmoid', a);
    default:
      invariant(!numericUnary.has(fn), `${fn} has a derivative or is listed as exact`);
      return null;
  }
}

/** Guards the table: a new function of real numbers must say how it passes errors on. */
const numericUnary: ReadonlySet<FunctionName> = new Set(['negate', 'absolute'] as const);
