import { accept, advance, atEnd, fail, peek, sees, seesKeyword, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseBinders } from './parse-binders.ts';
import { parseCaseList } from './parse-cases.ts';
import type { Binder, Expression, Statement } from './syntax.ts';
import { isWordLike } from './vocabulary.ts';

interface Clauses {
  readonly binders: Binder[];
  readonly conditions: Expression[];
  readonly definitions: Expression[];
}

/** Reads one statement with its clauses: `[if p:] body [for all i] [when p] [where a = b, …]`. Stops at the first token that is no part of it. */
export function parseStatement(c: Cursor, label: string | null, start: number): Statement {
  const clauses: Clauses = { binders: [], conditions: [], definitions: [] };
  parseLeadingClause(c, clauses);
  let body = c.expression(c, level.equivalence);
  while (c.problem === null && !atEnd(c)) {
    const pieces = parsePieces(c, body);
    if (pieces !== null) body = pieces;
    else if (peek(c).kind === 'remark') takeRemark(c);
    else if (!parseClause(c, clauses)) break;
  }
  return { body, ...clauses, label, range: since(c, start) };
}

function takeRemark(c: Cursor): void {
  const token = advance(c);
  c.remarks.push({ text: '', range: token.range, role: 'comment' });
}

/** `if p:`, `when p,`, `for i in S:` before the statement. */
function parseLeadingClause(c: Cursor, clauses: Clauses): void {
  const token = peek(c);
  if (token.kind !== 'keyword' || !['if', 'when', 'given', 'for'].includes(token.text) || (token.text === 'if' && c.pairs.mate.has(c.at))) return;
  parseClause(c, clauses);
  if (seesKeyword(c, 'then')) advance(c);
  else if (!accept(c, ':') && !accept(c, ',')) fail(c, `expected ":" or "," after the "${token.text}" clause`);
}

/** Reads one clause into `clauses`; false when none starts here. */
function parseClause(c: Cursor, clauses: Clauses): boolean {
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
      clauses.conditions.push(c.expression(c, level.equivalence));
      return true;
    case 'where':
      advance(c);
      parseDefinitions(c, clauses);
      return true;
    default:
      return false;
  }
}

function takeBinders(c: Cursor, clauses: Clauses, english: boolean): void {
  const at = c.at;
  const { binders, conditions } = parseBinders(c, false);
  // `for all bins`: a noun binds nothing.
  const noun = binders.find((b) => english && b.relation === null && isWordLike(b.name));
  if (noun || (c.problem === null && binders.length + conditions.length === 0)) {
    c.at = at;
    fail(c, `"${noun?.name ?? ''}" is an English noun, not a bound name`);
    return;
  }
  clauses.binders.push(...binders);
  while (sees(c, '∧') && c.problem === null) {
    advance(c);
    conditions.length === 0 ? clauses.conditions.push(c.expression(c, level.relation)) : clauses.conditions.push(c.expression(c, level.relation));
  }
  clauses.conditions.push(...conditions);
}

/** `where a = b, c = d and e = f`. */
function parseDefinitions(c: Cursor, clauses: Clauses): void {
  do {
    const start = peek(c);
    const definition = c.expression(c, level.negation);
    if (c.problem !== null) return;
    if (definition.kind !== 'relation') {
      fail(c, 'expected a definition such as "a = b" after "where"', start.range);
      return;
    }
    clauses.definitions.push(definition);
    while (peek(c).kind === 'remark') takeRemark(c);
  } while (accept(c, ',') || accept(c, '∧'));
}

/** `y = a if p, b otherwise`: the cases of the right side of an equation. */
function parsePieces(c: Cursor, body: Expression): Expression | null {
  if (!seesKeyword(c, 'if') || body.kind !== 'relation' || body.operators.length !== 1) return null;
  const end = otherwiseAt(c);
  const [subject, value] = body.operands;
  if (end === null || !subject || !value) return null;
  advance(c);
  const condition = c.expression(c, level.equivalence);
  if (!accept(c, ',') && !accept(c, ';')) return fail(c, 'expected "," and the next case');
  const { cases, otherwise } = parseCaseList(c, end + 1);
  const range = since(c, body.range.start);
  return { ...body, operands: [subject, { kind: 'cases', cases: [{ condition, value }, ...cases], otherwise, range: { start: value.range.start, end: range.end } }], range };
}

function otherwiseAt(c: Cursor): number | null {
  for (let at = c.at; at < c.limit; at += 1) if (c.tokens[at]?.kind === 'keyword' && c.tokens[at]?.text === 'otherwise') return at;
  return null;
}
