/** Checks in this process, one after another, without a limit on time: their receipts depend on nothing but the contracts. */
import type { RunChecks } from '../../src/audit/adopt/judge-adoption.ts';
import { functionBackend } from '../../src/backends/function-kernel.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { runJob } from '../../src/plan/run-job.ts';

/** Names no build, since nothing is stored. */
export const tool = { name: 'pv', version: '0.0.0', node: '0.0.0' } as const;

/** Runs them; the clock stands still. */
export const runHere: RunChecks = async (checks) => {
  const receipts = new Map<string, Receipt>();
  for (const check of checks) {
    const job = { check, replay: [], timeoutMs: 60_000, tool };
    receipts.set(check.id, (await runJob(job, () => 0, functionBackend)).receipt);
  }
  return receipts;
};
