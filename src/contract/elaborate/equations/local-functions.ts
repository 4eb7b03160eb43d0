/** Functions that a formula defines beside the equation, as in `y = φ(x), φ(u) = 1 + u`. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Head } from '../domains/definition-heads.ts';
import { mentions } from '../context/syntax-parts.ts';

interface Row {
  readonly head: Head;
  readonly body: Expression;
}

/** Whether `row` is one of them: its arguments are no inputs, and a formula about inputs applies it. */
export function isLocalFunction(
  { head: { name, arguments: parameters } }: Row,
  rows: readonly Row[],
  isInput: (name: string) => boolean,
): boolean {
  const isGiven = (argument: Expression): boolean => argument.kind !== 'name' || isInput(argument.text);
  const applies = ({ head, body }: Row): boolean =>
    head.name !== name && (head.arguments ?? []).every(isGiven) && mentions(body, (text) => text === name);
  return parameters !== null && parameters.length > 0 && !parameters.some(isGiven) && rows.some(applies);
}
