import { pairBar, type BarRole, type OpenBar } from './bars.ts';
import { closers, closing } from './brackets.ts';
import type { Token } from './token.ts';

/**
 * The partners of tokens: an opening bracket and its closing one, the bars of `|x|` and `‖x‖`, `if` and its `else`,
 * `?` and its `:`. Found in one pass, so that the parser never has to try and go back.
 */
export interface Pairs {
  readonly mate: ReadonlyMap<number, number>;
  readonly bars: ReadonlyMap<number, BarRole>;
}

/** What is open inside one pair of brackets. */
interface Frame {
  readonly open: string;
  readonly at: number;
  readonly bars: OpenBar[];
  readonly ifs: number[];
  readonly questions: number[];
}

/** Finds the partner of every bracket and the role of every bar, in one pass over the tokens. */
export function pairTokens(tokens: readonly Token[]): Pairs {
  const mate = new Map<number, number>();
  const bars = new Map<number, BarRole>();
  const frame = (open: string, at: number): Frame => ({ open, at, bars: [], ifs: [], questions: [] });
  let frames = [frame('', -1)];
  const join = (open: number, close: number): void => void mate.set(open, close).set(close, open);
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const top = frames.at(-1);
    if (!token || !top) continue;
    if (token.kind === 'newline' && frames.length === 1) frames = [frame('', -1)];
    if (token.kind === 'keyword' || token.text === ':' || token.text === '?') pairChoice(token, at, top, join);
    if (token.kind !== 'symbol') continue;
    if (closers.has(token.text)) frames.push(frame(token.text, at));
    else if (closing.has(token.text)) {
      if (closers.get(top.open)?.includes(token.text)) {
        join(top.at, at);
        frames.pop();
      }
    } else if (token.text === '|' || token.text === '‖') at = pairBar({ tokens, bars, open: top.bars, join }, at);
  }
  return { mate, bars };
}

function pairChoice(token: Token, at: number, top: Frame, join: (open: number, close: number) => void): void {
  if (token.kind === 'keyword' && token.text === 'if') top.ifs.push(at);
  if (token.kind === 'symbol' && token.text === '?') top.questions.push(at);
  const opened =
    token.kind === 'keyword' && token.text === 'else'
      ? top.ifs.pop()
      : token.text === ':'
        ? top.questions.pop()
        : undefined;
  if (opened !== undefined) join(opened, at);
}
