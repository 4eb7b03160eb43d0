/**
 * Ids that more than one claim of a contract has.
 */
import type { Contract } from '../contract.ts';

const repeated = new WeakMap<Contract, ReadonlySet<string>>();

/** Whether two obligations or tests of `contract` have this id. Looked up, since files can hold thousands of claims. */
export function isRepeatedId(contract: Contract, id: string): boolean {
  let ids = repeated.get(contract);
  if (!ids) repeated.set(contract, (ids = repeatedIds(contract)));
  return ids.has(id);
}

function repeatedIds({ obligations, falsificationTests }: Contract): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of [...obligations, ...falsificationTests]) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return twice;
}
