/** Environments of LaTeX: cases, arrays that are cases, and lines. */
import { around, commandAt, type Found, type Reader } from './latex-reader.ts';
import { cases, statements } from './latex-rows.ts';
import { symbol } from './latex-tokens.ts';
import type { Token } from './token.ts';

/** Environments of several lines, which are statements. */
const lines = new Set([
  'aligned',
  'align',
  'align*',
  'equation',
  'equation*',
  'split',
  'gather',
  'gather*',
  'gathered',
]);

const casesNames = new Set(['cases', 'dcases']);

/** The cases that `\{\begin{array}{ll}` begins. */
export function arrayAt(reader: Reader, at: number, depth: number): Found | null {
  const [slash, brace] = [reader.tokens[at], reader.tokens[at + 1]];
  // `\{` that nothing closes is two tokens.
  if (brace?.text !== '{' || brace.range.start !== slash?.range.end) return null;
  const isArray = commandAt(reader, at + 2) === 'begin' && nameAt(reader, at + 2)?.name === 'array';
  return isArray ? environment(reader, at + 2, depth, true) : null;
}

/** The name of the environment that begins or ends, and the place after it. */
function nameAt({ tokens, text, closes }: Reader, at: number): { readonly name: string; readonly next: number } | null {
  const close = closes.get(at + 1);
  const [open, end] = [tokens[at + 1], close === undefined ? undefined : tokens[close]];
  if (close === undefined || !open || !end) return null;
  return { name: text.slice(open.range.end, end.range.start).trim(), next: close + 1 };
}

/** An environment; an array after `\{` is cases (`isArray`). */
export function environment(reader: Reader, at: number, depth: number, isArray = false): Found | null {
  const opened = nameAt(reader, at);
  if (!opened) return null;
  const from = (isArray ? reader.closes.get(opened.next) : undefined) ?? opened.next - 1;
  let level = 1;
  for (let end = from + 1; end < reader.tokens.length; end++) {
    const command = commandAt(reader, end);
    if (command === 'begin') level++;
    if (command !== 'end' || --level > 0) continue;
    const closed = nameAt(reader, end);
    if (closed?.name !== opened.name) return null;
    const isCases = isArray || casesNames.has(opened.name);
    if (!isCases && !lines.has(opened.name)) return null;
    const inside = reader.inside(from + 1, end, depth + 1);
    const [begin, ended, last] = [reader.tokens[at], reader.tokens[end], reader.tokens[closed.next - 1]];
    if (!begin || !ended || !last || inside.length === 0) return null;
    if (isCases)
      return {
        tokens: [
          symbol('{', begin.range, true),
          ...cases(inside),
          symbol('}', { ...last.range, start: ended.range.start }),
        ],
        next: closed.next,
      };
    return enclosing(reader, begin, { tokens: statements(inside), next: closed.next });
  }
  return null;
}

const enclosing = (reader: Reader, begin: Token, found: Found): Found | null =>
  found.tokens.length > 0 ? { ...found, tokens: around(reader, begin, found) } : null;
