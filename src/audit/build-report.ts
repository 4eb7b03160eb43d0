/**
 * From receipts to the report: only this derives a status, and only from evidence.
 */
import { invariant } from '../base/invariant.ts';
import { version } from '../base/version.ts';
import type { MethodId, Receipt } from '../evidence/receipt.ts';
import { countByVerdict, summarizeClaims } from '../evidence/summary.ts';
import { lowerLevel, weakerVerdict } from '../evidence/verdict-order.ts';
import { isGreen, type Level, type Verdict } from '../evidence/verdict.ts';
import { composeVerdicts, type Standing } from '../graph/composition.ts';
import { buildDag } from '../graph/dag.ts';
import type { PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import { findingReport } from '../report/finding-report.ts';
import { isDeclared, type ClaimReport, type ContractReport, type Report } from '../report/report.ts';
import { goalClaim, notGoalClaim, type JudgedClaim } from './claim-report.ts';
import { judgeStatements } from './statements.ts';
import { equationReport } from './equation-report.ts';
import { equivalenceFindings } from './equivalence-findings.ts';
import { adequacyReport } from './adequacy-report.ts';
import { contractReasons, highestOfData, judgeGate } from './gate.ts';
import { gpuStanding } from './gpu-standing.ts';
import { openProofs } from './open-proofs.ts';
import type { ReportContext, ReportRequest } from './report-context.ts';
import { waiverFindings, waiversInForce } from './waivers.ts';

/** The report of `request.plan` according to the stored receipts. */
export function buildReport(request: ReportRequest): Report {
  const context = contextOf(request);
  const own = request.plan.contracts.map((planned) => contractReport(planned, context));
  const dag = buildDag(request.plan.contracts.map(({ elaborated }) => elaborated.contract));
  const data = new Set(own.flatMap(({ id, about }) => (about === 'data' ? [id] : [])));
  const composed = composeVerdicts(
    dag,
    new Map(own.map((contract): [string, Standing] => [contract.id, contract])),
    (id) => (data.has(id) ? highestOfData : 'L5'),
  );
  const { rows, today } = request.waivers ?? noWaivers;
  const unwaived = own.flatMap(({ id, claims: of }) =>
    of.map((claim) => [`${id}/${claim.id}`, claim.waiver?.verdict ?? claim.verdict] as const),
  );
  const findings = [
    ...request.diagnostics,
    ...waiverFindings(rows, today, new Map(unwaived)),
    ...equivalenceFindings(context),
    ...openProofs(context),
  ].map(findingReport);
  const contracts = own.map((contract): ContractReport => {
    const one = { ...contract, ...composed.get(contract.id) };
    const isFaulty = findings.some(({ severity, path }) => severity === 'error' && path === one.path);
    return { ...one, passes: !isFaulty && contractReasons(one, request).length === 0 };
  });
  const claims = contracts.flatMap((contract) => contract.claims);
  const report = {
    schema: 'pv.report/1',
    tool: { name: 'pv', version },
    contracts,
    edges: dag.edges,
    findings,
    totals: {
      declared: sum(contracts.map(({ declared }) => declared)),
      evaluated: sum(contracts.map(({ evaluated }) => evaluated)),
      failed: sum(contracts.map(({ failed }) => failed)),
      byVerdict: countByVerdict(claims.filter(isDeclared).map(({ verdict }) => verdict)),
    },
  } as const;
  return { ...report, gate: judgeGate(report, request) };
}

const noWaivers = { rows: [], today: '' } as const;

/** A store may hold the receipts of many builds; searching them for every claim would take longer than everything else. */
function contextOf(request: ReportRequest): ReportContext {
  const receiptsByCheck = new Map(request.receipts.map((receipt) => [receipt.check, receipt]));
  const byGoal = new Map<string, Receipt[]>();
  for (const receipt of request.receipts) {
    const found = byGoal.get(receipt.goal);
    if (found) found.push(receipt);
    else byGoal.set(receipt.goal, [receipt]);
  }
  const { rows, today } = request.waivers ?? noWaivers;
  return {
    ...request,
    waived: waiversInForce(rows, today),
    receiptsByCheck,
    receiptsFor: ({ goal, checks }) => [
      ...new Set([...(byGoal.get(goal.id) ?? []), ...checks.flatMap(({ id }) => receiptsByCheck.get(id) ?? [])]),
    ],
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

type JudgedContract = Omit<ContractReport, 'passes'>;

function contractReport(planned: PlannedContract, context: ReportContext): JudgedContract {
  const { elaborated, goals } = planned;
  const { contract } = elaborated;
  const claims = claimsOf(planned, context);
  const { decided, statements } = judgeStatements(planned, context);
  // They say nothing about a kernel: they lower a contract if they fail, and never raise it.
  const against = decided.filter(({ report }) => !isGreen(report.verdict));
  const summary = summarizeClaims(
    claims.map(({ report, evaluated }) => ({ verdict: report.verdict, level: report.level, evaluated })),
  );
  const verdict = against.map(({ report }) => report.verdict).reduce<Verdict>(weakerVerdict, summary.verdict);
  const level = levelOf([...claims, ...against].map(({ report }) => report));
  const adequacy = adequacyReport(planned, context);
  // Its claims held but would hold for a wrong kernel too: L3 requires that together they catch every one.
  const isWeak = isGreen(verdict) && adequacy !== null && adequacy.killed < adequacy.total;
  const within = (one: Level): Level => (isWeak ? lowerLevel(one, 'L2') : one);
  return {
    id: contract.id,
    about: contract.dataSection ? 'data' : 'kernels',
    path: contract.path,
    version: contract.version,
    description: contract.description,
    references: contract.references,
    dependsOn: contract.dependsOn.map(({ value }) => value),
    verdict: isWeak ? 'vacuous' : verdict,
    level: within(level),
    reason: null,
    declared: summary.declared,
    evaluated: summary.evaluated,
    failed: summary.failed,
    sound: soundness(goals, context),
    adequacy,
    gpu: gpuStanding(goals, goals.flatMap(context.receiptsFor), context.tool),
    equations: contract.equations.map(({ name, formula }) => equationReport(name, formula.text, elaborated, context)),
    ...(statements.declared > 0 ? { statements } : {}),
    claims: [...claims, ...decided].map(({ report }) => ({ ...report, level: within(report.level) })),
  };
}

/** Every declared claim, in the contract's order; none is left out. */
function claimsOf({ elaborated, goals, asRead }: PlannedContract, context: ReportContext): readonly JudgedClaim[] {
  const { obligations, falsificationTests } = elaborated.contract;
  const judged = new Map<string, JudgedClaim>();
  const put = (claim: JudgedClaim): void => void judged.set(`${claim.report.source} ${claim.report.id}`, claim);
  for (const planned of goals) if (planned.goal.source !== 'statement') put(goalClaim(planned, elaborated, context));
  for (const missing of elaborated.notGoals) {
    const part = asRead.find(({ goal }) => goal === missing.asRead) ?? null;
    put(notGoalClaim(missing, part, elaborated, context));
  }
  const keys = [
    ...obligations.map(({ id }) => `obligation ${id}`),
    ...falsificationTests.map(({ id }) => `falsification ${id}`),
  ];
  return keys.map((key) => {
    const claim = judged.get(key);
    invariant(claim, `${key} is neither a goal nor has it a reason not to be one`);
    return claim;
  });
}

/**
 * Falsification tests are L2 by nature, so they do not lower a contract whose obligations rank higher; a contract without
 * obligations has the level of its tests. Waived claims do not affect the level. Claims over the reals say nothing about a
 * kernel, so they give no level.
 */
function levelOf(claims: readonly ClaimReport[]): Level {
  const ofKernels = claims.filter(({ methods }) => !methods.some(({ method }) => method === 'reals'));
  const obligations = ofKernels.filter(({ source, verdict }) => source === 'obligation' && verdict !== 'waived');
  const deciding = obligations.length > 0 ? obligations : ofKernels.filter(({ verdict }) => verdict !== 'waived');
  const failing = claims.filter(({ verdict }) => !isGreen(verdict) && verdict !== 'waived');
  return [...deciding, ...failing]
    .map(({ level }) => level)
    .reduce<Level>(lowerLevel, deciding.length > 0 ? 'L5' : 'L0');
}

/** The checks of a method over all goals, each once. */
function checksOf(goals: readonly PlannedGoal[], wanted: MethodId): ReadonlySet<string> {
  return new Set(goals.flatMap(({ checks }) => checks.filter(({ method }) => method === wanted).map(({ id }) => id)));
}

function soundness(goals: readonly PlannedGoal[], { receiptsByCheck }: ReportContext): boolean | null {
  const expected = [...checksOf(goals, 'soundness')];
  const receipts = expected.flatMap((id) => receiptsByCheck.get(id) ?? []);
  if (receipts.some(({ verdict }) => verdict === 'unsound')) return false;
  const complete = receipts.length > 0 && receipts.length === expected.length;
  return complete && receipts.every(({ verdict }) => isGreen(verdict)) ? true : null;
}
