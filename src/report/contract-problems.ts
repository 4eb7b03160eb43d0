import type { MutantOutcome } from '../evidence/receipt.ts';
import { isGreen } from '../evidence/verdict.ts';
import { inputLines, killsText } from './facts.ts';
import type { ContractReport } from './report.ts';

/** Something wrong with a contract as a whole, whatever its claims say. */
export interface ContractProblem {
  readonly kind: 'empty' | 'unsound' | 'survivors' | 'composition';
  readonly message: string;
  readonly details: readonly string[];
}

/** What keeps a contract from being trusted beside its claims' own verdicts. */
export function contractProblems(contract: ContractReport): readonly ContractProblem[] {
  const { adequacy, claims, reason, sound, verdict } = contract;
  // What mutants of a wrong kernel do says nothing about the contract, and would bury the failure.
  const survived = adequacy !== null && adequacy.killed < adequacy.total && verdict !== 'falsified';
  return [
    ...(claims.length === 0
      ? [{ kind: 'empty', message: 'the contract declares no claim', details: [] } as const]
      : []),
    ...(sound === false
      ? [
          {
            kind: 'unsound',
            message: 'the equation itself, in float32, does not satisfy every claim',
            details: [],
          } as const,
        ]
      : []),
    ...(survived
      ? [
          {
            kind: 'survivors',
            message: `only ${killsText(adequacy)}`,
            details: adequacy.survivors.map(survivorText),
          } as const,
        ]
      : []),
    ...(reason === null || isGreen(verdict) ? [] : [{ kind: 'composition', message: reason, details: [] } as const]),
  ];
}

/** Longer separating inputs are cut; the JSON report has them whole. */
const longestValue = 120;

/** `kernel:3:20 i < n → i < n - 1 survives (it differs at n = 3, x = [88, 89, 90])`. */
export function survivorText({ mutant, separatingInput }: MutantOutcome): string {
  return separatingInput === null
    ? `${mutant} survives`
    : `${mutant} survives (it differs at ${inputLines(separatingInput, longestValue).join(', ')})`;
}
