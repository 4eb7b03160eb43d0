import { count, listOf } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Plan } from '../plan/make-plan.ts';

/**
 * PV-6012 for every contract with claims whose checks should have run again but did not: `older` are checks whose receipts are
 * from an earlier run. Such a receipt is true of this contract and kernel, but not what this run requests.
 */
export function olderEvidence({ contracts }: Plan, older: ReadonlySet<string>): readonly Diagnostic[] {
  return contracts.flatMap(({ elaborated: { contract }, goals }) => {
    const claims = goals.flatMap(({ goal, checks }) => (checks.some(({ id }) => older.has(id)) ? [goal.claim] : []));
    if (claims.length === 0) return [];
    const message = `the budget ran out: ${count(claims.length, 'claim shows', 'claims show')} evidence of an earlier run (${listOf(claims)})`;
    return [
      diagnostic('PV-6012', null, message, { subject: contract.path, hint: 'run it again with a larger --budget' }),
    ];
  });
}
