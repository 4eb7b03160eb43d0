/**
 * What follows a product of letters belongs to its last letter: `QK^T` is Q·(K^T), `ab²` is a·b², `af(x)` is a·f(x). A word that is
 * declared as a whole is one name, and `(QK)^T` is what it says.
 */
import type { Expression } from '../../../math/notation/syntax.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import { resolveName, squareName } from '../context/names.ts';
import { rankOf } from '../context/values.ts';
import { lookup, type Entry, type Scope } from '../context/scope.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** Whether the entry is applied to arguments. */
export function isFunction(entry: Entry): boolean {
  return entry.kind === 'equation' || (entry.kind === 'definition' && entry.definition.parameters.length > 0);
}

/** Whether `name` is a function of this contract. */
export function isFunctionName(name: string, scope: Scope): boolean {
  const entry = lookup(scope, name);
  return entry !== null && isFunction(entry);
}

interface Split {
  readonly front: readonly Expression[];
  readonly last: Expression;
}

/** The product with what follows it at its last letter; null for anything else. */
export function atLastLetter(expression: Expression, scope: Scope): Expression | null {
  if (expression.kind === 'name') return null;
  const split = splitOf(expression, scope);
  return split && split.front.reduceRight<Expression>((right, left) => times(left, right, expression), split.last);
}

function times(left: Expression, right: Expression, { range }: Expression): Expression {
  return { kind: 'binary', operator: '·', left, right, juxtaposed: true, range };
}

function splitOf(expression: Expression, scope: Scope): Split | null {
  switch (expression.kind) {
    case 'name': {
      const resolved = resolveName(expression, scope);
      const last = resolved?.kind === 'product' ? resolved.factors.at(-1) : undefined;
      return resolved?.kind === 'product' && last ? { front: resolved.factors.slice(0, -1), last } : null;
    }
    case 'transpose':
    case 'factorial':
      return below(expression, expression.operand, scope, (operand) => ({ ...expression, operand }));
    case 'binary': {
      const square = squareName(expression);
      if (expression.operator !== '^' || (square !== null && lookup(scope, square))) return null;
      return below(expression, expression.left, scope, (left) => ({ ...expression, left }));
    }
    case 'index':
      // `AB_{ij}` of two matrices is an element of their product.
      if (expression.base.kind !== 'name' || !isScaled(expression.base, scope)) return null;
      return below(expression, expression.base, scope, (base) => ({ ...expression, base }));
    case 'call':
      return calledLetter(expression, scope);
    default:
      return null;
  }
}

/** Whether all letters of a product but the last are numbers: λ of `λw`. */
function isScaled(name: Expression, scope: Scope): boolean {
  const { front = [] } = splitOf(name, scope) ?? {};
  return front.every((factor) => {
    const resolved = factor.kind === 'name' ? resolveName(factor, scope) : null;
    return resolved?.kind === 'entry' && resolved.entry.kind === 'value' && rankOf(resolved.entry.value) === 0;
  });
}

/** `AB^T` begins where its operand AB does; `(AB)^T` begins at the bracket. */
function below(
  whole: Expression,
  operand: Expression,
  scope: Scope,
  around: (last: Expression) => Expression,
): Split | null {
  const split = whole.range.start < operand.range.start ? null : splitOf(operand, scope);
  return split && { front: split.front, last: around(split.last) };
}

/** `af(x)` is a·f(x); `a(x + 1)` and `ab(x + 1)` of numbers end with what is in the brackets. */
function calledLetter(call: Call, scope: Scope): Split | null {
  const { callee } = call;
  if (callee.kind !== 'name') return null;
  const { front, last } = splitOf(callee, scope) ?? { front: [], last: callee };
  const resolved = last.kind === 'name' ? resolveName(last, scope) : null;
  if (resolved === null || resolved.kind === 'product') return null;
  if (isFunction(resolved.entry)) return front.length > 0 ? { front, last: { ...call, callee: last } } : null;
  const [only, more] = call.arguments;
  const isFactor = resolved.entry.kind === 'value' && resolved.entry.value.kind !== 'family';
  if (resolved.entry.kind === 'value' && resolved.entry.value.kind === 'tensor' && call.arguments.every(isIndex(scope)))
    return null;
  return only && !more && only.label === null && isFactor && !isBuiltinWord(callee.text)
    ? { front: [...front, last], last: only.value }
    : null;
}

/** Whether an argument is an index, as in `Σ_i P(i)`. */
const isIndex =
  (scope: Scope) =>
  ({ value }: Call['arguments'][number]): boolean =>
    value.kind === 'name' && lookup(scope, value.text)?.kind === 'index';
