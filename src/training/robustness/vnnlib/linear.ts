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
      '(declare-const X_0 Real), or a decimal number',
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
      return others.reduce<LinearForm | null>((sum, form) => sum && plus(sum, form), first);
    case '-':
      return others.length === 0
        ? negative(first)
        : others.reduce<LinearForm | null>((sum, form) => sum && plus(sum, negative(form)), first);
    case '*':
      return others.reduce<LinearForm | null>((product, form) => {
        if (product === null) return null;
        return form.terms.size === 0
          ? times(product, form.constant)
          : product.terms.size === 0
            ? times(form, product.constant)
            : null;
      }, first);
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
const times = ({ terms, constant }: LinearForm, factor: Rational): LinearForm | null =>
  short({
    terms: new Map([...terms].map(([name, value]) => [name, multiplyRational(value, factor)])),
    constant: multiplyRational(constant, factor),
  });

/** The form times −1. */
export const negative = ({ terms, constant }: LinearForm): LinearForm => ({
  terms: new Map([...terms].map(([name, value]) => [name, negateRational(value)])),
  constant: negateRational(constant),
});

function plus(a: LinearForm, b: LinearForm): LinearForm | null {
  const terms = new Map(a.terms);
  for (const [name, value] of b.terms) terms.set(name, addRational(terms.get(name) ?? ZERO, value));
  return short({ terms, constant: addRational(a.constant, b.constant) });
}

const short = (form: LinearForm): LinearForm | null =>
  [form.constant, ...form.terms.values()].every((value) => bitLength(value) <= mostBits) ? form : null;

/** `form ≤ 0`, or `form < 0` where strict. */
export interface Comparison {
  readonly form: LinearForm;
  readonly isStrict: boolean;
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
  const form = plus(a, negative(b));
  if (form === null) return malformed(`The operands of '${operation}' have thousands of digits.`, offset);
  const below: Comparison = { form, isStrict };
  const above: Comparison = { form: negative(form), isStrict };
  if (operation === '=') return ok([below, above]);
  return ok([operation === '<=' || operation === '<' ? below : above]);
}
