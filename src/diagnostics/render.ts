/**
 * Diagnostics as people read them on a terminal: the place, the line, a caret, how to fix it.
 */
import { displayWidth, visible } from '../base/text.ts';
import type { Diagnostic, Related } from './diagnostic.ts';
import { lineTextAt, positionAt, type Position, type Span } from './source.ts';

type Paint = (text: string) => string;

/** How parts are coloured; the command line supplies one, tests and files use none. */
export interface Palette {
  readonly error: Paint;
  readonly warning: Paint;
  readonly note: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

const same: Paint = (text) => text;
const plain: Palette = { error: same, warning: same, note: same, strong: same, faint: same };

/** How to print diagnostics. */
export interface RenderOptions {
  /** null for no colour. */
  readonly color?: Palette | null;
}

/** Columns of source text shown; longer lines are cut around the caret. */
const LINE_WIDTH = 120;
const TAB_WIDTH = 4;

/**
 * One diagnostic as a code frame, without a final line end:
 *
 *     error[PV-2004]: 'monotonicty' is not a 'type' that pv knows
 *       --> contracts/gelu-kernel-v1.yaml:64:11
 *        |
 *     64 |   - type: monotonicty
 *        |           ^^^^^^^^^^^
 *        = help: Did you mean 'monotonicity'?
 *        = more: pv explain PV-2004
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions = {}): string {
  const paint = options.color ?? plain;
  const level = paint[diagnostic.severity];
  const margin = marginOf(diagnostic);
  const lines = [
    `${level(`${diagnostic.severity}[${diagnostic.code}]`)}${paint.strong(`: ${visible(diagnostic.message)}`)}`,
    ...framesOf(diagnostic, margin, paint),
  ];
  const foot = paint.faint(`${margin} =`);
  if (diagnostic.hint !== null) lines.push(`${foot} help: ${visible(diagnostic.hint)}`);
  lines.push(`${foot} ${paint.faint(`more: pv explain ${diagnostic.code}`)}`);
  return lines.join('\n');
}

/** The places of a diagnostic as lines for a terminal, without its message: the part between head and help. */
export function codeFrames(diagnostic: Diagnostic, options: RenderOptions): readonly string[] {
  return framesOf(diagnostic, marginOf(diagnostic), options.color ?? plain);
}

function framesOf(diagnostic: Diagnostic, margin: string, paint: Palette): readonly string[] {
  const { span, subject, related } = diagnostic;
  const own = span
    ? frame(span, '^', null, margin, paint, paint[diagnostic.severity])
    : subject === null
      ? []
      : [`${margin}${paint.faint('-->')} ${visible(subject)}`];
  return related.length === 0 ? own : own.concat(related.flatMap((place) => relatedFrame(place, span, margin, paint)));
}

/** As wide as the longest line number. */
function marginOf({ span, related }: Diagnostic): string {
  let last = span ? lineOf(span) : 0;
  for (const place of related) last = Math.max(last, lineOf(place.span));
  return ' '.repeat(String(last).length);
}

/** `path:line:column` of a span; columns count characters as an editor shows them, not UTF-16 units. */
export function placeOf(span: Span): string {
  return placeText(span, positionAt(span.source, span.range.start));
}

function placeText(span: Span, position: Position): string {
  const { line, column } = asShown(span, span.range.start, position);
  return `${visible(span.source.path)}:${line}:${column}`;
}

function shownPosition(span: Span, offset: number): Position {
  return asShown(span, offset, positionAt(span.source, offset));
}

function asShown(span: Span, offset: number, { line, column }: Position): Position {
  const start = Math.min(offset, span.source.text.length) - (column - 1);
  const before = span.source.text.slice(start, start + column - 1);
  return { line, column: before.length - (before.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0) + 1 };
}

function lineOf(span: Span): number {
  return positionAt(span.source, span.range.start).line;
}

function relatedFrame(related: Related, main: Span | null, margin: string, paint: Palette): readonly string[] {
  const elsewhere = related.span.source.path !== main?.source.path;
  const [head, ...rest] = frame(related.span, '-', related.message, margin, paint, paint.note);
  // In the same file the line number in the gutter says where it is.
  return elsewhere && head !== undefined ? [head.replace('-->', ':::'), ...rest] : rest;
}

function frame(
  span: Span,
  mark: string,
  label: string | null,
  margin: string,
  paint: Palette,
  level: Paint,
): readonly string[] {
  const position = positionAt(span.source, span.range.start);
  const { line, column } = position;
  const lineStart = Math.min(span.range.start, span.source.text.length) - (column - 1);
  const text = lineTextAt(span.source, lineStart);
  const end = Math.min(span.range.end - lineStart, text.length);
  const window = cut(text, column - 1, Math.max(end, column));
  const continues = span.range.end - lineStart > text.length + 2 ? ' …' : '';
  const underline = level(`${mark.repeat(window.marks)}${continues}${label === null ? '' : ` ${visible(label)}`}`);
  const bar = paint.faint('|');
  return [
    `${margin}${paint.faint('-->')} ${placeText(span, position)}`,
    `${margin} ${bar}`,
    `${paint.faint(String(line).padStart(margin.length))} ${bar} ${window.text}`,
    `${margin} ${bar} ${' '.repeat(window.indent)}${underline}`,
  ];
}

interface Window {
  readonly text: string;
  /** Columns before the first mark, and marks. */
  readonly indent: number;
  readonly marks: number;
}

/** Characters that are not shown as they are, in one column: of a short line without any, nothing has to be measured. */
const uneven =
  /[\u0000-\u001F\u007F-\u009F\u061C\p{Mn}\p{Me}\u1100-\u115F\u200B-\u200F\u2028-\u202E\u2060-\u2069\u2E80-\uD7FF\uD800-\uFAFF\uFE30-\uFFFF\u{10000}-\u{10FFFF}]/u;

/** The part of a line around `[from, to)` that fits, tabs expanded and control characters made visible. */
function cut(line: string, from: number, to: number): Window {
  if (line.length <= LINE_WIDTH && !uneven.test(line))
    return { text: line.trimEnd(), indent: from, marks: Math.max(1, to - from) };
  // Work on a bounded piece: the line may be megabytes long.
  const low = from > LINE_WIDTH ? from - LINE_WIDTH / 2 : 0;
  const high = Math.min(line.length, low + LINE_WIDTH);
  const before = expand(line.slice(low, from));
  const marked = expand(line.slice(from, Math.min(to, high)));
  const after = expand(line.slice(Math.min(to, high), high));
  const head = low > 0 ? '…' : '';
  const tail = high < line.length ? '…' : '';
  return {
    text: `${head}${before}${marked}${after}${tail}`.trimEnd(),
    indent: displayWidth(head + before),
    marks: Math.max(1, displayWidth(marked)),
  };
}

function expand(text: string): string {
  if (!uneven.test(text)) return text;
  return wellFormed(visible(text.replaceAll('\t', ' '.repeat(TAB_WIDTH))));
}

/** A cut can fall between the halves of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Plain data for `--format json`: stable names, 1-based positions. */
export interface DiagnosticJson {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
  readonly path: string | null;
  readonly start: Position | null;
  readonly end: Position | null;
  readonly related: readonly {
    readonly message: string;
    readonly path: string;
    readonly start: Position;
    readonly end: Position;
  }[];
}

/** A diagnostic for programs. Lines and columns count from 1. */
export function diagnosticToJson(diagnostic: Diagnostic): DiagnosticJson {
  const { span } = diagnostic;
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    hint: diagnostic.hint,
    path: span?.source.path ?? diagnostic.subject,
    start: span && shownPosition(span, span.range.start),
    end: span && shownPosition(span, span.range.end),
    related: diagnostic.related.map((related) => ({
      message: related.message,
      path: related.span.source.path,
      start: shownPosition(related.span, related.span.range.start),
      end: shownPosition(related.span, related.span.range.end),
    })),
  };
}
