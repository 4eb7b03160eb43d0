import { count, listOf } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** Obligations without an id get one from their type and position, which changes when the list does: say so. */
export const derivedIds: ContractRule = {
  name: 'derived-ids',
  check: (contract) => {
    const derived = contract.obligations.filter((obligation) => !obligation.idDeclared);
    const [first] = derived;
    if (!first) return [];
    const names = derived.map((obligation) => obligation.id);
    return [
      diagnostic(
        'PV-3022',
        first.span,
        `${count(derived.length, 'obligation')} of ${contract.obligations.length} ${derived.length === 1 ? 'has' : 'have'} no id; pv calls ${derived.length === 1 ? 'it' : 'them'} ${listOf(names, 5)}`,
        {
          hint: 'Write these ids down, so that evidence keeps its place when the list changes.',
        },
      ),
    ];
  },
};
