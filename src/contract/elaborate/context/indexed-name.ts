import type { Expression } from '../../../math/notation/syntax.ts';

type Name = Extract<Expression, { kind: 'name' }>;

/** `a` and `i` of `a_i`; null for anything else. */
export function indexedName(value: Expression): { readonly base: Name; readonly index: Name } | null {
  if (value.kind !== 'name') return null;
  const [, stem, letter] = /^(.+)_(\p{Ll})$/u.exec(value.text) ?? [];
  if (stem === undefined || letter === undefined) return null;
  return { base: { ...value, text: stem }, index: { ...value, text: letter } };
}
