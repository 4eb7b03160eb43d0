/** For an equation defined by cases, the case that applies to given data. */
import type { WrittenFormula } from '../../contract/data-contract.ts';
import type { Range } from '../../diagnostics/source.ts';
import type { Expression } from '../../math/notation/syntax.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import type { TruthOf } from './relevant.ts';

/** The case of a definition that the data select. */
export interface BranchTaken {
  /** The place of the case's value in the formula's text. */
  readonly value: Range;
  /** Why it applies, in the formula's words: `since drop_last`, `otherwise`. */
  readonly because: string;
}

/**
 * The case of `name = { a if p; b otherwise }` that `truthOf` decides for; null for formulas of another form, and if an earlier
 * condition cannot be decided. `body` is what the formula was elaborated to.
 */
export function branchTaken({ text, notation }: WrittenFormula, body: Term, truthOf: TruthOf): BranchTaken | null {
  const [statement] = notation.statements;
  const right = statement && notation.statements.length === 1 ? rightSide(statement.body) : null;
  if (right?.kind !== 'cases') return null;
  const shared: Extract<Term, { kind: 'let' }>[] = [];
  let term = body;
  for (; term.kind === 'let'; term = term.body) shared.push(term);
  const shown = ({ start, end }: Range): string => text.slice(start, end).trim();
  const last = right.otherwise ?? right.cases.at(-1)?.value;
  for (const { condition, value } of right.otherwise ? right.cases : right.cases.slice(0, -1)) {
    if (term.kind !== 'if') return null;
    const truth = truthOf(below(shared, term.condition));
    if (truth === null) return null;
    if (truth) return { value: value.range, because: `since ${shown(condition.range)}` };
    term = term.otherwise;
  }
  return last ? { value: last.range, because: 'otherwise' } : null;
}

function rightSide(expression: Expression): Expression | null {
  return expression.kind === 'relation' && expression.operands.length === 2 ? (expression.operands[1] ?? null) : null;
}

/** `term` with the shared values that it mentions. */
function below(shared: readonly Extract<Term, { kind: 'let' }>[], term: Term): Term {
  return shared.reduceRight<Term>(
    (inner, one) => (freeVariables(inner).has(one.name) ? { ...one, body: inner, type: inner.type } : inner),
    term,
  );
}
