import { elaborateContract } from '../contract/elaborate.ts';
import type { Contract } from '../contract/contract.ts';
import type { ElaboratedContract } from '../contract/goal.ts';
import { buildDag } from '../graph/dag.ts';

/**
 * Every contract elaborated, sub-contracts before those that use them.
 *
 * In a circle of dependencies a contract sees only the members that come before it; the graph reports the circle.
 */
export function elaborateAll(contracts: readonly Contract[]): readonly ElaboratedContract[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const elaborated = new Map<string, ElaboratedContract>();
  for (const id of buildDag(contracts).order) {
    const contract = byId.get(id);
    if (contract) elaborated.set(id, elaborateContract(contract, elaborated));
  }
  return [...elaborated.values()];
}
