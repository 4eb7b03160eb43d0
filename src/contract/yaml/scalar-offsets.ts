/**
 * The place in the file of each character of a scalar's decoded text.
 *
 * YAML drops indentation, folds lines and decodes escapes, so the decoded text is cut into pieces that
 * are in the file verbatim (or are one escape). Between pieces are only folded line breaks.
 */
import type { YamlScalar } from './node.ts';

/** `text` at `offset` of the file; an `escape` gives its whole text at once. */
interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly escape: boolean;
}

interface PlacedPiece extends Piece {
  /** Where the piece starts in the decoded text. */
  readonly at: number;
}

/**
 * A function from offsets of `scalar.text` to offsets of `source`. Offsets outside map to the nearest end.
 * The work is done at the first call: most formal fields never need it.
 */
export function offsetMapper(source: string, scalar: YamlScalar): (offset: number) => number {
  const { start, end } = scalar.range;
  if (scalar.indent < 0 && end - start === scalar.text.length)
    return (offset) => start + Math.max(0, Math.min(offset, end - start));
  let placed: readonly PlacedPiece[] | null = null;
  return (offset) => {
    placed ??= place(scalar.text, piecesOf(source, scalar));
    return locate(placed, offset, start, end);
  };
}

function locate(pieces: readonly PlacedPiece[], offset: number, start: number, end: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const piece = pieces[low - 1];
  // Folded white space before the first piece; the range of a block starts at its first visible character.
  if (!piece) return Math.min(start, pieces[0]?.offset ?? start);
  const within = offset - piece.at;
  if (piece.escape && within < piece.text.length) return piece.offset;
  if (piece.escape) return Math.min(end, pieces[low]?.offset ?? end);
  return piece.offset + Math.min(within, piece.text.length);
}

/** Finds each piece in the decoded text, skipping the white space that folding put between them. */
function place(text: string, pieces: readonly Piece[]): readonly PlacedPiece[] {
  const placed: PlacedPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    while (at < text.length && !text.startsWith(piece.text, at) && /\s/.test(text[at] ?? '')) at++;
    placed.push({ ...piece, at });
    at += piece.text.length;
  }
  return placed;
}

function piecesOf(source: string, scalar: YamlScalar): readonly Piece[] {
  const { start, end } = scalar.range;
  if (scalar.indent >= 0) return blockPieces(linesOf(source, lineStart(source, start), end), scalar.indent);
  const lines = linesOf(source, start, end);
  return lines.flatMap((line, i) => flowPieces(line, scalar.style, i === 0, i === lines.length - 1));
}

function lineStart(source: string, offset: number): number {
  return Math.max(source.lastIndexOf('\n', offset - 1), source.lastIndexOf('\r', offset - 1)) + 1;
}

/** The lines of `[start, end)` without their line breaks. */
function linesOf(source: string, start: number, end: number): readonly Piece[] {
  const lines: Piece[] = [];
  let from = start;
  for (const match of source.slice(start, end).matchAll(/\r\n|\n|\r/g)) {
    const to = start + match.index;
    lines.push({ text: source.slice(from, to), offset: from, escape: false });
    from = to + match[0].length;
  }
  lines.push({ text: source.slice(from, end), offset: from, escape: false });
  return lines;
}

/** Lines without the indentation of the block; blank lines belong to the folded white space. */
function blockPieces(lines: readonly Piece[], indent: number): readonly Piece[] {
  return lines.flatMap((line) => {
    const content = line.text.slice(indent);
    return content.trim() === '' ? [] : [{ text: content, offset: line.offset + indent, escape: false }];
  });
}

function flowPieces(line: Piece, style: YamlScalar['style'], first: boolean, last: boolean): readonly Piece[] {
  const lead = first ? 0 : line.text.length - line.text.trimStart().length;
  const body = last ? line.text.slice(lead) : line.text.slice(lead).replace(/[ \t]+$/, '');
  if (style === 'single') return splitAt(body, line.offset + lead, /''/g, () => "'");
  if (style === 'double') return splitAt(body, line.offset + lead, doubleEscape, decodeEscape);
  return body === '' ? [] : [{ text: body, offset: line.offset + lead, escape: false }];
}

const doubleEscape = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.|$)/gs;
const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

function decodeEscape(escape: string): string {
  const letter = escape[1];
  if (letter === undefined) return '';
  if (letter === 'x' || letter === 'u' || letter === 'U') return String.fromCodePoint(parseInt(escape.slice(2), 16));
  return escapes[letter] ?? letter;
}

function splitAt(text: string, offset: number, pattern: RegExp, decode: (match: string) => string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), offset: offset + from, escape: false });
    pieces.push({ text: decode(match[0]), offset: offset + match.index, escape: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), offset: offset + from, escape: false });
  return pieces;
}
