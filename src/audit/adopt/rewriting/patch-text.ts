/** Rewritings of files as one patch. */
import { linesOf, unifiedDiff, type LineChange } from '../../../base/unified-diff.ts';
import type { Range } from '../../../diagnostics/source.ts';
import { applyEdits, type Edit } from '../../../scan/edits.ts';
import type { Rewritings } from './rewrite-contracts.ts';

/** A unified diff; `nameOf` gives a file's name from where the patch is applied. */
export function patchText({ files }: Pick<Rewritings, 'files'>, nameOf: (path: string) => string): string {
  return files
    .map(({ source, rewritings }) => {
      const changes = lineChanges(
        source.text,
        rewritings.flatMap(({ edits }) => edits),
      );
      return unifiedDiff(nameOf(source.path), linesOf(source.text), changes);
    })
    .join('');
}

/** The lines that edits touch, and what they become; edits of one line, or of the lines after an inserted one, are one change. */
function lineChanges(text: string, edits: readonly Edit[]): readonly LineChange[] {
  const lines = linesOf(text);
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length;
  }
  const changes: { range: Range; edits: Edit[] }[] = [];
  for (const edit of edits.toSorted((a, b) => a.range.start - b.range.start)) {
    const range = { start: lineAt(starts, edit.range.start), end: lineAt(starts, edit.range.end) + 1 };
    const last = changes.at(-1);
    if (last && range.start < last.range.end) {
      last.edits.push(edit);
      last.range = { start: last.range.start, end: Math.max(last.range.end, range.end) };
    } else changes.push({ range, edits: [edit] });
  }
  return changes.map(({ range, edits: some }) => {
    const [from, to] = [starts[range.start] ?? text.length, starts[range.end] ?? text.length];
    const within = some.map((edit) => ({
      ...edit,
      range: { start: edit.range.start - from, end: edit.range.end - from },
    }));
    return trimmed(lines, range, linesOf(applyEdits(text.slice(from, to), within)));
  });
}

/** The last line that begins at or before `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without lines at its ends that stay. */
function trimmed(before: readonly string[], { start, end }: Range, after: readonly string[]): LineChange {
  let [from, to, first, last] = [start, end, 0, after.length];
  while (from < to && first < last && before[from] === after[first]) {
    from++;
    first++;
  }
  while (from < to && first < last && before[to - 1] === after[last - 1]) {
    to--;
    last--;
  }
  return { from, to, lines: after.slice(first, last) };
}
