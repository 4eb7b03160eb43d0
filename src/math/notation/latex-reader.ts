/** What the rules for LaTeX commands share: the tokens that they read, and what they find. */
import type { Token } from './token.ts';

/** Commands deeper inside of one another than this are left as they are, and so become prose. */
export const deepest = 40;

/** The tokens of a text. */
export interface Reader {
  readonly text: string;
  readonly tokens: Token[];
  /** By the place of a brace, that of the one that closes it. */
  readonly closes: ReadonlyMap<number, number>;
  /** What commands are applied to, by its place: one that lacks its second argument has read the first. */
  readonly groups: Map<number, Found | null>;
  /** The tokens of a range, with its commands read. */
  readonly inside: (from: number, to: number, depth: number) => Token[];
}

/** What a command becomes. */
export interface Found {
  readonly tokens: readonly Token[];
  /** The place after it. */
  readonly next: number;
}

/** Whether a brace groups, as `{` does and `\{` does not. */
export const isGroup = (text: string, { kind, range }: Token): boolean =>
  kind === 'symbol' && /[{}]/u.test(text[range.start] ?? '');

/** The name of a command, without its backslash; null of anything else. */
export function commandAt({ text, tokens }: Reader, at: number): string | null {
  const token = tokens[at];
  return token && text[token.range.start] === '\\' ? text.slice(token.range.start + 1, token.range.end) : null;
}

/** The place of the bracket that closes the one at `from`. */
export function matching(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== 'symbol') continue;
    if (['(', '[', '{'].includes(token.text)) depth++;
    if ([')', ']', '}'].includes(token.text) && --depth === 0) return at;
  }
  return undefined;
}

/** Where what a command was applied to ends, its brace included. */
export function endOf({ tokens }: Reader, { tokens: inside, next }: Found): number {
  return Math.max(inside.at(-1)?.range.end ?? 0, tokens[next - 1]?.range.end ?? 0);
}

/** What is part of a statement or remark, and not a separator or the end of a line. */
const isKept = ({ kind, text }: Token): boolean =>
  kind !== 'newline' && kind !== 'comment' && !(kind === 'symbol' && [',', ';', '.', '∧'].includes(text));

/** The content of a command in its place: from the command to its closing brace. */
export function around(reader: Reader, { range, spaced }: Token, inner: Found): readonly Token[] {
  const [first, last] = [inner.tokens.findIndex(isKept), inner.tokens.findLastIndex(isKept)];
  const end = endOf(reader, inner);
  return inner.tokens.map((one, i) => ({
    ...one,
    range: { start: i === first ? range.start : one.range.start, end: i === last ? end : one.range.end },
    spaced: i === 0 ? spaced : one.spaced,
  }));
}
