import type { MutantOutcome, Receipt } from './receipt.ts';

/** Wrong kernels caught, of those that were tried and are not declared equivalent. */
export interface Kills {
  readonly killed: number;
  readonly total: number;
}

/**
 * How many wrong kernels the goal caught, from adequacy receipts: its own (`receipt.goal` is the goal, any killer counts) and those of
 * a whole contract (the goal's id, or the claim's id at its end, must be among the killers). Null when none were tried.
 */
export function killsOf(goal: string, receipts: readonly Receipt[]): Kills | null {
  const claim = goal.slice(goal.indexOf('/') + 1);
  const tried = receipts.flatMap((receipt) =>
    (receipt.method === 'adequacy' ? (receipt.mutants ?? []) : [])
      .filter((mutant) => mutant.equivalent === null)
      .map((mutant) => isKilled(mutant, receipt.goal === goal ? null : [goal, claim])),
  );
  return tried.length === 0 ? null : { killed: tried.filter(Boolean).length, total: tried.length };
}

function isKilled(mutant: MutantOutcome, killers: readonly string[] | null): boolean {
  return killers === null ? mutant.killedBy.length > 0 : mutant.killedBy.some((killer) => killers.includes(killer));
}
