/**
 * `D(A, B) ≤ V(S)` in claims, where an equation computes `D = … A … B …`, with no arguments on its left, from parts A and B of S: D is that
 * of these parts.
 */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { mapExpression, mapText } from '../context/map-expression.ts';
import { callsIn, namesOf, statementParts, textMentions } from '../context/syntax-parts.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** `text` without such arguments, if all calls have the same ones and nothing else mentions them. */
export function withoutOwnArguments(text: FormalText, equations: readonly ElaboratedEquation[]): FormalText {
  const parts = statementParts(text);
  const calls = parts.flatMap(callsIn).filter((call) => equations.some((one) => isOwn(call, one)));
  const [first] = calls;
  if (!first) return text;
  const own = first.arguments.flatMap(({ value }) => namesOf(value));
  const isSame = calls.every((call) => call.arguments.flatMap(({ value }) => namesOf(value)).join() === own.join());
  const places = parts.flatMap(namesOf).filter((name) => own.includes(name)).length;
  if (!isSame || places !== own.length * calls.length) return text;
  const change = (part: Expression): Expression =>
    part.kind === 'call' && calls.includes(part) ? part.callee : mapExpression(part, change);
  return mapText(text, change);
}

/** Whether the arguments are names in the formula as it is written, and none of the inputs with which it is computed. */
function isOwn({ callee, arguments: written }: Call, { symbol, model, equation }: ElaboratedEquation): boolean {
  if (callee.kind !== 'name' || symbol !== callee.text || model?.bare !== true || written.length === 0) return false;
  const inputs = new Set([...model.sizes, ...model.parameters.map(({ name }) => name)]);
  return written.every(
    ({ value, label }) =>
      label === null &&
      value.kind === 'name' &&
      !inputs.has(value.text) &&
      textMentions(equation.formula, (one) => one === value.text),
  );
}
