/** Changes of a text as a unified diff that `git apply` and `patch -p1` take. */

/** Lines of a text, each with its line break, and what they become. */
export interface LineChange {
  /** The first line that is replaced, from 0. */
  readonly from: number;
  /** The line after the last one; the same as `from` if lines are only added. */
  readonly to: number;
  readonly lines: readonly string[];
}

/** Lines that did not change around a change. */
const context = 3;

/** The text in lines that keep their line feed; only the last may have none. A carriage return is part of its line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/u);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** The diff of one file; `changes` do not overlap, and are in the order of the file. Empty if there are none. */
export function unifiedDiff(path: string, before: readonly string[], changes: readonly LineChange[]): string {
  if (changes.length === 0) return '';
  const name = (side: 'a' | 'b'): string => headerName(`${side}/${path}`);
  let shift = 0;
  const hunks = hunksOf(changes).map((hunk) => {
    const text = hunkText(before, hunk, shift);
    shift += hunk.reduce((sum, { from, to, lines }) => sum + lines.length - (to - from), 0);
    return text;
  });
  return `--- ${name('a')}\n+++ ${name('b')}\n${hunks.join('')}`;
}

/** Changes whose context would overlap are in one hunk. */
function hunksOf(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.from - last.to <= 2 * context) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(before: readonly string[], hunk: readonly LineChange[], shift: number): string {
  const start = Math.max(0, (hunk[0]?.from ?? 0) - context);
  const end = Math.min(before.length, (hunk.at(-1)?.to ?? 0) + context);
  const body: string[] = [];
  let [at, removed, added] = [start, 0, 0];
  for (const { from, to, lines } of hunk) {
    body.push(...marked(' ', before.slice(at, from)), ...marked('-', before.slice(from, to)), ...marked('+', lines));
    removed += to - from;
    added += lines.length;
    at = to;
  }
  body.push(...marked(' ', before.slice(at, end)));
  const kept = end - start - removed;
  return `@@ -${rangeText(start, kept + removed)} +${rangeText(start + shift, kept + added)} @@\n${body.join('')}`;
}

/** A range without lines is named by the line before it. */
const rangeText = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;

function marked(sign: ' ' | '-' | '+', lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`,
  );
}

/** Quoted as git quotes names that hold quotes, backslashes or control characters; a name with a space ends with a tab. */
function headerName(path: string): string {
  if (!/["\\\u0000-\u001F\u007F]/u.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const bytes = [...new TextEncoder().encode(path)].map((byte) =>
    byte === 0x22 || byte === 0x5c
      ? `\\${String.fromCharCode(byte)}`
      : byte < 0x20 || byte > 0x7e
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
  );
  return `"${bytes.join('')}"`;
}
