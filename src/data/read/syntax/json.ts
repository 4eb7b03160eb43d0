/**
 * JSON with places (RFC 8259), what Python's `json` writes beyond it (NaN, Infinity, -Infinity), and comments, which
 * readers of configs remove (`//` to the end of a line, and between `/*` and its end).
 */
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { fail, isReadFailure, type ReadFailure } from './read-failure.ts';
import type { DataNode, MappingNode, ScalarNode } from './tree.ts';

/** Deepest nesting of objects and arrays that is read. */
export const MAX_NESTING = 256;

const whiteSpace = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const word = /-?[A-Za-z]+/y;
const words: ReadonlyMap<string, number | boolean | null> = new Map<string, number | boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

interface Reader {
  readonly source: SourceFile;
  readonly text: string;
  at: number;
  depth: number;
  readonly diagnostics: Diagnostic[];
}

/** The value of a JSON text, or null with the first error. If a key is repeated, the last value counts, as in Python. */
export function parseJson(source: SourceFile): Staged<DataNode | null> {
  const reader: Reader = {
    source,
    text: source.text,
    at: source.text.startsWith('\uFEFF') ? 1 : 0,
    depth: 0,
    diagnostics: [],
  };
  const value = readDocument(reader);
  if (!isReadFailure(value)) return { value, diagnostics: reader.diagnostics };
  const range = { start: value.at, end: Math.min(value.at + 1, source.text.length) };
  return {
    value: null,
    diagnostics: [
      ...reader.diagnostics,
      diagnostic(value.code ?? 'PV-7014', { source, range }, value.message, { hint: value.hint }),
    ],
  };
}

function readDocument(reader: Reader): DataNode | ReadFailure {
  const value = readValue(reader);
  if (isReadFailure(value)) return value;
  skip(reader);
  return reader.at < reader.text.length
    ? fail(
        reader.at,
        'There is more text after the end of the JSON value',
        'One file holds one value; JSON Lines has one per line.',
      )
    : value;
}

function skip(reader: Reader): string {
  const { text } = reader;
  for (;;) {
    whiteSpace.lastIndex = reader.at;
    reader.at += whiteSpace.exec(text)?.[0].length ?? 0;
    const isLine = text.startsWith('//', reader.at);
    if (!isLine && !text.startsWith('/*', reader.at)) return text[reader.at] ?? '';
    const end = isLine ? text.indexOf('\n', reader.at) : text.indexOf('*/', reader.at + 2);
    if (end < 0 && !isLine) return '/';
    reader.at = end < 0 ? text.length : end + (isLine ? 1 : 2);
  }
}

function readValue(reader: Reader): DataNode | ReadFailure {
  const first = skip(reader);
  if (first === '{') return nested(reader, readObject);
  if (first === '[') return nested(reader, readArray);
  if (first === '"') return readString(reader);
  return readLiteral(reader);
}

function nested(reader: Reader, read: (reader: Reader) => DataNode | ReadFailure): DataNode | ReadFailure {
  if (reader.depth >= MAX_NESTING)
    return {
      ...fail(
        reader.at,
        `Values are nested deeper than ${MAX_NESTING}`,
        'No config or log is; is this the right file?',
      ),
      code: 'PV-7034',
    };
  reader.depth += 1;
  const value = read(reader);
  reader.depth -= 1;
  return value;
}

