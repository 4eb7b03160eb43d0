import {
  accept,
  advance,
  atEnd,
  bar,
  fail,
  mate,
  peek,
  sees,
  seesKeyword,
  since,
  withSets,
  type Cursor,
} from './cursor.ts';
import { level } from './levels.ts';
import { parseBig, parseNamedBig } from './parse-big.ts';
import { parseBracketed } from './parse-brackets.ts';
import { parseQuantified } from './parse-quantifier.ts';
import { parseScript, scriptNode } from './parse-script.ts';
import type { Expression } from './syntax.ts';
import { takesBareArgument } from './juxtaposition.ts';
import { englishWords, isShortName } from './vocabulary.ts';

/** Reads what may start an operand: a literal, a name, a bracket or a prefix operator. */
export function parsePrefix(c: Cursor): Expression {
  const token = peek(c);
  switch (token.kind) {
    case 'number':
      advance(c);
      return { kind: 'number', value: token.text, unit: token.unit, range: token.range };
    case 'string':
      advance(c);
      return { kind: 'string', value: token.text, range: token.range };
    case 'word':
      return parseNamedBig(c) ?? parseName(c);
    case 'keyword':
      return seesKeyword(c, 'if')
        ? parseIfThenElse(c)
        : fail(c, `expected an expression before the word "${token.text}"`);
    case 'symbol':
      return parseSymbol(c, token.text);
    case 'end':
      return fail(c, 'expected an expression, found the end');
    default:
      return fail(c, `expected an expression, found "${token.text}"`);
  }
}

function parseName(c: Cursor): Expression {
  const token = peek(c);
  const next = peek(c, 1);
  const called = next.kind === 'symbol' && next.text === '(' && !next.spaced;
  if (!called && englishWords.has(token.text.toLowerCase()))
    return fail(c, `the English word "${token.text}" is not notation`);
  advance(c);
  if (/^(true|false|True|False)$/.test(token.text))
    return { kind: 'boolean', value: token.text.toLowerCase() === 'true', range: token.range };
  const name: Expression = { kind: 'name', text: token.text, range: token.range };
  if ((token.text === 'max' || token.text === 'min') && sees(c, '{')) return parseExtreme(c, name);
  return takesBareArgument(token, peek(c)) ? parseBareArgument(c, name) : name;
}

/** `max{a, b}` is `max(a, b)`. */
function parseExtreme(c: Cursor, callee: Extract<Expression, { kind: 'name' }>): Expression {
  const set = parseBracketed(c);
  if (set?.kind !== 'set' || set.ellipsis || set.items.length < 2)
    return fail(c, `expected the numbers of ${callee.text}`);
  const range = { start: callee.range.start, end: set.range.end };
  return { kind: 'call', callee, arguments: set.items.map((value) => ({ label: null, value })), range };
}

/** `p log p`, `log Σ_i x_i`: the argument is one factor. What would follow it as another could belong to it. */
function parseBareArgument(c: Cursor, callee: Extract<Expression, { kind: 'name' }>): Expression {
  const value = c.expression(c, level.attached);
  const next = peek(c);
  const continues =
    (next.kind === 'symbol' && '·×/⊙@^('.includes(next.text)) ||
    next.kind === 'number' ||
    (next.kind === 'word' && isShortName(next.text));
  if (continues && value.kind !== 'big') return fail(c, `put the argument of ${callee.text} in brackets`);
  const range = { start: callee.range.start, end: value.range.end };
  return { kind: 'call', callee, arguments: [{ label: null, value }], range };
}

