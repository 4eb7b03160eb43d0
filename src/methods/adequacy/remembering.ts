/**
 * The correct kernel underneath saboteurs: most of them spoil its outputs, on the same cases.
 */
import type { KernelOutcome, OpenKernel } from '../../backends/backend.ts';
import type { KernelCall } from '../../subject/kernel.ts';
import type { TrialGoal } from './trial.ts';

/** The kernel of `equation`, which does not run again for calls recorded with the goals' cases. */
export function remembering(right: OpenKernel, equation: string, goals: readonly TrialGoal[]): OpenKernel {
  const known = new Map<KernelCall, KernelOutcome>();
  for (const { goal, recorded } of goals)
    for (const row of recorded ?? [])
      for (const { application, calls, outcome } of row.runs)
        if (goal.applications[application]?.equation === equation) known.set(calls.kernel, outcome);
  // Only kernels of this process are recorded, which run their calls one by one anyway.
  if (known.size === 0) return right;
  const { run, runSync } = right;
  return {
    ...right,
    runSync: runSync && ((call) => known.get(call) ?? runSync(call)),
    run: async (calls) => {
      const outcomes: KernelOutcome[] = [];
      for (const call of calls) {
        const outcome = known.get(call);
        outcomes.push(...(outcome ? [outcome] : await run([call])));
      }
      return outcomes;
    },
  };
}
