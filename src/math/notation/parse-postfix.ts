import type { Range } from '../../diagnostics/source.ts';
import { advance, isGrouped, fail, mate, peek, sees, seesKeyword, since, withSets, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseArguments, parseComprehensionCall } from './parse-call.ts';
import { parseIndexItems } from './parse-index.ts';
import { loweredNode, scriptNode } from './parse-script.ts';
import { isTruthLike } from './shape-of.ts';
import type { Argument, Expression, IndexItem } from './syntax.ts';
import type { Token } from './token.ts';
import { functionWords, isShortName } from './vocabulary.ts';

/** Reads one call, index, member, power, prime or `!` after `left`; null if none follows. */
export function parsePostfix(c: Cursor, left: Expression, start: number, minimum: number): Expression | null {
  const token = peek(c);
  if (token.kind === 'superscript') return minimum <= level.power ? raise(c, left, start) : null;
  if (token.kind === 'subscript' && !token.spaced) {
    if (token.text === '+') return positivePart(c, left, start, 1);
    advance(c);
    return subscript(c, left, [{ kind: 'at', value: loweredNode(token.text, token.range) }], start);
  }
  if (token.kind !== 'symbol') return null;
  switch (token.text) {
    case '(':
      return sees(c, 'mod', 1) ? null : parseCall(c, left, start);
    case '[':
      return token.spaced ? null : parseBracketIndex(c, left, start);
    case '_':
      return token.spaced ? null : (positivePart(c, left, start, signLength(c)) ?? parseSubscript(c, left, start));
    case '.':
      return parseMember(c, left, start);
    case '!':
      // `n!!` is another function, the product of every second number.
      return token.spaced || (left.kind === 'factorial' && !isGrouped(c, left))
        ? null
        : (advance(c), { kind: 'factorial', operand: left, range: since(c, start) });
    case '·':
      return isStar(c, left) ? (advance(c), power(c, left, star(c), start)) : null;
    case '^':
      return minimum <= level.power ? raised(c, left, start) : null;
    default:
      return null;
  }
}

/** `[x]^+` and powers. */
function raised(c: Cursor, left: Expression, start: number): Expression {
  const positive = left.kind === 'list' && sees(c, '+', 1) ? positivePart(c, left, start, 2) : null;
  return positive ?? parsePower(c, left, start);
}

/** The tokens of `_+` and `_{+}`; 0 of another index. */
function signLength(c: Cursor): number {
  if (sees(c, '+', 1)) return 2;
  return sees(c, '{', 1) && sees(c, '+', 2) && sees(c, '}', 3) ? 4 : 0;
}

/** `[x]_+`, `(x)_+` and `[x]^+` are max(0, x); the sign is `length` tokens long, and 0 if there is none. */
function positivePart(c: Cursor, left: Expression, start: number, length: number): Expression | null {
  const only = left.kind === 'list' && left.items.length === 1 && !left.ellipsis ? left.items[0] : undefined;
  const operand = only ?? (isGrouped(c, left) ? left : undefined);
  if (length === 0 || !operand) return null;
  const sign = peek(c).range;
  c.at += length;
  const callee: Expression = { kind: 'name', text: 'max', range: sign };
  const zero: Expression = { kind: 'number', value: '0', unit: null, range: sign };
  const values = [zero, operand].map((value) => ({ label: null, value }));
  return { kind: 'call', callee, arguments: values, range: since(c, start) };
}

function parseCall(c: Cursor, left: Expression, start: number): Expression | null {
  const spaced = peek(c).spaced;
  if (
    !isCallable(left) ||
    isGrouped(c, left) ||
    (spaced && !(left.kind === 'name' && (functionWords.has(left.text) || !isShortName(left.text))))
  )
    return null;
  const close = mate(c);
  if (close === null) return fail(c, '"(" is never closed');
  if (c.tokens[close]?.text !== ')') return null;
  advance(c);
  const callee = calleeOf(left);
  return withSets(c, false, () => {
    const args = betweenBars(callee, parseArguments(c, close));
    if (seesKeyword(c, 'for') && args.length === 1) return parseComprehensionCall(c, callee, args, close, start);
    if (c.problem !== null || c.at !== close) return fail(c, 'expected ")" or ","');
    advance(c);
    return simplify({ kind: 'call', callee, arguments: args, range: since(c, start) });
  });
}

