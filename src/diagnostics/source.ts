/** A half-open range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text that diagnostics point into. `path` is as the user gave it (relative when possible). */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The 1-based line of the file at which `text` starts, when it is a part of a file too large to keep; else 1. */
  readonly firstLine?: number;
}

/** A range of one source file. */
export interface Span {
  readonly source: SourceFile;
  readonly range: Range;
}

/** A 1-based line and column; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets at which each line of `text` starts. LF, CRLF and lone CR end a line. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
    return starts;
  }
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 13 && text.charCodeAt(i + 1) === 10) continue;
    if (c === 10 || c === 13) starts.push(i + 1);
  }
  return starts;
}

const startsOf = new WeakMap<SourceFile, readonly number[]>();

/** The position of `offset` in `source`; offsets past the end map to the end. */
export function positionAt(source: SourceFile, offset: number): Position {
  let starts = startsOf.get(source);
  if (!starts) startsOf.set(source, (starts = lineStarts(source.text)));
  const at = Math.max(0, Math.min(offset, source.text.length));
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + (source.firstLine ?? 1), column: at - (starts[low] ?? 0) + 1 };
}
