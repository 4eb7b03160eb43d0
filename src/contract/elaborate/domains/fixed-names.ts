/** Names of the domain that an equation after `where` would fix: it looks like a definition, but would leave only one value. */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { clausesOf } from '../operators/clauses.ts';
import { fail, type Context } from '../context/context.ts';
import type { DomainDraft, DraftSize } from '../inputs/domain-draft.ts';
import { namesOf } from '../context/syntax-parts.ts';

/** Refuses `where n = 5` for a size or an input that `texts` describe further: only n = 5 would be run. */
export function refuseFixed(
  ctx: Context,
  draft: DomainDraft,
  equations: readonly Expression[],
  texts: readonly FormalText[],
): void {
  for (const equation of equations) {
    const [left, right] = equation.kind === 'relation' ? equation.operands : [];
    if (left?.kind !== 'name' || !right || namesOf(right).length > 0) continue;
    const name = left.text;
    const size = draft.sizes.get(name);
    const input = draft.inputs.get(name);
    const isOpen = size ? isRanged(size, texts) : input !== undefined && input.choices?.length !== 1;
    if (!isOpen) continue;
    const said = ctx.text.text.slice(equation.range.start, equation.range.end);
    const hint = `if ${name} is always that, write ${said} in the domain; if not, give the constant another name`;
    fail(ctx, 'PV-4053', equation.range, `${name} is declared in the domain, and the formula says ${said}`, hint);
  }
}

/** A size that only counts the elements of an input has no range that the equation could contradict. */
function isRanged(
  { name, minimum, maximum, multipleOf, definition }: DraftSize,
  texts: readonly FormalText[],
): boolean {
  if (minimum === maximum) return false;
  if (maximum !== null || minimum > 1 || multipleOf > 1 || definition !== null) return true;
  const statements = texts.flatMap(({ notation }) => notation.statements);
  return statements.some((statement) => [statement.body, ...clausesOf(statement)].some((one) => compares(one, name)));
}

function compares(proposition: Expression, name: string): boolean {
  if (proposition.kind === 'logic') return [proposition.left, proposition.right].some((one) => compares(one, name));
  return (
    proposition.kind === 'relation' &&
    proposition.operands.some((operand) => operand.kind === 'name' && operand.text === name)
  );
}
