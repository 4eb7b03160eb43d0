import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** A tolerance says what it measures. A bare number is read as upstream does; zero needs no unit. */
export const unitlessTolerance: ContractRule = {
  name: 'unitless-tolerance',
  check: (contract) =>
    [...contract.obligations, ...contract.falsificationTests].flatMap(({ tolerance }) => {
      if (!tolerance?.unitless || tolerance.abs === 0 || tolerance.ulp === 0) return [];
      const number = tolerance.span.source.text.slice(tolerance.span.range.start, tolerance.span.range.end);
      const [unit, reading] =
        tolerance.ulp === null
          ? ['abs', `an absolute difference of ${number}`]
          : ['ulp', `${number} units in the last place`];
      return [
        diagnostic('PV-3011', tolerance.span, `This tolerance has no unit; it is read as ${reading}`, {
          hint: `Write tolerance: { ${unit}: ${number} }, or use rel or cond.`,
        }),
      ];
    }),
};
