import { closest, quoted } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { obligationOf } from './references.ts';
import type { ContractRule } from './rule.ts';

/** Every harness refers to an obligation, or to an equation by name. */
export const danglingHarness: ContractRule = {
  name: 'dangling-harness',
  check: (contract) => {
    const equations = new Set(contract.equations.map((equation) => equation.name));
    return contract.kaniHarnesses.flatMap((harness) => {
      const reference = harness.obligation;
      if (!reference || equations.has(reference.value) || obligationOf(contract, reference.value)) return [];
      const near = closest(reference.value, [...contract.obligations.map((obligation) => obligation.id), ...equations]);
      return [
        diagnostic(
          'PV-3003',
          reference.span,
          `${harness.id} refers to ${quoted(reference.value)}, but no obligation or equation has that name`,
          {
            hint: near === null ? 'Give the obligation that is meant this id.' : `Did you mean '${near}'?`,
          },
        ),
      ];
    });
  },
};
