/** Notation that looks like arithmetic with declared letters and means something else: powers of functions, and derivatives. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { isFunctionName } from './letter-products.ts';
import { resolveName } from '../context/names.ts';
import { lookup, type Scope } from '../context/scope.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;

/** `sin²(x)` is (sin x)² by convention. */
const squared: ReadonlySet<string> = new Set('sin cos tan sinh cosh tanh log ln'.split(' '));

/** `(sin x)²` of `sin²(x)`; null for anything else. */
export function squareOfFunction(product: Binary, text: string, scope: Scope): Expression | null {
  const power = powerBefore(product, text);
  const { right: argument, range } = product;
  if (
    power !== product.left ||
    power.left.kind !== 'name' ||
    power.right.kind !== 'number' ||
    power.right.value !== '2'
  )
    return null;
  if (!squared.has(power.left.text) || lookup(scope, power.left.text) || range.end <= argument.range.end) return null;
  const call: Expression = { kind: 'call', callee: power.left, arguments: [{ label: null, value: argument }], range };
  return { ...power, left: call, range };
}

/** Why pv does not say what the expression means; null if nothing speaks against arithmetic. */
export function unsettled(expression: Binary, text: string, scope: Scope): string | null {
  if (expression.operator === '/') return isDerivative(expression, scope) ? derivative : null;
  const applied = appliedBefore(expression, scope);
  if (applied !== null)
    return `${applied} without brackets may be applied to what follows, or multiplied by it: write ${applied}(…)`;
  const base = powerBefore(expression, text)?.left;
  if (base?.kind !== 'name') return null;
  const resolved = resolveName(base, scope);
  const name = resolved?.kind === 'product' ? resolved.factors.at(-1)?.text : base.text;
  return name !== undefined && isFunctionName(name, scope)
    ? `a power of ${name} before its argument can be that of its value, or ${name} applied several times`
    : null;
}

const derivative = 'pv does not run derivatives, and this reads as one';

/** f of `f x` and `2 f x`, if it is a function of the contract that is written with arguments. */
function appliedBefore({ operator, juxtaposed, left }: Binary, scope: Scope): string | null {
  if (operator !== '·' || !juxtaposed) return null;
  const last = left.kind === 'binary' && left.operator === '·' && left.juxtaposed ? left.right : left;
  const entry = last.kind === 'name' ? lookup(scope, last.text) : null;
  if (last.kind !== 'name' || entry === null) return null;
  const takesArguments =
    entry.kind === 'equation'
      ? entry.model()?.bare === undefined
      : entry.kind === 'definition' && isFunctionName(last.text, scope);
  return takesArguments ? last.text : null;
}

/** `f²` of `f²(x)` and `2f²(x)`. */
function powerBefore({ operator, juxtaposed, left }: Binary, text: string): Binary | null {
  if (operator !== '·' || !juxtaposed || !/^\}?(?:\\left)?\(/u.test(text.slice(left.range.end))) return null;
  const last = left.kind === 'binary' && left.operator === '·' && left.juxtaposed ? left.right : left;
  return last.kind === 'binary' && last.operator === '^' ? last : null;
}

/** `dL/dx`, `d²L/dx²`, `d/dx` where d is a letter that something declares. */
function isDerivative({ left, right }: Binary, scope: Scope): boolean {
  const below = firstName(right);
  const sign = differential(below, scope);
  return (
    sign !== null &&
    factorsOf(left).some((factor) => {
      const name = firstName(factor);
      return name?.text === sign || differential(name, scope) === sign;
    })
  );
}

/** d of `dx`, a product of d and another letter. */
function differential(name: Extract<Expression, { kind: 'name' }> | null, scope: Scope): string | null {
  const resolved = name && resolveName(name, scope);
  const first = resolved?.kind === 'product' ? resolved.factors[0]?.text : undefined;
  return first !== undefined && /^[d∂δΔ]$/u.test(first) ? first : null;
}

function factorsOf(expression: Expression): readonly Expression[] {
  return expression.kind === 'binary' && expression.operator === '·'
    ? [...factorsOf(expression.left), ...factorsOf(expression.right)]
    : [expression];
}

function firstName(expression: Expression): Extract<Expression, { kind: 'name' }> | null {
  switch (expression.kind) {
    case 'name':
      return expression;
    case 'binary':
      return expression.operator === '·' || expression.operator === '^' ? firstName(expression.left) : null;
    case 'index':
      return firstName(expression.base);
    case 'call':
      return firstName(expression.callee);
    default:
      return null;
  }
}
