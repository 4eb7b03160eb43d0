/** JavaScript that need not parse: halves of a file, types of Flow, and what no program loads. */
import type { SourceFile } from '../diagnostics/source.ts';
import type { TypeScript } from '../subject/typescript.ts';
import { partsAmong } from './parts.ts';

export type Unread = 'half' | 'flow' | 'stray';

/** Of files that do not parse, those that are no fault, with the reason; not those that somebody asked for, unless they are halves. */
export function reasonsUnread(
  ts: TypeScript,
  unparsed: readonly SourceFile[],
  sources: readonly SourceFile[],
  isAskedFor: (path: string) => boolean,
): ReadonlyMap<SourceFile, Unread> {
  const halves = partsAmong(ts, unparsed);
  const reasonOf = (source: SourceFile): Unread | null => {
    if (halves.has(source)) return 'half';
    if (!/\.[cm]?jsx?$/iu.test(source.path) || isAskedFor(source.path)) return null;
    if (isFlow(source)) return 'flow';
    return isImported(source, sources) ? null : 'stray';
  };
  return new Map(
    unparsed.flatMap((source): readonly (readonly [SourceFile, Unread])[] => {
      const reason = reasonOf(source);
      return reason === null ? [] : [[source, reason]];
    }),
  );
}

/** How far into a file its first comments are looked at, in characters: a licence may be above the pragma. */
const headLength = 3000;

/** `// @flow` in the comments at the head of a file. */
const isFlow = ({ text }: SourceFile): boolean =>
  /@flow\b/u.test(/^(?:\s|\/\/.*|\/\*[^]*?\*\/|['"]use strict['"];?)*/u.exec(text.slice(0, headLength))?.[0] ?? '');

/** Whether a file imports or requires another by the name of a file. */
function isImported({ path }: SourceFile, sources: readonly SourceFile[]): boolean {
  const [, name = ''] = /([^\\/]*)\.\w+$/u.exec(path) ?? [];
  const escaped = name.replace(/[^\w]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const loads = new RegExp(
    `(?:\\bfrom|\\bimport|\\brequire\\s*\\()\\s*\\(?['"][^'"\\n]{0,300}/${escaped}(?:\\.[cm]?jsx?)?['"]`,
    'u',
  );
  return sources.some(({ text }) => loads.test(text));
}
