import type { Range } from '../../diagnostics/source.ts';
import { advance, fail, type Cursor } from './cursor.ts';
import type { Expression } from './syntax.ts';

/** The one number, name or ∞ after `_` or `^` that is not braced. */
export function parseScript(c: Cursor): Expression {
  const token = advance(c);
  if (token.kind === 'symbol' && token.text === '∞') return { kind: 'infinity', range: token.range };
  if (token.kind !== 'word' && token.kind !== 'number') return fail(c, 'expected a number or a name', token.range);
  return scriptNode(token.text, token.range);
}

/** A raised or lowered text as a number or a name. */
export function scriptNode(text: string, range: Range): Expression {
  return /^[\d.]+(?:e-?\d+)?$/.test(text)
    ? { kind: 'number', value: text, unit: null, range }
    : { kind: 'name', text, range };
}

/** A lowered run of characters as an index: `xᵢ`, `x₁₂`, `mₜ₋₁`. */
export function loweredNode(text: string, range: Range): Expression {
  const [, left, sign, right] = /^(\p{L}+|\d+)([+-])(\p{L}+|\d+)$/u.exec(text) ?? [];
  if (left === undefined || right === undefined) return scriptNode(text, range);
  const operator = sign === '-' ? '-' : '+';
  return {
    kind: 'binary',
    operator,
    left: scriptNode(left, range),
    right: scriptNode(right, range),
    juxtaposed: false,
    range,
  };
}
