import type { Range } from '../../diagnostics/source.ts';
import type { BarRole } from './bars.ts';
import type { Pairs } from './pair.ts';
import type { Expression, NotationProblem, ProsePart } from './syntax.ts';
import type { Token } from './token.ts';

/**
 * A place in one logical line, with the first problem met. A problem moves the cursor to the end, so every loop of the
 * parser ends by itself; nothing is thrown.
 */
export interface Cursor {
  readonly tokens: readonly Token[];
  readonly pairs: Pairs;
  /** The token index that counts as the end. */
  limit: number;
  at: number;
  depth: number;
  /** The token index of a set builder's bar: it ends the element before it. */
  stop: number;
  /** `(a, b)` and `[a, b]` are intervals: the right side of a membership. */
  inSet: boolean;
  problem: NotationProblem | null;
  readonly remarks: ProsePart[];
  /** Reads an expression whose operators bind at least as tightly as `level`. A field, because the parser's parts call each other. */
  readonly expression: (cursor: Cursor, level: number) => Expression;
}

/** The token `ahead` places further; an end token beyond the limit. */
export function peek(c: Cursor, ahead = 0): Token {
  const index = c.at + ahead;
  const token = index < c.limit ? c.tokens[index] : undefined;
  return token ?? endToken(c);
}

function endToken(c: Cursor): Token {
  const last = c.tokens[c.limit - 1];
  const end = last ? last.range.end : 0;
  return { kind: 'end', text: '', range: { start: end, end }, spaced: true, unit: null, spelled: false };
}

/** Whether that token is this symbol. */
export const sees = (c: Cursor, symbol: string, ahead = 0): boolean => {
  const token = peek(c, ahead);
  return token.kind === 'symbol' && token.text === symbol;
};
/** Whether that token is this keyword. */
export const seesKeyword = (c: Cursor, word: string, ahead = 0): boolean => {
  const token = peek(c, ahead);
  return token.kind === 'keyword' && token.text === word;
};
/** Whether no token is left before the limit. */
export const atEnd = (c: Cursor): boolean => peek(c).kind === 'end';

/** The current token, which is consumed unless it is the end. */
export function advance(c: Cursor): Token {
  const token = peek(c);
  if (token.kind !== 'end') c.at += 1;
  return token;
}

/** Consumes the symbol if it comes next; returns whether it did. */
export function accept(c: Cursor, symbol: string): boolean {
  if (!sees(c, symbol)) return false;
  c.at += 1;
  return true;
}

/** Records the first problem, at the current token, and ends the reading. Returns a placeholder for what is missing. */
export function fail(c: Cursor, message: string, range: Range = peek(c).range): Expression {
  c.problem ??= { message, range };
  c.at = c.limit;
  return { kind: 'name', text: '', range };
}

/** The range from `start` to the end of the last token that was read. */
export function since(c: Cursor, start: number): Range {
  const last = c.tokens[Math.min(c.at, c.limit) - 1];
  return { start, end: Math.max(start, last?.range.end ?? start) };
}

/** What the current token does, if it is a bar: opens, closes or separates. */
export const bar = (c: Cursor): BarRole | undefined => c.pairs.bars.get(c.at);

/** Whether `left` is parenthesised: `(f)` is a factor, `f` may be called. */
export function isGrouped(c: Cursor, left: Expression): boolean {
  const before = c.tokens[c.at - 1];
  return before?.kind === 'symbol' && before.text === ')' && left.range.end < before.range.end;
}

/** The partner of the token at the cursor when it lies before the end. */
export function mate(c: Cursor, index = c.at): number | null {
  const partner = c.pairs.mate.get(index);
  return partner !== undefined && partner < c.limit ? partner : null;
}

/** Runs `read` with intervals switched on or off. */
export function withSets<T>(c: Cursor, inSet: boolean, read: () => T): T {
  const before = c.inSet;
  c.inSet = inSet;
  const result = read();
  c.inSet = before;
  return result;
}
