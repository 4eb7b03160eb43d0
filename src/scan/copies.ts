/**
 * One finding for one text: packages ship a module several times, as ESM and CommonJS, and in each of their bundles.
 */
import { count } from '../base/text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../diagnostics/source.ts';

interface Found {
  readonly diagnostic: Diagnostic;
  readonly fix: unknown;
}

/** Shorter lines are alike by chance, and are compared together with the lines next to them. */
const shortest = 30;
/** How much of a line is compared before and after a finding, in characters. */
const reach = 200;
/** `(0, module_1.f)` and `module_1.f` for `f` of another module, as the compiler writes CommonJS. */
const compiledName = /\(0, \w+_\d+\.(\w+)\)(?=\()|\b\w+_\d+\.([A-Za-z_$])/gu;
/** Copies that are named; the others are counted. */
const named = 3;

/** The findings, of which those that say the same of the same lines in other files are one that names them. */
export function withoutCopies<T extends Found>(findings: readonly T[]): readonly T[] {
  interface Entry {
    readonly first: T;
    readonly copies: T[];
  }
  const firsts = new Map<string, Entry>();
  const order = findings.map((one): Entry | null => {
    const key = keyOf(one);
    const known = key === null ? undefined : firsts.get(key);
    if (key === null || !known) {
      const entry = { first: one, copies: [] };
      if (key !== null) firsts.set(key, entry);
      return entry;
    }
    // A second place in one file is another place to mend.
    if (pathOf(known.first) === pathOf(one)) return { first: one, copies: [] };
    known.copies.push(one);
    return null;
  });
  return order.flatMap((entry) => (entry ? [withCopies(entry.first, entry.copies)] : []));
}

function withCopies<T extends Found>(one: T, copies: readonly T[]): T {
  if (copies.length === 0) return one;
  const found = one.diagnostic;
  const places = copies
    .slice(0, named)
    .flatMap(({ diagnostic: { span } }) => (span ? [{ message: 'a copy', span }] : []));
  const message = `${found.message}; and in ${count(copies.length, 'copy', 'copies')} of this code`;
  return { ...one, diagnostic: { ...found, message, related: [...found.related, ...places] } };
}

const pathOf = ({ diagnostic }: Found): string => diagnostic.span?.source.path ?? '';

/** What two copies have in common: the code, the message and the lines; null where a fix or a short line makes them two. */
function keyOf({ diagnostic: { code, message, span }, fix }: Found): string | null {
  if (!span || fix !== null) return null;
  const own = linesOf(span, 0);
  const lines = own.length < shortest ? linesOf(span, 1) : own;
  return lines.length < (lines === own ? shortest : 2 * shortest) ? null : `${code} ${message} ${lines}`;
}

/** The lines of a finding and so many on either side, as far as they are compared, with single blanks. */
function linesOf({ source: { text }, range }: Span, around: number): string {
  const before = text.slice(Math.max(0, range.start - reach), range.start).split('\n');
  const after = text.slice(range.end, range.end + reach).split('\n');
  return [
    before.slice(-1 - around).join('\n'),
    text.slice(range.start, range.end),
    after.slice(0, 1 + around).join('\n'),
  ]
    .join('')
    .replace(compiledName, '$1$2')
    .replace(/\s+/gu, ' ')
    .trim();
}
