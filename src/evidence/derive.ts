/**
 * From receipts to what may be said about a claim. Nothing else decides a verdict: no declaration, no cache, no exit code.
 */
import { gradeComposed } from './grade-composed.ts';
import { gradeReceipt, type Grade } from './grade.ts';
import { killsOf, type Kills, type TriedKills } from './kills.ts';
import type { Counterexample, MethodId, Receipt } from './receipt.ts';
import { isRefuted, verdicts, type Level, type Verdict } from './verdict.ts';

/** A check that the current plan requires for the claim; its id hashes everything that the verdict depends on. */
interface ExpectedCheck {
  readonly check: string;
  readonly method: MethodId;
  readonly backend: string;
  /** Whether the backend runs kernels in float64: a float32 program that holds in float64 does not make a claim green. */
  readonly isControl: boolean;
}

/** A project's permission for a claim not to be green, until a date. Without a reason and an owner it does not count. */
export interface Waiver {
  readonly reason: string;
  readonly owner: string;
  /** The last day, as the report shows it; the caller has checked that it has not passed. */
  readonly expires: string;
}

/** Everything from which the status of one claim is derived. */
export interface ClaimEvidence {
  /** The goal's id, e.g. `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  /** Why the claim is not a goal; null if it is one. */
  readonly notGoal: { readonly status: 'prose' | 'undetermined'; readonly reason: string } | null;
  /** Equations that the goal runs and that no kernel is bound to. */
  readonly unboundEquations: readonly string[];
  readonly expected: readonly ExpectedCheck[];
  /** Every receipt in the store, or at least those of this goal and of adequacy. */
  readonly receipts: readonly Receipt[];
  /** Why the receipt of a check is outdated; absent: it is not. */
  readonly whyChanged?: (check: string) => string | undefined;
  /** The receipt of any check, even of other contracts: proofs used in place of kernels must still hold. */
  readonly receiptOf: (check: string) => Receipt | undefined;
  /** Every check id of the current plan; receipts of sub-contracts must be among them. */
  readonly currentChecks: ReadonlySet<string>;
  /** Why wrong kernels cannot be tried on this claim (a fact of arithmetic runs no kernel); null: one must be caught. */
  readonly adequacyExemption: string | null;
  /**
   * Whether the claim requires finite outputs. Any other claim that only breaks on NaN, infinities or runaway outputs says
   * nothing about a kernel's values.
   */
  readonly asksFiniteness: boolean;
  /** Why the claim could hardly fail, as its own text shows (a tolerance as large as the value); null otherwise. */
  readonly hollow: string | null;
  readonly waiver: Waiver | null;
}

/** What may be said about a claim. */
export interface ClaimStatus {
  readonly verdict: Verdict;
  /** What is waived; null if nothing is. */
  readonly waived: Verdict | null;
  readonly level: Level;
  /** Whether a current check has executed at least one case. */
  readonly evaluated: boolean;
  readonly reason: string | null;
  readonly counterexample: Counterexample | null;
  readonly kills: Kills | null;
  /** The current receipts, in the order of `expected`. */
  readonly receipts: readonly Receipt[];
}

/** The number of cases from which property tests count as L3. */
const propertyLevelCases = 10_000;

/** Verdict and level of one claim, from its receipts alone. */
export function deriveClaim(evidence: ClaimEvidence): ClaimStatus {
  const present = evidence.expected.flatMap(
    ({ check }) => evidence.receipts.find((receipt) => receipt.check === check) ?? [],
  );
  const kills = killsOf(evidence.goal, present);
  const judged = judge(evidence, present, kills);
  const { verdict, reason } = waive(judged, evidence.waiver);
  return {
    verdict,
    waived: verdict === 'waived' ? judged.verdict : null,
    reason,
    level: levelOf(verdict, present),
    evaluated: judged.verdict === 'unsound' || present.some(({ method, cases }) => decides(method) && cases > 0),
    counterexample: counterexampleOf(judged.verdict, present),
    kills: kills && { killed: kills.killed, total: kills.total },
    receipts: present,
  };
}

/** Whether `method` alone can make a claim green; other methods only add to those that can. */
export function decides(method: MethodId): boolean {
  return (
    method === 'falsify' ||
    method === 'property' ||
    method === 'statistical' ||
    method === 'reals' ||
    method === 'controls'
  );
}

