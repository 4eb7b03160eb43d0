/** The rows of LaTeX environments: cases, and lines that are statements. */
import { before, keyword, symbol } from './latex-tokens.ts';
import type { Token } from './token.ts';

/** Lines of an environment as statements. */
export function statements(tokens: readonly Token[]): readonly Token[] {
  const rows = tokens.filter(({ text }) => text !== '&').map((one) => (isRow(one) ? { ...one, text: ';' } : one));
  while (rows.at(-1)?.text === ';') rows.pop();
  return rows;
}

/** `\\`, which ends a line of an environment. */
const isRow = ({ kind, text }: Token): boolean => kind === 'symbol' && text === '\\\\';

/** Within the `[4pt]` of `\\[4pt]`. */
function isGap(tokens: readonly Token[], at: number): boolean {
  const from = tokens.slice(Math.max(0, at - 4), at).findLastIndex(isRow);
  const open = Math.max(0, at - 4) + from + 1;
  if (from < 0 || tokens[open]?.text !== '[' || tokens[open + 1]?.kind !== 'number') return false;
  const close = tokens.findIndex(({ text }, i) => i > open && i <= open + 3 && text === ']');
  return at <= close && (close === open + 2 || /^(?:pt|ex|em|mm|cm)$/u.test(tokens[open + 2]?.text ?? ''));
}

/** `value & condition \\ …` as `value if condition; …`. */
export function cases(tokens: readonly Token[]): readonly Token[] {
  const rows: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (isRow(token)) rows.push([]);
    else if (isGap(tokens, at)) continue;
    else rows.at(-1)?.push(token);
  }
  return rows
    .filter((row) => row.length > 0)
    .flatMap((row, i) => {
      const at = row.findIndex(({ text }) => text === '&');
      const [value, condition] = at < 0 ? [row, []] : [row.slice(0, at), row.slice(at + 1)];
      const first = condition[0];
      const asked = condition.filter((token, k) => k < condition.length - 1 || ![',', '.', ';'].includes(token.text));
      const isRest = /^(?:else|o\.w)$/u.test(asked.map(({ text }) => text).join(''));
      if (isRest && first) asked.splice(0, asked.length, keyword('otherwise', first.range));
      const word = first && first.kind !== 'keyword' && !isRest ? [keyword('if', before(condition))] : [];
      const start = value[0];
      return [
        ...(i > 0 && start ? [symbol(';', before(value))] : []),
        ...(value.at(-1)?.text === ',' ? value.slice(0, -1) : value),
        ...word,
        ...asked,
      ];
    });
}
