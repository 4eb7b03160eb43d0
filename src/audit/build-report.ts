/**
 * From receipts to the report: every status is derived here, from evidence, and nowhere else.
 */
import { version } from '../base/version.ts';
import type { FalsificationTest, Obligation } from '../contract/contract.ts';
import type { ElaboratedContract, EquationModel, Goal, NotGoal } from '../contract/goal.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticToJson } from '../diagnostics/render.ts';
import { positionAt } from '../diagnostics/source.ts';
import { deriveClaim, type ClaimStatus } from '../evidence/derive.ts';
import type { Receipt } from '../evidence/receipt.ts';
import { countByVerdict, summarizeClaims } from '../evidence/summary.ts';
import { lowerLevel } from '../evidence/verdict-order.ts';
import type { Level } from '../evidence/verdict.ts';
import { composeVerdicts, type Standing } from '../graph/composition.ts';
import { buildDag } from '../graph/dag.ts';
import type { Check } from '../plan/check.ts';
import type { Plan, PlannedContract, PlannedGoal } from '../plan/make-plan.ts';
import type {
  AdequacyReport,
  ClaimReport,
  ContractReport,
  EquationReport,
  FindingReport,
  MethodReport,
  Report,
} from '../report/report.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { judgeGate } from './gate.ts';

export interface ReportRequest {
  readonly plan: Plan;
  readonly receipts: readonly Receipt[];
  readonly subjects: readonly BoundSubject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly minimumLevel: Level;
  /** The command that repeats the check of a goal: `pv probar …`. */
  readonly reproduce: (goal: Goal, path: string) => string;
}

interface Context extends ReportRequest {
  readonly currentChecks: ReadonlySet<string>;
  readonly receiptsByCheck: ReadonlyMap<string, Receipt>;
}

