import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { comparesKernels } from '../elaborate/claims/kernel-comparison.ts';
import type { ContractRule } from './rule.ts';

/** Every obligation has a `formal`, every test a `prediction` or data with a known verdict: words alone cannot be executed. */
export const claimWithoutFormula: ContractRule = {
  name: 'claim-without-formula',
  check: (contract) => [
    ...contract.obligations
      .filter((obligation) => !obligation.formal)
      .map((obligation) =>
        diagnostic(
          'PV-3016',
          obligation.span,
          comparesKernels(obligation)
            ? `The obligation ${obligation.id} has no formal: its words are read as f(x) ≈ f_ref(x) where its tolerance allows it`
            : `The obligation ${obligation.id} has no formal: nothing can be checked`,
          { hint: 'Add formal: with the property in the notation.' },
        ),
      ),
    ...contract.falsificationTests
      .filter((test) => !test.prediction && !test.control)
      .map((test) =>
        diagnostic('PV-3016', test.span, `The test ${test.id} has no prediction: nothing can be checked`, {
          hint: 'Add prediction: with what must hold on the inputs.',
        }),
      ),
  ],
};
