import type { Token } from './token.ts';
import { isWordLike } from './vocabulary.ts';

/**
 * The partners of tokens: an opening bracket and its closing one, the bars of `|x|` and `‖x‖`, `if` and its `else`,
 * `?` and its `:`. Found in one pass, so that the parser never has to try and go back.
 */
export interface Pairs {
  readonly mate: ReadonlyMap<number, number>;
  readonly bars: ReadonlyMap<number, BarRole>;
}

/** `outer` bars are the second half of a `||` that opens or closes a norm. */
export type BarRole = 'absolute-open' | 'absolute-close' | 'norm-open' | 'norm-close' | 'outer' | 'parallel';

interface Frame {
  readonly open: string;
  readonly at: number;
  readonly bars: { at: number; norm: boolean }[];
  readonly ifs: number[];
  readonly questions: number[];
}

const closers: ReadonlyMap<string, readonly string[]> = new Map([['(', [')', ']']], ['[', [']', ')']], ['{', ['}']], ['⌊', ['⌋']], ['⌈', ['⌉']], ['⟨', ['⟩']]]);
const closing = new Set([...closers.values()].flat());
const applied = /^(?:exp|log|ln|sup|abs|sqrt|avg|(?:arg)?(?:max|min)|sum|mean|prod)(?:_[a-z]\d?|_[i-n]{2,3})?$/;

/** Whether an operand may end with this token, so that what follows stands in infix position. */
export function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'symbol') return closing.has(token.text) || token.text === '∞' || token.text === '∅' || token.text === '⊤';
  return token.kind === 'number' || token.kind === 'word' || token.kind === 'string' || token.kind === 'superscript' || token.kind === 'subscript';
}

/** Whether something that could stand between bars begins here. */
const startsOperand = (token: Token): boolean => token.kind === 'word' || token.kind === 'number' || (token.kind === 'symbol' && '([{√Σ-'.includes(token.text));

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
    } else if (token.text === '|' || token.text === '‖') at = pairBar(tokens, at, top, bars, join);
  }
  return { mate, bars };
}

function pairChoice(token: Token, at: number, top: Frame, join: (open: number, close: number) => void): void {
  if (token.kind === 'keyword' && token.text === 'if') top.ifs.push(at);
  if (token.kind === 'symbol' && token.text === '?') top.questions.push(at);
  const opened = token.kind === 'keyword' && token.text === 'else' ? top.ifs.pop() : token.text === ':' ? top.questions.pop() : undefined;
  if (opened !== undefined) join(opened, at);
}

/** Decides what the bar at `at` does; returns the index of the last token that it used. */
function pairBar(tokens: readonly Token[], at: number, top: Frame, bars: Map<number, BarRole>, join: (open: number, close: number) => void): number {
  const token = tokens[at];
  const next = tokens[at + 1];
  const previous = tokens[at - 1];
  const double = token?.text === '|' && next?.text === '|' && next.kind === 'symbol' && !next.spaced;
  const after = tokens[at + (double ? 2 : 1)];
  const role = bars.get(at - 1);
  const factorial = previous?.text === '!' && !previous.spaced && at > 1;
  const operandBefore = factorial || endsOperand(previous) || role === 'absolute-close' || role === 'norm-close' || role === 'outer' && bars.get(at - 2) === 'norm-close';
  const open = top.bars.at(-1);
  const wide = double || token?.text === '‖';
  const leading = token?.spaced === true && after?.spaced === false;
  const appliedBefore = !open && previous?.kind === 'word' && applied.test(previous.text) && after?.spaced === false;
  // `|a||b|` multiplies.
  const beside = !open && role === 'absolute-close' && token?.spaced === false && after?.spaced === false && startsOperand(after);
  if (!operandBefore || leading || appliedBefore || beside) return openBar(at, wide, double, top, bars);
  if (!open) {
    if (double) bars.set(at, 'parallel').set(at + 1, 'outer');
    return double ? at + 1 : at;
  }
  top.bars.pop();
  return closeBar({ at, double, wide }, open, top, bars, join);
}

function openBar(at: number, wide: boolean, double: boolean, top: Frame, bars: Map<number, BarRole>): number {
  top.bars.push({ at, norm: wide });
  bars.set(at, wide ? 'norm-open' : 'absolute-open');
  if (!double) return at;
  bars.set(at + 1, 'outer');
  return at + 1;
}

function closeBar(
  bar: { readonly at: number; readonly double: boolean; readonly wide: boolean },
  open: { readonly at: number; readonly norm: boolean },
  top: Frame,
  bars: Map<number, BarRole>,
  join: (open: number, close: number) => void,
): number {
  if (open.norm && !bar.wide) {
    // `||a| - b|`: what looked like a norm is one absolute value in another.
    bars.set(open.at, 'absolute-open').set(open.at + 1, 'absolute-open').set(bar.at, 'absolute-close');
    top.bars.push({ at: open.at, norm: false });
    join(open.at + 1, bar.at);
    return bar.at;
  }
  bars.set(bar.at, open.norm ? 'norm-close' : 'absolute-close');
  join(open.at, bar.at);
  if (!bar.double) return bar.at;
  if (open.norm) {
    bars.set(bar.at + 1, 'outer');
    return bar.at + 1;
  }
  return bar.at;
}

/** Whether the parenthesised text between two tokens is a remark in words, not an argument. */
export function isRemark(tokens: readonly Token[], open: number, close: number): boolean {
  let depth = 0;
  for (let at = open + 1; at < close; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    if (token.kind === 'unknown' || token.kind === 'keyword' || token.kind === 'newline') return true;
    if (token.kind === 'symbol' && closers.has(token.text)) depth += 1;
    if (token.kind === 'symbol' && closing.has(token.text)) depth -= 1;
    if (depth === 0 && token.kind === 'symbol' && (token.spelled || '=<>≤≥≈∈≡~∀'.includes(token.text))) return true;
    if (token.kind === 'word' && isRemarkWord(tokens, at, open, close)) return true;
  }
  return close === open + 1;
}

function isRemarkWord(tokens: readonly Token[], at: number, open: number, close: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  const called = next?.kind === 'symbol' && (next.text === '(' || next.text === '[') && !next.spaced;
  if (!token || called) return false;
  if (close === open + 2) return token.text.length > 2;
  return isWordLike(token.text) || (next?.kind === 'word' && token.text.length > 2);
}
