/** What equations state besides their formulas, as the report shows it: decided, or counted as not evaluated. */
import { positionAt } from '../diagnostics/source.ts';
import type { Verdict } from '../evidence/verdict.ts';
import type { PlannedContract } from '../plan/make-plan.ts';
import type { StatementsReport } from '../report/report.ts';
import { asReadReport, asReadText } from './as-read.ts';
import { goalClaim, type JudgedClaim } from './claim-report.ts';
import type { ReportContext } from './report-context.ts';

/** The statements of one contract's equations, those with a verdict and those without. */
export interface JudgedStatements {
  readonly decided: readonly JudgedClaim[];
  readonly statements: StatementsReport;
}

/** A fact that pv cannot decide does not affect the contract's claims. */
const open: ReadonlySet<Verdict> = new Set(['undetermined', 'vacuous', 'incomplete']);

/** Separates statements that a check decided from those that remain open; the report counts the latter. */
export function judgeStatements(
  { elaborated, goals, asRead }: PlannedContract,
  context: ReportContext,
): JudgedStatements {
  const judged = goals
    .filter(({ goal }) => goal.source === 'statement')
    .map((planned) => goalClaim(planned, elaborated, context));
  const decided = judged.filter(({ report }) => !open.has(report.verdict));
  const unevaluated = [
    ...elaborated.unevaluated.map(({ id, text, reason, span, asRead: read }) => {
      const part = asRead.find(({ goal }) => goal === read);
      const found = part ? asReadReport(part, context) : null;
      return {
        id,
        text,
        reason: found ? `${reason}; ${asReadText(found)}` : reason,
        ...(found ? { asRead: found } : {}),
        line: positionAt(span.source, span.range.start).line,
      };
    }),
    ...judged
      .filter((claim) => !decided.includes(claim))
      .map(({ report: { id, property, verdict, reason, line } }) => ({
        id,
        text: property,
        reason: reason ?? verdict,
        line,
      })),
  ];
  return {
    decided,
    statements: {
      declared: decided.length + unevaluated.length,
      evaluated: decided.filter(({ evaluated }) => evaluated).length,
      failed: decided.filter(({ report }) => report.verdict === 'falsified').length,
      unevaluated,
    },
  };
}
