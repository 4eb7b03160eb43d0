import type { Range } from '../../diagnostics/source.ts';

/**
 * `symbol`: an operator, relation, bracket or separator under its canonical spelling; `keyword`: an English word with a
 * fixed meaning (`if`, `where`, `finite`); `remark`: a parenthesised comment collapsed into one token.
 */
export type TokenKind =
  | 'number'
  | 'word'
  | 'symbol'
  | 'keyword'
  | 'string'
  | 'superscript'
  | 'subscript'
  | 'newline'
  | 'comment'
  | 'remark'
  | 'unknown'
  | 'end';

/** The smallest part of a text, with its range. */
export interface Token {
  readonly kind: TokenKind;
  /** Canonical spelling: `≤` for `<=`, the decimal value of a number, the content of a string. */
  readonly text: string;
  readonly range: Range;
  /** White space precedes the token. */
  readonly spaced: boolean;
  /** The unit of a number. */
  readonly unit: string | null;
  /** An operator spelled as an English word (`in`, `and`, `equals`): prose uses those too. */
  readonly spelled: boolean;
  /** For a remark, the tokens between its parentheses. */
  readonly inside?: readonly Token[];
}
