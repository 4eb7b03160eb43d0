/** The checks of a judged kernel: what is planned for it, and what they find in one process of the kernel. */
import { isDeclaredOnly } from '../../contract/goal.ts';
import { isGreen } from '../../evidence/verdict.ts';
import { createPool } from '../../host/pool.ts';
import { startJudge, startThread } from '../../host/runner.ts';
import { withId, type Check, type Job, type JobResult, type WorkSubject } from '../../plan/check.ts';
import { homeOf } from '../../plan/function-home.ts';
import { makePlan } from '../../plan/make-plan.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import { checkEntry } from '../build-version.ts';
import type { Session } from '../session.ts';
import { bareStart, bareText, judgedMemoryMb } from './judge-conduct.ts';
import type { JudgedContract } from './judged-subject.ts';
import { cheatOfEnd, cheatsOf, type CaughtVariants, type Cheat, type JudgedClaim } from './judgement.ts';

const methods: ReadonlySet<string> = new Set(['property', 'falsify', 'statistical']);

/** What decides the checks of a kernel, besides the kernel. */
export interface Plans {
  readonly found: Pick<JudgedContract, 'all' | 'contract'>;
  /** Trusted kernels of other equations, for claims that formulas alone cannot decide. */
  readonly helpers: readonly BoundSubject[];
  readonly seed: number;
  /** Cases of each claim. */
  readonly cases: number;
  readonly device: DeviceChoice;
  readonly tool: Job['tool'];
}

/** The checks of one kernel. */
export interface PlannedChecks {
  readonly checks: readonly Check[];
  /** Whether the claims catch wrong variants of the formula; null if there is nothing to try. */
  readonly wrongKernels: Check | null;
  /** Claims that need a kernel of another equation, which is only declared. */
  readonly notJudged: readonly string[];
  /** Other equations, whose formulas run in place of kernels. */
  readonly byFormula: readonly string[];
  /** Other equations, whose kernels the binding file names. */
  readonly byBinding: readonly string[];
}

/** The claims about the kernel, with formulas in place of other kernels, each from a secret seed whatever the contract says. */
export function plannedChecks(
  { found, helpers, seed, cases, device, tool }: Plans,
  subject: BoundSubject,
): PlannedChecks {
  const options = { seed, cases: null, backends: ['ref32'] as const, devices: [device], formulas: true, tool };
  const plan = makePlan(found.all, [subject, ...helpers], options);
  const goals = plan.contracts.find(({ elaborated }) => elaborated === found.contract)?.goals ?? [];
  const about = goals.filter(({ goal }) => goal.equations.includes(subject.equation));
  const checks = about.flatMap(({ checks: all }) => all.filter(({ method }) => methods.has(method)));
  const subjects = checks.flatMap(({ work }) => work.subjects);
  const others = (isOther: (one: WorkSubject) => boolean): readonly string[] => [
    ...new Set(subjects.flatMap((one) => (isOther(one) ? one.equation : []))),
  ];
  return {
    checks: checks.map((check) =>
      withId({ ...check, seed, cases: check.method === 'property' ? Math.min(check.cases, cases) : check.cases }, tool),
    ),
    wrongKernels:
      plan.checks.map((check) => ofFormulas(check, subject.equation)).find((check) => check !== null) ?? null,
    notJudged: about.filter(({ unboundEquations }) => unboundEquations.length > 0).map(({ goal }) => goal.claim),
    byFormula: others(({ byFormula }) => byFormula !== undefined),
    byBinding: others(({ bound }) => bound !== null && helpers.includes(bound)),
  };
}

/**
 * An adequacy check of the judged equation without its kernel, on the reference; of an equation that is only declared, with it, since
 * nothing else computes one. Null for any other check.
 */
function ofFormulas(check: Check, equation: string): Check | null {
  const { method, work } = check;
  if (method !== 'adequacy' || work.kind !== 'equation' || work.equation !== equation) return null;
  if (work.subjects.some(({ model }) => isDeclaredOnly(model))) return check;
  const subjects = work.subjects.map((subject) => ({ ...subject, bound: null }));
  const { device: _, ...elsewhere } = check;
  return { ...elsewhere, backend: 'ref32', work: { ...work, subjects } };
}

/** What the checks found, up to the first that the kernel did not survive. */
export interface RanChecks {
  readonly claims: readonly JudgedClaim[];
  readonly cheats: readonly Cheat[];
  /** Why the kernel did not return. */
  readonly reason: string | null;
  /** Its process ended before a claim did. */
  readonly isOver: boolean;
  /** The device that ran a shader. */
  readonly device: string | null;
  /** Null if none were tried, as where a claim did not hold. */
  readonly wrongKernels: CaughtVariants | null;
  /** Claims that only kernels which round alike keep, so that a formula cannot stand in for one of them. */
  readonly notJudged: readonly string[];
}

type Claims = Pick<RanChecks, 'claims' | 'cheats' | 'device' | 'notJudged'>;

/** After its own deadline a claim gets this long to say how far it came: on a busy machine a correct kernel waits for its turn. */
const graceOf = (timeoutMs: number): number => Math.max(500, timeoutMs / 4);

/** For the wrong variants of the formula. Those that were tried by then, spread over the formula, decide. */
const wrongKernelsMs = 20_000;

/** One wrong variant may take as long as all claims of one input of the largest sizes. */
const wrongKernelsGraceMs = 10_000;

