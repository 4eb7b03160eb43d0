import type { LogicalLine } from './lines.ts';
import type { FieldRole } from './syntax.ts';

const maximumLabelTokens = 12;
/** Openings that say when the statement holds, or that it does not: never a mere label. */
const meaningful = new Set([
  'no',
  'never',
  'without',
  'except',
  'unless',
  'until',
  'after',
  'before',
  'only',
  'not',
  'for',
  'if',
  'when',
  'given',
  'where',
  'with',
  'while',
  'during',
  'every',
  'each',
  'all',
  'any',
  'some',
  'both',
  'proof',
  'example',
  'note',
]);

/**
 * The token index after a `Label:` at `from`, or null. A label is a few words before a colon; in a domain one word before
 * a colon would declare it (`x: F32`).
 */
export function labelEnd(
  line: Pick<LogicalLine, 'tokens'>,
  from: number,
  limit: number,
  role: FieldRole,
): number | null {
  for (let at = from; at < Math.min(limit, from + maximumLabelTokens); at += 1) {
    const token = line.tokens[at];
    if (!token) return null;
    if (token.kind === 'symbol' && token.text === ':')
      return at > from && (role !== 'domain' || at > from + 1) ? at + 1 : null;
    const quiet =
      token.kind === 'word' ||
      token.kind === 'number' ||
      token.kind === 'unknown' ||
      token.kind === 'remark' ||
      (token.kind === 'symbol' && ['-', '/', '(', ')', '.', '&', '+', '\\', '%'].includes(token.text));
    if (
      (!quiet && !(token.spelled && token.kind === 'symbol' && '∧∈'.includes(token.text))) ||
      meaningful.has(token.text.toLowerCase())
    )
      return null;
  }
  return null;
}
