/**
 * What a YAML syntax error means to the person who wrote the file.
 *
 * The parser stops at its first error. To report the others too, the top-level section that holds the error is
 * blanked out and the rest is parsed again, a bounded number of times.
 */
import { parseEvents, YAMLException } from 'js-yaml';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { SourceFile } from '../../diagnostics/source.ts';

export const MAX_NESTING = 100;
const MAX_SYNTAX_ERRORS = 10;
/** Above this size one error is enough: parsing again and again would take seconds. */
const RETRY_LENGTH = 256 * 1024;

/** Every syntax error that can be found, given the first one. */
export function syntaxErrors(source: SourceFile, first: YAMLException): readonly Diagnostic[] {
  const found = [explain(source, first)];
  if (source.text.length > RETRY_LENGTH) return found;
  let text = source.text;
  let error: YAMLException | null = first;
  while (error && found.length < MAX_SYNTAX_ERRORS) {
    const rest = withoutSection(text, error.mark?.position ?? 0);
    if (rest === null) break;
    text = rest;
    error = firstError(text);
    if (error) found.push(explain(source, error));
  }
  return found;
}

function firstError(text: string): YAMLException | null {
  try {
    parseEvents(text, { maxDepth: MAX_NESTING });
    return null;
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

/** `text` with the section around `position` turned into blanks of the same length; null when there is no section to drop. */
function withoutSection(text: string, position: number): string | null {
  const starts = [...text.matchAll(/^[A-Za-z_"'][^\n\r]*:/gm)].map((match) => match.index);
  const index = starts.findLastIndex((start) => start <= position);
  const start = starts[index];
  if (start === undefined) return null;
  // An error at the first character of a section can belong to the one before it, which ran on.
  const from = start === position && index > 0 ? (starts[index - 1] ?? start) : start;
  const to = starts[index + 1] ?? text.length;
  if (to <= from || text.slice(from, to).trim() === '') return null;
  return text.slice(0, from) + text.slice(from, to).replace(/[^\n\r]/g, ' ') + text.slice(to);
}

interface Meaning {
  readonly pattern: RegExp;
  readonly code: Code;
  readonly message: string;
  readonly hint: string;
}

const meanings: readonly Meaning[] = [
  { pattern: /^tab characters/, code: 'PV-1005', message: 'A tab is used for indentation', hint: 'Indent with spaces.' },
  { pattern: /^nesting exceeded/, code: 'PV-1008', message: `The file nests deeper than ${MAX_NESTING} levels`, hint: 'A contract needs about six levels.' },
  { pattern: /within a (single|double) quoted scalar/, code: 'PV-1022', message: 'The quote that opens here is never closed', hint: 'Close the quote; inside single quotes write \'\' for one, inside double quotes \\".' },
  { pattern: /within a flow collection|missed comma|but found ','/, code: 'PV-1022', message: 'A list in [ ] or a mapping in { } is not complete here', hint: 'Close the bracket and separate the items with commas, or put the text in quotes.' },
  { pattern: /escape sequence|hexadecimal character/, code: 'PV-1023', message: 'YAML does not know this escape', hint: 'Write \\\\ for a backslash, or use single quotes, where a backslash is only a backslash.' },
  { pattern: /non-printable|valid JSON character/, code: 'PV-1025', message: 'Here stands a control character', hint: 'Remove it, or write it as an escape in double quotes.' },
  { pattern: /^can not read a block mapping entry|^expected ':'|^a whitespace character is expected after the key/, code: 'PV-1026', message: 'A key and its colon are expected here', hint: 'Write `key: value`, with a space after the colon.' },
  { pattern: /indentation|^end of the stream or a document separator/, code: 'PV-1021', message: 'This line does not fit the lines above it', hint: 'Give the keys of one mapping, and the dashes of one list, the same indentation, and put a space after the dash.' },
];

function explain(source: SourceFile, error: YAMLException): Diagnostic {
  const position = Math.min(error.mark?.position ?? 0, source.text.length);
  const unquoted = needsQuotes(source, position);
  if (unquoted) return unquoted;
  const meaning = meanings.find((row) => row.pattern.test(error.reason));
  const start = meaning?.code === 'PV-1022' && /quoted/.test(error.reason) ? openingQuote(source.text, position) : visiblePosition(source.text, position);
  const span = { source, range: { start, end: Math.min(start + 1, source.text.length) } };
  if (!meaning) return diagnostic('PV-1001', span, `The file is not valid YAML here: ${error.reason}`, { hint: 'If this is text, put it in quotes.' });
  return diagnostic(meaning.code, span, meaning.message, { hint: meaning.hint });
}

/** Past white space and line ends, where a caret would point at nothing. */
function visiblePosition(text: string, position: number): number {
  let at = position;
  while (at < text.length && (text[at] === ' ' || text[at] === '\n' || text[at] === '\r')) at++;
  return at < text.length ? at : Math.max(0, text.trimEnd().length - 1);
}

/** The quote after `key: ` or `- ` on the nearest line above that opens one and does not close it. */
function openingQuote(text: string, position: number): number {
  const lines = text.slice(0, position).split('\n');
  let offset = position;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i] ?? '';
    offset -= line.length;
    const match = /(?:^|[:\-,[{]\s+)(["'])((?!.*\1\s*$).*)$/.exec(line);
    if (match) return offset + match.index + match[0].indexOf(match[1] ?? '');
    offset -= 1;
  }
  return position;
}

/**
 * Mathematics often starts with a character that YAML reserves (`|x| ≤ 1`, `[a, b]`, `*`, `%`) or holds `: `.
 * When the line of the error has such a value, quotes are what is missing, whatever the parser says.
 */
function needsQuotes(source: SourceFile, position: number): Diagnostic | null {
  const lineStart = source.text.lastIndexOf('\n', position - 1) + 1;
  const lineEnd = /\r|\n|$/.exec(source.text.slice(position))?.index ?? 0;
  const line = source.text.slice(lineStart, position + lineEnd);
  const match = /^(\s*(?:- +)?(?:[\w.-]+: +|- +))(.*)$/.exec(line);
  const value = match?.[2]?.trimEnd() ?? '';
  const lead = match?.[1]?.length ?? 0;
  const reserved = /^(?:[|>](?![+-]?\d?[+-]?\s*(?:#.*)?$)|[%@`&*!]|[[{](?!.*[\]}]\s*$)|[[{].*[\]}]\s*\S)/.test(value);
  const colon = /^[^"'[{|>#].*: /.test(value);
  if (!reserved && !colon) return null;
  const why = reserved ? `${value[0]} at its start has a meaning of its own in YAML` : 'a colon followed by a space starts a new key in YAML';
  return diagnostic('PV-1024', { source, range: { start: lineStart + lead, end: lineStart + lead + value.length } }, `This text needs quotes: ${why}`, {
    hint: `Write "${value.replace(/[\\"]/g, '\\$&')}".`,
  });
}
