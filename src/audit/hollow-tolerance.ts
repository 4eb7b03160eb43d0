import type { Contract, Tolerance } from '../contract/contract.ts';
import { tolerancesOf } from '../contract/tolerances.ts';
import type { Goal } from '../contract/goal.ts';

/** From here on, a tolerance in units in the last place of a float32 is as large as the number itself. */
const ulpsOfWhole = 2 ** 24;

/**
 * Why a goal's tolerance on one of `backends` accepts 0 for every value, or null. Absolute tolerances are judged by the wrong
 * kernels that they let pass, since only outputs show what is large.
 */
export function hollowTolerance(goal: Goal, contract: Contract, backends: readonly string[]): string | null {
  const { tolerance, backendTolerances } = tolerancesOf(goal.claim, contract);
  for (const backend of backends) {
    const own = backendTolerances.get(backend) ?? null;
    // A tolerance that is not used decides nothing.
    const isUsed = (goal.onBackends[backend] ?? goal).toleranceText !== 'exact';
    const parts = isUsed ? hollowParts(own ?? tolerance) : [];
    if (parts.length > 0)
      return `its tolerance${own ? ` on ${backend}` : ''} (${parts.join(', ')}) accepts 0 in place of any value`;
  }
  return null;
}

function hollowParts(tolerance: Tolerance | null): readonly string[] {
  if (tolerance === null) return [];
  const limits = { rel: 1, ulp: ulpsOfWhole, cond: ulpsOfWhole } as const;
  return (['rel', 'ulp', 'cond'] as const).flatMap((kind) => {
    const given = tolerance[kind] ?? 0;
    return given >= limits[kind] ? [`${kind} ${given}`] : [];
  });
}
