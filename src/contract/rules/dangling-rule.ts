import { closest } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { idLike, obligationById } from './references.ts';
import type { ContractRule } from './rule.ts';

/** A test whose rule looks like an id refers to an obligation that has it. Rules in words are words. */
export const danglingRule: ContractRule = {
  name: 'dangling-rule',
  check: (contract) =>
    contract.falsificationTests.flatMap((test) => {
      if (!test.rule || !idLike.test(test.rule.value) || obligationById(contract, test.rule.value)) return [];
      const near = closest(
        test.rule.value,
        contract.obligations.map((obligation) => obligation.id),
      );
      return [
        diagnostic('PV-3004', test.rule.span, `${test.id} attacks ${test.rule.value}, and no obligation has that id`, {
          hint:
            near === null
              ? 'Write the id of an obligation of this contract, or the rule in words.'
              : `Did you mean '${near}'?`,
        }),
      ];
    }),
};
