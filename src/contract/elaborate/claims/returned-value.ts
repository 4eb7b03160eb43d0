/** `ret` of a postcondition: what the function of the equation returns. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import type { EquationModel } from '../../goal.ts';
import { mapExpression } from '../context/map-expression.ts';

/** The text with what the equation computes in place of `ret`, unless an input has that name. */
export function withReturned(text: FormalText, { symbol, parameters, bare, domain }: EquationModel): FormalText {
  if (domain.variables.some(({ name }) => name === 'ret')) return text;
  const returned = ({ range }: Expression): Expression => {
    const callee: Expression = { kind: 'name', text: symbol, range };
    if (bare || parameters.length === 0) return callee;
    const values = parameters.map(({ name }): Expression => ({ kind: 'name', text: name, range }));
    return { kind: 'call', callee, arguments: values.map((value) => ({ label: null, value })), range };
  };
  const change = (part: Expression): Expression => {
    if (part.kind === 'name' && part.text === 'ret') return returned(part);
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