/** `D_{KL}(p, q)` calls D_KL, as `D_KL(p, q)` does. */
function calleeOf(left: Expression): Expression {
  if (left.kind !== 'index' || left.style !== 'subscript' || left.base.kind !== 'name') return left;
  const [only, more] = left.items;
  if (more || only?.kind !== 'at' || only.value.kind !== 'name' || !/^\p{L}{2,}$/u.test(only.value.text)) return left;
  return { kind: 'name', text: `${left.base.text}_${only.value.text}`, range: left.range };
}

/** Between the arguments of these, bars separate: `D_KL(p ‖ q)`, `JS(p || q)`. */
const divergences = /^(?:D|KL|JS|JSD|KLD)(?:_\p{L}+)?$|_KL$/u;

function betweenBars(callee: Expression, args: readonly Argument[]): readonly Argument[] {
  const [only, more] = args;
  const isSplit = callee.kind === 'name' && divergences.test(callee.text) && !more && only?.label === null;
  if (!isSplit || only.value.kind !== 'binary' || only.value.operator !== '|') return args;
  return [only.value.left, only.value.right].map((value) => ({ label: null, value }));
}

/** `sqrt(x)`, `abs(x)`, `floor(x)`, `ceil(x)` are spellings of `√x`, `|x|`, `⌊x⌋`, `⌈x⌉`. */
function simplify(call: Extract<Expression, { kind: 'call' }>): Expression {
  const [only, second] = call.arguments;
  if (call.callee.kind !== 'name' || only === undefined || second !== undefined || only.label !== null) return call;
  const operand = only.value;
  switch (call.callee.text) {
    case 'sqrt':
      return { kind: 'square-root', operand, range: call.range };
    case 'abs':
      return { kind: 'absolute', operand, range: call.range };
    case 'floor':
      return { kind: 'floor', operand, range: call.range };
    case 'ceil':
      return { kind: 'ceiling', operand, range: call.range };
    case 'not':
      return { kind: 'not', operand, range: call.range };
    default:
      return call;
  }
}

function isCallable(e: Expression): boolean {
  if (e.kind === 'binary') return e.operator === '^' && e.left.kind === 'name' && e.right.kind === 'negate';
  return (
    e.kind === 'name' ||
    e.kind === 'member' ||
    e.kind === 'call' ||
    (e.kind === 'index' && (e.style === 'subscript' || e.base.kind === 'member'))
  );
}

function parseBracketIndex(c: Cursor, left: Expression, start: number): Expression | null {
  const close = mate(c);
  if (close === null) return fail(c, '"[" is never closed');
  const isOne = left.kind === 'number' && left.value === '1';
  if (c.tokens[close]?.text !== ']' || (left.kind === 'number' && !isOne)) return null;
  advance(c);
  const items = withSets(c, false, () => parseIndexItems(c, close));
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "]" or ","');
  advance(c);
  const [only, second] = items;
  if (isOne && only?.kind === 'at' && second === undefined && isTruthLike(only.value))
    return indicator(left, only.value, since(c, start));
  return { kind: 'index', base: left, items, style: 'bracket', range: since(c, start) };
}

/** `1[p]` is 1 where p holds, 0 elsewhere. */
function indicator(one: Expression, condition: Expression, range: Range): Expression {
  const otherwise: Expression = { kind: 'number', value: '0', unit: null, range };
  return { kind: 'conditional', condition, then: one, otherwise, range };
}

function parseSubscript(c: Cursor, left: Expression, start: number): Expression {
  advance(c);
  const close = sees(c, '{') ? mate(c) : null;
  if (close !== null) {
    advance(c);
    const items = withSets(c, false, () => parseIndexItems(c, close));
    if (c.problem !== null || c.at !== close) return fail(c, 'expected "}" or ","');
    advance(c);
    return subscript(c, left, items, start);
  }
  const token = advance(c);
  if (token.kind !== 'word' && token.kind !== 'number') return fail(c, 'expected an index after "_"', token.range);
  return subscript(
    c,
    left,
    [{ kind: 'at', value: digitsAndLetters(c, token) ?? scriptNode(token.text, token.range) }],
    start,
  );
}

/** `0c` after `_` is one subscript, as in `V_0c`, not a product. */
function digitsAndLetters(c: Cursor, first: Token): Expression | null {
  const next = c.tokens[c.at];
  if (first.kind !== 'number' || !/^\d{1,3}$/.test(first.text) || next?.kind !== 'word' || next.spaced) return null;
  if (!/^\p{L}{1,3}$/u.test(next.text) || c.tokens[c.at + 1]?.text === '(') return null;
  advance(c);
  return { kind: 'name', text: first.text + next.text, range: { start: first.range.start, end: next.range.end } };
}

