/**
 * Scalars of TOML 1.0: four kinds of strings, integers in four bases, floats, booleans, dates and times (as text).
 */
import { fail, type ReadFailure } from './read-failure.ts';
import type { ScalarNode } from './tree.ts';

/** A text and where to read on; a part of the reader of TOML. */
interface Cursor {
  readonly text: string;
  at: number;
}

const bare = /[^\s,\]}#=]+(?: \d\d:[^\s,\]}#=]+)?/y;
const integer = /^[-+]?(?:0|[1-9](?:_?\d)*)$/;
const radix = /^0(?:x[0-9a-fA-F](?:_?[0-9a-fA-F])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/;
const float = /^[-+]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?$/;
const special = /^([-+]?)(inf|nan)$/;
const time = /^(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)$/;

/** Reads one scalar and moves the cursor past it. Dates become text. */
export function readTomlScalar(cursor: Cursor): ScalarNode | ReadFailure {
  const first = cursor.text[cursor.at];
  if (first === '"' || first === "'") return readTomlString(cursor);
  bare.lastIndex = cursor.at;
  const text = bare.exec(cursor.text)?.[0] ?? '';
  const value = bareValue(text);
  if (value === null) {
    const shown = text === '' ? 'A value is expected' : `${text.slice(0, 40)} is not a TOML value`;
    return fail(
      Math.min(cursor.at, Math.max(0, cursor.text.length - 1)),
      shown,
      'Put text in double quotes; booleans are true and false.',
    );
  }
  const range = { start: cursor.at, end: cursor.at + text.length };
  cursor.at = range.end;
  return { kind: 'scalar', value, text, range };
}

function bareValue(text: string): number | string | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (integer.test(text) || float.test(text) || radix.test(text)) return Number(text.replaceAll('_', ''));
  const word = special.exec(text);
  if (word) return word[2] === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity;
  return time.test(text) ? text : null;
}

/** From the opening quotes; the range is the content without them. */
export function readTomlString(cursor: Cursor): ScalarNode | ReadFailure {
  const start = cursor.at;
  const quote = cursor.text[start] ?? '';
  const triple = quote.repeat(3);
  const long = cursor.text.startsWith(triple, start);
  const opener = long ? triple : quote;
  const end = closingQuote(cursor.text, start + opener.length, opener, quote === '"');
  if (end === null) return fail(start, 'A string is not closed', `Close it with ${opener}.`);
  cursor.at = end + opener.length;
  const from = start + opener.length;
  const raw = cursor.text.slice(from, end);
  const inner = long ? raw.replace(/^\r?\n/, '') : raw;
  const text = quote === '"' ? unescapeToml(inner, start) : inner;
  if (typeof text !== 'string') return text;
  return { kind: 'scalar', value: text, text, range: { start: from, end } };
}

function closingQuote(text: string, from: number, opener: string, escaped: boolean): number | null {
  for (let at = from; at < text.length; at++) {
    const c = text[at];
    if (opener.length === 1 && (c === '\n' || c === '\r')) return null;
    if (escaped && c === '\\') at += 1;
    else if (text.startsWith(opener, at)) return lastOf(text, at, opener);
  }
  return null;
}

/** Up to two quotes may come right before the closing three: the last three close. */
function lastOf(text: string, at: number, opener: string): number {
  let end = at;
  if (opener.length === 3) while (end < at + 2 && text[end + 3] === opener[0]) end += 1;
  return end;
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

function unescapeToml(inner: string, at: number): string | ReadFailure {
  if (!inner.includes('\\')) return inner;
  let unknown: string | null = null;
  const text = inner.replace(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([ \t]*\r?\n\s*)|([^]))/g,
    (
      _,
      short: string | undefined,
      long: string | undefined,
      folded: string | undefined,
      letter: string | undefined,
    ) => {
      if (folded !== undefined) return '';
      const point = parseInt(short ?? long ?? '', 16);
      if (letter === undefined && point <= 0x10ffff) return String.fromCodePoint(point);
      const known = escapes[letter ?? ''];
      if (known === undefined) unknown = letter ?? 'U';
      return known ?? '';
    },
  );
  return unknown === null
    ? text
    : fail(
        at,
        `A string has an escape that TOML does not know: \\${String(unknown)}`,
        'Write \\\\ for a backslash, or use single quotes.',
      );
}