function judge(evidence: ClaimEvidence, present: readonly Receipt[], kills: TriedKills | null): Grade {
  if (evidence.notGoal) return { verdict: evidence.notGoal.status, reason: evidence.notGoal.reason };
  const ran = evidence.expected.flatMap((check) => gradeExpected(check, evidence, present));
  if (evidence.unboundEquations.length > 0) {
    const unbound = `no kernel is bound to ${evidence.unboundEquations.join(', ')}`;
    return ran.find(({ verdict }) => verdict === 'unsound') ?? { verdict: 'unbound', reason: unbound };
  }
  const grades = [...ran, ...missing(evidence, present)];
  const worst = grades.reduce<Grade | null>(
    (a, b) => (a && verdicts.indexOf(a.verdict) <= verdicts.indexOf(b.verdict) ? a : b),
    null,
  );
  if (worst !== null && worst.reason !== null) return worst;
  const deciding = evidence.expected.filter(({ method }) => decides(method));
  if (deciding.length === 0) return { verdict: 'undetermined', reason: 'no check decides this claim' };
  if (deciding.every(({ isControl }) => isControl)) return { verdict: 'undetermined', reason: onlyControls(deciding) };
  if (evidence.hollow !== null) return { verdict: 'vacuous', reason: evidence.hollow };
  return (
    doubtAboutAdequacy(evidence, present, kills) ?? {
      verdict: isProved(evidence, present) ? 'proved' : 'tested',
      reason: null,
    }
  );
}

function onlyControls(deciding: readonly ExpectedCheck[]): string {
  const backends = [...new Set(deciding.map(({ backend }) => backend))].join(', ');
  return `it ran in float64 alone (${backends}), which is a control: name a float32 backend too, such as gpujs-webasm or ref32`;
}

/**
 * Whether every bounded proof that the plan requires holds and is about the float32 code, and one of them covers every
 * combination of sizes up to its bound; partial proofs only add to that one.
 */
function isProved({ expected, currentChecks, receiptOf }: ClaimEvidence, present: readonly Receipt[]): boolean {
  const wanted = expected.filter(({ method }) => method === 'bounded');
  const standing = wanted.flatMap(({ check }) =>
    present.filter(
      (receipt) =>
        receipt.check === check &&
        gradeComposed(receipt, receiptOf).verdict === 'proved' &&
        receipt.proof?.about === 'float32 code' &&
        Object.values(receipt.restsOn).every((below) => currentChecks.has(below)),
    ),
  );
  return standing.length === wanted.length && standing.some(({ proof }) => proof?.inPart === null);
}

function gradeExpected(expected: ExpectedCheck, evidence: ClaimEvidence, present: readonly Receipt[]): Grade[] {
  const receipt = present.find(({ check }) => check === expected.check);
  if (!receipt) return [];
  // A proof that was not found does not weaken the results of other methods; a refutation does.
  if (receipt.method === 'bounded' && gradeReceipt(receipt).verdict !== 'falsified') return [];
  const outdated = Object.entries(receipt.restsOn).find(([, check]) => !evidence.currentChecks.has(check));
  if (outdated) return [{ verdict: 'stale', reason: `it rests on ${outdated[0]}, which has changed` }];
  if (receipt.method === 'adequacy') return [];
  const grade = gradeReceipt(receipt);
  if (grade.verdict !== 'unsound') return [grade];
  const broken = receipt.counterexample?.kernel?.broken ?? null;
  if (broken !== null) return [{ verdict: 'falsified', reason: broken }];
  return [{ ...grade, reason: `the equation itself, in float32, breaks the claim: ${grade.reason}` }];
}

/** The input that shows `verdict`: if the kernel is to blame, one on which the kernel breaks the claim, not only the equation. */
function counterexampleOf(verdict: Verdict, present: readonly Receipt[]): Counterexample | null {
  const shown = present.filter(({ method, counterexample }) => method !== 'adequacy' && counterexample !== null);
  const ofEquation = shown.find(({ method }) => method === 'soundness')?.counterexample ?? null;
  if (verdict === 'unsound') return ofEquation;
  const ofKernel = shown.find(({ method }) => method !== 'soundness')?.counterexample ?? null;
  if (ofKernel !== null || !ofEquation?.kernel) return ofKernel;
  const { input, shrinks, kernel } = ofEquation;
  return kernel.broken === null ? null : { input, shrinks, explanation: kernel.broken, outputs: kernel.outputs };
}

