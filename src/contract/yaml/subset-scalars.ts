/**
 * The scalars of the common part of YAML. Each function gives null for what it leaves to the whole parser.
 */
import { CHOMPING_MODE, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Range } from '../../diagnostics/source.ts';
import { HASH, endsAfter, indentOf, lineAt, offsetOf, SPACE, type Lines } from './subset-lines.ts';
import { reportLookAlike } from './look-alike.ts';
import type { ScalarStyle, YamlScalar } from './node.ts';
import { resolvePlain, trimmedRange } from './scalar.ts';

const COLON = 58;
const QUOTE = 34;
const BACKSLASH = 92;

/** Characters that a plain scalar may begin with in any place; `-` may when no space follows. */
export function startsPlain(line: string, at: number): boolean {
  const c = line.charCodeAt(at);
  if (c === 45) return at + 1 < line.length && line.charCodeAt(at + 1) !== SPACE;
  return at < line.length && !reserved.has(c);
}

const reserved: ReadonlySet<number> = new Set([...' #&*!|>\'"%@`,[]{}?:'].map((c) => c.charCodeAt(0)));

/** Where the colon of a key that begins at `from` stands; −1 when no plain key does. */
export function keyEnd(line: string, from: number): number {
  if (!startsPlain(line, from)) return -1;
  let colon = line.indexOf(':', from);
  while (colon >= 0 && colon + 1 < line.length && line.charCodeAt(colon + 1) !== SPACE)
    colon = line.indexOf(':', colon + 1);
  if (colon < 0) return -1;
  const comment = line.indexOf(' #', from);
  return comment >= 0 && comment < colon ? -1 : colon;
}

/** The key in `[from, colon)`; null when it is not written as keys are. */
export function readKey(reader: Lines, line: string, from: number, colon: number): YamlScalar | null {
  if (line.charCodeAt(colon - 1) === SPACE || colon - from > 200) return null;
  return plainScalar(reader, line.slice(from, colon), offsetOf(reader, reader.at, from));
}

/** A plain scalar that stands in the file as it is read. */
export function plainScalar(reader: Lines, text: string, start: number): YamlScalar {
  return plainNode(reader, text, { start, end: start + text.length });
}

function plainNode(reader: Lines, text: string, range: Range): YamlScalar {
  const value = resolvePlain(text);
  if (typeof value === 'string') reportLookAlike(reader.source, text, range, reader.diagnostics);
  return { kind: 'scalar', text, value, style: 'plain', range, indent: -1 };
}

/** What stands where a value is missing. */
export const emptyScalar = (range: Range): YamlScalar => ({
  kind: 'scalar',
  text: '',
  value: null,
  style: 'plain',
  range,
  indent: -1,
});

/** The end of the plain text from `from`, before spaces and a comment; −1 when a colon makes it something else. */
function plainEnd(line: string, from: number): number {
  const comment = line.indexOf(' #', from);
  let end = comment < 0 ? line.length : comment;
  while (end > from && line.charCodeAt(end - 1) === SPACE) end--;
  const colon = line.indexOf(': ', from);
  return (colon >= 0 && colon < end) || line.charCodeAt(end - 1) === COLON ? -1 : end;
}

/** A plain scalar from column `from`, with the lines that continue it: those deeper than `indent`. */
export function readPlain(reader: Lines, line: string, from: number, indent: number): YamlScalar | null {
  const start = offsetOf(reader, reader.at, from);
  let end = plainEnd(line, from);
  if (end < 0) return null;
  let last = reader.at;
  let lastLine = line;
  for (let next = last + 1; endsLine(lastLine, end) && next < reader.lines.length; next++) {
    const more = lineAt(reader, next);
    const column = indentOf(more);
    if (column === more.length) continue;
    if (column <= indent || more.charCodeAt(column) === HASH) break;
    end = plainEnd(more, column);
    if (end < 0) return null;
    last = next;
    lastLine = more;
  }
  const folded = last > reader.at;
  const range = { start, end: offsetOf(reader, last, end) };
  reader.at = last + 1;
  return plainNode(reader, folded ? decoded(reader, range, 'plain') : line.slice(from, end), range);
}

/** Whether only spaces follow: a comment ends a scalar for good. */
const endsLine = (line: string, end: number): boolean => line.indexOf('#', end) < 0;

/** A quoted scalar whose quote stands at column `from`. Its value may go on over lines deeper than `indent`. */
export function readQuoted(reader: Lines, line: string, from: number, indent: number): YamlScalar | null {
  const start = offsetOf(reader, reader.at, from) + 1;
  const style = line.charCodeAt(from) === QUOTE ? 'double' : 'single';
  const end = closingQuote(reader.source.text, start, style);
  if (end < 0) return null;
  const last = lineOfOffset(reader, end, indent);
  if (last < 0 || !endsAfter(lineAt(reader, last), end + 1 - offsetOf(reader, last, 0))) return null;
  const text = quotedText(reader, { start, end }, style, last > reader.at);
  if (text === null) return null;
  reader.at = last + 1;
  return { kind: 'scalar', text, value: text, style, range: { start, end }, indent: -1 };
}

