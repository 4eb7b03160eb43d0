/** Where strings, comments and items of Python text end. */
import type { Range } from '../../../diagnostics/source.ts';

/** Brackets of Python, the opening and the closing ones in the same order. */
export const opening = '([{';
export const closing = ')]}';

/** Where the line of `at` ends. */
export function endOfLine(text: string, at: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = at;
  return end.exec(text)?.index ?? text.length;
}

/** Just after the closing quotes; an unclosed string ends with its line, so that the next line is read. */
export function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const triple = quote.repeat(3);
  const closer = text.startsWith(triple, at) ? triple : quote;
  for (let i = at + closer.length; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text.startsWith(closer, i)) return i + closer.length;
    else if (closer.length === 1 && text[i] === '\n') return i;
  }
  return text.length;
}

/** Where the string or the comment at `at` ends; `at` itself if there is neither. */
export function endOfQuiet(text: string, at: number): number {
  const c = text[at];
  if (c === '#') return endOfLine(text, at);
  return c === '"' || c === "'" ? endOfString(text, at) : at;
}

/** The parts of a range between the commas that no bracket encloses; empty parts are left out. */
export function itemsIn(text: string, { start, end }: Range): readonly Range[] {
  const items: Range[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < end; at++) {
    const past = endOfQuiet(text, at);
    const c = text[at] ?? '';
    if (past > at) at = past - 1;
    else if (opening.includes(c)) depth += 1;
    else if (closing.includes(c)) depth -= 1;
    else if (c === ',' && depth === 0) {
      items.push(trimmed(text, { start: from, end: at }));
      from = at + 1;
    }
  }
  items.push(trimmed(text, { start: from, end }));
  return items.filter((item) => item.start < item.end);
}

/** A range without blanks and comments around it. */
export function trimmed(text: string, range: Range): Range {
  let { start } = range;
  let end = start;
  for (; start < range.end; start++) {
    if (text[start] === '#') start = endOfLine(text, start) - 1;
    else if (!/\s/.test(text[start] ?? '')) break;
  }
  for (let at = start; at < range.end; at++) {
    const past = endOfQuiet(text, at);
    const isComment = text[at] === '#';
    if (!isComment && !/\s/.test(text[at] ?? '')) end = Math.max(past, at + 1);
    if (past > at) at = past - 1;
  }
  return { start: Math.min(start, range.end), end: Math.max(Math.min(end, range.end), Math.min(start, range.end)) };
}

/** Where the bracket at `at` is closed, or -1. */
export function closerOf(text: string, at: number, end: number): number {
  let depth = 0;
  for (let i = at; i < end; i++) {
    const past = endOfQuiet(text, i);
    const c = text[i] ?? '';
    if (past > i) i = past - 1;
    else if (opening.includes(c)) depth += 1;
    else if (closing.includes(c)) {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

/** Where 1,000 blanks follow each other in a line, for which patterns would take quadratic time; null in text that people write. */
export function longGap(text: string): Range | null {
  const found = /(?:^|[^\t\f\v \u00A0])[\t\f\v \u00A0]{1000}/.exec(text);
  return found && { start: found.index, end: found.index + found[0].length };
}
