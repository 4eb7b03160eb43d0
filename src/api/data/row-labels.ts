/** The text values of a log's row: tables keep only numbers, but people know a brick by its name. */
import type { Host } from '../../host/host.ts';
import type { LabelOf } from '../../data/diagnose/evaluate-run.ts';
import { parseJson } from '../../data/read/syntax/json.ts';

/** Reads rows of JSON Lines again; null for other files, for lines without words, and for files of more than 64 MiB. */
export function rowLabels(host: Host): LabelOf {
  const files = new Map<string, readonly string[]>();
  const linesOf = async (path: string): Promise<readonly string[]> => {
    const known = files.get(path);
    if (known) return known;
    const text = await host.readText(path);
    const lines = text.ok ? text.value.split(/\r\n|\n|\r/) : [];
    files.set(path, lines);
    return lines;
  };
  return async ({ path, position, at }) => (position === 'line' ? wordsOf((await linesOf(path))[at - 1] ?? '') : null);
}

/** `name = block0.w_k, op = gemm`: the texts of an object on one line. */
function wordsOf(line: string): string | null {
  const node = line.trimStart().startsWith('{') ? parseJson({ path: '', text: line }).value : null;
  if (node?.kind !== 'mapping') return null;
  const words = node.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' && typeof value.value === 'string' ? [`${key} = ${value.value}`] : [],
  );
  return words.length === 0 ? null : words.join(', ');
}
