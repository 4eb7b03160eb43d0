import { quoted } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Plan } from '../plan/make-plan.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';

/**
 * PV-6011 for every bound kernel that no goal runs: evidence would not notice whatever it computes.
 * A goal of another contract counts too. Where a claim could not be read, or the formula itself, that is what must be fixed: the
 * finding would follow from it.
 */
export function unclaimedKernels(plan: Plan, subjects: readonly BoundSubject[]): readonly Diagnostic[] {
  const run = new Set(
    plan.contracts.flatMap(({ elaborated, goals }) =>
      goals.flatMap(({ goal }) =>
        goal.equations.map((name) => (name.includes('/') ? name : `${elaborated.contract.id}/${name}`)),
      ),
    ),
  );
  const unread = new Set(
    plan.contracts.flatMap(({ elaborated: { contract, equations, notGoals } }) => {
      const broken = notGoals.some(({ status }) => status === 'undetermined');
      const models = new Set(equations.map(({ name }) => name));
      return contract.equations.flatMap(({ name }) => (broken || !models.has(name) ? [`${contract.id}/${name}`] : []));
    }),
  );
  return subjects
    .filter(({ contract, equation }) => !run.has(`${contract}/${equation}`) && !unread.has(`${contract}/${equation}`))
    .map(({ contract, equation, name, row }) =>
      diagnostic('PV-6011', row.equation.span, `no claim runs ${quoted(name)}, the kernel of ${contract}/${equation}`, {
        hint: `add a claim about ${equation}, or remove this row`,
      }),
    );
}
