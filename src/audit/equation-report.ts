import type { ElaboratedContract } from '../contract/goal.ts';
import { isWithin } from '../diagnostics/is-within.ts';
import type { Notation } from '../math/notation/syntax.ts';
import { printLatex } from '../math/print/latex.ts';
import type { EquationReport } from '../report/report.ts';
import type { ReportContext } from './report-context.ts';
import { unboundReason } from './unbound-reason.ts';

/** An equation with its typeset formula, its kernel, or why it cannot be run. */
export function equationReport(
  name: string,
  formula: string,
  { equations, contract, diagnostics }: ElaboratedContract,
  { subjects, faults }: Pick<ReportContext, 'subjects' | 'faults'>,
): EquationReport {
  const model = equations.find((equation) => equation.name === name);
  const source = contract.equations.find((equation) => equation.name === name);
  const subject = subjects.find((bound) => bound.contract === contract.id && bound.equation === name);
  const first = source
    ? diagnostics.find(
        ({ span, severity }) => severity !== 'note' && span !== null && isWithin(span, source.formula.span),
      )
    : undefined;
  // One that is computed with assumed numbers in place of unknown names is not the author's.
  const runs = model !== undefined && first?.severity !== 'error';
  const status = runs ? 'executable' : source?.formula.notation.status === 'math' ? 'undetermined' : 'prose';
  const isBroken = runs && subject === undefined && faults.has(`${contract.id}/${name}`);
  const unread = first?.message ?? source?.formula.notation.problem?.message ?? null;
  return {
    name,
    formula,
    latex: source ? latexOf(source.formula.notation) : null,
    status,
    reason: isBroken ? unboundReason(contract.id, [name], faults) : runs ? null : unread,
    kernel: subject ? `${subject.name} (${subject.module}:${subject.line})` : null,
  };
}

/** Statements are listed below one another. */
function latexOf({ status, statements }: Notation): string | null {
  if (status !== 'math' || statements.length === 0) return null;
  const lines = statements.map(printLatex);
  return lines.length === 1 ? lines.join('') : `\\begin{gathered}${lines.join(' \\\\ ')}\\end{gathered}`;
}
