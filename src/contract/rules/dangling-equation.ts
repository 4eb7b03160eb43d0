import { closest, listOf, quoted } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** `all` equations, or the vectorised variants of them. */
const groups: ReadonlySet<string> = new Set(['all', 'simd']);

/** `applies_to` names an equation of the contract, `all` or `simd`. */
export const danglingEquation: ContractRule = {
  name: 'dangling-equation',
  check: (contract) => {
    const names = contract.equations.map((equation) => equation.name);
    const known = new Set(names);
    return contract.obligations.flatMap((obligation) => {
      const target = obligation.appliesTo;
      if (!target || groups.has(target.value) || known.has(target.value)) return [];
      const near = closest(target.value, names);
      return [
        diagnostic('PV-3005', target.span, `${quoted(target.value)} is not an equation of this contract`, {
          hint:
            near === null
              ? `Write all${names.length > 0 ? `, or one of ${listOf(names, 8)}` : ''}.`
              : `Did you mean '${near}'?`,
        }),
      ];
    });
  },
};