function parseSymbol(c: Cursor, symbol: string): Expression {
  const start = peek(c).range.start;
  switch (symbol) {
    case '∞':
      return { kind: 'infinity', range: advance(c).range };
    case '∅':
      return { kind: 'empty-set', range: advance(c).range };
    case '-': {
      advance(c);
      const operand = c.expression(c, level.sign);
      return { kind: 'negate', operand, range: since(c, start) };
    }
    case '+':
      advance(c);
      // The sign changes nothing, and is part of what was read.
      return { ...c.expression(c, level.sign), range: since(c, start) };
    case '¬':
    case '!': {
      advance(c);
      const operand = c.expression(c, symbol === '!' ? level.sign : level.negation);
      return { kind: 'not', operand, range: since(c, start) };
    }
    case '∀':
    case '∃':
    case '∄':
      return parseQuantified(c);
    case 'Σ':
    case '∏':
    case '⋃':
    case '⋂':
      return parseBig(c);
    case '√':
      return parseRoot(c);
    case '#':
      return parseCount(c);
    case '…':
      return fail(c, 'an ellipsis is only allowed in a list or a set');
    default:
      return parseBarred(c) ?? parseBracketed(c) ?? fail(c, `expected an expression, found "${symbol}"`);
  }
}

/** `√(e)` and `√x`; a root takes its parenthesis as an argument, so `√(a)²` is `(√a)²`. */
function parseRoot(c: Cursor): Expression {
  const start = advance(c).range.start;
  const grouped = (sees(c, '(') || sees(c, '{')) && !peek(c).spaced;
  if (!grouped) {
    const operand = c.expression(c, level.postfix);
    return { kind: 'square-root', operand, range: since(c, start) };
  }
  const close = advance(c).text === '(' ? ')' : '}';
  const operand = withSets(c, false, () => c.expression(c, level.equivalence));
  if (!accept(c, close)) fail(c, `expected "${close}"`);
  return { kind: 'square-root', operand, range: since(c, start) };
}

/** `#{i : p(i)}` is `|{i : p(i)}|`. */
function parseCount(c: Cursor): Expression {
  const start = advance(c).range.start;
  const operand = sees(c, '{') ? parseBracketed(c) : null;
  if (operand?.kind !== 'set-builder') return fail(c, 'expected a set after "#"');
  return { kind: 'absolute', operand, range: since(c, start) };
}

/** `|e|`, `‖e‖`, `‖e‖_p`. */
function parseBarred(c: Cursor): Expression | null {
  const role = bar(c);
  const close = mate(c);
  if (close === null || (role !== 'absolute-open' && role !== 'norm-open')) return null;
  const start = peek(c).range.start;
  c.at += c.pairs.bars.get(c.at + 1) === 'outer' ? 2 : 1;
  const operand = withSets(c, false, () => c.expression(c, level.equivalence));
  if (c.at !== close) return fail(c, 'expected the closing bar');
  c.at += c.pairs.bars.get(c.at + 1) === 'outer' ? 2 : 1;
  if (role === 'absolute-open') return { kind: 'absolute', operand, range: since(c, start) };
  const order = parseOrder(c);
  return { kind: 'norm', operand, order, range: since(c, start) };
}

function parseOrder(c: Cursor): Expression | null {
  const token = peek(c);
  if (token.spaced) return null;
  if (token.kind === 'subscript') {
    advance(c);
    return scriptNode(token.text, token.range);
  }
  if (!accept(c, '_')) return null;
  if (!sees(c, '{')) return parseScript(c);
  advance(c);
  const order = c.expression(c, level.equivalence);
  if (!accept(c, '}')) fail(c, 'expected "}"');
  return order;
}

/** `if p then a else b`. */
function parseIfThenElse(c: Cursor): Expression {
  const start = peek(c).range.start;
  if (mate(c) === null) return fail(c, '"if" without "else" may only follow a statement');
  advance(c);
  const condition = c.expression(c, level.equivalence);
  if (seesKeyword(c, 'then')) advance(c);
  else if (!accept(c, ':') && !accept(c, ',')) return fail(c, 'expected "then"');
  const then = c.expression(c, level.relation + 1);
  if (!seesKeyword(c, 'else')) return fail(c, 'expected "else"');
  advance(c);
  if (atEnd(c)) return fail(c, 'expected the other value');
  const otherwise = c.expression(c, level.conditional);
  return { kind: 'conditional', condition, then, otherwise, range: since(c, start) };
}