/** All claims in one process of the kernel, one after another, up to the first that it does not survive. */
export async function runChecks(
  session: Session,
  { checks, wrongKernels }: Pick<PlannedChecks, 'checks' | 'wrongKernels'>,
  tool: Job['tool'],
  timeoutMs: number,
): Promise<RanChecks> {
  const text = await bareText(session);
  const limits = { memoryMb: judgedMemoryMb };
  const onPrinted = (): void => undefined;
  const pool = createPool<Job, JobResult>({
    size: 1,
    start: (home, events) =>
      home === null
        ? startThread(checkEntry, limits, { ...events, onPrinted })
        : startJudge(checkEntry, limits, { ...events, onPrinted }, bareStart(text)),
  });
  const claims: JudgedClaim[] = [];
  const cheats: Cheat[] = [];
  const notJudged: string[] = [];
  let device: string | null = null;
  const over = (found: Claims, reason: string | null): RanChecks => ({
    ...found,
    reason,
    isOver: true,
    wrongKernels: null,
  });
  const caughtBy = async (check: Check): Promise<RanChecks['wrongKernels']> => {
    const budgetMs = Math.max(wrongKernelsMs, timeoutMs);
    const job: Job = { check, replay: [], timeoutMs: budgetMs, tool };
    const ran = await pool.run(() => ({ job, timeoutMs: budgetMs + wrongKernelsGraceMs }), homeOf(check));
    const receipt = ran?.kind === 'done' ? ran.result.receipt : null;
    const tried = (receipt?.mutants ?? []).filter(({ equivalent }) => equivalent === null);
    const killed = tried.filter(({ killedBy }) => killedBy.length > 0).length;
    return { killed, total: tried.length, triedAll: receipt?.verdict === 'tested' };
  };
  const breaksByRounding = async (check: Check): Promise<boolean> => {
    for (const mixed of inTwoArithmetics(check)) {
      const job: Job = { check: mixed, replay: [], timeoutMs, tool, hostile: true };
      const ran = await pool.run(() => ({ job, timeoutMs: timeoutMs + graceOf(timeoutMs) }), homeOf(mixed));
      if (ran?.kind === 'done' && ran.result.receipt.verdict === 'falsified') return true;
    }
    return false;
  };
  const stop = (): void => void pool.close();
  session.signal.addEventListener('abort', stop, { once: true });
  try {
    for (const check of checks) {
      const job: Job = { check, replay: [], timeoutMs, tool, hostile: true };
      const ran = await pool.run(() => ({ job, timeoutMs: timeoutMs + graceOf(timeoutMs) }), homeOf(check));
      if (ran?.kind === 'timed-out')
        return over(
          { claims, cheats, device, notJudged },
          `it did not return within ${timeoutMs / 1000} s while ${check.goal} was tested`,
        );
      if (ran?.kind !== 'done')
        return over({ claims, cheats: [...cheats, cheatOfEnd(ran?.message ?? '')], device, notJudged }, null);
      const { finding } = ran.result;
      if (finding?.code === 'PV-5036') {
        await session.show([finding]);
        return over({ claims, cheats, device, notJudged }, `${finding.code}: ${finding.message}`);
      }
      if (check.device !== undefined && ran.result.receipt.backend.device !== 'none')
        device = ran.result.receipt.backend.device;
      if (ran.result.receipt.verdict === 'falsified' && (await breaksByRounding(check))) notJudged.push(check.goal);
      else claims.push(claimOf(check, ran.result));
      if (ran.result.conduct) cheats.push(...cheatsOf(ran.result.conduct));
    }
    const isGood = cheats.length === 0 && claims.every(({ verdict }) => isGreen(verdict));
    const caught = isGood && wrongKernels ? await caughtBy(without(wrongKernels, notJudged)) : null;
    return { claims, cheats, reason: null, isOver: false, device, wrongKernels: caught, notJudged };
  } finally {
    session.signal.removeEventListener('abort', stop);
    await pool.close();
  }
}

/**
 * The check of a claim that formulas take part in, with the kernel's formula in its place: in float64 while the others run in float32,
 * and the other way round. A claim that breaks there, such as that two results have the same bits, says nothing of the kernel.
 */
function inTwoArithmetics(check: Check): readonly Check[] {
  const { work } = check;
  if (work.kind !== 'goal' || !work.subjects.some(({ byFormula }) => byFormula)) return [];
  if (work.subjects.some(({ model }) => isDeclaredOnly(model))) return [];
  return (['f64', 'f32'] as const).map((own) => {
    const other = own === 'f64' ? 'f32' : 'f64';
    const subjects = work.subjects.map((one) => ({ ...one, bound: null, byFormula: one.bound ? own : other }));
    const { device: _, ...elsewhere } = check;
    return { ...elsewhere, backend: 'ref32', work: { ...work, subjects } };
  });
}

/** The same check without the claims that are not judged. */
function without(check: Check, notJudged: readonly string[]): Check {
  const { work } = check;
  if (work.kind !== 'equation') return check;
  return { ...check, work: { ...work, goals: work.goals.filter(([goal]) => !notJudged.includes(goal.id)) } };
}

function claimOf({ goal, work }: Check, { receipt }: JobResult): JudgedClaim {
  const { verdict, cases, reason, counterexample } = receipt;
  const { formal, toleranceText: tolerance } =
    work.kind === 'goal' ? work.goal : { formal: '', toleranceText: 'exact' };
  return { id: goal, property: formal, tolerance, verdict, cases, reason, counterexample };
}
