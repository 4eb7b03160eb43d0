/** Numbers, over the reals and the integers. */
import { notationName } from '../../math/term/print-term.ts';
import type { FunctionName } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';
import type { Scope } from './scope.ts';
import { writeElement, writeIf, writeLet } from './write-structure.ts';
import { writeReduction } from './write-reductions.ts';
import { apply, atom, fit, leftward, level, type Text } from './text.ts';
import type { Call, Writer } from './writer.ts';

/** A real number. */
export function writeReal(writer: Writer, term: Term, scope: Scope): Text {
  if (term.kind === 'number') return realLiteral(writer, term.value, term);
  if (term.type.kind === 'integer') return apply('IZR', writer.integer(term, scope));
  switch (term.kind) {
    case 'variable':
      return scope.texts.get(term.name) ?? writer.refuse(`${term.name} has no value here`, term);
    case 'call':
      return realCall(writer, term, scope);
    case 'if':
      return writeIf(writer, writer.real, term, scope);
    case 'element':
      return writeElement(writer, term, scope);
    case 'reduce':
      return writeReduction(writer, term, scope);
    case 'let':
      return writeLet(writer, writer.real, term, scope);
    default:
      return writer.refuse('it is not a number', term);
  }
}

/** An integer. */
export function writeInteger(writer: Writer, term: Term, scope: Scope): Text {
  switch (term.kind) {
    case 'number':
      return /^-?\d+$/.test(term.value) ? integerLiteral(term.value) : writer.refuse('it is not an integer', term);
    case 'variable':
      return scope.texts.get(term.name) ?? writer.refuse(`${term.name} has no value here`, term);
    case 'call':
      return integerCall(writer, term, scope);
    case 'if':
      return writeIf(writer, writer.integer, term, scope);
    case 'element':
      return writeElement(writer, term, scope);
    case 'reduce':
      return writeReduction(writer, term, scope);
    case 'let':
      return writeLet(writer, writer.integer, term, scope);
    default:
      return writer.refuse('it is not an integer', term);
  }
}

const integerLiteral = (digits: string): Text => (digits.startsWith('-') ? atom(`(${digits})`) : atom(digits));

/** Written exactly: a decimal is a fraction. */
function realLiteral(writer: Writer, digits: string, term: Term): Text {
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(digits);
  if (!parts) return writer.refuse(`${digits} is not a real number`, term);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > 400) return writer.refuse('its exponent is beyond 400', term);
  const mantissa = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  const numerator = `${sign}${mantissa}${'0'.repeat(Math.max(0, shift))}`;
  if (shift >= 0) return integerLiteral(numerator);
  return leftward('/', level.product, integerLiteral(numerator), atom(`1${'0'.repeat(-shift)}`));
}

/** Functions that Rocq's standard library or the prelude has under a name. */
const realFunctions: Partial<Readonly<Record<FunctionName, string>>> = {
  absolute: 'Rabs',
  sign: 'Rsign',
  minimum: 'Rmin',
  maximum: 'Rmax',
  sqrt: 'sqrt',
  exp: 'exp',
  log: 'ln',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  tanh: 'tanh',
  sinh: 'sinh',
  cosh: 'cosh',
  atan: 'atan',
  modulo: 'Rmod',
  pi: 'PI',
};

const one = atom('1');
const inverse = (a: Text): Text => ({ text: `/ ${fit(a, level.opposite)}`, level: level.opposite });
const opposite = (a: Text): Text => ({ text: `- ${fit(a, level.opposite)}`, level: level.opposite });
const plus = (a: Text, b: Text): Text => leftward('+', level.sum, a, b);
const minus = (a: Text, b: Text): Text => leftward('-', level.sum, a, b);
const times = (a: Text, b: Text): Text => leftward('*', level.product, a, b);
const over = (a: Text, b: Text): Text => leftward('/', level.product, a, b);

