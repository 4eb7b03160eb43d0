import { closers, closing } from './brackets.ts';
import { isHarmless } from './harmless-remarks.ts';
import type { Token } from './token.ts';
import { functionWords, isShortName, isWordLike } from './vocabulary.ts';

/** Whether the parenthesised text between two tokens is a remark in words, not an argument. */
export function isRemark(tokens: readonly Token[], open: number, close: number): boolean {
  if (isModulus(tokens, open)) return false;
  let depth = 0;
  const chooses = isChoice(tokens, open, close);
  for (let at = open + 1; at < close; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    if (token.kind === 'unknown' || token.kind === 'newline') return true;
    if (token.kind === 'keyword' && !(chooses && choiceWords.has(token.text))) return true;
    depth += nesting(token);
    if (!chooses && depth === 0 && token.kind === 'symbol' && (token.spelled || '=<>≤≥≈∈≡~∀'.includes(token.text)))
      return true;
    if (token.kind === 'word' && isRemarkWord(tokens, at, open, close)) return true;
  }
  if (isReference(tokens, open, close)) return true;
  return close === open + 1;
}

/** By how much a bracket opens or closes. */
function nesting({ kind, text }: Token): number {
  if (kind !== 'symbol') return 0;
  return Number(closers.has(text)) - Number(closing.has(text));
}

/** `(mod m)` after `a ≡ b`. */
const isModulus = (tokens: readonly Token[], open: number): boolean =>
  isSymbol(tokens[open + 1], 'mod') && tokens.slice(0, open).some((token) => isSymbol(token, '≡'));

const isSymbol = (token: Token | undefined, text: string): boolean => token?.kind === 'symbol' && token.text === text;

/** `(Eq. 3)`. */
function isReference(tokens: readonly Token[], open: number, close: number): boolean {
  return (
    tokens[open + 2]?.text === '.' && tokens[close - 1]?.kind === 'number' && isHarmless(tokens.slice(open + 1, close))
  );
}

const choiceWords: ReadonlySet<string> = new Set(['if', 'else']);

/** `w_j (x_{i+j} if i + j < n else 0)` is a factor: a remark has no `else`. */
function isChoice(tokens: readonly Token[], open: number, close: number): boolean {
  const keywords = tokens.slice(open + 1, close).filter(({ kind }) => kind === 'keyword');
  const condition = keywords.findIndex(({ text }) => text === 'if');
  return condition >= 0 && keywords.slice(condition).some(({ text }) => text === 'else');
}

function isRemarkWord(tokens: readonly Token[], at: number, open: number, close: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  const called = next?.kind === 'symbol' && (next.text === '(' || next.text === '[') && !next.spaced;
  if (!token || called || token.text.length <= 2) return false;
  // `(2 x_i + 3 eps)` is a factor, `(Gamma mean)` is not.
  if (isShortName(token.text)) return /^\p{L}+$/u.test(token.text) && next?.kind === 'word' && isLong(next);
  if (close === open + 2) return true;
  // `1e-5 fp32`: a number and a word.
  if (tokens[at - 1]?.kind === 'number' && token.spaced) return true;
  if (next?.kind === 'word') return isWordLike(token.text) || !functionWords.has(token.text);
  return isWordLike(token.text) && !isTermOfSum(tokens, at, open, close);
}

const isLong = ({ text }: Token): boolean => text.length > 2 && !isShortName(text);

/** `offset` in `(x_i - offset)`: a word alone on its side of a sign, in a sum with a number or a short name. */
function isTermOfSum(tokens: readonly Token[], at: number, open: number, close: number): boolean {
  const ends = (edge: number): boolean => edge === open || edge === close || isSpacedSign(tokens, edge);
  return (
    ends(at - 1) &&
    ends(at + 1) &&
    tokens.slice(open + 1, close).some(({ kind, text }) => kind === 'number' || (kind === 'word' && isShortName(text)))
  );
}

function isSpacedSign(tokens: readonly Token[], at: number): boolean {
  const isSign = tokens[at]?.text === '+' || tokens[at]?.text === '-';
  return isSign && tokens[at]?.spaced === true && tokens[at + 1]?.spaced === true;
}
