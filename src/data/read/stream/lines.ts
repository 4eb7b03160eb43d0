/**
 * Lines of a file of any size: pieces of bytes in, lines of text out. LF, CRLF and lone CR end a line, as in editors.
 */

/** Receives lines; numbers of lines count from 1. */
export interface LineSink {
  /** A whole line without its end; false ends reading. `last` when the file ended without a line end. */
  readonly onLine: (text: string, line: number, last: boolean) => boolean;
  /** A line longer than the bound: it is passed over. */
  readonly onLongLine: (line: number) => boolean;
}

/** Splits bytes into lines, and decodes them as UTF-8. */
export interface LineReader {
  /** False when no more is wanted. */
  readonly push: (chunk: Uint8Array) => boolean;
  /** The last line, when the file does not end with a line end. */
  readonly end: () => boolean;
  /** The first line with bytes that are not UTF-8; 0 when there is none. */
  readonly notUtf8Line: () => number;
}

/** In UTF-16 units. A record of a log has hundreds; a megabyte leaves room for whole configs in one line. */
export const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/** A reader into `sink`. Lines of more than `maxLength` characters are skipped. */
export function createLineReader(sink: LineSink, maxLength: number = MAX_LINE_LENGTH): LineReader {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let line = 0;
  let overlong = false;
  let endedByCr = false;
  let notUtf8Line = 0;

  const emit = (text: string, last: boolean): boolean => {
    line += 1;
    if (overlong || text.length > maxLength) {
      overlong = false;
      return sink.onLongLine(line);
    }
    if (notUtf8Line === 0 && notUtf8Pending && text.includes('\uFFFD')) notUtf8Line = line;
    return sink.onLine(text, line, last);
  };
  let notUtf8Pending = false;

  const feed = (decoded: string): boolean => {
    // One search of a whole piece is cheaper than one of each line.
    notUtf8Pending ||= decoded.includes('\uFFFD');
    let piece = decoded;
    if (endedByCr && piece.startsWith('\n')) piece = piece.slice(1);
    if (piece !== '') endedByCr = piece.endsWith('\r');
    const text = rest === '' ? piece : rest + piece;
    let start = 0;
    const hasCr = piece.includes('\r');
    for (;;) {
      const end = hasCr ? nextEnd(text, start) : text.indexOf('\n', start);
      if (end < 0) break;
      if (!emit(text.slice(start, end), false)) return false;
      start = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    }
    rest = text.slice(start);
    if (rest.length > maxLength) {
      overlong = true;
      rest = '';
    }
    return true;
  };
  return {
    push: (chunk) => feed(decoder.decode(chunk, { stream: true })),
    end: () => {
      const fed = feed(decoder.decode());
      return fed && (rest === '' && !overlong ? true : emit(rest, true));
    },
    notUtf8Line: () => notUtf8Line,
  };
}

function nextEnd(text: string, start: number): number {
  const lf = text.indexOf('\n', start);
  const cr = text.slice(start, lf < 0 ? undefined : lf).indexOf('\r');
  return cr < 0 ? lf : start + cr;
}
