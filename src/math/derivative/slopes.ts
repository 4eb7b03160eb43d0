/**
 * Partial derivatives of the functions of real numbers, as terms over the operands and the result.
 */
import { invariant } from '../../base/invariant.ts';
import { call, choose, decimal, integer } from '../term/build.ts';
import type { FunctionName } from '../functions.ts';
import { REAL, type Term } from '../term/term.ts';

/** ∂(a^b)/∂a = b·a^(b−1). */
export function powerSlope(base: Term, exponent: Term): Term {
  return call('multiply', exponent, call('power', base, call('subtract', exponent, integer(1))));
}

/** ∂(a^b)/∂b = a^b·ln a; where a ≤ 0 a varying exponent has no derivative and counts nothing. */
export function logSlope(base: Term, result: Term): Term {
  return choose(call('greater', base, integer(0)), call('multiply', result, call('log', base)), integer(0), REAL);
}

const one = integer(1);
const two = integer(2);
const square = (term: Term): Term => call('power', term, two);
const reciprocal = (term: Term): Term => call('divide', one, term);

/** f′(a) of a function of one number, given a and f(a); null if it is zero wherever it exists. */
export function slopeOf(fn: FunctionName, a: Term, result: Term): Term | null {
  switch (fn) {
    case 'reciprocal-sqrt':
      return call('negate', call('multiply', decimal('0.5'), call('divide', result, a)));
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
      return call('negate', call('sin', a));
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
