/**
 * The exact value of an expression without names: `4096 / 32`, `⌊7/2⌋`, `2^10 - 1`.
 */
import type { BinaryOperator, Expression } from '../../math/notation/syntax.ts';
import { compareRational, negateRational, type Rational } from '../../numeric/rational.ts';
import { add, divide, floor, fromDecimal, multiply, power, rational } from '../../numeric/bounded-rational.ts';

/** How whole numbers are divided in other languages; it ends the sentence `it holds …`. */
export const roundedToZero = 'where division rounds toward zero, and remainders follow it, as in C, Java and Rust';

/** What `//` and `mod` round a quotient to. */
type Quotient = (quotient: Rational) => Rational | null;

/** Toward zero, which changes `-7 mod 3` from 2 to -1. */
export const towardZero: Quotient = (quotient) =>
  quotient.numerator < 0n ? map(floor(negateRational(quotient)), negateRational) : floor(quotient);

/** Null if the expression has names, units, functions that are not rational, or no value (division by zero). */
export function groundValue(expression: Expression, whole: Quotient = floor): Rational | null {
  const valueOf = (part: Expression): Rational | null => groundValue(part, whole);
  switch (expression.kind) {
    case 'number':
      return expression.unit === null ? fromDecimal(expression.value) : null;
    case 'negate':
      return map(valueOf(expression.operand), negateRational);
    case 'absolute':
      return map(valueOf(expression.operand), (value) => (value.numerator < 0n ? negateRational(value) : value));
    case 'floor':
      return map(valueOf(expression.operand), floor);
    case 'ceiling':
      return map(valueOf(expression.operand), (value) => negateRational(floor(negateRational(value))));
    case 'factorial':
      return map(valueOf(expression.operand), factorial);
    case 'binary':
      return binary(expression.operator, valueOf(expression.left), valueOf(expression.right), whole);
    default:
      return null;
  }
}

function map(value: Rational | null, change: (value: Rational) => Rational | null): Rational | null {
  return value && change(value);
}

function factorial(value: Rational): Rational | null {
  if (value.denominator !== 1n || value.numerator < 0n || value.numerator > 200n) return null;
  let product = 1n;
  for (let n = 2n; n <= value.numerator; n++) product *= n;
  return rational(product);
}

function binary(
  operator: BinaryOperator,
  left: Rational | null,
  right: Rational | null,
  whole: Quotient,
): Rational | null {
  if (!left || !right) return null;
  switch (operator) {
    case '+':
      return add(left, right);
    case '-':
      return add(left, negateRational(right));
    case '·':
    case '×':
    case '@':
      return multiply(left, right);
    case '/':
      return divide(left, right);
    case '//':
      return map(divide(left, right), whole);
    case 'mod':
      return modulo(left, right, whole);
    case '^':
      return power(left, right);
    case '&': {
      const isWhole = left.denominator === 1n && right.denominator === 1n;
      const bits = isWhole ? bitsOf(left.numerator, right.numerator) : null;
      return bits === null ? null : rational(bits);
    }
    default:
      return null;
  }
}

/** `6 & 3` of whole numbers; null of negative ones, whose bits depend on how a machine stores them. */
export function bitsOf(a: bigint, b: bigint): bigint | null {
  return a < 0n || b < 0n ? null : a & b;
}

function modulo(left: Rational, right: Rational, whole: Quotient): Rational | null {
  const quotient = map(divide(left, right), whole);
  const product = quotient && multiply(quotient, right);
  return product && add(left, negateRational(product));
}

/**
 * Whether `left = right` holds as people write it: exactly, or up to the rounding of a number that is written out
 * (`1/3 = 0.333` and `2^19 = 524K` are not mistakes; `2 + 2 = 5` is). `text` contains the expressions.
 */
export function equalAsWritten(
  text: string,
  left: Expression,
  right: Expression,
  leftValue: Rational,
  rightValue: Rational,
): boolean {
  if (compareRational(leftValue, rightValue) === 0) return true;
  return roundsTo(text, left, leftValue, rightValue) || roundsTo(text, right, rightValue, leftValue);
}

/** `written` is a rounded literal, and `value` lies within half a unit of its last digit. */
function roundsTo(text: string, written: Expression, writtenValue: Rational, value: Rational): boolean {
  const literal = written.kind === 'negate' ? written.operand : written;
  const halfUnit =
    literal.kind === 'number' ? halfLastUnit(literal.value, text.slice(literal.range.start, literal.range.end)) : null;
  const difference = add(writtenValue, negateRational(value));
  if (!halfUnit || !difference) return false;
  return compareRational(difference.numerator < 0n ? negateRational(difference) : difference, halfUnit) <= 0;
}

/** Half a unit of the last digit of a literal with a decimal point or a scale word; null for whole numbers, which are exact. */
function halfLastUnit(value: string, written: string): Rational | null {
  const decimal = /^\d*\.(\d+)(?:[eE]([+-]?\d+))?$/.exec(value);
  if (decimal) return fromDecimal(`5e${Number(decimal[2] ?? 0) - (decimal[1] ?? '').length - 1}`);
  const scaled = /^\d*[1-9](0+)$/.exec(value);
  return scaled && /\p{L}$/u.test(written.trim()) ? fromDecimal(`5e${(scaled[1] ?? '').length - 1}`) : null;
}
