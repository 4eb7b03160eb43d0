import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** The mathematics has a source: `metadata.references`, or `references` of each equation. */
export const missingCitation: ContractRule = {
  name: 'missing-citation',
  check: (contract) => {
    if (contract.references.some((reference) => reference.trim() !== '')) return [];
    const uncited = contract.equations.filter((equation) => equation.references.length === 0);
    const [first] = uncited;
    if (!first) return [];
    return [
      diagnostic(
        'PV-3009',
        first.nameSpan,
        `The contract cites no source for ${uncited.length === 1 ? `the equation '${first.name}'` : `its ${uncited.length} equations`}`,
        {
          hint: 'Name paper, year and section or equation in metadata.references.',
        },
      ),
    ];
  },
};
