/** The tolerances of a claim: the common one, and those for single backends. */
import { obligationOfTest } from './elaborate/claims/claim-index.ts';
import type { Contract, FalsificationTest, Obligation } from './contract.ts';

/** The tolerances that an obligation declares. */
export type Tolerances = Pick<Obligation, 'tolerance' | 'backendTolerances'>;

/** The tolerances of the obligation or test with that id. */
export function tolerancesOf(claim: string, contract: Contract): Tolerances {
  const obligation = contract.obligations.find(({ id }) => id === claim);
  if (obligation) return obligation;
  const test = contract.falsificationTests.find(({ id }) => id === claim);
  return test
    ? tolerancesOfTest(test, obligationOfTest(contract, test))
    : { tolerance: null, backendTolerances: new Map() };
}

/** A test without a tolerance takes those of its obligation; a test with one takes none of the obligation's, not even for backends. */
export function tolerancesOfTest(test: FalsificationTest, rule: Obligation | null): Tolerances {
  const { tolerance, backendTolerances } = test.tolerance || rule === null ? test : rule;
  return { tolerance, backendTolerances };
}
