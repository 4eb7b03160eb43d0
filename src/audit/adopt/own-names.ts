/** Contracts with the name of an earlier one, under their paths, so that each is judged: elsewhere the name means the first. */
import type { Contract } from '../../contract/contract.ts';

/** The contracts, no two of which have one name. */
export function withOwnNames(contracts: readonly Contract[]): readonly Contract[] {
  const known = new Set<string>();
  return contracts.map((contract) => {
    const isFirst = !known.has(contract.id);
    known.add(contract.id);
    return isFirst ? contract : { ...contract, id: contract.path };
  });
}
