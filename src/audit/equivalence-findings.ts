/**
 * Whether the mutants that an author declared equivalent exist and survive: a declaration that evidence refutes hides nothing.
 */
import { closest, listOf, quoted } from '../base/text.ts';
import type { EquivalentMutant } from '../contract/contract.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { MutantOutcome } from '../evidence/receipt.ts';
import type { PlannedContract } from '../plan/make-plan.ts';
import type { ReportContext } from './report-context.ts';

/**
 * PV-6008 for a declared mutant that a claim catches, PV-6009 for one that pv does not generate, PV-6010 for one whose
 * outputs plainly differ.
 */
export function equivalenceFindings({
  plan,
  receiptsByCheck,
}: Pick<ReportContext, 'plan' | 'receiptsByCheck'>): readonly Diagnostic[] {
  return plan.contracts.flatMap((planned) => {
    const { contract, dataGoals } = planned.elaborated;
    // Mutants of a kernel that is itself wrong say nothing about the contract.
    if (isFalsified(planned, receiptsByCheck)) return [];
    // For a contract over data, the mutants are edits of the claims.
    const names = [...contract.equations.map(({ name }) => name), ...dataGoals.map(({ claim }) => claim)];
    return (contract.qaGate?.equivalentMutants ?? []).flatMap((declared) => {
      const { equation } = declared;
      if (equation !== null && !names.includes(equation)) return [unknownEquation(declared, equation, names)];
      const tried = triedFor(declared, planned, receiptsByCheck);
      return tried === null ? [] : findingsOf(declared, tried);
    });
  });
}

function unknownEquation({ span }: EquivalentMutant, equation: string, names: readonly string[]): Diagnostic {
  const near = closest(equation, names);
  const hint = near === null ? `the equations are ${listOf(names, 5)}` : `did you mean \`${near}\`?`;
  return diagnostic(
    'PV-6009',
    span,
    `a mutant of ${quoted(equation)} is declared equivalent, which is not an equation of this contract, nor a claim about its data`,
    { hint },
  );
}

function isFalsified({ goals }: PlannedContract, receiptsByCheck: ReportContext['receiptsByCheck']): boolean {
  return goals.some(({ checks }) => checks.some(({ id }) => receiptsByCheck.get(id)?.verdict === 'falsified'));
}

/** The wrong kernels of the equations that the declaration is about; null until all of them have been tried. */
function triedFor(
  { equation }: EquivalentMutant,
  { elaborated, goals }: PlannedContract,
  receiptsByCheck: ReportContext['receiptsByCheck'],
): readonly MutantOutcome[] | null {
  const edited = [...elaborated.equations.map(({ name }) => name), ...elaborated.dataGoals.map(({ claim }) => claim)];
  const names = edited.filter((name) => equation === null || name === equation);
  const about = new Set(names.map((name) => `${elaborated.contract.id}/${name}`));
  const all = goals.flatMap(({ checks }) =>
    checks.filter(({ method, goal }) => method === 'adequacy' && about.has(goal)),
  );
  const ids = [...new Set(all.map(({ id }) => id))];
  const done = ids.flatMap((id) => receiptsByCheck.get(id) ?? []).filter(({ verdict }) => verdict === 'tested');
  return ids.length === 0 || done.length < ids.length ? null : done.flatMap(({ mutants }) => mutants ?? []);
}

function findingsOf({ mutant, span }: EquivalentMutant, tried: readonly MutantOutcome[]): readonly Diagnostic[] {
  const named = tried.filter((one) => one.mutant === mutant || one.mutant.startsWith(`${mutant} (`));
  if (named.length === 0) {
    const near = closest(
      mutant,
      tried.map((one) => one.mutant),
    );
    const hint = near === null ? 'pv audit lists the wrong kernels that survive' : `did you mean \`${near}\`?`;
    // Mutants of the source are those of one kernel; a contract may be bound to others.
    const severity = mutant.startsWith('kernel:') ? 'warning' : 'error';
    return [diagnostic('PV-6009', span, `there is no wrong kernel ${quoted(mutant)}`, { hint, severity })];
  }
  const [refuted] = named.filter(({ equivalent, killedBy }) => equivalent === null && killedBy.length === 0);
  if (refuted) {
    const why = `${quoted(mutant)} is declared equivalent, but its outputs plainly differ from the kernel's`;
    return [diagnostic('PV-6010', span, why, { hint: 'add a claim that catches it; pv audit shows an input' })];
  }
  const [caught] = named.filter(({ equivalent, killedBy }) => equivalent !== null && killedBy.length > 0);
  if (!caught) return [];
  const message = `${quoted(mutant)} is declared equivalent, but it is caught by ${listOf(caught.killedBy, 3)}`;
  return [diagnostic('PV-6008', span, message, { hint: 'remove it from equivalent_mutants' })];
}
