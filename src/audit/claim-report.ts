/**
 * One claim of a contract as the report shows it.
 */
import type { ElaboratedContract, Goal, NotGoal } from '../contract/goal.ts';
import { positionAt } from '../diagnostics/source.ts';
import { deriveClaim, waive, type ClaimStatus, type Waiver } from '../evidence/derive.ts';
import { asksFiniteness } from '../math/asks-finiteness.ts';
import { backendsInForce } from '../plan/in-force.ts';
import type { PlannedGoal } from '../plan/make-plan.ts';
import type { ClaimReport, MethodReport } from '../report/report.ts';
import { asReadReport, asReadText } from './as-read.ts';
import { isControlBackend } from '../subject/kernel.ts';
import { hollowTolerance } from './hollow-tolerance.ts';
import type { ReportContext } from './report-context.ts';
import { withPlaces } from './precondition-places.ts';
import { nothingRan, scopeOf } from './claim-scope.ts';
import { toleranceInForce } from './tolerance-in-force.ts';
import { unboundReason } from './unbound-reason.ts';

/** A claim's part of the report, and whether any check evaluated it. */
export interface JudgedClaim {
  readonly report: ClaimReport;
  readonly evaluated: boolean;
}

/** The verdict of a goal from its receipts. */
export function goalClaim(planned: PlannedGoal, elaborated: ElaboratedContract, context: ReportContext): JudgedClaim {
  const { goal, checks, unboundEquations } = planned;
  const { contract } = elaborated;
  const placed = (reason: string | null): string | null => reason && withPlaces(reason, goal, elaborated);
  const waiver = waiverOf(goal.claim, contract, context);
  const status = deriveClaim({
    goal: goal.id,
    notGoal: null,
    unboundEquations,
    expected: checks.map(({ id, method, backend }) => ({
      check: id,
      method,
      backend,
      isControl: goal.applications.length > 0 && backend !== 'decimal' && isControlBackend(backend),
    })),
    receipts: context.receiptsFor(planned),
    whyChanged: (check) => context.changed?.get(check),
    receiptOf: (check) => context.receiptsByCheck.get(check),
    currentChecks: context.currentChecks,
    adequacyExemption: exemptionOf(goal),
    asksFiniteness: asksFiniteness(goal),
    hollow: hollowTolerance(goal, contract, backendsInForce(checks)),
    waiver,
  });
  const { verdict, level, counterexample } = status;
  const unbound = verdict === 'unbound' && status.reason !== null;
  const own = status.waived ?? verdict;
  // Figures of another kernel would look like figures of this one; soundness is about no kernel.
  const isCurrent = own !== 'stale' && own !== 'unbound';
  return {
    evaluated: isCurrent && status.evaluated,
    report: {
      ...claimBase(goal, contract),
      tolerance: toleranceInForce(goal, checks, status.receipts),
      verdict,
      level,
      reason: unbound ? unboundReason(contract.id, unboundEquations, context.faults) : placed(status.reason),
      counterexample,
      kills: isCurrent ? status.kills : null,
      scope: isCurrent ? scopeOf(status.receipts, goal) : nothingRan,
      methods: methodsOf(status)
        .filter(({ method }) => isCurrent || method === 'soundness')
        .map((method) => ({ ...method, reason: placed(method.reason) })),
      reproduce: context.reproduce(goal, contract.path),
      ...(waiver && status.waived ? { waiver: { ...waiver, verdict: status.waived } } : {}),
    },
  };
}

/**
 * A claim about data runs no kernel; its wrong versions are edits of the claim, and a data set with a known verdict is itself a
 * test of it.
 */
function exemptionOf({ about, source, applications }: Goal): string | null {
  if (about === 'data' && source === 'obligation') return null;
  if (source === 'statement') return 'it is stated of the equation';
  return applications.length === 0 ? 'it runs no kernel' : null;
}

function methodsOf({ receipts }: ClaimStatus): readonly MethodReport[] {
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
      ...(receipt.equalTo === undefined ? {} : { equalTo: receipt.equalTo }),
      worst: receipt.worst,
      reason: receipt.reason,
      check: receipt.check,
    }));
}

function claimBase(
  { claim, source, property, formal, span }: Pick<Goal | NotGoal, 'claim' | 'source' | 'property' | 'formal' | 'span'>,
  contract: ElaboratedContract['contract'],
): Pick<ClaimReport, 'id' | 'source' | 'type' | 'property' | 'formal' | 'ifFails' | 'file' | 'line'> {
  const obligation = contract.obligations.find(({ id }) => id === claim);
  const test = contract.falsificationTests.find(({ id }) => id === claim);
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

/** The project's waiver of a claim, as long as it is valid. */
function waiverOf(claim: string, { id }: ElaboratedContract['contract'], { waived }: ReportContext): Waiver | null {
  const row = waived.get(`${id}/${claim}`);
  return row ? { owner: row.owner.value, reason: row.reason.value, expires: row.expires.value } : null;
}

/** A claim that no method can decide. `planned` is what of it can be run. */
export function notGoalClaim(
  missing: NotGoal,
  planned: PlannedGoal | null,
  { contract }: ElaboratedContract,
  context: ReportContext,
): JudgedClaim {
  const { status } = missing;
  const asRead = planned && asReadReport(planned, context);
  const reason = asRead ? `${missing.reason}; ${asReadText(asRead)}` : missing.reason;
  const waiver = waiverOf(missing.claim, contract, context);
  const said = waive({ verdict: status, reason }, waiver);
  return {
    evaluated: false,
    report: {
      ...claimBase(missing, contract),
      tolerance: null,
      verdict: said.verdict,
      level: 'L0',
      scope: nothingRan,
      reason: said.reason,
      ...(asRead ? { asRead } : {}),
      ...(waiver && said.verdict === 'waived' ? { waiver: { ...waiver, verdict: status } } : {}),
      methods: [],
      counterexample: null,
      kills: null,
      reproduce: null,
    },
  };
}
