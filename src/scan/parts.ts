/** Files that are halves of one: a build writes `_header.js`, the modules and `_footer.js` one after the other, and neither half parses. */
import { posix } from 'node:path';
import type { SourceFile } from '../diagnostics/source.ts';
import type { TypeScript } from '../subject/typescript.ts';
import { syntaxProblemOf } from './module.ts';

/** No folder has more halves; more files that do not parse are compared with none. */
const most = 6;

/** Of files that do not parse, those that do parse together with another of their folder. */
export function partsAmong(ts: TypeScript, unparsed: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const folders = new Map<string, SourceFile[]>();
  for (const source of unparsed) {
    const folder = posix.dirname(source.path.replaceAll('\\', '/'));
    folders.set(folder, [...(folders.get(folder) ?? []), source]);
  }
  const parts = new Set<SourceFile>();
  for (const files of folders.values()) {
    if (files.length > most) continue;
    const pairs = files.flatMap((first) => files.flatMap((last) => (first === last ? [] : [[first, last] as const])));
    for (const pair of pairs.filter(([first, last]) => parsesTogether(ts, first, last)))
      for (const part of pair) parts.add(part);
  }
  return parts;
}

function parsesTogether(ts: TypeScript, { path, text }: SourceFile, last: SourceFile): boolean {
  return syntaxProblemOf(ts, { path, text: `${text}\n${last.text}` }) === null;
}
