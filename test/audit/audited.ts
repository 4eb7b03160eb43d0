/** A contract of y = 2·x with claims of one's own, audited in memory: plan, every check, report. */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { buildReport } from '../../src/audit/build-report.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import type { Level } from '../../src/evidence/verdict.ts';
import { abortedResult, runJob } from '../../src/plan/run-job.ts';
import type { Check } from '../../src/plan/check.ts';
import type { Plan } from '../../src/plan/make-plan.ts';
import type { ContractReport, Report } from '../../src/report/report.ts';
import { planOf, planOptions, type KernelText } from '../plan/projects.ts';

const tool = planOptions.tool;

async function receiptOf(check: Check): Promise<Receipt> {
  const job = { check, replay: [], timeoutMs: 60_000, tool };
  if (check.method !== 'types') return (await runJob(job, () => 0, functionBackend)).receipt;
  const { receipt } = abortedResult(job, 'tested', '');
  return { ...receipt, cases: 1, declaredCases: 1, premiseHits: 1, reason: null };
}

/** Runs every check of one contract on `kernels` with `cases` generated cases per obligation. */
export async function audited(
  id: string,
  yaml: string,
  kernels: readonly KernelText[],
  cases: number,
): Promise<ContractReport> {
  const [contract] = (await auditedPlan(await planOf({ [id]: yaml }, kernels, { cases }))).contracts;
  if (!contract) throw new Error('nothing was audited');
  return contract;
}

/** Runs every check of a plan, up to the gate. */
export async function auditedPlan(plan: Plan, minimumLevel: Level = 'L0'): Promise<Report> {
  const receipts: Receipt[] = [];
  for (const check of plan.checks) receipts.push(await receiptOf(check));
  return buildReport({
    plan,
    currentChecks: new Set(plan.checks.map((check) => check.id)),
    receipts,
    subjects: [],
    faults: new Map(),
    diagnostics: [],
    tool: planOptions.tool,
    minimumLevel,
    reproduce: () => 'pv audit',
  });
}

/** One claim: its formula and further lines of YAML, such as a tolerance. */
export type ClaimText = readonly [formal: string, more?: string];

/** A contract of `D(x)_i = 2·x_i` whose obligations are `C0`, `C1`, … */
export function doublingContract(claims: readonly ClaimText[]): string {
  const obligations = claims.map(
    ([formal, more = ''], i) => `  - id: C${i}
    type: invariant
    property: Number ${i}
    formal: "${formal}"
    applies_to: double
${more === '' ? '' : `    ${more}\n`}`,
  );
  return `metadata: { version: "1.0.0", description: Twice, references: [a] }
equations:
  double:
    formula: "D(x)_i = 2·x_i"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 16, |x_i| ≤ 100"
proof_obligations:
${obligations.join('')}`;
}

export const doublingKernel: KernelText = {
  contract: 'double-v1',
  equation: 'double',
  text: 'export function kernel(this: any, x: number[]): number { return 2 * x[this.thread.x]; }',
};
