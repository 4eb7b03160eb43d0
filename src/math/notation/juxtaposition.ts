import { bar, isGrouped, mate, peek, sees, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { isShortName } from './vocabulary.ts';
import type { Expression } from './syntax.ts';
import type { Token } from './token.ts';

/**
 * The level of the product that is written without a sign here, or null if what follows is not a factor.
 *
 * Two long words side by side are English, never a product: this is what keeps prose out. Attached factors (`2i`) bind
 * tighter than `/`, spaced ones and sums (`1/n Σ x`) as tightly as `/`.
 */
export function juxtapositionLevel(c: Cursor, left: Expression): number | null {
  const next = peek(c);
  if (next.kind === 'word') return mayPrecedeWord(c, left) ? (next.spaced ? level.product : level.attached) : null;
  // `5 (mod 12)`: no product begins with mod.
  if (next.kind !== 'symbol' || !isFactor(left) || sees(c, 'mod', 1)) return null;
  if ('Σ∏√⋃⋂'.includes(next.text)) return level.product;
  const role = bar(c);
  const opens = '(⌊⌈⟨'.includes(next.text) || ((role === 'absolute-open' || role === 'norm-open') && mate(c) !== null);
  if (!opens || (isLongName(c, left) && next.text === '(')) return null;
  return next.spaced ? level.product : level.attached;
}

/** A long name without parentheses; `(AB)` in parentheses multiplies like any other factor. */
const isLongName = (c: Cursor, e: Expression): boolean => e.kind === 'name' && !isShortName(e.text) && !isGrouped(c, e);

function isFactor(e: Expression): boolean {
  return (
    e.kind !== 'relation' &&
    e.kind !== 'logic' &&
    e.kind !== 'quantified' &&
    e.kind !== 'string' &&
    e.kind !== 'boolean' &&
    e.kind !== 'function-type'
  );
}

function mayPrecedeWord(c: Cursor, left: Expression): boolean {
  const next = peek(c);
  const after = peek(c, 1);
  const called = after.kind === 'symbol' && after.text === '(' && !after.spaced;
  const short = isShortName(next.text);
  if (isLongName(c, left) || !isFactor(left)) return false;
  return short || called || takesBareArgument(next, after) || isCount(left, next, after);
}

/** TP of `2TP/(2TP + FP + FN)`: capitals right after a number and before an operator or the end. */
function isCount(left: Expression, next: Token, after: Token): boolean {
  const goesOn = after.kind === 'end' || (after.kind === 'symbol' && '+-−·*/)=≤≥<>'.includes(after.text));
  return left.kind === 'number' && left.unit === null && !next.spaced && /^[A-Z]{2,3}$/u.test(next.text) && goesOn;
}

const elementary: ReadonlySet<string> = new Set(
  'exp log ln log2 log10 log_2 log_10 sin cos tan sinh cosh tanh'.split(' '),
);

/** `log n`, `log Σ_i x_i`: an argument without brackets. */
export function takesBareArgument({ text }: Token, next: Token): boolean {
  if (!elementary.has(text) || !next.spaced) return false;
  return (
    next.kind === 'number' ||
    (next.kind === 'symbol' && next.text === 'Σ') ||
    (next.kind === 'word' && isShortName(next.text))
  );
}

/** The letter x between two factors and two spaces is a multiplication sign: `R^{n x d}`. */
export function isCross(c: Cursor, left: Expression): boolean {
  const after = peek(c, 1);
  const factor = left.kind === 'number' || left.kind === 'name' || left.kind === 'binary' || left.kind === 'index';
  return (
    factor &&
    peek(c).kind === 'word' &&
    peek(c).text === 'x' &&
    peek(c).spaced &&
    after.spaced &&
    (after.kind === 'word' || after.kind === 'number')
  );
}
