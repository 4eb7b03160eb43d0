import { accept, advance, fail, peek, sees, since, type Cursor } from './cursor.ts';
import { level } from './levels.ts';
import { hasColon, parseBinders, parseTypedBinders } from './parse-binders.ts';
import type { Expression } from './syntax.ts';

/** `∀ i ∈ S, j: p`, `∃! x: p`, `forall w1 w2 in S, forall t: p`. A condition among the binders becomes a premise of the body. */
export function parseQuantified(c: Cursor): Expression {
  const token = advance(c);
  const start = token.range.start;
  const unique = token.text === '∃' && sees(c, '!') && accept(c, '!');
  const colon = hasColon(c);
  const { binders, conditions } = parseTypedBinders(c) ?? parseBinders(c, colon);
  if (c.problem === null && binders.length === 0) return fail(c, 'expected a bound name after the quantifier');
  if (!accept(c, ':')) {
    const nested = sees(c, '∀') || sees(c, '∃') || sees(c, '∄');
    if (!nested && !accept(c, ',') && !(sees(c, '.') && accept(c, '.')) && !acceptSuchThat(c))
      return fail(c, 'expected ":" after the bound names');
  }
  accept(c, ',');
  const claim = c.expression(c, level.equivalence);
  const range = since(c, start);
  const universal = token.text === '∀';
  const body = conditions.reduceRight<Expression>(
    (inner, premise) => ({ kind: 'logic', operator: universal ? '⟹' : '∧', left: premise, right: inner, range }),
    claim,
  );
  const quantified: Expression = {
    kind: 'quantified',
    quantifier: universal ? 'forall' : unique ? 'unique' : 'exists',
    binders,
    body,
    range,
  };
  return token.text === '∄' ? { kind: 'not', operand: quantified, range } : quantified;
}

function acceptSuchThat(c: Cursor): boolean {
  const token = peek(c);
  if (token.kind !== 'keyword' || token.text !== 'given') return false;
  advance(c);
  return true;
}
