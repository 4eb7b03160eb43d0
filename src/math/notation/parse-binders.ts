import { accept, advance, fail, peek, sees, since, type Cursor } from './cursor.ts';
import { isHarmless } from './harmless-remarks.ts';
import { isRelation, level } from './levels.ts';
import { sharedEnds } from './shared-ends.ts';
import type { Binder, Expression } from './syntax.ts';
import { isShortName } from './vocabulary.ts';

/** `for any c` says nothing about `c`; `for random c` says something that no set does. */
const neutral = new Set(['any', 'all', 'each', 'every', 'arbitrary']);
const adjectives = new Set(
  'random small large bounded valid fixed constant typical sufficiently similar different identical same representable positive negative nonzero real finite'.split(
    ' ',
  ),
);

/** Bound names, and whatever else the binder says about them. */
export interface Bound {
  readonly binders: readonly Binder[];
  readonly conditions: readonly Expression[];
}

/**
 * Reads `i`, `i, j ∈ S`, `i = 0, j < n`, `c ∈ F32, |c| ≤ 100`, `scalar c` up to something that is not a binder. `closed` says
 * that the list has its own end (`:` or `}`), so every comma continues it.
 */
export function parseBinders(c: Cursor, closed: boolean): Bound {
  const binders: Binder[] = [];
  const conditions: Expression[] = [];
  let pending: Binder[] = [];
  for (;;) {
    const item = parseItem(c);
    if (c.problem !== null) break;
    if (item.kind === 'plain') pending.push(item.binder);
    else if (item.kind === 'bounded' && ![...binders, ...pending].some((b) => b.name === item.binder.name)) {
      const { relation, bound } = item.binder;
      binders.push(...pending.map((b) => ({ ...b, relation, bound })), item.binder);
      pending = [];
    } else conditions.push(...(sharedEnds(c, item.expression) ?? [item.expression]));
    const beside = item.kind === 'plain' && peek(c).kind === 'word';
    if (!beside && !continues(c, closed)) break;
  }
  return { binders: [...binders, ...pending], conditions };
}

function continues(c: Cursor, closed: boolean): boolean {
  if (!sees(c, ',')) return false;
  const next = peek(c, 2);
  const listed =
    peek(c, 1).kind === 'word' &&
    (next.kind === 'end' ||
      (next.kind === 'symbol' && (next.text === ',' || next.text === '∈')) ||
      next.kind === 'keyword');
  if (!closed && !listed) return false;
  if (sees(c, '∀', 1) || sees(c, '∃', 1)) return false;
  advance(c);
  return true;
}

type Item =
  | { readonly kind: 'plain'; readonly binder: Binder; readonly expression: Expression }
  | { readonly kind: 'bounded'; readonly binder: Binder; readonly expression: Expression }
  | { readonly kind: 'condition'; readonly expression: Expression };

function parseItem(c: Cursor): Item {
  const token = peek(c);
  const next = peek(c, 1);
  if (token.kind === 'word' && next.kind === 'word') {
    if (neutral.has(token.text)) {
      advance(c);
      return parseItem(c);
    }
    if (!isShortName(token.text) && isShortName(next.text)) return parseNoun(c);
    if (isShortName(token.text) && isShortName(next.text) && next.spaced) return plain(c);
  }
  const ends =
    next.kind === 'end' ||
    next.kind === 'keyword' ||
    next.kind === 'remark' ||
    (next.kind === 'symbol' && [',', ':', '}', '∀', '∃', ';'].includes(next.text)) ||
    (next.text === '.' && peek(c, 2).spaced);
  if (token.kind === 'word' && ends) return plain(c);
  return classify(c, c.expression(c, level.relation));
}

function plain(c: Cursor): Item {
  const token = advance(c);
  return {
    kind: 'plain',
    binder: { name: token.text, relation: null, bound: null, range: token.range },
    expression: { kind: 'name', text: token.text, range: token.range },
  };
}

/** `scalar c` binds `c` and keeps the noun. */
function parseNoun(c: Cursor): Item {
  if (adjectives.has(peek(c).text.toLowerCase()))
    return { kind: 'condition', expression: fail(c, `the English word "${peek(c).text}" bounds nothing`) };
  const noun = advance(c);
  // `for temperature T > 0` says of T only that.
  if (isRelation(peek(c, 1).text) && isHarmless([noun])) {
    c.remarks.push({ text: '', range: noun.range, role: 'comment' });
    return classify(c, c.expression(c, level.relation));
  }
  const token = advance(c);
  const range = { start: noun.range.start, end: token.range.end };
  const bound: Expression = { kind: 'name', text: noun.text, range: noun.range };
  const name: Expression = { kind: 'name', text: token.text, range: token.range };
  return {
    kind: 'bounded',
    binder: { name: token.text, relation: '∈', bound, range },
    expression: { kind: 'relation', operands: [name, bound], operators: ['∈'], range },
  };
}

/** `i = 0, …, n-1` binds i to the set `{0, …, n-1}`. */
function withEllipsis(c: Cursor, first: Expression): Expression {
  if (!sees(c, ',') || !sees(c, '…', 1) || !sees(c, ',', 2)) return first;
  c.at += 3;
  const last = c.expression(c, level.relation + 1);
  return { kind: 'set', items: [first, last], ellipsis: true, range: since(c, first.range.start) };
}

function classify(c: Cursor, e: Expression): Item {
  if (e.kind === 'name')
    return { kind: 'plain', binder: { name: e.text, relation: null, bound: null, range: e.range }, expression: e };
  if (e.kind !== 'relation' || e.operands.length !== 2) return { kind: 'condition', expression: e };
  const [left, right] = e.operands;
  const [relation] = e.operators;
  if (left?.kind !== 'name' || right === undefined || relation === undefined)
    return { kind: 'condition', expression: e };
  const bound = relation === '=' ? withEllipsis(c, right) : right;
  return { kind: 'bounded', binder: { name: left.text, relation, bound, range: e.range }, expression: e };
}

/** `(qk: bool, b: bool)`: binders in parentheses, each with its type. */
export function parseTypedBinders(c: Cursor): Bound | null {
  if (!sees(c, '(') || peek(c, 1).kind !== 'word' || !sees(c, ':', 2)) return null;
  advance(c);
  const binders: Binder[] = [];
  do {
    const token = advance(c);
    if (token.kind !== 'word' || !accept(c, ':')) fail(c, 'expected "name: type"');
    const bound = c.expression(c, level.relation + 1);
    binders.push({ name: token.text, relation: '∈', bound, range: since(c, token.range.start) });
  } while (accept(c, ','));
  if (!accept(c, ')')) fail(c, 'expected ")"');
  return { binders, conditions: [] };
}

/** Whether a `:` ends this binder list, looking past brackets and no further than the next quantifier. */
export function hasColon(c: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; ; ahead += 1) {
    const token = peek(c, ahead);
    if (token.kind === 'end') return false;
    if (token.kind !== 'symbol') continue;
    if ('([{'.includes(token.text)) depth += 1;
    if (')]}'.includes(token.text)) depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && (token.text === '∀' || token.text === '∃' || token.text === ';')) return token.text !== ';';
    if (depth === 0 && token.text === ':') return true;
  }
}
