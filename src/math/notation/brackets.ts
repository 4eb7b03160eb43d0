import type { Token } from './token.ts';

/** The closing brackets that each opening one accepts; `[0, n)` mixes them. */
export const closers: ReadonlyMap<string, readonly string[]> = new Map([
  ['(', [')', ']']],
  ['[', [']', ')']],
  ['{', ['}']],
  ['⌊', ['⌋']],
  ['⌈', ['⌉']],
  ['⟨', ['⟩']],
]);
/** Every symbol that closes a bracket. */
export const closing = new Set([...closers.values()].flat());
/** Whether an operand may end with this token, so that what follows is in infix position. */
export function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'symbol')
    return closing.has(token.text) || token.text === '∞' || token.text === '∅' || token.text === '⊤';
  return (
    token.kind === 'number' ||
    token.kind === 'word' ||
    token.kind === 'string' ||
    token.kind === 'superscript' ||
    token.kind === 'subscript'
  );
}

/** Whether something that can be enclosed in bars begins here. */
export const startsOperand = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'word' || token.kind === 'number' || (token.kind === 'symbol' && '([{√Σ-'.includes(token.text)));