function realCall(writer: Writer, term: Call, scope: Scope): Text {
  const at = (i: number): Text => {
    const argument = term.arguments[i];
    return argument ? writer.real(argument, scope) : writer.refuse('an argument is missing', term);
  };
  const name = realFunctions[term.fn];
  if (name !== undefined) return apply(name, ...term.arguments.map((_, i) => at(i)));
  switch (term.fn) {
    case 'add':
      return plus(at(0), at(1));
    case 'subtract':
      return minus(at(0), at(1));
    case 'multiply':
      return times(at(0), at(1));
    case 'divide':
      return over(at(0), at(1));
    case 'negate':
      return opposite(at(0));
    case 'power':
      return realPower(writer, term, scope);
    case 'clamp':
      return apply('Rmin', apply('Rmax', at(0), at(1)), at(2));
    case 'reciprocal-sqrt':
      return inverse(apply('sqrt', at(0)));
    case 'e':
      return apply('exp', one);
    case 'expm1':
      return minus(apply('exp', at(0)), one);
    case 'log1p':
      return apply('ln', plus(one, at(0)));
    case 'log2':
      return over(apply('ln', at(0)), apply('ln', atom('2')));
    case 'log10':
      return over(apply('ln', at(0)), apply('ln', atom('10')));
    case 'sigmoid':
      return inverse(plus(one, apply('exp', opposite(at(0)))));
    case 'softplus':
      return apply('ln', plus(one, apply('exp', at(0))));
    case 'floor-divide':
      return apply('IZR', apply('Zfloor', over(at(0), at(1))));
    default:
      return writer.refuse(`${notationName(term.fn)} has no counterpart over the reals`, term);
  }
}

/** x^2 by repeated products, x^(1/2) as a root, integer exponents exactly, others as exp(y·ln x). */
function realPower(writer: Writer, term: Call, scope: Scope): Text {
  const [base, exponent] = term.arguments;
  if (!base || !exponent) return writer.refuse('an argument is missing', term);
  const b = writer.real(base, scope);
  const power = (digits: string): Text => ({ text: `${fit(b, level.application)} ^ ${digits}`, level: level.power });
  if (exponent.kind === 'number' && /^\d+$/.test(exponent.value)) return power(exponent.value);
  if (exponent.kind === 'number' && /^-\d+$/.test(exponent.value)) return inverse(power(exponent.value.slice(1)));
  if (exponent.kind === 'number' && Number(exponent.value) === 0.5) return apply('sqrt', b);
  if (exponent.type.kind === 'integer') return apply('powerRZ', b, writer.integer(exponent, scope));
  return apply('Rpower', b, writer.real(exponent, scope));
}

const integerFunctions: Partial<Readonly<Record<FunctionName, string>>> = {
  absolute: 'Z.abs',
  sign: 'Z.sgn',
  minimum: 'Z.min',
  maximum: 'Z.max',
};

const roundings: Partial<Readonly<Record<FunctionName, string>>> = {
  floor: 'Zfloor',
  ceiling: 'Zceil',
  round: 'Zround',
};

function integerCall(writer: Writer, term: Call, scope: Scope): Text {
  const rounded = roundings[term.fn];
  const [first] = term.arguments;
  if (rounded !== undefined && first) {
    if (first.type.kind === 'integer') return writer.integer(first, scope);
    return apply(rounded, writer.real(first, scope));
  }
  const at = (i: number): Text => {
    const argument = term.arguments[i];
    return argument ? writer.integer(argument, scope) : writer.refuse('an argument is missing', term);
  };
  const name = integerFunctions[term.fn];
  if (name !== undefined) return apply(name, ...term.arguments.map((_, i) => at(i)));
  switch (term.fn) {
    case 'add':
      return plus(at(0), at(1));
    case 'subtract':
      return minus(at(0), at(1));
    case 'multiply':
      return times(at(0), at(1));
    case 'negate':
      return opposite(at(0));
    case 'floor-divide':
      return leftward('/', level.product, at(0), at(1));
    case 'modulo':
      return leftward('mod', level.product, at(0), at(1));
    case 'power':
      return { text: `${fit(at(0), level.application)} ^ ${fit(at(1), level.application)}`, level: level.power };
    case 'clamp':
      return apply('Z.min', apply('Z.max', at(0), at(1)), at(2));
    case 'factorial':
      return apply('Z.of_nat', apply('fact', apply('Z.to_nat', at(0))));
    default:
      return writer.refuse(`${notationName(term.fn)} has no counterpart among integers`, term);
  }
}
