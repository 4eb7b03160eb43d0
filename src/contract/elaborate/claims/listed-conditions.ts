/** `for n = 8, k = 3, out = 6`: after a clause that begins a list, equations of inputs are further conditions. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';

/** `formal` with such equations as conditions of what follows them; `isInput` says of which names the claim has inputs. */
export function withListedConditions(formal: FormalText, isInput: (name: string) => boolean): FormalText {
  const { statements } = formal.notation;
  const setsInput = ({ body, label, definitions }: Statement): boolean =>
    label === null && definitions.length === 0 && body.kind === 'relation' && isSetting(body, isInput);
  const count = statements.findIndex((statement) => !setsInput(statement));
  const [first] = statements;
  if (count < 1 || !first || !statements.every((one) => sharesClauses(one, first))) return formal;
  const conditions = statements.slice(0, count).map(({ body }) => body);
  const rest = statements.slice(count).map((one) => ({ ...one, conditions: [...one.conditions, ...conditions] }));
  return { ...formal, notation: { ...formal.notation, statements: rest } };
}

function isSetting(
  { operands: [left, , more], operators }: Extract<Expression, { kind: 'relation' }>,
  isInput: (name: string) => boolean,
): boolean {
  return operators[0] === '=' && !more && left?.kind === 'name' && isInput(left.text);
}

/** The reader gives the clause before a list to each of its statements. */
function sharesClauses(one: Statement, first: Statement): boolean {
  const own = new Set<unknown>([...one.binders, ...one.conditions]);
  const shared = [...first.binders, ...first.conditions];
  return shared.length > 0 && shared.every((clause) => own.has(clause));
}