function subscript(c: Cursor, base: Expression, items: readonly IndexItem[], start: number): Expression {
  return { kind: 'index', base, items, style: 'subscript', range: since(c, start) };
}

function parseMember(c: Cursor, left: Expression, start: number): Expression | null {
  const next = peek(c, 1);
  if (peek(c).spaced || next.spaced || left.kind === 'number' || (next.kind !== 'word' && next.kind !== 'keyword'))
    return null;
  c.at += 2;
  return { kind: 'member', object: left, property: next.text, range: since(c, start) };
}

function parsePower(c: Cursor, left: Expression, start: number): Expression {
  advance(c);
  if (sees(c, '⊤') || (peek(c).kind === 'word' && peek(c).text === 'T')) {
    advance(c);
    return { kind: 'transpose', operand: left, range: since(c, start) };
  }
  if (sees(c, '·')) return (advance(c), power(c, left, star(c), start));
  if (sees(c, '{')) return parseBracedPower(c, left, start);
  const exponent = sees(c, '-') || sees(c, '+') ? c.expression(c, level.postfix) : c.expression(c, level.power + 1);
  // Powers associate to the right.
  const tower = sees(c, '^') ? parsePower(c, exponent, exponent.range.start) : exponent;
  return power(c, left, tower, start);
}

function parseBracedPower(c: Cursor, left: Expression, start: number): Expression {
  const close = mate(c);
  if (close === null) return fail(c, '"{" is never closed');
  const inner = mate(c, c.at + 1);
  const iterate =
    sees(c, '(', 1) &&
    inner === close - 1 &&
    c.tokens[inner]?.text === ')' &&
    (left.kind === 'name' || left.kind === 'index');
  if (sees(c, '⊤', 1) && close === c.at + 2) {
    c.at = close + 1;
    return { kind: 'transpose', operand: left, range: since(c, start) };
  }
  advance(c);
  const exponent = withSets(c, false, () => c.expression(c, level.equivalence));
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "}"');
  advance(c);
  // `β^{(k)}` is the k-th iterate, not a power.
  if (iterate) return subscript(c, left, [{ kind: 'at', value: exponent }], start);
  if (exponent.kind === 'name' && exponent.text === 'T')
    return { kind: 'transpose', operand: left, range: since(c, start) };
  return power(c, left, exponent, start);
}

/** `ℤ*`, `{0, 1}*`: the sequences over a set. A factor would follow the sign of a product. */
function isStar(c: Cursor, left: Expression): boolean {
  const isSet = left.kind === 'set' || (left.kind === 'name' && setNames.has(left.text));
  const next = peek(c, 1);
  const ends = next.kind === 'end' || next.kind === 'newline' || (next.kind === 'symbol' && endings.has(next.text));
  return isSet && !peek(c).spaced && ends;
}

const setNames: ReadonlySet<string> = new Set(['ℤ', 'Z', 'ℕ', 'N', 'String', 'Int', 'Nat', 'Bool']);
const endings: ReadonlySet<string> = new Set([',', ';', ')', '→', '×']);

/** The exponent of the set of all sequences. */
function star(c: Cursor): Expression {
  return { kind: 'name', text: '*', range: c.tokens[c.at - 1]?.range ?? since(c, c.at) };
}

const power = (c: Cursor, left: Expression, right: Expression, start: number): Expression => ({
  kind: 'binary',
  operator: '^',
  left,
  right,
  juxtaposed: false,
  range: since(c, start),
});

/** A raised run of characters: `x²`, `Aᵀ`, `e⁻ⁿ`. */
function raise(c: Cursor, left: Expression, start: number): Expression {
  const token = advance(c);
  if (token.text === 'T') return { kind: 'transpose', operand: left, range: since(c, start) };
  const match = /^([+-]?)(\d+|[a-z])(?:([+-])(\d+|[a-z]))?$/.exec(token.text);
  if (!match) return fail(c, `cannot read the raised "${token.text}"`, token.range);
  const first = scriptNode(match[2] ?? '', token.range);
  const signed: Expression = match[1] === '-' ? { kind: 'negate', operand: first, range: token.range } : first;
  const operator = match[3] === '-' ? '-' : '+';
  const exponent: Expression =
    match[4] === undefined
      ? signed
      : {
          kind: 'binary',
          operator,
          left: signed,
          right: scriptNode(match[4], token.range),
          juxtaposed: false,
          range: token.range,
        };
  return power(c, left, exponent, start);
}