export function buildReport(request: ReportRequest): Report {
  const context: Context = {
    ...request,
    currentChecks: new Set(request.plan.checks.map(({ id }) => id)),
    receiptsByCheck: new Map(request.receipts.map((receipt) => [receipt.check, receipt])),
  };
  const own = request.plan.contracts.map((planned) => contractReport(planned, context));
  const dag = buildDag(request.plan.contracts.map(({ elaborated }) => elaborated.contract));
  const composed = composeVerdicts(dag, new Map(own.map((contract): [string, Standing] => [contract.id, contract])));
  const contracts = own.map((contract) => ({ ...contract, ...composed.get(contract.id) }));
  const claims = contracts.flatMap((contract) => contract.claims);
  const report = {
    schema: 'pv.report/1',
    tool: { name: 'pv', version },
    contracts,
    edges: dag.edges,
    findings: request.diagnostics.map(findingOf),
    totals: {
      declared: sum(contracts.map(({ declared }) => declared)),
      evaluated: sum(contracts.map(({ evaluated }) => evaluated)),
      failed: sum(contracts.map(({ failed }) => failed)),
      byVerdict: countByVerdict(claims.map(({ verdict }) => verdict)),
    },
  } as const;
  return { ...report, gate: judgeGate(report, request.minimumLevel) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function findingOf(found: Diagnostic): FindingReport {
  const { code, message, hint, path, start, end } = diagnosticToJson(found);
  return { code, severity: found.severity, message, hint, path, start, end };
}

interface JudgedClaim {
  readonly report: ClaimReport;
  readonly evaluated: boolean;
}

function contractReport({ elaborated, goals }: PlannedContract, context: Context): ContractReport {
  const { contract } = elaborated;
  const judged = new Map<string, JudgedClaim>();
  for (const planned of goals) judged.set(planned.goal.claim, goalClaim(planned, elaborated, context));
  for (const missing of elaborated.notGoals) judged.set(missing.claim, notGoalClaim(missing, elaborated));
  const claims = [...contract.obligations, ...contract.falsificationTests].flatMap(({ id }) => judged.get(id) ?? []);
  const summary = summarizeClaims(
    claims.map(({ report, evaluated }) => ({ verdict: report.verdict, level: report.level, evaluated })),
  );
  return {
    id: contract.id,
    path: contract.path,
    version: contract.version,
    description: contract.description,
    references: contract.references,
    dependsOn: contract.dependsOn.map(({ value }) => value),
    verdict: summary.verdict,
    level: levelOf(claims.map(({ report }) => report)),
    reason: null,
    declared: summary.declared,
    evaluated: summary.evaluated,
    failed: summary.failed,
    sound: soundness(goals, context),
    adequacy: adequacyOf(goals, context),
    equations: contract.equations.map(({ name, formula }) => equationReport(name, formula.text, elaborated, context)),
    claims: claims.map(({ report }) => report),
  };
}

/**
 * Falsification tests are L2 by nature, so they do not lower a contract whose obligations stand higher; a contract without
 * obligations is as high as its tests.
 */
function levelOf(claims: readonly ClaimReport[]): Level {
  const obligations = claims.filter(({ source }) => source === 'obligation');
  const deciding = obligations.length > 0 ? obligations : claims;
  const failing = claims.filter(({ verdict }) => verdict !== 'tested' && verdict !== 'proved');
  return [...deciding, ...failing]
    .map(({ level }) => level)
    .reduce<Level>(lowerLevel, deciding.length > 0 ? 'L5' : 'L0');
}

function soundness(goals: readonly PlannedGoal[], { receiptsByCheck }: Context): boolean | null {
  const receipts = goals.flatMap(({ checks }) =>
    checks.filter(({ method }) => method === 'soundness').flatMap(({ id }) => receiptsByCheck.get(id) ?? []),
  );
  if (receipts.some(({ verdict }) => verdict === 'falsified')) return false;
  const expected = goals.reduce(
    (count, { checks }) => count + checks.filter(({ method }) => method === 'soundness').length,
    0,
  );
  return receipts.length > 0 && receipts.length === expected
    ? receipts.every(({ verdict }) => verdict === 'tested')
    : null;
}

function adequacyOf(goals: readonly PlannedGoal[], { receiptsByCheck }: Context): AdequacyReport | null {
  const checks = new Map(
    goals.flatMap(({ checks: all }) =>
      all.filter(({ method }) => method === 'adequacy').map((check) => [check.id, check]),
    ),
  );
  const receipts = [...checks.keys()].flatMap((id) => receiptsByCheck.get(id) ?? []);
  if (receipts.length === 0) return null;
  const mutants = receipts.flatMap((receipt) => receipt.mutants ?? []);
  const tried = mutants.filter(({ equivalent }) => equivalent === null);
  const survivors = tried.filter(({ killedBy }) => killedBy.length === 0);
  return {
    killed: tried.length - survivors.length,
    total: tried.length,
    equivalent: mutants.filter(({ equivalent }) => equivalent !== null),
    survivors,
  };
}

function equationReport(
  name: string,
  formula: string,
  { equations, contract, diagnostics }: ElaboratedContract,
  { subjects }: Context,
): EquationReport {
  const model = equations.find((equation) => equation.name === name);
  const source = contract.equations.find((equation) => equation.name === name);
  const subject = subjects.find((bound) => bound.contract === contract.id && bound.equation === name);
  const status = model ? 'executable' : source?.formula.notation.status === 'math' ? 'undetermined' : 'prose';
  const first = source
    ? diagnostics.find(
        ({ span, severity }) => severity !== 'note' && span !== null && isWithin(span.range, source.formula.span.range),
      )
    : undefined;
  return {
    name,
    formula,
    latex: null,
    status,
    reason: model ? null : (first?.message ?? source?.formula.notation.problem?.message ?? null),
    kernel: subject ? `${subject.name} (${subject.module}:${subject.line})` : null,
  };
}

function isWithin(
  inner: { readonly start: number; readonly end: number },
  outer: { readonly start: number; readonly end: number },
): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function goalClaim(
  { goal, checks, unboundEquations }: PlannedGoal,
  { contract, equations }: ElaboratedContract,
  context: Context,
): JudgedClaim {
  const status = deriveClaim({
    goal: goal.id,
    notGoal: null,
    unboundEquations,
    expected: checks.map(({ id, method, backend }) => ({ check: id, method, backend })),
    receipts: context.receipts,
    currentChecks: context.currentChecks,
    adequacyExemption: goal.equations.length === 0 ? 'it runs no kernel' : null,
    waiver: null,
  });
  const reproduce = context.reproduce(goal, contract.path);
  return {
    evaluated: status.evaluated,
    report: {
      ...claimBase(goal, contract),
      tolerance: goal.toleranceText,
      ...statusPart(status, goal, equations),
      methods: methodsOf(checks, status),
      reproduce,
    },
  };
}

function statusPart(
  status: ClaimStatus,
  goal: Goal,
  equations: readonly EquationModel[],
): Pick<ClaimReport, 'verdict' | 'level' | 'scope' | 'reason' | 'counterexample' | 'kills'> {
  const { verdict, level, reason, counterexample, kills } = status;
  return { verdict, level, reason, counterexample, kills, scope: scopeOf(status, goal, equations) };
}

/** e.g. `10,000 cases, seed 1, float32 on gpujs-webasm, 1 ≤ n ≤ 128`. */
function scopeOf({ receipts }: ClaimStatus, goal: Goal, equations: readonly EquationModel[]): string {
  const decided = receipts.filter(({ method }) => method === 'property' || method === 'falsify');
  if (decided.length === 0) return 'nothing ran';
  const runs = decided.map(
    ({ cases, generator, backend, method }) =>
      `${cases.toLocaleString('en-US')} ${method === 'falsify' ? 'inputs' : `cases, seed ${generator.seed}`}, ${equations.length === 0 ? 'mathematics' : backend.arithmetic === 'f32' ? 'float32' : 'float64'} on ${backend.id}`,
  );
  const sizes = goal.domain.sizes
    .filter(({ definition }) => definition === null)
    .map(({ name, minimum, maximum }) => `${minimum} ≤ ${name} ≤ ${maximum}`);
  return [...runs, ...sizes].join(', ');
}

function methodsOf(checks: readonly Check[], { receipts }: ClaimStatus): readonly MethodReport[] {
  return receipts
    .filter(({ method }) => method !== 'adequacy' && method !== 'types')
    .map((receipt) => ({
      method: receipt.method,
      verdict: receipt.verdict,
      backend: receipt.backend.id,
      device: receipt.backend.device,
      cases: receipt.cases,
      declaredCases: receipt.declaredCases,
      filtered: receipt.filtered,
      seed: receipt.generator.seed,
      worst: receipt.worst,
      reason: receipt.reason,
      check: checks.find(({ id }) => id === receipt.check)?.id ?? receipt.check,
    }));
}

function claimBase(
  { claim, source, property, formal, span }: Pick<Goal | NotGoal, 'claim' | 'source' | 'property' | 'formal' | 'span'>,
  contract: ElaboratedContract['contract'],
): Pick<ClaimReport, 'id' | 'source' | 'type' | 'property' | 'formal' | 'ifFails' | 'file' | 'line'> {
  const obligation: Obligation | undefined = contract.obligations.find(({ id }) => id === claim);
  const test: FalsificationTest | undefined = contract.falsificationTests.find(({ id }) => id === claim);
  return {
    id: claim,
    source,
    type: obligation?.type ?? null,
    property,
    formal,
    ifFails: test?.ifFails ?? null,
    file: contract.path,
    line: positionAt(span.source, span.range.start).line,
  };
}

function notGoalClaim(missing: NotGoal, { contract }: ElaboratedContract): JudgedClaim {
  return {
    evaluated: false,
    report: {
      ...claimBase(missing, contract),
      tolerance: null,
      verdict: missing.status,
      level: 'L0',
      scope: 'nothing ran',
      reason: missing.reason,
      methods: [],
      counterexample: null,
      kills: null,
      reproduce: null,
    },
  };
}
