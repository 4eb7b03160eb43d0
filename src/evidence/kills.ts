import type { MutantOutcome, Receipt } from './receipt.ts';

/** Wrong kernels caught, of those that were tried and are not declared equivalent. */
export interface Kills {
  readonly killed: number;
  readonly total: number;
}

/** The wrong kernels that were tried, and how many were caught. */
export interface TriedKills extends Kills {
  /** Those of `killed` that were caught by an ordinary output; see `MutantOutcome.killedByOrdinary`. */
  readonly ordinary: number;
}

/**
 * How many wrong kernels the goal caught, from adequacy receipts: its own (`receipt.goal` is the goal, any killer counts) and
 * those of a whole contract (the goal's id, or the claim's id at its end, must be among the killers). Null if none were tried.
 */
export function killsOf(goal: string, receipts: readonly Receipt[]): TriedKills | null {
  const claim = goal.slice(goal.indexOf('/') + 1);
  const tried = receipts.flatMap((receipt) => {
    if (receipt.method !== 'adequacy' || receipt.mutants === null) return [];
    const killers = receipt.goal === goal ? null : [goal, claim];
    return receipt.mutants.filter(({ equivalent }) => equivalent === null).map((mutant) => killed(mutant, killers));
  });
  if (tried.length === 0) return null;
  return {
    killed: tried.filter((kill) => kill !== 'none').length,
    total: tried.length,
    ordinary: tried.filter((kill) => kill === 'ordinary').length,
  };
}

function killed(mutant: MutantOutcome, killers: readonly string[] | null): 'none' | 'extreme' | 'ordinary' {
  const among = (goals: readonly string[]): boolean =>
    killers === null ? goals.length > 0 : goals.some((goal) => killers.includes(goal));
  if (!among(mutant.killedBy)) return 'none';
  return among(mutant.killedByOrdinary) ? 'ordinary' : 'extreme';
}
