/**
 * TOML 1.0 with places. Dates and times are text; arrays and inline tables are read whole.
 */
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { fail, isReadFailure, type ReadFailure } from './read-failure.ts';
import { openTable, openTableItem, setKey, tableNode, newTable, type KeyPart, type OpenTable } from './toml-tables.ts';
import { readTomlScalar, readTomlString } from './toml-scalars.ts';
import type { DataNode, SequenceNode } from './tree.ts';

const MAX_NESTING = 256;

interface TomlReader {
  readonly source: SourceFile;
  readonly text: string;
  at: number;
  depth: number;
}

/** The table of a TOML text, or null with the first error. */
export function parseToml(source: SourceFile): Staged<DataNode | null> {
  const reader: TomlReader = { source, text: source.text, at: source.text.startsWith('\uFEFF') ? 1 : 0, depth: 0 };
  const root = newTable(0, 'header');
  const failure = readLines(reader, root);
  if (!failure) return { value: tableNode(root), diagnostics: [] };
  return { value: null, diagnostics: [problem(source, failure)] };
}

function problem(source: SourceFile, failure: ReadFailure): Diagnostic {
  const range = { start: failure.at, end: Math.min(failure.at + 1, source.text.length) };
  return diagnostic(failure.code ?? 'PV-7015', { source, range }, failure.message, { hint: failure.hint });
}

function readLines(reader: TomlReader, root: OpenTable): ReadFailure | null {
  let table = root;
  for (;;) {
    skipBlank(reader);
    if (reader.at >= reader.text.length) return null;
    if (reader.text[reader.at] === '[') {
      const opened = readHeader(reader, root);
      if (isReadFailure(opened)) return opened;
      table = opened;
    } else {
      const failure = readPair(reader, table);
      if (failure) return failure;
    }
    const rest = endOfLine(reader);
    if (rest) return rest;
  }
}

/** White space, line ends and comments. */
function skipBlank(reader: TomlReader): void {
  const blank = /(?:[ \t\r\n]|#[^\n]*)*/y;
  blank.lastIndex = reader.at;
  reader.at += blank.exec(reader.text)?.[0].length ?? 0;
}

function skipSpace(reader: TomlReader): string {
  while (reader.text[reader.at] === ' ' || reader.text[reader.at] === '\t') reader.at += 1;
  return reader.text[reader.at] ?? '';
}

function endOfLine(reader: TomlReader): ReadFailure | null {
  const next = skipSpace(reader);
  if (next === '' || next === '\n' || next === '\r' || next === '#') return null;
  return fail(reader.at, 'The line should end here', 'One key and one value per line; put text in double quotes.');
}

function readHeader(reader: TomlReader, root: OpenTable): OpenTable | ReadFailure {
  const start = reader.at;
  const isItem = reader.text.startsWith('[[', start);
  reader.at += isItem ? 2 : 1;
  const path = readKey(reader);
  if (isReadFailure(path)) return path;
  const closer = isItem ? ']]' : ']';
  if (!reader.text.startsWith(closer, reader.at))
    return fail(reader.at, `A ${closer} is expected`, 'Write [table] or [[list of tables]].');
  reader.at += closer.length;
  return isItem ? openTableItem(root, path, start) : openTable(root, path, start);
}

function readPair(reader: TomlReader, table: OpenTable): ReadFailure | null {
  const path = readKey(reader);
  if (isReadFailure(path)) return path;
  if (reader.text[reader.at] !== '=') return fail(reader.at, 'An = is expected after a key', 'Write key = value.');
  reader.at += 1;
  const value = readValue(reader);
  if (isReadFailure(value)) return value;
  return setKey(table, path, value);
}

/** `a.b."c d"`, to the character after it and the spaces. */
function readKey(reader: TomlReader): readonly KeyPart[] | ReadFailure {
  const parts: KeyPart[] = [];
  for (;;) {
    const first = skipSpace(reader);
    const part = first === '"' || first === "'" ? quotedKey(reader) : bareKey(reader);
    if (isReadFailure(part)) return part;
    parts.push(part);
    if (parts.length > MAX_NESTING) return tooDeep(part.range.start);
    if (skipSpace(reader) !== '.') return parts;
    reader.at += 1;
  }
}

function bareKey(reader: TomlReader): KeyPart | ReadFailure {
  const bare = /[A-Za-z0-9_-]+/y;
  bare.lastIndex = reader.at;
  const text = bare.exec(reader.text)?.[0];
  if (text === undefined)
    return fail(reader.at, 'A key is expected', 'Keys are letters, digits, _ and -; put others in quotes.');
  const range: Range = { start: reader.at, end: reader.at + text.length };
  reader.at = range.end;
  return { text, range };
}

function quotedKey(reader: TomlReader): KeyPart | ReadFailure {
  const scalar = readTomlString(reader);
  return isReadFailure(scalar) ? scalar : { text: scalar.text, range: scalar.range };
}

function readValue(reader: TomlReader): DataNode | ReadFailure {
  const first = skipSpace(reader);
  if (first === '[') return nested(reader, readArray);
  if (first === '{') return nested(reader, readInlineTable);
  return readTomlScalar(reader);
}

function tooDeep(at: number): ReadFailure {
  return {
    ...fail(at, `Values are nested deeper than ${MAX_NESTING}`, 'No config is; is this the right file?'),
    code: 'PV-7034',
  };
}

function nested(reader: TomlReader, read: (reader: TomlReader) => DataNode | ReadFailure): DataNode | ReadFailure {
  if (reader.depth >= MAX_NESTING) return tooDeep(reader.at);
  reader.depth += 1;
  const value = read(reader);
  reader.depth -= 1;
  return value;
}

function readArray(reader: TomlReader): SequenceNode | ReadFailure {
  const start = reader.at++;
  const items: DataNode[] = [];
  for (;;) {
    skipBlank(reader);
    if (reader.text[reader.at] === ']') return { kind: 'sequence', items, range: { start, end: ++reader.at } };
    const value = readValue(reader);
    if (isReadFailure(value)) return value;
    items.push(value);
    skipBlank(reader);
    const next = reader.text[reader.at] ?? '';
    if (next === ',') reader.at += 1;
    else if (next !== ']')
      return fail(
        Math.min(reader.at, reader.text.length - 1),
        'A comma or ] is expected',
        'The list that starts above is not closed.',
      );
  }
}

function readInlineTable(reader: TomlReader): DataNode | ReadFailure {
  const table = newTable(reader.at++, 'inline');
  if (skipSpace(reader) === '}') {
    reader.at += 1;
    return tableNode(table);
  }
  for (;;) {
    const failure = readPair(reader, table);
    if (failure) return failure;
    const next = skipSpace(reader);
    reader.at += 1;
    if (next === '}') return tableNode(table);
    if (next !== ',')
      return fail(
        Math.min(reader.at - 1, reader.text.length - 1),
        'A comma or } is expected',
        'An inline table must be on one line.',
      );
  }
}
