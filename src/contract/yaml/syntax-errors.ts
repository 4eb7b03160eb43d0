/**
 * What a YAML syntax error means to the person who wrote the file.
 *
 * The parser stops at its first error. To report the others too, the value or the top-level section that holds the
 * error is blanked out and the rest is parsed again, a bounded number of times.
 */
import { parseEvents, YAMLException } from 'js-yaml';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { SourceFile } from '../../diagnostics/source.ts';

/** Deepest nesting of mappings and lists that is read; deeper files are refused. */
export const MAX_NESTING = 100;
const MAX_SYNTAX_ERRORS = 10;
/** Above this size one error is enough: parsing again and again would take seconds. */
export const RETRY_LENGTH = 256 * 1024;

/** Every syntax error that can be found, given the first one. */
export function syntaxErrors(source: SourceFile, first: YAMLException): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let text = source.text;
  let error: YAMLException | null = first;
  while (error && found.length < MAX_SYNTAX_ERRORS) {
    const position = Math.min(error.mark?.position ?? 0, text.length);
    const finding = explain({ path: source.path, text }, error.reason, position);
    found.push({ ...finding, span: finding.span && { source, range: finding.span.range } });
    if (text.length > RETRY_LENGTH) break;
    const rest: string | null = ownLine.has(finding.code)
      ? withoutLine(text, position)
      : withoutSection(text, position);
    if (rest === null) break;
    text = rest;
    error = firstError(text);
  }
  return found;
}

/** Errors that lie in the line where the parser met them; others may have begun anywhere above. */
const ownLine: ReadonlySet<Code> = new Set<Code>(['PV-1023', 'PV-1024', 'PV-1025']);

function firstError(text: string): YAMLException | null {
  try {
    parseEvents(text, { maxDepth: MAX_NESTING });
    return null;
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

/** Offsets of the line around `position`, without its line end. */
export function lineAround(text: string, position: number): { readonly start: number; readonly end: number } {
  const isLineEnd = (at: number): boolean => text.charCodeAt(at) === 10 || text.charCodeAt(at) === 13;
  let start = position;
  while (start > 0 && !isLineEnd(start - 1)) start--;
  let end = position;
  while (end < text.length && !isLineEnd(end)) end++;
  return { start, end };
}

/** `text` with the value of the line around `position` emptied; null if there is nothing to empty. */
function withoutLine(text: string, position: number): string | null {
  const { start, end } = lineAround(text, position);
  const lead = /^\s*(?:- +)?(?:[\w.-]+:)?/.exec(text.slice(start, end))?.[0].length ?? 0;
  if (text.slice(start + lead, end).trim() === '') return null;
  return text.slice(0, start + lead) + ' '.repeat(end - start - lead) + text.slice(end);
}

/** `text` with the section around `position` turned into blanks of the same length; null if there is no section to drop. */
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
  {
    pattern: /^tab characters/,
    code: 'PV-1005',
    message: 'A tab is used for indentation',
    hint: 'Indent with spaces.',
  },
  {
    pattern: /^nesting exceeded/,
    code: 'PV-1008',
    message: `The file nests deeper than ${MAX_NESTING} levels`,
    hint: 'A contract needs about six levels.',
  },
  {
    pattern: /within a flow collection|missed comma|but found ','/,
    code: 'PV-1022',
    message: 'A list in [ ] or a mapping in { } is not complete here',
    hint: 'Close the bracket and separate the items with commas, or put the text in quotes.',
  },
  {
    pattern: /escape sequence|hexadecimal character/,
    code: 'PV-1023',
    message: 'YAML does not know this escape',
    hint: 'Write \\\\ for a backslash, or use single quotes, where a backslash is only a backslash.',
  },
  {
    pattern: /non-printable|valid JSON character/,
    code: 'PV-1025',
    message: 'A control character',
    hint: 'Remove it, or write it as an escape in double quotes.',
  },
  {
    pattern: /^can not read a block mapping entry|^expected ':'|^a whitespace character is expected after the key/,
    code: 'PV-1026',
    message: 'A key and its colon are expected here',
    hint: 'Write `key: value`, with a space after the colon.',
  },
  {
    pattern: /indentation|^end of the stream or a document separator/,
    code: 'PV-1021',
    message: 'This line does not fit the lines above it',
    hint: 'Give the keys of one mapping, and the dashes of one list, the same indentation, and put a space after the dash.',
  },
];

/** Reasons that the parser gives when a quote or bracket of an earlier line is still open. */
const stillOpen = /quoted scalar|within a flow collection|^deficient indentation/;

/** What the parser's `reason` for stopping at `position` means. */
export function explain(source: SourceFile, reason: string, position: number): Diagnostic {
  const special =
    needsQuotes(source, position) ??
    (stillOpen.test(reason) ? unclosed(source, position) : null) ??
    noColon(source, reason, position);
  if (special) return special;
  const meaning = meanings.find((row) => row.pattern.test(reason));
  const start = visiblePosition(source.text, position);
  const span = { source, range: { start, end: Math.min(start + 1, source.text.length) } };
  if (!meaning)
    return diagnostic('PV-1001', span, `The file is not valid YAML here: ${reason}`, {
      hint: 'If this is text, put it in quotes.',
    });
  return diagnostic(meaning.code, span, meaning.message, { hint: meaning.hint });
}

/** Past white space and line ends, where a caret would point at nothing. */
function visiblePosition(text: string, position: number): number {
  let at = position;
  while (at < text.length && (text[at] === ' ' || text[at] === '\n' || text[at] === '\r')) at++;
  return at < text.length ? at : Math.max(0, text.trimEnd().length - 1);
}

const openers = new Map([
  ['"', '"'],
  ["'", "'"],
  ['[', ']'],
  ['{', '}'],
]);

/** The quote or bracket that opens a value on the nearest line above and is not closed on that line. */
function unclosed(source: SourceFile, position: number): Diagnostic | null {
  const lines = source.text.slice(0, position).split('\n');
  let offset = position + 1;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i] ?? '';
    offset -= line.length + 1;
    const at = openedAt(line);
    if (at === null) continue;
    const opener = line[at] ?? '';
    const closer = openers.get(opener) ?? opener;
    return diagnostic(
      'PV-1022',
      { source, range: { start: offset + at, end: offset + at + 1 } },
      `The ${opener} that opens here is never closed`,
      {
        hint: `Close it with ${closer}, or put the whole text in quotes.`,
      },
    );
  }
  return null;
}

