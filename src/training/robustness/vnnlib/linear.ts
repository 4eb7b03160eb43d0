/** Linear forms over the inputs X_i and the outputs Y_j. */
import type { Problem } from '../../../base/problem.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { malformed, type Expression } from './expressions.ts';

/** The coefficient of each variable, and a constant. */
interface LinearForm {
  readonly terms: ReadonlyMap<string, number>;
  readonly constant: number;
}

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** The linear form of an expression: a number, a declared variable, or a sum, difference, product or quotient of such. */
function readLinear(expression: Expression, declared: ReadonlySet<string>): Result<LinearForm, Problem> {
  if (expression.kind === 'atom') {
    const { text, offset } = expression;
    if (declared.has(text)) return ok({ terms: new Map([[text, 1]]), constant: 0 });
    const value = Number(text);
    if (number.test(text) && Number.isFinite(value)) return ok({ terms: new Map(), constant: value });
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
    '+, -, or * and / with a constant',
  );
}

function combine(operation: string, first: LinearForm, others: readonly LinearForm[]): LinearForm | null {
  switch (operation) {
    case '+':
      return others.reduce((sum, form) => plus(sum, form, 1), first);
    case '-':
      return others.length === 0 ? times(first, -1) : others.reduce((sum, form) => plus(sum, form, -1), first);
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
      return divisor !== undefined && more.length === 0 && divisor.terms.size === 0 && divisor.constant !== 0
        ? times(first, 1 / divisor.constant)
        : null;
    }
    default:
      return null;
  }
}

const times = ({ terms, constant }: LinearForm, factor: number): LinearForm => ({
  terms: new Map([...terms].map(([name, value]) => [name, value * factor])),
  constant: constant * factor,
});

/** a + sign · b. */
function plus(a: LinearForm, b: LinearForm, sign: 1 | -1): LinearForm {
  const terms = new Map(a.terms);
  for (const [name, value] of b.terms) terms.set(name, (terms.get(name) ?? 0) + sign * value);
  return { terms, constant: a.constant + sign * b.constant };
}

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
  const below: Comparison = { form: plus(a, b, -1), isStrict };
  const above: Comparison = { form: plus(b, a, -1), isStrict };
  if (operation === '=') return ok([below, above]);
  return ok([operation === '<=' || operation === '<' ? below : above]);
}
