/**
 * What can be said about a text before it is parsed: size, bytes that are not text, byte order mark, line ends.
 */
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../diagnostics/source.ts';

/** In UTF-16 units; the largest contract seen in practice has 40 thousand. Reading one this long takes 400 MB at worst. */
export const MAX_CONTRACT_LENGTH = 3 * 1024 * 1024;

/** What a file should be, in messages about one that is not. */
export interface FileKind {
  /** With its article: `a contract file`. */
  readonly name: string;
  /** The hint for a file that contains nothing of the kind: what to begin with. */
  readonly start: string;
}

/** The kind that is meant where none is named. */
export const contractFile: FileKind = { name: 'a contract file', start: 'Start with `metadata` and `equations`.' };

/** `readable` is false when parsing the text would be pointless or too expensive. */
export interface Hygiene {
  readonly readable: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The findings about a text. `readable` is false if parsing it would make no sense: it is too large, binary or empty.
 */
export function checkText(source: SourceFile, kind: FileKind): Hygiene {
  const fatal = tooLarge(source, kind) ?? binary(source) ?? empty(source, kind);
  if (fatal) return { readable: false, diagnostics: [fatal] };
  const remarks = [byteOrderMark(source), notUtf8(source), lineEnds(source)];
  return { readable: true, diagnostics: remarks.filter((d) => d !== null) };
}

function at(
  source: SourceFile,
  start: number,
  end: number = start + 1,
): { readonly source: SourceFile; readonly range: Range } {
  return { source, range: { start, end } };
}

function tooLarge(source: SourceFile, { name }: FileKind): Diagnostic | null {
  if (source.text.length <= MAX_CONTRACT_LENGTH) return null;
  const megabytes = (source.text.length / 1024 / 1024).toFixed(1);
  return diagnostic('PV-1004', null, `The file has ${megabytes} million characters; ${name} may have 3`, {
    subject: source.path,
    hint: `Is this ${name}? Split it, or keep data in a separate file.`,
  });
}

function binary(source: SourceFile): Diagnostic | null {
  const nul = source.text.indexOf('\0');
  if (nul < 0) return null;
  return diagnostic('PV-1003', at(source, nul), 'The file holds a NUL byte: it is binary, or text in UTF-16', {
    hint: 'Save it as UTF-8 text.',
  });
}

function empty(source: SourceFile, { start }: FileKind): Diagnostic | null {
  if (source.text.replace(/^\uFEFF/, '').trim() !== '') return null;
  return diagnostic('PV-1002', at(source, 0), 'The file is empty', {
    hint: start,
  });
}

function byteOrderMark(source: SourceFile): Diagnostic | null {
  if (source.text.charCodeAt(0) !== 0xfeff) return null;
  return diagnostic(
    'PV-1011',
    at(source, 0),
    'The file starts with a byte order mark, which some tools show or choke on',
    {
      hint: 'Save it as UTF-8 without a byte order mark.',
    },
  );
}

function notUtf8(source: SourceFile): Diagnostic | null {
  const bad = source.text.indexOf('\uFFFD');
  if (bad < 0) return null;
  return diagnostic('PV-1019', at(source, bad), 'U+FFFD, which replaces bytes that are not UTF-8', {
    hint: 'Convert the file to UTF-8 and write the lost character again.',
  });
}

function lineEnds(source: SourceFile): Diagnostic | null {
  const first = source.text.match(/\r\n|\n|\r/);
  // Nearly every file has only LF: one search settles it.
  if (!first || (first[0] === '\n' && !source.text.includes('\r'))) return null;
  const other = firstOther(source.text, first[0]);
  if (other < 0) return null;
  return diagnostic('PV-1012', at(source, other), `This line does not end like the first (${nameOf(first[0])})`, {
    hint: 'Let the editor write one kind of line end; LF is best.',
  });
}

function firstOther(text: string, kind: string): number {
  for (const match of text.matchAll(/\r\n|\n|\r/g)) if (match[0] !== kind) return match.index;
  return -1;
}

function nameOf(lineEnd: string): string {
  return lineEnd === '\n' ? 'LF' : lineEnd === '\r\n' ? 'CRLF' : 'CR';
}
