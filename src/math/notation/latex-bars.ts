/** The bars of absolute values and norms in LaTeX. */
import type { Token } from './token.ts';

/** `|` or `‖`. */
export const isBar = ({ kind, text }: Token): boolean => kind === 'symbol' && (text === '|' || text === '‖');

/**
 * In LaTeX, spaces and commands may separate bars from what they enclose. `\left|` and `\lvert` open, `\right|` and `\rvert` close; within one
 * pair of brackets the first `\|` opens and the second closes.
 */
export function withBars(text: string, tokens: Token[]): Token[] {
  const found: number[][] = [[]];
  const attach = (at: number, opens: boolean): void => {
    const [bar, next] = [tokens[at], tokens[at + 1]];
    if (bar) tokens[at] = { ...bar, spaced: opens };
    if (opens && next) tokens[at + 1] = { ...next, spaced: false };
  };
  const close = (bars: readonly number[]): void => {
    if (bars.length % 2 === 0) for (const [i, at] of bars.entries()) attach(at, i % 2 === 0);
  };
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'symbol') continue;
    if ('([{⟨'.includes(token.text)) found.push([]);
    else if (')]}⟩'.includes(token.text)) close(found.pop() ?? []);
    else if (!isBar(token) || text[token.range.start] !== '\\') continue;
    else if (text[token.range.start + 1] === '|') found.at(-1)?.push(at);
    else attach(at, text[token.range.start + 1] === 'l');
  }
  for (const bars of found) close(bars);
  return tokens;
}
