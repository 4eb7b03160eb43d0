import type { Equation } from '../contract.ts';
import { readHead } from './definition-heads.ts';
import { childScope } from './scope.ts';

/** The symbol that the last formula of `equation` defines, or null; from the text alone, before anything is elaborated. */
export function symbolOf(equation: Equation): string | null {
  const last = equation.formula.notation.statements.at(-1);
  const [left, body] = last?.body.kind === 'relation' ? last.body.operands : [];
  return left && body ? (readHead(left, childScope(null), body)?.name ?? null) : null;
}
