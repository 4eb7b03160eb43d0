import { accept, advance, fail, mate, peek, seesKeyword, since, withSets, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseBinders } from './parse-binders.ts';
import { parseCases } from './parse-cases.ts';
import type { Expression } from './syntax.ts';
import type { Token } from './token.ts';

/** Reads `( … )`, `[ … ]`, `{ … }`, `⌊ … ⌋`, `⌈ … ⌉`, `⟨ … ⟩`; null if no bracket opens here. */
export function parseBracketed(c: Cursor): Expression | null {
  const open = peek(c);
  if (open.kind !== 'symbol' || !'([{⌊⌈⟨'.includes(open.text)) return null;
  const partner = mate(c);
  if (partner === null) return fail(c, `"${open.text}" is never closed`);
  const closeText = c.tokens[partner]?.text ?? '';
  const inSet = c.inSet;
  advance(c);
  return withSets(c, false, () => {
    if (open.text === '{') return parseBraces(c, partner, open.range.start);
    const { items, ellipsis } = parseItems(c, partner);
    if (c.problem !== null || c.at !== partner) return fail(c, `expected "${closeText}" or ","`);
    advance(c);
    return build(c, { open: open.text, close: closeText, items, ellipsis, start: open.range.start, inSet });
  });
}

interface Bracketed {
  readonly open: string;
  readonly close: string;
  readonly items: readonly Expression[];
  readonly ellipsis: boolean;
  readonly start: number;
  readonly inSet: boolean;
}

function build(c: Cursor, b: Bracketed): Expression {
  const range = since(c, b.start);
  const [first, second] = b.items;
  const mixed = (b.open === '(' && b.close === ']') || (b.open === '[' && b.close === ')');
  const pair = b.items.length === 2 && !b.ellipsis;
  if (first && second && pair && (mixed || (b.inSet && '(['.includes(b.open)))) {
    return { kind: 'interval', low: first, high: second, lowOpen: b.open === '(', highOpen: b.close === ')', range };
  }
  if (mixed) return fail(c, 'an interval has two ends');
  if (b.open === '[') return { kind: 'list', items: b.items, ellipsis: b.ellipsis, range };
  if (b.open === '⟨') return { kind: 'inner-product', items: b.items, range };
  if (first === undefined || b.ellipsis) return fail(c, 'expected an expression between the brackets');
  if (b.open === '(') return b.items.length === 1 ? first : { kind: 'tuple', items: b.items, range };
  if (b.items.length !== 1) return fail(c, 'expected one expression between the brackets');
  return { kind: b.open === '⌊' ? 'floor' : 'ceiling', operand: first, range };
}

/** Comma-separated items up to the token at `close`; `…` may occur between or after them. */
function parseItems(c: Cursor, close: number): { readonly items: readonly Expression[]; readonly ellipsis: boolean } {
  const items: Expression[] = [];
  let ellipsis = false;
  while (c.at < close && c.problem === null) {
    if (accept(c, '…')) ellipsis = true;
    else items.push(c.expression(c, level.equivalence));
    if (!accept(c, ',')) break;
  }
  return { items, ellipsis };
}

function parseBraces(c: Cursor, close: number, start: number): Expression {
  if (c.at === close) {
    advance(c);
    return { kind: 'empty-set', range: since(c, start) };
  }
  const cases = parseCases(c, close, start);
  if (cases !== null) return cases;
  if (accept(c, '…')) return fail(c, 'a set cannot begin with an ellipsis');
  // The bar of a builder may not be swallowed by its element.
  const divider = builderBar(c, close);
  const outer = c.stop;
  c.stop = divider ?? outer;
  const first = c.expression(c, level.equivalence);
  c.stop = outer;
  if (c.at === divider) return parseBuilder(c, first, close, start);
  if (seesKeyword(c, 'for')) return parseComprehension(c, first, close, start);
  if (!accept(c, ',') && c.at !== close) return fail(c, 'expected "}", "," or "|"');
  const rest = parseItems(c, close);
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "}" or ","');
  advance(c);
  const range = since(c, start);
  const [only] = [first, ...rest.items];
  // `{0..C-1}` is the usual `{0, …, C-1}`: both ends belong to it.
  if (rest.items.length === 0 && !rest.ellipsis && only?.kind === 'span' && only.from && only.to)
    return { kind: 'set', items: [only.from, only.to], ellipsis: true, range };
  // `{1, 2, …}` continues without an end.
  const end: readonly Expression[] = isEllipsis(c.tokens[close - 1]) ? [{ kind: 'infinity', range }] : [];
  return { kind: 'set', items: [first, ...rest.items, ...end], ellipsis: rest.ellipsis, range };
}

const isEllipsis = (token: Token | undefined): boolean => token?.kind === 'symbol' && token.text === '…';

/** The bar or colon of these braces themselves that divides an element from its conditions. */
function builderBar(c: Cursor, close: number): number | null {
  for (let at = c.at; at < close; at += 1) {
    const token = c.tokens[at];
    if (token?.kind !== 'symbol') continue;
    const partner = c.pairs.mate.get(at);
    const role = c.pairs.bars.get(at);
    if (partner !== undefined && partner > at) at = partner;
    else if (
      (token.text === '|' && (role === undefined || role === 'absolute-open')) ||
      (token.text === ':' && partner === undefined)
    )
      return at;
  }
  return null;
}

function parseBuilder(c: Cursor, element: Expression, close: number, start: number): Expression {
  advance(c);
  const conditions: Expression[] = [];
  do conditions.push(c.expression(c, level.equivalence));
  while (accept(c, ','));
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "}"');
  advance(c);
  return { kind: 'set-builder', element, conditions, range: since(c, start) };
}

/** `{f(x) for x in S if p}`. */
function parseComprehension(c: Cursor, element: Expression, close: number, start: number): Expression {
  advance(c);
  const { binders, conditions } = parseBinders(c, false);
  const members = binders.map((b): Expression => ({
    kind: 'relation',
    operands: [
      { kind: 'name', text: b.name, range: b.range },
      b.bound ?? { kind: 'name', text: b.name, range: b.range },
    ],
    operators: [b.relation ?? '∈'],
    range: b.range,
  }));
  const all = [...members, ...conditions];
  if (seesKeyword(c, 'if')) {
    advance(c);
    all.push(c.expression(c, level.equivalence));
  }
  if (c.problem !== null || c.at !== close) return fail(c, 'expected "}"');
  advance(c);
  return { kind: 'set-builder', element, conditions: all, range: since(c, start) };
}
