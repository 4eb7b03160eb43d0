/**
 * `… for a > 0, b > 0`, `∀ a, b > 0, …`, `for n = 8, k = 3, out = 6`: in a list with a clause, relations of inputs alone are further
 * conditions.
 */
import type { Binder, Expression, Statement } from '../../../math/notation/syntax.ts';
import { isPlain } from '../../../math/notation/share-clauses.ts';
import type { FormalText } from '../../contract.ts';
import { callsIn, namesOf } from '../context/syntax-parts.ts';

type IsInput = (name: string) => boolean;

/** `formal` with such relations as conditions of what they follow or precede; `isInput` says of which names the claim has inputs. */
export function withListedConditions(formal: FormalText, isInput: IsInput): FormalText {
  const statements = withTrailing(withLeading(formal.notation.statements, isInput), isInput);
  return { ...formal, notation: { ...formal.notation, statements } };
}

function withLeading(written: readonly Statement[], isInput: IsInput): readonly Statement[] {
  const statements = withoutQuantifier(written, isInput);
  const count = statements.findIndex(
    ({ body, label, definitions }) => label !== null || definitions.length > 0 || !isBound(body, isInput),
  );
  const [first] = statements;
  if (count < 1 || !first || !statements.every((one) => sharesClauses(one, first))) return written;
  const conditions = statements.slice(0, count).flatMap(({ body }) => spread(first.binders, body, isInput));
  return statements.slice(count).map((one) => ({ ...one, conditions: [...one.conditions, ...conditions] }));
}

/** `∀ a > 0, b > 0, p` is read as the claim that b > 0, and another one: with the quantifier as a clause of both. */
function withoutQuantifier(statements: readonly Statement[], isInput: IsInput): readonly Statement[] {
  const [{ body } = { body: null }] = statements;
  if (body?.kind !== 'quantified' || body.quantifier !== 'forall') return statements;
  if (!body.binders.every(({ name }) => isInput(name)) || !isBound(body.body, isInput)) return statements;
  return statements.map((one, i) => ({
    ...one,
    body: i === 0 ? body.body : one.body,
    binders: [...body.binders, ...one.binders],
  }));
}

function withTrailing(statements: readonly Statement[], isInput: IsInput): readonly Statement[] {
  const list: Statement[] = [];
  for (const one of statements) {
    const before = list.at(-1);
    const isCondition = one.label === null && isPlain(one) && isBound(one.body, isInput);
    if (isCondition && before && !isPlain(before) && !isBound(before.body, isInput)) {
      const conditions = [...before.conditions, ...spread(before.binders, one.body, isInput)];
      list[list.length - 1] = { ...before, conditions };
    } else list.push(one);
  }
  return list;
}

function isBound(e: Expression, isInput: IsInput): boolean {
  if (e.kind === 'logic' && e.operator === '∧') return isBound(e.left, isInput) && isBound(e.right, isInput);
  const names = namesOf(e);
  return e.kind === 'relation' && callsIn(e).length === 0 && names.length > 0 && names.every(isInput);
}

/** `a, b > 0` is a > 0 and b > 0. */
function spread(binders: readonly Binder[], body: Expression, isInput: IsInput): readonly Expression[] {
  const last = binders.findLastIndex(({ relation, name }) => relation !== null || !isInput(name));
  if (body.kind !== 'relation' || body.operands[0]?.kind !== 'name') return [body];
  const more = binders.slice(last + 1).map(({ name, range }): Expression => ({
    ...body,
    operands: [{ kind: 'name', text: name, range }, ...body.operands.slice(1)],
  }));
  return [...more, body];
}

/** The reader gives the clause before a list to each of its statements. */
function sharesClauses(one: Statement, first: Statement): boolean {
  const own = new Set<unknown>([...one.binders, ...one.conditions]);
  const shared = [...first.binders, ...first.conditions];
  return shared.length > 0 && shared.every((clause) => own.has(clause));
}
