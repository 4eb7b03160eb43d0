import type { LogicalLine } from './lines.ts';
import { isShortName } from './vocabulary.ts';

const maximumLabelTokens = 12;
/** Openings that say when the statement holds, or that it does not: never a mere label. */
const meaningful = new Set(['no', 'never', 'without', 'except', 'unless', 'until', 'after', 'before', 'only', 'not', 'for', 'if', 'when', 'given', 'where', 'with', 'while', 'during', 'every', 'each', 'all', 'any', 'some', 'both', 'proof', 'example', 'note']);

/**
 * The token index after a `Label:` at `from`, or null. A label is a few words before a colon; a lone short name before a
 * colon is a declaration (`x: F32`), not a label.
 */
export function labelEnd(line: Pick<LogicalLine, 'tokens'>, from: number, limit: number): number | null {
  for (let at = from; at < Math.min(limit, from + maximumLabelTokens); at += 1) {
    const token = line.tokens[at];
    if (!token) return null;
    if (token.kind === 'symbol' && token.text === ':') return at > from && !isDeclaration(line, from, at) ? at + 1 : null;
    const quiet = token.kind === 'word' || token.kind === 'number' || token.kind === 'unknown' || token.kind === 'remark' || (token.kind === 'symbol' && ['-', '/', '(', ')', '.', '&', '+', '\\', '%'].includes(token.text));
    if ((!quiet && !(token.spelled && token.kind === 'symbol' && '∧∈'.includes(token.text))) || meaningful.has(token.text.toLowerCase())) return null;
  }
  return null;
}

function isDeclaration(line: Pick<LogicalLine, 'tokens'>, from: number, colon: number): boolean {
  const only = line.tokens[from];
  return colon === from + 1 && only?.kind === 'word' && isShortName(only.text);
}
