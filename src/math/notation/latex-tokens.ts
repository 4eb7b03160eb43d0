/** Tokens that a LaTeX command becomes. */
import type { Range } from '../../diagnostics/source.ts';
import type { Token } from './token.ts';

/** An operator, bracket or separator. */
export const symbol = (text: string, range: Range, spaced = false): Token => ({
  kind: 'symbol',
  text,
  range,
  spaced,
  unit: null,
  spelled: false,
});

/** `if` and `otherwise`. */
export const keyword = (text: string, range: Range): Token => ({
  kind: 'keyword',
  text,
  range,
  spaced: true,
  unit: null,
  spelled: true,
});

/** The place just before `tokens`, for one that is not in the text. */
export const before = (tokens: readonly Token[]): Range => {
  const start = tokens[0]?.range.start ?? 0;
  return { start, end: start };
};
