import { listOf } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { attackedObligations } from './references.ts';
import type { ContractRule } from './rule.ts';

/** `the only obligation`, `2 of 3 obligations` */
function whichOf(untested: number, all: number): string {
  if (untested < all) return `${untested} of ${all} obligations`;
  return all === 1 ? 'the only obligation' : `any of the ${all} obligations`;
}

/** Every obligation is attacked by a falsification test, by id or in words that share a stem. One note per contract. */
export const untestedObligation: ContractRule = {
  name: 'untested-obligation',
  check: (contract) => {
    const attacked = attackedObligations(contract);
    const untested = contract.obligations.filter((obligation) => !attacked.has(obligation));
    const [first] = untested;
    if (!first) return [];
    const ids = listOf(
      untested.map((obligation) => obligation.id),
      6,
    );
    return [
      diagnostic(
        'PV-3014',
        first.span,
        `no falsification test targets ${whichOf(untested.length, contract.obligations.length)}: ${ids}`,
        {
          hint: "Add a test with rule: and the obligation's id, and inputs that a wrong kernel would get wrong.",
        },
      ),
    ];
  },
};
