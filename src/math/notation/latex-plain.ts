/** Commands of LaTeX that come before, between or beside what they are applied to: `{a \over b}`, `\underset{i}{\max}`, `\cases{…}`. */
import { commandAt, type Found, type Reader } from './latex-reader.ts';
import { cases } from './latex-rows.ts';
import { before, symbol } from './latex-tokens.ts';
import type { Token } from './token.ts';

/** `a \over b` between the braces at `open` and `close`, as a quotient; null for an index. */
export function overAt(
  reader: Reader,
  open: number,
  close: number,
  depth: number,
  previous: Token | undefined,
): Found | null {
  const at = previous?.text === '_' ? null : overIn(reader, open, close);
  const [start, last] = [reader.tokens[open], reader.tokens[close]];
  if (at === null || !start || !last) return null;
  const above = reader.inside(open + 1, at, depth + 1);
  const below = reader.inside(at + 1, close, depth + 1);
  if (above.length === 0 || below.length === 0) return null;
  const { range } = reader.tokens[at] ?? last;
  const side = (tokens: readonly Token[], end: Token['range']): readonly Token[] => [
    symbol('(', before(tokens)),
    ...tokens,
    symbol(')', { start: end.start, end: end.start }),
  ];
  const quotient = [...side(above, range), symbol('/', range), ...side(below, last.range)];
  return { tokens: [symbol('(', start.range, start.spaced), ...quotient, symbol(')', last.range)], next: close + 1 };
}

/** The place of the one `\over` between two braces that is in no others. */
function overIn(reader: Reader, open: number, close: number): number | null {
  const found: number[] = [];
  for (let at = open + 1; at < close; at++) {
    if (commandAt(reader, at) === 'over') found.push(at);
    at = reader.closes.get(at) ?? at;
  }
  const [only = null, other] = found;
  return other === undefined ? only : null;
}

const reductions = new Set(['max', 'min', 'argmax', 'argmin']);

/** `\max_{i}` of `\underset{i}{\max}`; `under` and `base` are what the command is applied to. */
export function underset(token: Token, under: Found, base: Found): Found | null {
  const [name, more] = base.tokens;
  if (!name || more || !reductions.has(name.text) || under.tokens.length === 0) return null;
  const end = { start: name.range.end, end: name.range.end };
  const [line, open] = ['_', '{'].map((text) => symbol(text, before(under.tokens)));
  if (!line || !open) return null;
  // The operator takes the place of the command, so that places grow from left to right.
  return {
    tokens: [{ ...name, range: token.range, spaced: token.spaced }, line, open, ...under.tokens, symbol('}', end)],
    next: base.next,
  };
}

/** `\cases{x & x > 0 \cr 0 & \text{otherwise}}`. */
export function plainCases(reader: Reader, at: number, depth: number): Found | null {
  const close = reader.closes.get(at + 1);
  const [token, last] = [reader.tokens[at], close === undefined ? undefined : reader.tokens[close]];
  if (close === undefined || !token || !last) return null;
  const inside = reader.inside(at + 2, close, depth + 1);
  if (inside.length === 0) return null;
  return { tokens: [symbol('{', token.range, true), ...cases(inside), symbol('}', last.range)], next: close + 1 };
}
