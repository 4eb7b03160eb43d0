import { atEnd, peek, sees, withSets, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { noClauses, takeRemark } from './parse-clauses.ts';
import { parseVectorType } from './parse-vector-type.ts';
import { isTypeLike } from './shape-of.ts';
import type { Expression, Statement } from './syntax.ts';

/** `F: R^d → R`, `step: usize`, `t: [0, T]` declare as `∈` does. Null, with the cursor unmoved, if this is not a declaration. */
export function readDeclaration(c: Cursor): Statement | null {
  const name = peek(c);
  if (name.kind !== 'word' || !sees(c, ':', 1)) return null;
  const from = c.at;
  c.at += 2;
  const type = parseVectorType(c) ?? withSets(c, true, () => c.expression(c, level.implication));
  const ends = atEnd(c) || sees(c, ',') || sees(c, ';') || peek(c).kind === 'remark';
  if (c.problem !== null || !isTypeLike(type) || !ends) {
    c.problem = null;
    c.depth = 0;
    c.at = from;
    return null;
  }
  const clauses = noClauses();
  while (peek(c).kind === 'remark') takeRemark(c, clauses);
  const range = { start: name.range.start, end: c.tokens[c.at - 1]?.range.end ?? name.range.end };
  const subject: Expression = { kind: 'name', text: name.text, range: name.range };
  return {
    body: { kind: 'relation', operands: [subject, type], operators: ['∈'], range },
    ...clauses,
    label: null,
    range,
  };
}
