/**
 * What reading the common part of YAML works on: the lines of a text and the place in them.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';

export interface Lines {
  readonly source: SourceFile;
  readonly lines: readonly string[];
  /** Where each line starts in the text, and behind the last one where the text ends. */
  readonly starts: readonly number[];
  readonly diagnostics: Diagnostic[];
  /** The line that is read next. */
  at: number;
  /** Collections that are open. */
  depth: number;
  /** Scalars, lists and mappings so far; never more than the whole parser has events for them. */
  nodes: number;
}

/** Scalars, lists and mappings; the largest contract seen in practice has two thousand. */
export const MAX_VALUES = 200_000;

export const SPACE = 32;
export const HASH = 35;

/** Tabs, control characters, odd line ends, lone surrogates; and at a line's start what ends or directs a document. */
const uncommon = /[^\n\x20-\x7E\xA0-\u2027\u202A-\uFEFE\uFF00-\uFFFD\u{10000}-\u{10FFFF}]|^(?:---|\.\.\.|%)/mu;

/** The lines of `source`; null when the text has characters or markers that only the whole of YAML knows. */
export function linesOf(source: SourceFile): Lines | null {
  if (uncommon.test(source.text)) return null;
  const lines = source.text.split('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  starts.push(source.text.length);
  return { source, lines, starts, diagnostics: [], at: 0, depth: 0, nodes: 0 };
}

export function lineAt(reader: Lines, index: number): string {
  return reader.lines[index] ?? '';
}

/** The offset in the text of a column of a line. */
export function offsetOf(reader: Lines, index: number, column: number): number {
  return (reader.starts[index] ?? 0) + column;
}

/** The column of the first character that is no space; the length of a line of spaces. */
export function indentOf(line: string): number {
  return skipSpaces(line, 0);
}

/** The first column from `from` on that holds no space. */
export function skipSpaces(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === SPACE) at++;
  return at;
}

/** Goes on to the next line that is neither empty nor a comment; returns its indentation, or −1 at the end. */
export function nextContent(reader: Lines): number {
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = lineAt(reader, reader.at);
    const indent = indentOf(line);
    if (indent < line.length && line.charCodeAt(indent) !== HASH) return indent;
  }
  return -1;
}

/** Whether nothing but spaces and a comment follows a value that ends before `from`. */
export function endsAfter(line: string, from: number): boolean {
  const at = skipSpaces(line, from);
  return at >= line.length || (at > from && line.charCodeAt(at) === HASH);
}
