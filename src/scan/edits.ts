import type { Range } from '../diagnostics/source.ts';

/** Replaces a range of a text. */
export interface Edit {
  readonly range: Range;
  readonly text: string;
}

/** The edits of fixes that do not overlap; if two overlap, the first is applied and the other waits for the next run. */
export function compatible(fixes: readonly (readonly Edit[])[]): readonly (readonly Edit[])[] {
  const taken: Range[] = [];
  return fixes.filter((fix) => {
    if (fix.some(({ range }) => taken.some((other) => overlap(range, other)))) return false;
    taken.push(...fix.map(({ range }) => range));
    return true;
  });
}

/** Insertions at the same place count as touching: their order would be a guess. */
function overlap(a: Range, b: Range): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}

/** `text` with edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.range.start - b.range.start);
  let result = '';
  let at = 0;
  for (const { range, text: inserted } of ordered) {
    result += text.slice(at, range.start) + inserted;
    at = range.end;
  }
  return result + text.slice(at);
}