/** Where a line opens a quote or bracket at the start of a value and leaves it open; null if it closes all. */
function openedAt(line: string): number | null {
  const open: { readonly at: number; readonly closer: string }[] = [];
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? '';
    const inner = open.at(-1);
    const inQuotes = inner?.closer === '"' || inner?.closer === "'";
    if (c === '\\' && inner?.closer === '"') i++;
    else if (inner && c === inner.closer) open.pop();
    else if (!inQuotes && openers.has(c) && (inner !== undefined || startsValue(line, i)))
      open.push({ at: i, closer: openers.get(c) ?? c });
  }
  return open.at(-1)?.at ?? null;
}

/** Only a few characters are looked at: lines can be megabytes long. */
function startsValue(line: string, at: number): boolean {
  return at === 0 || /[:-]\s+$/.test(line.slice(Math.max(0, at - 16), at));
}

/** A bare word above a `key:` line: YAML takes the two for one text until it meets the colon. */
function noColon(source: SourceFile, reason: string, position: number): Diagnostic | null {
  if (!/separator is expected|multiline key/.test(reason)) return null;
  const before = source.text.slice(0, lineAround(source.text, position).start).trimEnd();
  const { start, end } = lineAround(before, before.length);
  const line = before.slice(start, end);
  if (!/^\s*[\w.-]+$/.test(line)) return null;
  return diagnostic(
    'PV-1026',
    { source, range: { start: end - line.trim().length, end } },
    'This line has no colon: it is neither a key nor part of a value',
    {
      hint: `Write \`${line.trim()}: …\`.`,
    },
  );
}

/**
 * Mathematics often starts with a character that YAML reserves (`|x| ≤ 1`, `[a, b]`, `*`, `%`) or holds `: `.
 * When the line of the error has such a value, quotes are what is missing, whatever the parser says.
 */
function needsQuotes(source: SourceFile, position: number): Diagnostic | null {
  const { start, end } = lineAround(source.text, position);
  const match = /^(\s*(?:- +)?(?:[\w.-]+: +|- +))(.*)$/.exec(source.text.slice(start, end));
  const value = match?.[2]?.trimEnd() ?? '';
  const lead = start + (match?.[1]?.length ?? 0);
  const why =
    value === ''
      ? null
      : reservedStart(value)
        ? `${value[0]} at its start has a special meaning in YAML`
        : innerColon.test(value)
          ? 'a colon followed by a space starts a new key in YAML'
          : null;
  if (why === null) return null;
  return diagnostic(
    'PV-1024',
    { source, range: { start: lead, end: lead + value.length } },
    `This text needs quotes: ${why}`,
    {
      hint: `Write "${value.replace(/[\\"]/g, '\\$&')}".`,
    },
  );
}

const innerColon = /^[^"'[{|>#&*!].*: /;

/** `|` and `>` that head no block; `%`, `@`, backtick; aliases and tags followed by more; text after a closing bracket. */
function reservedStart(value: string): boolean {
  if (/^[|>]/.test(value)) return !/^[|>][-+\d]*\s*(?:#.*)?$/.test(value);
  if (/^[%@`]/.test(value)) return true;
  if (/^[*&]/.test(value)) return !/^[*&][^\s,[\]{}]+$/.test(value);
  return /^[[{]/.test(value) && /[\]}]\s*[^\s,\]}#]/.test(value);
}