/** What is said about checks without a receipt: outdated if an older one of the same goal and method exists. */
function missing(evidence: ClaimEvidence, present: readonly Receipt[]): Grade[] {
  const absent = evidence.expected.filter(
    ({ check, method }) => method !== 'bounded' && !present.some((receipt) => receipt.check === check),
  );
  if (absent.length === 0) return [];
  for (const { check, method } of absent) {
    const why = evidence.whyChanged?.(check);
    if (why !== undefined) return [{ verdict: 'stale', reason: `the ${method} evidence is of another state: ${why}` }];
  }
  const older = absent.find((expected) => evidence.receipts.some((receipt) => supersedes(expected, receipt, evidence)));
  if (older)
    return [
      {
        verdict: 'stale',
        reason: `the ${older.method} evidence is of another version of the contract, the kernel or pv`,
      },
    ];
  const wanted = evidence.expected.filter(({ method }) => method !== 'bounded').length;
  const ran = `${wanted - absent.length} of ${wanted} checks have run`;
  return [{ verdict: absent.length < wanted ? 'incomplete' : 'undetermined', reason: ran }];
}

function supersedes(expected: ExpectedCheck, receipt: Receipt, { goal, currentChecks }: ClaimEvidence): boolean {
  const same = receipt.goal === goal && receipt.method === expected.method && receipt.backend.id === expected.backend;
  return same && !currentChecks.has(receipt.check);
}

function doubtAboutAdequacy(
  evidence: ClaimEvidence,
  present: readonly Receipt[],
  kills: TriedKills | null,
): Grade | null {
  if (evidence.adequacyExemption !== null) return null;
  if (kills === null) return { verdict: 'incomplete', reason: 'no wrong kernel has been tried on it' };
  if (evidence.asksFiniteness ? kills.killed > 0 : kills.ordinary > 0) return leniency(evidence.goal, present);
  const cut = present.find((receipt) => receipt.method === 'adequacy' && receipt.verdict === 'incomplete');
  if (cut) return { verdict: 'incomplete', reason: cut.reason ?? 'adequacy did not finish' };
  return { verdict: 'vacuous', reason: vacuity(kills) };
}

/** Says that no wrong kernel is caught at the sizes where the tolerance is largest, whatever is caught at others; else null. */
function leniency(goal: string, present: readonly Receipt[]): Grade | null {
  const rows = present.flatMap(({ mostAllowed = [] }) => mostAllowed);
  const lenient = rows.find((row) => row.goal === goal && row.caught === null);
  if (!lenient) return null;
  const at = Object.entries(lenient.sizes).map(([name, size]) => `${name} = ${size}`);
  const reason = `at ${at.join(', ')}, where its tolerance allows most, wrong kernels pass that it catches at other sizes`;
  return { verdict: 'vacuous', reason };
}

function vacuity({ killed, total }: TriedKills): string {
  const caught = `it catches ${killed} of ${total} wrong kernels`;
  return killed === 0
    ? caught
    : `${caught}, and ${killed === 1 ? 'that one' : 'those'} only where an output is NaN, infinite or four times larger than any right one`;
}

/** `grade`, or `waived`, which is never green and mentions the original verdict. */
export function waive(grade: Grade, waiver: Waiver | null): Grade {
  if (grade.reason === null || waiver === null) return grade;
  const [reason, owner] = [waiver.reason.trim(), waiver.owner.trim()];
  if (reason === '' || owner === '')
    return { verdict: grade.verdict, reason: `${grade.reason} (a waiver needs a reason and an owner)` };
  const set = `waived by ${owner} until ${waiver.expires}: ${reason}`;
  return { verdict: 'waived', reason: `${set} (${grade.verdict}: ${grade.reason})` };
}

function levelOf(verdict: Verdict, present: readonly Receipt[]): Level {
  if (isRefuted(verdict)) return 'L0';
  const typed = present.some((receipt) => receipt.method === 'types' && gradeReceipt(receipt).verdict === 'tested');
  if (verdict !== 'tested' && verdict !== 'proved') return typed ? 'L1' : 'L0';
  // About the mathematics only; it says nothing about a kernel.
  if (present.some((receipt) => receipt.method === 'reals')) return 'L0';
  const property = present.filter(({ method }) => method === 'property' || method === 'statistical');
  const tested = property.length > 0 && property.every((receipt) => receipt.cases >= propertyLevelCases) ? 'L3' : 'L2';
  return tested === 'L3' && verdict === 'proved' ? 'L4' : tested;
}
