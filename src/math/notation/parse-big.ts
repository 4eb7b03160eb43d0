import { accept, advance, fail, peek, sees, since, withSets, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseBinders, type Bound } from './parse-binders.ts';
import { parseScript, scriptNode } from './parse-script.ts';
import type { BigOperatorName, Binder, Expression } from './syntax.ts';
import type { Token } from './token.ts';

const symbols: ReadonlyMap<string, BigOperatorName> = new Map([
  ['Σ', 'sum'],
  ['∏', 'product'],
  ['⋃', 'union'],
  ['⋂', 'intersection'],
]);
const words: ReadonlyMap<string, BigOperatorName> = new Map([
  ['sum', 'sum'],
  ['Sum', 'sum'],
  ['prod', 'product'],
  ['product', 'product'],
  ['Prod', 'product'],
  ['Product', 'product'],
  ['max', 'max'],
  ['min', 'min'],
  ['argmax', 'argmax'],
  ['argmin', 'argmin'],
  ['mean', 'mean'],
  ['avg', 'mean'],
  ['union', 'union'],
  ['lim', 'limit'],
  ['E', 'expectation'],
  ['𝔼', 'expectation'],
  ['count', 'count'],
]);
/** Whether `text` before an index is the sign of an operator. */
export function isBigWord(text: string): boolean {
  return words.has(text);
}

const indexed = /^(sum|Sum|prod|Prod|max|min|argmax|argmin|mean|union)_([a-zA-Z]\d?|[i-n]{2,3})$/;
const wide: ReadonlySet<BigOperatorName> = new Set([
  'sum',
  'product',
  'mean',
  'expectation',
  'limit',
  'count',
  'union',
  'intersection',
]);
const none: Bound = { binders: [], conditions: [] };

/** `Σ …`, `∏ …`, `⋃ …`. */
export function parseBig(c: Cursor): Expression {
  const token = advance(c);
  return parseRest(c, symbols.get(token.text) ?? 'sum', token.range.start, none);
}

/** `sum_{…} e`, `max_j e`, `E[e]`, `argmin -e`; null if the word at the cursor is a plain name. */
export function parseNamedBig(c: Cursor): Expression | null {
  const token = peek(c);
  const next = peek(c, 1);
  const operator = words.get(token.text);
  if (operator === 'expectation' && next.text === '[' && !next.spaced) return parseExpectation(c);
  if (operator !== undefined && (sees(c, '_', 1) || next.kind === 'subscript') && !next.spaced) {
    advance(c);
    return parseRest(c, operator, token.range.start, none);
  }
  const match = indexed.exec(token.text);
  const named = match && words.get(match[1] ?? '');
  if (named && startsOperand(c, next)) {
    advance(c);
    return parseRest(c, named, token.range.start, { binders: namesOf(match[2] ?? '', token), conditions: [] });
  }
  const role = c.pairs.bars.get(c.at + 1);
  if (
    operator !== undefined &&
    operator !== 'expectation' &&
    (role === 'absolute-open' || role === 'norm-open' || (next.text === '-' && next.spaced && !peek(c, 2).spaced))
  ) {
    advance(c);
    return parseRest(c, operator, token.range.start, none);
  }
  return null;
}

function startsOperand(c: Cursor, next: Token): boolean {
  if (next.kind === 'word' || next.kind === 'number') return true;
  const role = c.pairs.bars.get(c.at + 1);
  return role === 'absolute-open' || role === 'norm-open' || (next.kind === 'symbol' && '(⌊⌈⟨√Σ∏'.includes(next.text));
}

function parseExpectation(c: Cursor): Expression {
  const start = advance(c).range.start;
  advance(c);
  const body = withSets(c, false, () => c.expression(c, level.equivalence));
  if (!accept(c, ']')) return fail(c, 'expected "]"');
  return {
    kind: 'big',
    operator: 'expectation',
    binders: [],
    upper: null,
    condition: null,
    body,
    range: since(c, start),
  };
}

function parseRest(c: Cursor, operator: BigOperatorName, start: number, given: Bound): Expression {
  const under = given.binders.length > 0 ? given : parseUnder(c);
  const upper = parseUpper(c);
  const body = c.expression(c, wide.has(operator) ? level.product : level.sign);
  const [first, ...rest] = under.conditions;
  const condition =
    first === undefined
      ? null
      : rest.reduce<Expression>(
          (left, right) => ({
            kind: 'logic',
            operator: '∧',
            left,
            right,
            range: { start: left.range.start, end: right.range.end },
          }),
          first,
        );
  const over = (part: Expression): Expression => ({
    kind: 'big',
    operator,
    binders: under.binders,
    upper,
    condition,
    body: part,
    range: { start, end: part.range.end },
  });
  // `Σ a_i / Σ b_i` without indices below the signs is the quotient of two sums.
  const isQuotient =
    under.binders.length === 0 &&
    body.kind === 'binary' &&
    body.operator === '/' &&
    body.right.kind === 'big' &&
    body.right.binders.length === 0;
  return isQuotient
    ? { ...body, left: over(body.left), range: since(c, start) }
    : { ...over(body), range: since(c, start) };
}

/** The part under the sign: `_i`, `ᵢⱼ`, `_{j<n}`, `_{x→0}`. */
function parseUnder(c: Cursor): Bound {
  const token = peek(c);
  if (token.kind === 'subscript') {
    advance(c);
    const start = /^([a-z])=(\w+)$/.exec(token.text);
    if (!start) return { binders: namesOf(token.text, token), conditions: [] };
    return {
      binders: [
        { name: start[1] ?? '', relation: '=', bound: scriptNode(start[2] ?? '', token.range), range: token.range },
      ],
      conditions: [],
    };
  }
  if (!sees(c, '_')) return none;
  advance(c);
  if (accept(c, '{')) {
    const bound = withSets(c, false, () => parseBinders(c, true));
    if (accept(c, '→'))
      return closeBraces(c, {
        binders: bound.binders.map((b) => ({ ...b, relation: '=', bound: c.expression(c, level.relation + 1) })),
        conditions: [],
      });
    return closeBraces(c, bound);
  }
  const name = advance(c);
  if (name.kind !== 'word') {
    fail(c, 'expected an index', name.range);
    return none;
  }
  return { binders: namesOf(name.text, name), conditions: [] };
}

function closeBraces(c: Cursor, bound: Bound): Bound {
  if (!accept(c, '}')) fail(c, 'expected "}"');
  return bound;
}

/** `Σ_ij` binds `i` and `j`. */
function namesOf(text: string, token: Token): readonly Binder[] {
  const names = /^[a-z]{2,3}$/.test(text) ? [...text] : [text];
  return names.map((name) => ({ name, relation: null, bound: null, range: token.range }));
}

function parseUpper(c: Cursor): Expression | null {
  const token = peek(c);
  if (token.kind === 'superscript') {
    advance(c);
    return scriptNode(token.text, token.range);
  }
  if (token.spaced || !accept(c, '^')) return null;
  if (!accept(c, '{')) return parseScript(c);
  const upper = withSets(c, false, () => c.expression(c, level.equivalence));
  if (!accept(c, '}')) fail(c, 'expected "}"');
  return upper;
}
