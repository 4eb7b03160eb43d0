import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Tolerance } from '../contract.ts';
import type { ContractRule } from './rule.ts';

/** A tolerance says what it measures. A bare number is read as upstream does; zero needs no unit. */
export const unitlessTolerance: ContractRule = {
  name: 'unitless-tolerance',
  check: (contract) =>
    [...contract.obligations, ...contract.falsificationTests].flatMap(({ tolerance }) => {
      if (!tolerance?.unitless || tolerance.abs === 0 || tolerance.ulp === 0) return [];
      return [
        diagnostic('PV-3011', tolerance.span, `This tolerance has no unit; it is read as ${reading(tolerance)}`, {
          hint: `Write tolerance: { ${tolerance.ulp === null ? 'abs' : 'ulp'}: ${tolerance.ulp ?? tolerance.abs} }, or use rel or cond.`,
        }),
      ];
    }),
};

function reading(tolerance: Tolerance): string {
  return tolerance.ulp === null ? `an absolute difference of ${tolerance.abs}` : `${tolerance.ulp} units in the last place`;
}
