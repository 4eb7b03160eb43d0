/**
 * Whether the kernels of a contract satisfied its claims on GPUs, from receipts alone.
 *
 * One device proves little: SwiftShader and llvmpipe disagree on tanh, log(0), pow of a negative number and sums that a
 * compiler may reorder. So `verified` requires two independent implementations.
 */
import { compareText } from '../base/text.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { isGreen } from '../evidence/verdict.ts';
import type { PlannedGoal } from '../plan/make-plan.ts';
import type { GpuReport } from '../report/report.ts';
import { implementationOf } from '../subject/gpu-device.ts';
import { isGpuBackend } from '../subject/kernel.ts';

/** Null for a contract that no device could run: about data, the reals or plain functions. */
export function gpuStanding(
  goals: readonly PlannedGoal[],
  receipts: readonly Receipt[],
  tool: Receipt['tool'],
): GpuReport | null {
  const own = goals.flatMap((planned) =>
    decidingChecks(planned)
      .map((check) => ({ planned, check }))
      .slice(0, 1),
  );
  if (own.length === 0) return null;
  const ofGoals = own.map(({ planned: { goal }, check }) =>
    receipts.filter(
      ({ backend, goal: id, goalDigest, method, subject, tool: used }) =>
        isGpuBackend(backend.id) &&
        id === goal.id &&
        method === check.method &&
        subject.hash === check.subject.hash &&
        goalDigest === (goal.onBackends[backend.id] ?? goal).digest &&
        used.version === tool.version &&
        used.node === tool.node,
    ),
  );
  const ran = ofGoals.flat().filter(({ cases }) => cases > 0);
  const named = (found: readonly Receipt[]): readonly string[] =>
    [...new Set(found.map(({ backend }) => implementationOf(backend.device)))].toSorted(compareText);
  const failedOn = named(ran.filter(({ verdict }) => verdict === 'falsified'));
  const devices = named(ran).filter(
    (device) =>
      !failedOn.includes(device) &&
      ofGoals.every((found) =>
        found.some(({ backend, verdict }) => isGreen(verdict) && implementationOf(backend.device) === device),
      ),
  );
  return { standing: standingOf(devices, failedOn, ran.length > 0), devices, failedOn };
}

function standingOf(devices: readonly string[], failedOn: readonly string[], someRan: boolean): GpuReport['standing'] {
  if (failedOn.length > 0) return 'failed';
  if (devices.length >= 2) return 'verified';
  if (devices.length === 1) return 'one device';
  return someRan ? 'incomplete' : 'not run';
}

/** The checks of a goal that run gpu.js kernels and decide it; wherever they run, they count for those on a device. */
function decidingChecks({ goal, checks }: PlannedGoal): PlannedGoal['checks'] {
  if (goal.applications.length === 0) return [];
  return checks.filter(
    ({ method, subject, backend }) =>
      (method === 'property' || method === 'falsify' || method === 'statistical') &&
      subject.kind === 'kernel' &&
      backend !== 'function',
  );
}
