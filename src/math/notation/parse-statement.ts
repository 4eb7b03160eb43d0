import { accept, advance, atEnd, fail, peek, sees, seesKeyword, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { parseCaseList } from './parse-cases.ts';
import { noClauses, parseClause, parseLeadingClause, takeRemark, type Clauses } from './parse-clauses.ts';
import type { Expression, Statement } from './syntax.ts';

/** A statement and how many of its clauses preceded it: those apply to the whole list that it begins. */
export interface Parsed {
  readonly statement: Statement;
  readonly leading: Clauses;
}

/**
 * Reads one statement with its clauses: `[if p:] body [for all i] [when p] [where a = b, …]`. Stops at the first token that is
 * not a part of it.
 */
export function parseStatement(c: Cursor, label: string | null, start: number): Parsed {
  const leading = parseLeadingClause(c);
  const clauses = noClauses();
  let body = c.expression(c, level.equivalence);
  while (c.problem === null && !atEnd(c)) {
    const pieces = parsePieces(c, body) ?? parseConsequence(c, body, clauses);
    if (pieces !== null) body = pieces;
    else if (peek(c).kind === 'remark') takeRemark(c, clauses);
    else if (sees(c, ',') && seesKeyword(c, 'where', 1)) advance(c);
    else if (!parseClause(c, clauses)) break;
  }
  const binders = [...leading.binders, ...clauses.binders];
  const conditions = [...leading.conditions, ...clauses.conditions];
  return {
    statement: { body, binders, conditions, definitions: clauses.definitions, label, range: since(c, start) },
    leading,
  };
}

/** `x_i = c for all i ⟹ f(x) = c`: what follows the premise and its clauses. */
function parseConsequence(c: Cursor, premise: Expression, clauses: Clauses): Expression | null {
  const { binders, conditions, definitions } = clauses;
  const isPremise = !(premise.kind === 'logic' && (premise.operator === '⟹' || premise.operator === '⟺'));
  if (!sees(c, '⟹') || binders.length === 0 || conditions.length + definitions.length > 0 || !isPremise) return null;
  advance(c);
  const right = c.expression(c, level.implication);
  const left: Expression = {
    kind: 'quantified',
    quantifier: 'forall',
    binders: [...binders],
    body: premise,
    range: premise.range,
  };
  clauses.binders.length = 0;
  return { kind: 'logic', operator: '⟹', left, right, range: since(c, premise.range.start) };
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
  return {
    ...body,
    operands: [
      subject,
      {
        kind: 'cases',
        cases: [{ condition, value }, ...cases],
        otherwise,
        range: { start: value.range.start, end: range.end },
      },
    ],
    range,
  };
}

function otherwiseAt(c: Cursor): number | null {
  for (let at = c.at; at < c.limit; at += 1)
    if (c.tokens[at]?.kind === 'keyword' && c.tokens[at]?.text === 'otherwise') return at;
  return null;
}
