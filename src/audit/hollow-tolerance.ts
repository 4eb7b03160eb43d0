import type { Contract, Tolerance } from '../contract/contract.ts';
import type { Goal } from '../contract/goal.ts';

/** From here on, units in the last place of a float32 are as large as the number itself. */
const ulpsOfWhole = 2 ** 24;

/**
 * Why a goal's tolerance lets 0 pass for every value, or null. Absolute tolerances are judged by the wrong kernels that
 * they let pass, since only outputs say what is large.
 */
export function hollowTolerance({ claim, toleranceText }: Goal, contract: Contract): string | null {
  // What is not used decides nothing.
  const tolerance = toleranceText === 'exact' ? null : toleranceOf(claim, contract);
  if (!tolerance) return null;
  const { rel, ulp, cond } = tolerance;
  const parts = [
    ...(rel !== null && rel >= 1 ? [`rel ${rel}`] : []),
    ...(ulp !== null && ulp >= ulpsOfWhole ? [`ulp ${ulp}`] : []),
    ...(cond !== null && cond >= ulpsOfWhole ? [`cond ${cond}`] : []),
  ];
  return parts.length === 0 ? null : `its tolerance (${parts.join(', ')}) accepts 0 in place of any value`;
}

/** A test without a tolerance of its own takes that of its rule. */
function toleranceOf(claim: string, { obligations, falsificationTests }: Contract): Tolerance | null {
  const obligation = obligations.find(({ id }) => id === claim);
  if (obligation) return obligation.tolerance;
  const test = falsificationTests.find(({ id }) => id === claim);
  return test?.tolerance ?? obligations.find(({ id }) => id === test?.rule?.value)?.tolerance ?? null;
}