function readObject(reader: Reader): MappingNode | ReadFailure {
  const start = reader.at++;
  const entries = new Map<string, MappingNode['entries'][number]>();
  if (skip(reader) === '}') return { kind: 'mapping', entries: [], range: { start, end: ++reader.at } };
  for (;;) {
    if (skip(reader) !== '"')
      return fail(reader.at, 'A key in double quotes is expected', 'Python dicts are not JSON: keys need ".');
    const key = readString(reader);
    if (isReadFailure(key)) return key;
    if (skip(reader) !== ':') return fail(reader.at, 'A colon is expected after a key', 'Write "key": value.');
    reader.at += 1;
    const value = readValue(reader);
    if (isReadFailure(value)) return value;
    remarkTwice(reader, key, entries.get(key.text)?.keyRange ?? null);
    entries.set(key.text, { key: key.text, keyRange: key.range, value });
    const next = skip(reader);
    reader.at += 1;
    if (next === '}') return { kind: 'mapping', entries: [...entries.values()], range: { start, end: reader.at } };
    if (next !== ',') return unfinished(reader, '}');
  }
}

function remarkTwice(reader: Reader, key: ScalarNode, first: Range | null): void {
  if (!first) return;
  const { source } = reader;
  reader.diagnostics.push(
    diagnostic('PV-7033', { source, range: key.range }, `The key '${key.text}' is repeated in one object`, {
      hint: 'The last is read, as most readers do. Remove one.',
      related: [{ message: 'first here', span: { source, range: first } }],
    }),
  );
}

function readArray(reader: Reader): DataNode | ReadFailure {
  const start = reader.at++;
  const items: DataNode[] = [];
  if (skip(reader) === ']') return { kind: 'sequence', items, range: { start, end: ++reader.at } };
  for (;;) {
    const value = readValue(reader);
    if (isReadFailure(value)) return value;
    items.push(value);
    const next = skip(reader);
    reader.at += 1;
    if (next === ']') return { kind: 'sequence', items, range: { start, end: reader.at } };
    if (next !== ',') return unfinished(reader, ']');
  }
}

function unfinished(reader: Reader, closer: string): ReadFailure {
  const at = reader.at - 1;
  return at >= reader.text.length
    ? fail(
        Math.max(0, reader.text.length - 1),
        `The file ends before a ${closer}`,
        'The file is cut off: was the program stopped while it wrote?',
      )
    : fail(at, `A comma or ${closer} is expected`, 'JSON has no comma before a closing bracket.');
}

/** From the opening quote; `text` is the decoded string. */
function readString(reader: Reader): ScalarNode | ReadFailure {
  const start = reader.at;
  let end = start + 1;
  for (;;) {
    const c = reader.text.charCodeAt(end);
    if (Number.isNaN(c) || c === 10 || c === 13)
      return fail(start, 'A string is not closed on its line', 'Close it with ".');
    if (c === 34) break;
    end += c === 92 ? 2 : 1;
  }
  reader.at = end + 1;
  const inner = reader.text.slice(start + 1, end);
  const value = inner.includes('\\') ? unescape(inner) : inner;
  if (value === null)
    return fail(start, 'A string has an escape that JSON does not know', 'Write \\\\ for a backslash.');
  return { kind: 'scalar', value, text: value, range: { start: start + 1, end } };
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

function unescape(inner: string): string | null {
  let broken = false;
  const text = inner.replace(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (_, hex: string | undefined, letter: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      const known = escapes[letter ?? ''];
      broken ||= known === undefined;
      return known ?? '';
    },
  );
  return broken ? null : text;
}

function readLiteral(reader: Reader): ScalarNode | ReadFailure {
  const start = reader.at;
  number.lastIndex = start;
  const digits = number.exec(reader.text)?.[0];
  word.lastIndex = start;
  const text = digits ?? word.exec(reader.text)?.[0] ?? '';
  const value = digits === undefined ? words.get(text) : Number(digits);
  if (value === undefined) {
    return start >= reader.text.length
      ? fail(
          Math.max(0, start - 1),
          'The file ends where a value is expected',
          'The file is cut off: was the program stopped while it wrote?',
        )
      : fail(
          start,
          'A value is expected: a number, a string, true, false, null, NaN, Infinity, { or [',
          'Put text in double quotes.',
        );
  }
  reader.at = start + text.length;
  return { kind: 'scalar', value, text, range: { start, end: reader.at } };
}
