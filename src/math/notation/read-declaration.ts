import { atEnd, peek, sees, withSets, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { noClauses, takeRemark } from './parse-clauses.ts';
import { parseVectorType } from './parse-vector-type.ts';
import { isTypeLike } from './shape-of.ts';
import type { Expression, Statement } from './syntax.ts';

/** `F: R^d → R`, `step: usize`, `n: int ≥ 1`, `t: [0, T]` declare as `∈` does. Null, with the cursor unmoved, if this is not a declaration. */
export function readDeclaration(c: Cursor): Statement | null {
  const name = peek(c);
  if (name.kind !== 'word' || !sees(c, ':', 1)) return null;
  const from = c.at;
  c.at += 2;
  const subject: Expression = { kind: 'name', text: name.text, range: name.range };
  const { type, bounds } = takeType(c, subject);
  const ends = atEnd(c) || sees(c, ',') || sees(c, ';') || peek(c).kind === 'remark';
  if (c.problem !== null || !isTypeLike(type) || !ends) {
    c.problem = null;
    c.depth = 0;
    c.at = from;
    return null;
  }
  const clauses = noClauses();
  clauses.conditions.push(...bounds);
  while (peek(c).kind === 'remark') takeRemark(c, clauses);
  const range = { start: name.range.start, end: c.tokens[c.at - 1]?.range.end ?? name.range.end };
  return {
    body: { kind: 'relation', operands: [subject, type], operators: ['∈'], range },
    ...clauses,
    label: null,
    range,
  };
}

/** A type, and what its bound (`int ≥ 1`) or sign (`positive int`) says of `subject`. */
function takeType(
  c: Cursor,
  subject: Expression,
): { readonly type: Expression; readonly bounds: readonly Expression[] } {
  const sign = takeSign(c);
  const said = parseVectorType(c) ?? withSets(c, true, () => c.expression(c, level.implication));
  const [first, ...others] = said.kind === 'relation' ? said.operands : [];
  const isBounded = said.kind === 'relation' && first?.kind === 'name' && isTypeLike(first);
  const type = isBounded ? first : said;
  // Of a vector, neither says what is bounded.
  if (sign && type.kind !== 'name') return { type: subject, bounds: [] };
  const bounds = isBounded ? [{ ...said, operands: [subject, ...others] }] : [];
  return { type, bounds: sign ? [...bounds, sign(subject)] : bounds };
}

/** `positive` and `non-negative` before a type: what they say of the name. */
function takeSign(c: Cursor): ((subject: Expression) => Expression) | null {
  const first = peek(c);
  const isSplit = /^non$/iu.test(first.text) && sees(c, '-', 1);
  const words = isSplit ? [first, c.tokens[c.at + 1], c.tokens[c.at + 2]] : [first];
  const text = words
    .map((token) => token?.text ?? '')
    .join('')
    .toLowerCase();
  if (text !== 'positive' && text !== 'nonnegative' && text !== 'non-negative') return null;
  c.at += words.length;
  const { range } = first;
  const zero: Expression = { kind: 'number', value: '0', unit: null, range };
  return (subject) => ({
    kind: 'relation',
    operands: [subject, zero],
    operators: [text === 'positive' ? '>' : '≥'],
    range,
  });
}
