import type { Equation } from '../contract.ts';
import { readHead } from './definition-heads.ts';
import { isRange } from './index-ranges.ts';
import { childScope } from './scope.ts';

/** The symbol that the last formula of `equation` defines, or null; from the text alone, before anything is elaborated. */
export function symbolOf(equation: Equation): string | null {
  // `i = 0..n-1` at the end says how far an index runs.
  const last = equation.formula.notation.statements.findLast(
    ({ body }) => body.kind !== 'relation' || !body.operands.some(isRange),
  );
  const [left, body] = last?.body.kind === 'relation' ? last.body.operands : [];
  return left && body ? (readHead(left, childScope(null), body)?.name ?? null) : null;
}
