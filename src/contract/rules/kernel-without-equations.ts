import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** A kernel contract defines what the kernel computes. Contracts of other kinds may do without. */
export const kernelWithoutEquations: ContractRule = {
  name: 'kernel-without-equations',
  check: (contract) => {
    if (contract.kind !== 'kernel' || contract.dataSection || contract.equations.length > 0) return [];
    const { start } = contract.span.range;
    return [
      diagnostic(
        'PV-3021',
        { source: contract.span.source, range: { start, end: start + 1 } },
        'The contract is about a kernel and has no equation that can be read',
        {
          hint: 'Add equations:, or say what the contract is about with metadata.kind (registry, pattern, data, …).',
        },
      ),
    ];
  },
};
