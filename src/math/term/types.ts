/**
 * Scalar and tensor types: predicates, the result type of each function, and how types read in messages.
 */
import { invariant } from '../../base/invariant.ts';
import type { FunctionName } from '../functions.ts';
import { printTerm } from './print-term.ts';
import { BOOLEAN, INTEGER, REAL, STRING, type ScalarType, type Term, type Type } from './term.ts';

const booleanFunctions: ReadonlySet<FunctionName> = new Set([
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
  'approximately',
  'and',
  'or',
  'not',
  'implies',
  'iff',
  'xor',
  'is-finite',
  'is-nan',
] as const);

/** Functions whose result is an integer when every argument is one. */
const integerPreserving: ReadonlySet<FunctionName> = new Set([
  'add',
  'subtract',
  'multiply',
  'negate',
  'modulo',
  'floor-divide',
  'absolute',
  'sign',
  'minimum',
  'maximum',
  'clamp',
  'factorial',
  'binomial',
] as const);

/** Functions of a string whose result is an integer. */
const textMeasures: ReadonlySet<FunctionName> = new Set([
  'string-length',
  'code-point-at',
  'utf8-length',
  'utf8-at',
] as const);

/** Functions whose result is an integer whatever the numbers are. */
const rounding: ReadonlySet<FunctionName> = new Set(['floor', 'ceiling', 'round'] as const);

/** Whether a type has axes. */
export function isTensorType(type: Type): type is Extract<Type, { kind: 'tensor' }> {
  return type.kind === 'tensor';
}

/** Whether values of the type are numbers. */
export function isNumeric(type: Type): boolean {
  return type.kind === 'integer' || type.kind === 'real' || type.kind === 'float';
}

/** The type of one element: the type itself for a scalar. */
export function elementTypeOf(type: Type): ScalarType {
  return type.kind === 'tensor' ? type.element : type;
}

/** Sizes of the axes, outermost first; empty for a scalar. */
export function shapeOf(type: Type): readonly Term[] {
  return type.kind === 'tensor' ? type.shape : [];
}

/** The tensor type, or the element type itself for an empty shape. */
export function makeType(element: ScalarType, shape: readonly Term[]): Type {
  return shape.length === 0 ? element : { kind: 'tensor', element, shape };
}

/** The type of `fn` applied to `args`, which elaboration has checked. */
export function resultType(fn: FunctionName, args: readonly Term[]): ScalarType {
  if (booleanFunctions.has(fn)) return BOOLEAN;
  if (textMeasures.has(fn)) return INTEGER;
  if (fn === 'string-concat') return STRING;
  if (rounding.has(fn)) return INTEGER;
  if (fn === 'power') return powerType(args);
  return integerPreserving.has(fn) && args.every((a) => a.type.kind === 'integer') ? INTEGER : REAL;
}

/** An integer power is an integer only when its exponent is a literal that is not negative. */
function powerType(args: readonly Term[]): ScalarType {
  const [base, exponent] = args;
  invariant(base && exponent, 'power has two arguments');
  const whole =
    base.type.kind === 'integer' &&
    exponent.type.kind === 'integer' &&
    exponent.kind === 'number' &&
    !exponent.value.startsWith('-');
  return whole ? INTEGER : REAL;
}

/** The type that holds both: for the branches of a choice and the items of a list; null if none does. */
export function commonType(a: ScalarType, b: ScalarType): ScalarType | null {
  if (a.kind === b.kind) return a.kind === 'float' && b.kind === 'float' && a.format !== b.format ? REAL : a;
  return isNumeric(a) && isNumeric(b) ? REAL : null;
}

const scalarNames: Readonly<Record<Exclude<ScalarType['kind'], 'float'>, string>> = {
  boolean: 'Bool',
  integer: 'ℤ',
  real: 'ℝ',
  string: 'String',
};

/** `F32^{n×m}`, `ℤ`, `Bool`: as the notation writes it. */
export function typeText(type: Type): string {
  if (type.kind === 'tensor') {
    const axes = type.shape.map((axis) => printTerm(axis));
    const [only] = axes;
    const simple = axes.length === 1 && only !== undefined && /^[\p{L}\d_']+$/u.test(only);
    return `${typeText(type.element)}^${simple ? only : `{${axes.join('×')}}`}`;
  }
  return type.kind === 'float' ? type.format.toUpperCase() : scalarNames[type.kind];
}
