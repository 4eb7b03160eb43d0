/** A strict reader of unified diffs: every context line, removed line and count must fit, at the place that a hunk names. */

const rowsOf = (text: string): readonly string[] => text.split(/(?<=\n)/u).filter((row) => row !== '');

/** The files after the patch; throws where it does not apply. */
export function applyPatch(files: Readonly<Record<string, string>>, patch: string): Record<string, string> {
  const result: Record<string, string> = { ...files };
  for (const part of patch === '' ? [] : patch.split(/^(?=--- a\/.*\n\+\+\+ b\/)/mu)) {
    const [first = '', second = '', ...hunks] = rowsOf(part);
    const name = first.slice('--- a/'.length).replace(/\t?\n$/u, '');
    const text = files[name];
    if (text === undefined || second !== first.replace('--- a/', '+++ b/'))
      throw new Error(`no such file: ${first}${second}`);
    result[name] = patched(rowsOf(text), hunks);
  }
  return result;
}

interface State {
  readonly before: readonly string[];
  readonly done: string[];
  at: number;
}

function patched(before: readonly string[], rows: readonly string[]): string {
  const state: State = { before, done: [], at: 0 };
  let left = rows;
  while (left.length > 0) left = left.slice(hunk(state, left));
  return [...state.done, ...before.slice(state.at)].join('');
}

/** Applies the hunk that `rows` begin with; returns how many rows it has. */
function hunk(state: State, rows: readonly string[]): number {
  const [header = ''] = rows;
  const numbers = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/u.exec(header)?.slice(1).map(Number);
  if (!numbers) throw new Error(`not a hunk: ${header}`);
  const [start = 0, removed = 0, first = 0, added = 0] = numbers;
  const from = removed === 0 ? start : start - 1;
  state.done.push(...state.before.slice(state.at, from));
  if (state.done.length !== (added === 0 ? first : first - 1)) throw new Error(`wrong place: ${header}`);
  state.at = from;
  let row = 1;
  while (state.at < from + removed || state.done.length < (added === 0 ? first : first - 1) + added) {
    const isLast = rows[row + 1]?.startsWith('\\') === true;
    applyLine(state, rows[row] ?? '', isLast);
    row += isLast ? 2 : 1;
  }
  return row;
}

function applyLine(state: State, line: string, isLast: boolean): void {
  const text = isLast ? line.slice(1, -1) : line.slice(1);
  if (!/^[-+ ]/u.test(line)) throw new Error(`a hunk ends early: ${line}`);
  if (!line.startsWith('+') && state.before[state.at++] !== text) throw new Error(`line ${state.at} is not ${text}`);
  if (!line.startsWith('-')) state.done.push(text);
}
