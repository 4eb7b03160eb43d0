/** `2K` is 2·K where K is declared, as `2n` is 2·n; elsewhere it is 2000. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Context } from '../context/context.ts';
import { lookup, type Scope } from '../context/scope.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;

/** The product that `2K`, `2K²`, `2Kᵀ` or `2K!` is, or null. */
export function withDeclaredLetter(ctx: Context, expression: Expression, scope: Scope): Binary | null {
  if (expression.kind === 'number') return productOf(ctx, expression, scope);
  const isPower = expression.kind === 'binary' && expression.operator === '^';
  const isPostfix = expression.kind === 'transpose' || expression.kind === 'factorial';
  const base = isPower ? expression.left : isPostfix ? expression.operand : null;
  // Not `(2K)²`.
  if (base?.kind !== 'number' || base.range.start !== expression.range.start) return null;
  const product = productOf(ctx, base, scope);
  if (!product) return null;
  const letter = product.right;
  const range = { start: letter.range.start, end: expression.range.end };
  const right: Expression = isPower
    ? { ...expression, left: letter, range }
    : isPostfix
      ? { ...expression, operand: letter, range }
      : letter;
  return { ...product, right, range: expression.range };
}

function productOf(
  ctx: Context,
  { unit, range }: Extract<Expression, { kind: 'number' }>,
  scope: Scope,
): Binary | null {
  if (unit !== null) return null;
  const written = /^([\d.]+)([KMB])$/u.exec(ctx.text.text.slice(range.start, range.end));
  const [, digits = '', letter = ''] = written ?? [];
  if (!written || lookup(scope, letter) === null) return null;
  const end = range.end - 1;
  return {
    kind: 'binary',
    operator: '·',
    left: { kind: 'number', value: digits.replace(/^\./u, '0.'), unit: null, range: { start: range.start, end } },
    right: { kind: 'name', text: letter, range: { start: end, end: range.end } },
    juxtaposed: true,
    range,
  };
}
