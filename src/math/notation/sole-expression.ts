import type { Expression, Notation } from './syntax.ts';

/** The expression that `notation` is, without a label or clauses around it; null if it is something else. */
export function soleExpression({ status, statements }: Notation): Expression | null {
  const [only, more] = statements;
  if (status !== 'math' || !only || more || only.label !== null) return null;
  const around = only.binders.length + only.conditions.length + only.definitions.length;
  return around === 0 ? only.body : null;
}
