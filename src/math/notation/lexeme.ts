import type { TokenKind } from './token.ts';

/** What one lexing rule found: the token, or null if the rule does not apply here. */
export interface Lexeme {
  readonly kind: TokenKind;
  readonly text: string;
  readonly end: number;
  readonly unit?: string | null;
  readonly spelled?: boolean;
}
