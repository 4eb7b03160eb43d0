import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract } from '../contract.ts';
import type { SetRule } from './rule.ts';

/** A contract's name is its file's name, so two files in different folders must not share one. */
export const duplicateContract: SetRule = {
  name: 'duplicate-contract',
  check: ({ contracts }) => {
    const first = new Map<string, Contract>();
    return contracts.flatMap((contract) => {
      const other = first.get(contract.id);
      if (!other) {
        first.set(contract.id, contract);
        return [];
      }
      return [
        diagnostic(
          'PV-3008',
          { source: contract.span.source, range: { start: 0, end: 1 } },
          `${other.path} is called ${contract.id} too`,
          {
            hint: 'Rename one of the files; dependencies and bindings refer to contracts by this name.',
          },
        ),
      ];
    });
  },
};
