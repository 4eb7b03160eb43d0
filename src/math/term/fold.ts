/**
 * What a call is worth without running it. Only rewrites that are exact for every operand, NaN and −0 aside,
 * which mathematics does not have: `x + 0`, `1·x`, `x^1`, whole-number arithmetic, logic with a known side.
 */
import type { FunctionName } from '../functions.ts';
import { INTEGER, type Term } from './term.ts';

/** The simpler term that `fn(args)` is, or null. */
export function foldCall(fn: FunctionName, args: readonly Term[]): Term | null {
  const [a, b] = args;
  if (a === undefined) return null;
  if (b === undefined) return foldUnary(fn, a);
  return foldIntegers(fn, a, b) ?? foldNeutral(fn, a, b) ?? foldLogic(fn, a, b);
}

function literal(value: number): Term | null {
  return Number.isSafeInteger(value) ? { kind: 'number', value: String(value), type: INTEGER, origin: null } : null;
}

/** The value of a whole-number literal, else null. */
export function integerValue(term: Term): number | null {
  if (term.kind !== 'number' || term.type.kind !== 'integer') return null;
  const value = Number(term.value);
  return Number.isSafeInteger(value) ? value : null;
}

function foldUnary(fn: FunctionName, a: Term): Term | null {
  if (fn === 'not' && a.kind === 'boolean') return { ...a, value: !a.value };
  if (fn === 'not' && a.kind === 'call' && a.fn === 'not') return a.arguments[0] ?? null;
  const value = integerValue(a);
  if (value === null) {
    const exact = (fn === 'floor' || fn === 'ceiling' || fn === 'round') && a.type.kind === 'integer';
    return exact ? a : null;
  }
  if (fn === 'negate' && value !== 0) return literal(-value);
  return fn === 'absolute' ? literal(Math.abs(value)) : null;
}

function foldIntegers(fn: FunctionName, a: Term, b: Term): Term | null {
  const x = integerValue(a);
  const y = integerValue(b);
  if (x === null || y === null) return null;
  switch (fn) {
    case 'add':
      return literal(x + y);
    case 'subtract':
      return literal(x - y);
    case 'multiply':
      return literal(x * y);
    case 'minimum':
      return literal(Math.min(x, y));
    case 'maximum':
      return literal(Math.max(x, y));
    case 'floor-divide':
      return y === 0 ? null : literal(Math.floor(x / y));
    case 'modulo':
      return y === 0 ? null : literal(x - y * Math.floor(x / y));
    default:
      return null;
  }
}

function foldNeutral(fn: FunctionName, a: Term, b: Term): Term | null {
  const x = integerValue(a);
  const y = integerValue(b);
  switch (fn) {
    case 'add':
      return x === 0 ? b : y === 0 ? a : null;
    case 'subtract':
      return y === 0 ? a : null;
    case 'multiply':
      return x === 1 ? b : y === 1 ? a : null;
    case 'divide':
    case 'floor-divide':
    case 'power':
      return y === 1 && (fn !== 'floor-divide' || a.type.kind === 'integer') ? a : null;
    default:
      return null;
  }
}

function foldLogic(fn: FunctionName, a: Term, b: Term): Term | null {
  const known = (term: Term, value: boolean): boolean => term.kind === 'boolean' && term.value === value;
  switch (fn) {
    case 'and':
      return known(a, true) ? b : known(b, true) || known(a, false) ? a : null;
    case 'or':
      return known(a, false) ? b : known(b, false) || known(a, true) ? a : null;
    case 'implies':
      return known(a, true) ? b : null;
    default:
      return null;
  }
}
