import { accept, advance, atEnd, fail, peek, sees, seesKeyword, type Cursor } from './cursor.ts';
import { isRelation, level } from './levels.ts';
import { hasColon, parseBinders } from './parse-binders.ts';
import { isHarmless } from './harmless-remarks.ts';
import { pairTokens } from './pair.ts';
import { isPropositional, isTruthLike } from './shape-of.ts';
import { sharedEnds } from './shared-ends.ts';
import type { Binder, Expression } from './syntax.ts';
import type { Token } from './token.ts';
import { isShortName } from './vocabulary.ts';

/** The clauses around the body of a statement. */
export interface Clauses {
  readonly binders: Binder[];
  readonly conditions: Expression[];
  readonly definitions: Expression[];
}

/** A statement's clauses before any is read. */
export const noClauses = (): Clauses => ({ binders: [], conditions: [], definitions: [] });

/** `if p:`, `when p,`, `for i in S:` before the statement. */
export function parseLeadingClause(c: Cursor): Clauses {
  const clauses = noClauses();
  const token = peek(c);
  if (
    token.kind !== 'keyword' ||
    !['if', 'when', 'given', 'for'].includes(token.text) ||
    (token.text === 'if' && c.pairs.mate.has(c.at))
  )
    return clauses;
  parseClause(c, clauses);
  if (sees(c, ',') && seesKeyword(c, 'then', 1)) advance(c);
  if (seesKeyword(c, 'then')) advance(c);
  else if (!accept(c, ':') && !accept(c, ',')) fail(c, `expected ":" or "," after the "${token.text}" clause`);
  return clauses;
}

/** Reads one clause into `clauses`; false when none starts here. */
export function parseClause(c: Cursor, clauses: Clauses): boolean {
  const token = peek(c);
  if (token.kind === 'symbol' && token.text === '∀') {
    advance(c);
    takeBinders(c, clauses, token.spelled);
    return true;
  }
  if (token.kind !== 'keyword') return false;
  switch (token.text) {
    case 'for':
      advance(c);
      takeBinders(c, clauses, true);
      return true;
    case 'if':
    case 'when':
    case 'given':
    case 'with':
      advance(c);
      takeConditions(c, clauses, c.expression(c, level.equivalence));
      return true;
    case 'where':
      advance(c);
      parseDefinitions(c, clauses);
      return true;
    default:
      return false;
  }
}

function takeCondition(c: Cursor, clauses: Clauses, condition: Expression): void {
  if (c.problem === null && !isTruthLike(condition)) fail(c, 'expected a condition such as "a > 0"', condition.range);
  else clauses.conditions.push(condition);
}

function takeConditions(c: Cursor, clauses: Clauses, condition: Expression): void {
  for (const one of sharedEnds(c, condition) ?? [condition]) takeCondition(c, clauses, one);
}

function takeBinders(c: Cursor, clauses: Clauses, english: boolean): void {
  const { binders, conditions } = parseBinders(c, hasColon(c));
  // `for all bins`, `for Qwen3`: an English noun binds nothing.
  const noun = english
    ? binders.find((b) => b.relation === null && !isShortName(b.name) && !b.name.includes('_'))
    : undefined;
  if (noun) {
    fail(c, `"${noun.name}" is an English noun, not a bound name`, noun.range);
    return;
  }
  clauses.binders.push(...binders);
  for (const condition of conditions) takeCondition(c, clauses, condition);
  // `for t ≥ 1 and β in (0, 1)` binds both; `… and |f(x)| < 1` is another statement.
  while (sees(c, '∧') && peek(c, 1).kind === 'word' && isRelation(peek(c, 2).text)) {
    advance(c);
    const more = parseBinders(c, false);
    clauses.binders.push(...more.binders);
    for (const condition of more.conditions) takeCondition(c, clauses, condition);
  }
}

/** `where a = b, c = d and e = f`. */
function parseDefinitions(c: Cursor, clauses: Clauses): void {
  do {
    const start = peek(c).range;
    const definition = c.expression(c, level.negation);
    if (c.problem !== null) return;
    if (definition.kind !== 'relation') {
      fail(c, 'expected a definition such as "a = b" after "where"', start);
      return;
    }
    clauses.definitions.push(definition);
    while (peek(c).kind === 'remark') takeRemark(c, clauses);
  } while (accept(c, ',') || accept(c, '∧'));
}

/**
 * Reads a remark: `(when x > 0)` and `(n > 1)` are conditions, `(elementwise)` is not. Words that could be a condition end
 * the notation.
 */
export function takeRemark(c: Cursor, clauses: Clauses): void {
  const { inside = [], range } = peek(c);
  if (isHarmless(inside)) c.remarks.push({ text: '', range, role: 'comment' });
  else if (!readCondition(c, inside, clauses))
    return void fail(c, 'this may set a condition that pv cannot read: write it as "when …" with notation', range);
  advance(c);
}

/** The clauses or the condition that `tokens` form as a whole; false if they form none. */
function readCondition(c: Cursor, tokens: readonly Token[], clauses: Clauses): boolean {
  const inner: Cursor = { ...c, tokens, pairs: pairTokens(tokens), at: 0, limit: tokens.length, stop: -1, remarks: [] };
  const found = noClauses();
  if (!parseClause(inner, found)) takeCondition(inner, found, inner.expression(inner, level.equivalence));
  while (inner.problem === null && !atEnd(inner) && parseClause(inner, found));
  // `(false)` says that the claim is false.
  const isCondition =
    found.conditions.every((e) => isPropositional(e) && e.kind !== 'boolean') && inner.remarks.length === 0;
  if (inner.problem !== null || !atEnd(inner) || !isCondition) return false;
  clauses.binders.push(...found.binders);
  clauses.conditions.push(...found.conditions);
  clauses.definitions.push(...found.definitions);
  return true;
}
