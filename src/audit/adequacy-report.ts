/**
 * The fate of the wrong kernels that were tried on a contract, and whether a claim compares the correct ones with their
 * equations.
 */
import { isDeclaredOnly, type ElaboratedContract, type EquationModel } from '../contract/goal.ts';
import type { PlannedContract } from '../plan/make-plan.ts';
import type { AdequacyReport } from '../report/report.ts';
import type { ReportContext } from './report-context.ts';

/** Null if none was tried. */
export function adequacyReport(
  { elaborated, goals }: PlannedContract,
  { receiptsByCheck }: Pick<ReportContext, 'receiptsByCheck'>,
): AdequacyReport | null {
  // Kills by a claim over the reals do not make the contract stronger against wrong kernels.
  const checks = goals
    .filter(({ goal }) => goal.overReals === null)
    .flatMap((planned) => planned.checks.filter(({ method }) => method === 'adequacy'));
  const receipts = [...new Set(checks.map(({ id }) => id))].flatMap((id) => receiptsByCheck.get(id) ?? []);
  if (receipts.length === 0) return null;
  const mutants = receipts.flatMap((receipt) => receipt.mutants ?? []);
  // A claim that the equation itself breaks tells nothing apart.
  const broken = new Set(
    goals.flatMap(({ goal, checks }) =>
      checks.some(({ id }) => receiptsByCheck.get(id)?.verdict === 'unsound') ? [goal.id] : [],
    ),
  );
  const tried = mutants
    .filter(({ equivalent }) => equivalent === null)
    .map((one) => ({ ...one, killedBy: one.killedBy.filter((goal) => !broken.has(goal)) }));
  const survivors = tried.filter(({ killedBy }) => killedBy.length === 0);
  const bound = new Set(checks.flatMap(({ work }) => (work.kind === 'equation' ? [work.equation] : [])));
  return {
    killed: tried.length - survivors.length,
    total: tried.length,
    equivalent: mutants.filter(({ equivalent }) => equivalent !== null),
    survivors,
    uncompared: elaborated.equations
      .filter((model) => bound.has(model.name) && !isDeclaredOnly(model) && !isCompared(model, elaborated))
      .map(({ name }) => name),
  };
}

/**
 * Whether a claim that runs the equation's kernel also mentions the equation itself; the `type` that it declares is not evidence.
 */
function isCompared({ name, symbol }: EquationModel, { goals }: ElaboratedContract): boolean {
  const references = [name, symbol].map((one) => `${one}_ref`);
  return goals.some(
    ({ equations, formal }) => equations.includes(name) && references.some((reference) => formal.includes(reference)),
  );
}