/** A quoted scalar inside brackets: it ends on its line, and the reader stays there. */
export function readQuotedItem(reader: Lines, line: string, from: number): YamlScalar | null {
  const start = offsetOf(reader, reader.at, from) + 1;
  const style = line.charCodeAt(from) === QUOTE ? 'double' : 'single';
  const end = closingQuote(reader.source.text, start, style);
  if (end < 0 || end >= offsetOf(reader, reader.at, line.length)) return null;
  const text = quotedText(reader, { start, end }, style, false);
  return text === null ? null : { kind: 'scalar', text, value: text, style, range: { start, end }, indent: -1 };
}

function closingQuote(text: string, start: number, style: 'single' | 'double'): number {
  if (style === 'single') {
    for (let at = text.indexOf("'", start); at >= 0; at = text.indexOf("'", at + 2))
      if (text.charCodeAt(at + 1) !== 39) return at;
    return -1;
  }
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return -1;
}

/** The line of `offset`, at or after the reader's; −1 when a line on the way is not deeper than `indent`. */
function lineOfOffset(reader: Lines, offset: number, indent: number): number {
  let index = reader.at;
  while (offset >= offsetOf(reader, index + 1, 0) && index + 1 < reader.lines.length) {
    index++;
    const line = lineAt(reader, index);
    const column = indentOf(line);
    if (column < line.length && column <= indent) return -1;
  }
  return index;
}

/** Escapes whose meaning does not depend on line ends, and that are never out of range. */
const plainEscapes = /\\(?:[0abtnvfre "/\\N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/g;

function quotedText(reader: Lines, range: Range, style: 'single' | 'double', folded: boolean): string | null {
  const raw = reader.source.text.slice(range.start, range.end);
  const escaped = raw.includes(style === 'double' ? '\\' : "'");
  if (!folded && !escaped) return raw;
  if (escaped && style === 'double' && raw.replace(plainEscapes, '').includes('\\')) return null;
  return decoded(reader, range, style);
}

/** A block scalar whose `|` or `>` stands at column `from`, in a collection at column `indent`. */
export function readBlock(reader: Lines, line: string, from: number, indent: number): YamlScalar | null {
  const header = blockHeader.exec(line.slice(from));
  if (!header) return null;
  const first = reader.at + 1;
  let next = first;
  let leading = 0;
  for (; next < reader.lines.length; next++) {
    const column = indentOf(lineAt(reader, next));
    if (column < lineAt(reader, next).length) break;
    leading = Math.max(leading, column);
  }
  const width = indentOf(lineAt(reader, next));
  if (next >= reader.lines.length || width <= indent || leading > width) return null;
  for (; next < reader.lines.length; next++) {
    const column = indentOf(lineAt(reader, next));
    if (column < width && column < lineAt(reader, next).length) break;
  }
  // Spaces before the end of a file without a line end are read in a way of their own.
  if (next === reader.lines.length && /\n +$/.test(reader.source.text.slice(-200))) return null;
  const range = { start: offsetOf(reader, first, 0), end: offsetOf(reader, next, 0) };
  const style = header[1] === '|' ? 'literal' : 'folded';
  const text = decoded(reader, range, style, width, chomping[header[2] ?? ''] ?? CHOMPING_MODE.CLIP);
  reader.at = next;
  return {
    kind: 'scalar',
    text,
    value: text,
    style,
    range: trimmedRange(reader.source.text, range.start, range.end),
    indent: width,
  };
}

const blockHeader = /^([|>])([-+]?) *$/;
const chomping: Readonly<Record<string, ScalarEvent['chomping']>> = {
  '-': CHOMPING_MODE.STRIP,
  '+': CHOMPING_MODE.KEEP,
};

const eventStyles: Readonly<Record<ScalarStyle, ScalarEvent['style']>> = {
  plain: SCALAR_STYLE.PLAIN,
  single: SCALAR_STYLE.SINGLE_QUOTED,
  double: SCALAR_STYLE.DOUBLE_QUOTED,
  literal: SCALAR_STYLE.LITERAL_BLOCK,
  folded: SCALAR_STYLE.FOLDED_BLOCK,
};

/** The value of a scalar with escapes, folded lines or an indentation, as the whole parser decodes it. */
function decoded(
  { source }: Lines,
  { start, end }: Range,
  style: ScalarStyle,
  indent = -1,
  chomp: ScalarEvent['chomping'] = CHOMPING_MODE.CLIP,
): string {
  return getScalarValue(source.text, {
    type: EVENT_ID.SCALAR,
    valueStart: start,
    valueEnd: end,
    anchorStart: -1,
    anchorEnd: -1,
    tagStart: -1,
    tagEnd: -1,
    style: eventStyles[style],
    chomping: chomp,
    indent,
    fast: false,
  });
}
