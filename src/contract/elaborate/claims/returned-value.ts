/** `ret` of a postcondition: what the function of the equation returns. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import type { EquationModel } from '../../goal.ts';
import { mapExpression } from '../context/map-expression.ts';

/** The text with what the equation computes in place of `ret`, unless an input has that name. */
export function withReturned(text: FormalText, { symbol, domain }: EquationModel): FormalText {
  if (domain.variables.some(({ name }) => name === 'ret')) return text;
  const change = (part: Expression): Expression => {
    if (part.kind === 'name' && part.text === 'ret') return { ...part, text: symbol };
    const mapped = mapExpression(part, change);
    return mapped.kind === 'call' && mapped.callee.kind === 'member'
      ? { ...mapped, callee: { ...mapped.callee, object: change(mapped.callee.object) } }
      : mapped;
  };
  const statements = text.notation.statements.map((one) => ({
    ...one,
    body: change(one.body),
    conditions: one.conditions.map(change),
  }));
  return { ...text, notation: { ...text.notation, statements } };
}
