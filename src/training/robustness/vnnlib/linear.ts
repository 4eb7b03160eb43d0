/** Linear forms over the inputs X_i and the outputs Y_j. */
import {
  addRational,
  bitLength,
  divideRational,
  fraction,
  multiplyRational,
  negateRational,
  ONE,
  ZERO,
  type Rational,
} from '../../../numeric/rational.ts';
import type { Problem } from '../../../base/problem.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { malformed, type Expression } from './expressions.ts';

/** The coefficient of each variable, and a constant, exact. */
interface LinearForm {
  readonly terms: ReadonlyMap<string, Rational>;
  readonly constant: Rational;
}

const number = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/;

/** More than products of a few float64 numbers have. */
const mostBits = 10_000;

/** The exact value of a decimal number in the range of float64; null for any other text. */
function readNumber(text: string): Rational | null {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = (text.length <= 1000 && number.exec(text)) || [];
  if (whole === '' && decimals === '') return null;
  if (!Number.isFinite(Number(text))) return null;
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${decimals}`);
  const power = Number(exponent) - decimals.length;
  if (power < -mostBits / 4) return null;
  return power < 0 ? fraction(digits, 10n ** BigInt(-power)) : fraction(digits * 10n ** BigInt(power));
}

/** The linear form of an expression: a number, a declared variable, or a sum, difference, product or quotient of such. */
function readLinear(expression: Expression, declared: ReadonlySet<string>): Result<LinearForm, Problem> {
  if (expression.kind === 'atom') {
    const { text, offset } = expression;
    if (declared.has(text)) return ok({ terms: new Map([[text, ONE]]), constant: ZERO });
    const value = readNumber(text);
    if (value !== null) return ok({ terms: new Map(), constant: value });
    return malformed(
      `'${text.slice(0, 40)}' is neither a number nor a declared variable.`,
      offset,
      '(declare-const X_0 Real), or a decimal number in the range of float64',
    );
  }
  const [head, ...rest] = expression.items;
  const operation = head?.kind === 'atom' ? head.text : '';
  const parts: LinearForm[] = [];
  for (const item of rest) {
    const part = readLinear(item, declared);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  const [first, ...others] = parts;
  if (first === undefined)
    return malformed('An expression is empty.', expression.offset, 'a number, a variable, or +, -, * or / of such');
  const combined = combine(operation, first, others);
  if (combined !== null) return ok(combined);
  return malformed(
    `'${operation.slice(0, 40)}' does not give a linear form here.`,
    expression.offset,
    '+, -, or * and / with a constant, without numbers of thousands of digits',
  );
}

function combine(operation: string, first: LinearForm, others: readonly LinearForm[]): LinearForm | null {
  switch (operation) {
    case '+':
      return sum(first, others, ONE);
    case '-':
      return others.length === 0 ? negative(first) : sum(first, others, negateRational(ONE));
    case '*': {
      const parts = [first, ...others];
      const variable = parts.filter(({ terms }) => terms.size > 0);
      let factor: Rational | null = ONE;
      for (const { terms, constant } of parts)
        if (terms.size === 0) factor = factor && short(multiplyRational(factor, constant));
      const [form = { terms: new Map(), constant: ONE }, ...more] = variable;
      return factor === null || more.length > 0 ? null : times(form, factor);
    }
    case '/': {
      const [divisor, ...more] = others;
      return divisor !== undefined && more.length === 0 && divisor.terms.size === 0 && divisor.constant.numerator !== 0n
        ? times(first, divideRational(ONE, divisor.constant))
        : null;
    }
    default:
      return null;
  }
}

/** Null if numbers grow beyond what a property needs. */
function times({ terms, constant }: LinearForm, factor: Rational): LinearForm | null {
  const products = [...terms].map(([name, value]) => [name, short(multiplyRational(value, factor))] as const);
  const product = short(multiplyRational(constant, factor));
  const kept = products.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return product === null || kept.length < products.length ? null : { terms: new Map(kept), constant: product };
}

/** The form times −1. */
export const negative = ({ terms, constant }: LinearForm): LinearForm => ({
  terms: new Map([...terms].map(([name, value]) => [name, negateRational(value)])),
  constant: negateRational(constant),
});

/** first + factor · (the sum of the others); null as for {@link times}. */
function sum(first: LinearForm, others: readonly LinearForm[], factor: Rational): LinearForm | null {
  const terms = new Map(first.terms);
  let { constant } = first;
  for (const other of others) {
    for (const [name, value] of other.terms) {
      const added = short(addRational(terms.get(name) ?? ZERO, multiplyRational(factor, value)));
      if (added === null) return null;
      terms.set(name, added);
    }
    const added = short(addRational(constant, multiplyRational(factor, other.constant)));
    if (added === null) return null;
    constant = added;
  }
  return { terms, constant };
}

/** Without the variables that cancel. */
function withoutZeros({ terms, constant }: LinearForm): LinearForm {
  const left = [...terms].filter(([, value]) => value.numerator !== 0n);
  return { terms: left.length < terms.size ? new Map(left) : terms, constant };
}

const short = (value: Rational): Rational | null => (bitLength(value) <= mostBits ? value : null);

/** `form ≤ 0`, or `form < 0` where strict; no coefficient is 0. */
export interface Comparison {
  readonly form: LinearForm;
  readonly isStrict: boolean;
  /** Where it is in the file. */
  readonly offset: number;
}

/** The comparisons that (op a b …) stands for, or their negation. */
export function readComparison(
  operation: string,
  items: readonly Expression[],
  offset: number,
  declared: ReadonlySet<string>,
): Result<readonly Comparison[], Problem> {
  const forms: LinearForm[] = [];
  for (const item of items) {
    const form = readLinear(item, declared);
    if (!form.ok) return err(form.error);
    forms.push(form.value);
  }
  const [a, b, ...more] = forms;
  if (a === undefined || b === undefined || more.length > 0)
    return malformed(`'${operation}' needs two operands.`, offset, '2', `${forms.length}`);
  const isStrict = operation === '<' || operation === '>';
  const difference = sum(a, [b], negateRational(ONE));
  if (difference === null) return malformed(`The operands of '${operation}' have thousands of digits.`, offset);
  const form = withoutZeros(difference);
  const below: Comparison = { form, isStrict, offset };
  const above: Comparison = { form: negative(form), isStrict, offset };
  if (operation === '=') return ok([below, above]);
  return ok([operation === '<=' || operation === '<' ? below : above]);
}
