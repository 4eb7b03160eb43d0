import { closers, closing, endsOperand, startsOperand } from './brackets.ts';
import { isLogic, isRelation } from './levels.ts';
import type { Token } from './token.ts';

/** `outer` bars are the second half of a `||` that opens or closes a norm. */
export type BarRole = 'absolute-open' | 'absolute-close' | 'norm-open' | 'norm-close' | 'outer' | 'parallel';

/** A bar that may open an absolute value or a norm. */
export interface OpenBar {
  readonly at: number;
  readonly norm: boolean;
}

/** The bars of one pair of brackets while they are being paired. */
interface Bars {
  readonly tokens: readonly Token[];
  readonly bars: Map<number, BarRole>;
  readonly open: OpenBar[];
  readonly join: (open: number, close: number) => void;
}

interface Bar {
  readonly at: number;
  /** Two strokes, `||`. */
  readonly double: boolean;
  /** A norm if it opens: `‖` or `||`. */
  readonly wide: boolean;
}

/** Decides what the bar at `at` does; returns the index of the last token that it used. */
export function pairBar(b: Bars, at: number): number {
  const token = b.tokens[at];
  const double = isDouble(b.tokens, at);
  const bar = { at, double, wide: double || token?.text === '‖' };
  if (opens(b, bar)) return openBar(b, bar);
  const open = b.open.pop();
  if (open) return closeBar(b, bar, open);
  if (double) b.bars.set(at, 'parallel').set(at + 1, 'outer');
  return double ? at + 1 : at;
}

function opens(b: Bars, bar: Bar): boolean {
  const token = b.tokens[bar.at];
  const previous = b.tokens[bar.at - 1];
  const after = b.tokens[bar.at + (bar.double ? 2 : 1)];
  if (!followsOperand(b, bar.at) || token === undefined || previous === undefined) return true;
  const attached = after?.spaced === false;
  if (!attached) return false;
  if (token.spaced) return true;
  if (b.open.length > 0) return false;
  // `max|x|` applies, `|a||b|` and `λ|x|` multiply.
  return (
    (previous.kind === 'word' && applied.test(previous.text)) ||
    (b.bars.get(bar.at - 1) === 'absolute-close' && startsOperand(after)) ||
    ((previous.kind === 'number' || previous.kind === 'word') && isClosedLater(b, bar))
  );
}

/** Whether the next bar closes this one: it follows an operand of the same term. In `p(a|b)` and `2|n ∧ 3|m` it does not. */
function isClosedLater({ tokens }: Bars, { at, double, wide }: Bar): boolean {
  let depth = 0;
  for (let next = at + (double ? 2 : 1); next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token?.kind === 'keyword' || token?.kind === 'newline') return false;
    if (token?.kind !== 'symbol') continue;
    depth += closers.has(token.text) ? 1 : closing.has(token.text) ? -1 : 0;
    if (depth < 0 || (depth === 0 && endsTerm(token))) return false;
    if (depth === 0 && '|‖'.includes(token.text))
      return isWide(tokens, next) === wide && !token.spaced && endsOperand(tokens[next - 1]);
  }
  return false;
}

const endsTerm = ({ text }: Token): boolean => isLogic(text) || isRelation(text) || ',;:'.includes(text);
const isWide = (tokens: readonly Token[], at: number): boolean => tokens[at]?.text === '‖' || isDouble(tokens, at);

function isDouble(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  return tokens[at]?.text === '|' && next?.kind === 'symbol' && next.text === '|' && !next.spaced;
}

const applied = /^(?:exp|log|ln|sup|abs|sqrt|avg|(?:arg)?(?:max|min)|sum|mean|prod)(?:_[a-z]\d?|_[i-n]{2,3})?$/;

function followsOperand(b: Bars, at: number): boolean {
  const previous = b.tokens[at - 1];
  const factorial = previous?.text === '!' && !previous.spaced && at > 1;
  return factorial || endsOperand(previous) || closesBar(b.bars, at - 1);
}

/** Whether the token at `at` is the last stroke of a closing bar. */
export function closesBar(bars: ReadonlyMap<number, BarRole>, at: number): boolean {
  const role = bars.get(at);
  return role === 'absolute-close' || role === 'norm-close' || (role === 'outer' && bars.get(at - 1) === 'norm-close');
}

function openBar(b: Bars, bar: Bar): number {
  b.open.push({ at: bar.at, norm: bar.wide });
  b.bars.set(bar.at, bar.wide ? 'norm-open' : 'absolute-open');
  if (!bar.double) return bar.at;
  b.bars.set(bar.at + 1, 'outer');
  return bar.at + 1;
}

function closeBar(b: Bars, bar: Bar, open: OpenBar): number {
  if (open.norm && !bar.wide) {
    // `||a| - b|`: what looked like a norm is one absolute value in another.
    b.bars
      .set(open.at, 'absolute-open')
      .set(open.at + 1, 'absolute-open')
      .set(bar.at, 'absolute-close');
    b.open.push({ at: open.at, norm: false });
    b.join(open.at + 1, bar.at);
    return bar.at;
  }
  b.bars.set(bar.at, open.norm ? 'norm-close' : 'absolute-close');
  b.join(open.at, bar.at);
  if (!bar.double || !open.norm) return bar.at;
  b.bars.set(bar.at + 1, 'outer');
  return bar.at + 1;
}
