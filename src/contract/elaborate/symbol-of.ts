import type { Equation } from '../contract.ts';
import { readHead } from './definition-heads.ts';
import { childScope } from './scope.ts';
import { readType } from './type-expressions.ts';

/** The symbol that the last formula of `equation` defines, or null; from the text alone, before anything is elaborated. */
export function symbolOf(equation: Equation): string | null {
  const last = equation.formula.notation.statements.at(-1);
  const left = last?.body.kind === 'relation' ? last.body.operands[0] : undefined;
  return left ? (readHead(left, childScope(null), declaredNames(equation))?.name ?? null) : null;
}

/** Names that the domain declares, which keep their underscores. */
function declaredNames(equation: Equation): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of equation.domain?.notation.statements ?? []) {
    const { body } = statement;
    const [left, right] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    if (left?.kind === 'name' && right && readType(right)) names.add(left.text);
  }
  return names;
}
