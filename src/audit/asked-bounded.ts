import { quoted } from '../base/text.ts';
import type { BoundedMethod } from '../contract/contract.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Plan } from '../plan/make-plan.ts';

/** PV-6015 for every obligation whose author asks for a bounded proof: that part of the claim is undetermined. */
export function askedBounded({ contracts }: Pick<Plan, 'contracts'>): readonly Diagnostic[] {
  return contracts.flatMap(({ elaborated: { contract } }) =>
    contract.obligations.flatMap(({ id, boundedMethod }) => (boundedMethod ? [finding(id, boundedMethod)] : [])),
  );
}

function finding(id: string, { strategy, n, timeout, span }: BoundedMethod): Diagnostic {
  const asked = [
    ...(strategy === null ? [] : [strategy]),
    ...(n === null ? [] : [`sizes to ${n}`]),
    ...(timeout === null ? [] : [`${timeout} s`]),
  ];
  const what = asked.length === 0 ? '' : ` (${asked.join(', ')})`;
  return diagnostic(
    'PV-6015',
    span,
    `${quoted(id)} asks for a bounded proof${what}: undetermined, no bounded method yet`,
    {
      hint: 'its verdict rests on its other methods alone, and stays below L4',
    },
  );
}
