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

function startsIn(source: SourceFile): readonly number[] {
  const known = startsOf.get(source) ?? lineStarts(source.text);
  startsOf.set(source, known);
  return known;
}

/** The index of the line that an offset is in. */
function lineIndexAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const within = ({ text }: SourceFile, offset: number): number => Math.max(0, Math.min(offset, text.length));

/** The position of `offset` in `source`; offsets past the end map to the end. */
export function positionAt(source: SourceFile, offset: number): Position {
  const starts = startsIn(source);
  const at = within(source, offset);
  const line = lineIndexAt(starts, at);
  return { line: line + (source.firstLine ?? 1), column: at - (starts[line] ?? 0) + 1 };
}

/** The line that an offset is in, without its end. */
export function lineTextAt(source: SourceFile, offset: number): string {
  const { text } = source;
  const starts = startsIn(source);
  const line = lineIndexAt(starts, within(source, offset));
  const next = starts[line + 1];
  if (next === undefined) return text.slice(starts[line]);
  return text.slice(starts[line], text.startsWith('\r\n', next - 2) ? next - 2 : next - 1);
}
