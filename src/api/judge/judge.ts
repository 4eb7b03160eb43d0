/** `pv judge`: one kernel against one equation of a contract, on inputs that it cannot know and as somebody who may cheat. */
import { randomInt } from 'node:crypto';
import { withId, type Check, type Job, type JobResult } from '../../plan/check.ts';
import { makePlan } from '../../plan/make-plan.ts';
import { createPool } from '../../host/pool.ts';
import { startJudge, startThread } from '../../host/runner.ts';
import { homeOf } from '../../plan/function-home.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import { pathFrom } from '../../host/path-from.ts';
import { judgeCommand } from '../command-line.ts';
import { checkEntry, buildVersion } from '../build-version.ts';
import { accuracyClasses, type AccuracyClass } from '../../contract/accuracy.ts';
import { isGreen } from '../../evidence/verdict.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import type { Session } from '../session.ts';
import {
  importedFromJudge,
  judgedContract,
  judgedSubject,
  withAccuracy,
  type Asked,
  type JudgedContract,
} from './judged-subject.ts';
import { judgeShader } from './judge-shader.ts';
import { bareStart, bareText, judgeConduct, judgedMemoryMb, type ConductFound } from './judge-conduct.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import { judgedCalls } from '../../plan/judged-calls.ts';
import {
  cheatOfEnd,
  cheatsOf,
  distinctCheats,
  scoreOf,
  statusOf,
  type Cheat,
  type Judgement,
  type JudgedClaim,
} from './judgement.ts';

/** What is to be judged, and how long. */
export interface JudgeRequest extends Asked {
  /** Null draws one that nobody can know. */
  readonly seed: number | null;
  /** Where shaders run. */
  readonly device: DeviceChoice;
  /** Cases of each claim. */
  readonly cases: number;
  /** Seconds for one claim, or one repetition. */
  readonly timeout: number;
}

/** The judgement, or the exit code if there is none: the arguments are wrong, which has been said. */
export type JudgeOutcome =
  { readonly ok: true; readonly judgement: Judgement } | { readonly ok: false; readonly exitCode: ExitCode };

/** Calls that are repeated under each condition. */
const replayed = 96;

/** Judges. Never rejects for what the kernel does. */
export async function judge(session: Session, request: JudgeRequest): Promise<JudgeOutcome> {
  const found = await judgedContract(session, request);
  if (!found.ok) {
    session.say(`pv: ${found.error}`);
    return { ok: false, exitCode: exitCodes.usage };
  }
  const seed = request.seed ?? randomInt(2 ** 32);
  const subject = await judgedSubject(session, found.value);
  if (!subject.ok) {
    await session.show(subject.error);
    const reason = subject.error.map(({ code, message }) => `${code}: ${message}`).join('; ');
    return {
      ok: true,
      judgement: judgementOf(session, { request, seed, found: found.value, evidence: { ...nothing, reason } }),
    };
  }
  const evidence = await gather(session, { request, seed, found: found.value }, subject.value);
  return { ok: true, judgement: judgementOf(session, { request, seed, found: found.value, evidence }) };
}

interface Gathered {
  readonly claims: readonly JudgedClaim[];
  readonly cheats: readonly Cheat[];
  readonly reason: string | null;
  readonly notes: readonly string[];
  readonly conditions: readonly string[];
  readonly notJudged: readonly string[];
  readonly replayed: number;
  readonly arithmetic: 'f32' | 'f64';
  readonly device: string | null;
}

const nothing: Gathered = {
  claims: [],
  cheats: [],
  reason: null,
  notes: [],
  conditions: [],
  notJudged: [],
  replayed: 0,
  arithmetic: 'f64',
  device: null,
};

interface Case {
  readonly request: JudgeRequest;
  readonly seed: number;
  readonly found: JudgedContract;
}

async function gather(session: Session, { request, seed, found }: Case, subject: BoundSubject): Promise<Gathered> {
  const timeoutMs = request.timeout * 1000;
  const tool = { name: 'pv' as const, version: await buildVersion(session.host), node: process.versions.node };
  const { checks, notJudged } = plannedChecks({ request, seed, found }, subject, tool);
  const { language } = subject.program;
  const isFunction = language === 'function';
  const ran = await runChecks(session, checks, tool, timeoutMs);
  const imported = isFunction ? await importedFromJudge(session, found) : [];
  const hasRun = ran.cheats.length === 0 && !ran.isOver;
  const claims = hasRun
    ? await withClassesMet(ran.claims, found.accuracy, (accuracy, broken) => {
        const again = plannedChecks({ request, seed, found: withAccuracy(found, accuracy) }, subject, tool);
        return runChecks(
          session,
          again.checks.filter(({ goal }) => broken.includes(goal)),
          tool,
          timeoutMs,
        );
      })
    : ran.claims;
  const cheats: Cheat[] = [
    ...ran.cheats,
    ...(imported.length > 0
      ? [{ kind: 'imports-the-judge' as const, how: `it imports ${pathFrom(session.host.root, imported[0] ?? '')}` }]
      : []),
  ];
  const arithmetic = isFunction ? 'f64' : 'f32';
  // A process that hung or ended has cost its time; it would again.
  // So has a shader that was not run for a claim.
  const isStopped = language === 'wgsl' && ran.claims.some(({ verdict }) => verdict === 'undetermined');
  if (language === 'gpu.js' || ran.reason !== null || ran.isOver || isStopped)
    return { ...nothing, claims, cheats, reason: ran.reason, notJudged, arithmetic, device: ran.device };
  const calls = await judgedCalls(subject, found.model, seed, replayed);
  const { program } = subject;
  const conduct: ConductFound = isFunction
    ? await judgeConduct(session, { program, calls, seed, timeoutMs })
    : await judgeShader({ program, calls, seed, device: request.device });
  return {
    claims,
    cheats: [...cheats, ...conduct.cheats],
    reason: conduct.hang,
    notes: conduct.notes,
    conditions: conduct.conditions,
    notJudged,
    replayed: calls.length,
    arithmetic,
    device: ran.device,
  };
}

const methods: ReadonlySet<string> = new Set(['property', 'falsify', 'statistical']);

/** The claims that the kernel alone decides, each from a secret seed whatever the contract says. */
function plannedChecks(
  { request, seed, found }: Case,
  subject: BoundSubject,
  tool: Job['tool'],
): { readonly checks: readonly Check[]; readonly notJudged: readonly string[] } {
  const options = { seed, cases: null, backends: ['ref32'] as const, devices: [request.device], tool };
  const plan = makePlan(found.all, [subject], options);
  const goals = plan.contracts.find(({ elaborated }) => elaborated === found.contract)?.goals ?? [];
  const about = goals.filter(({ goal }) => goal.equations.includes(subject.equation));
  const checks = about.flatMap(({ checks: all }) => all.filter(({ method }) => methods.has(method)));
  return {
    checks: checks.map((check) => {
      const cases = check.method === 'property' ? Math.min(check.cases, request.cases) : check.cases;
      return withId({ ...check, seed, cases }, tool);
    }),
    notJudged: about.filter(({ unboundEquations }) => unboundEquations.length > 0).map(({ goal }) => goal.claim),
  };
}

/** Broken claims with the next less accurate class that the kernel meets, as far as classes have other tolerances. */
async function withClassesMet(
  claims: readonly JudgedClaim[],
  accuracy: AccuracyClass,
  run: (accuracy: AccuracyClass, broken: readonly string[]) => Promise<RanChecks>,
): Promise<readonly JudgedClaim[]> {
  const met = new Map<string, AccuracyClass | null>();
  const open = new Set(
    claims.filter(({ verdict, tolerance }) => verdict === 'falsified' && tolerance !== 'exact').map(({ id }) => id),
  );
  for (const id of open) met.set(id, null);
  for (const looser of accuracyClasses.slice(accuracyClasses.indexOf(accuracy) + 1)) {
    if (open.size === 0) break;
    const ran = await run(looser, [...open]);
    for (const { id, verdict } of ran.claims)
      if (isGreen(verdict)) {
        met.set(id, looser);
        open.delete(id);
      }
  }
  return claims.map((claim) => {
    const meets = met.get(claim.id);
    return meets === undefined ? claim : { ...claim, meets };
  });
}

interface RanChecks {
  readonly claims: readonly JudgedClaim[];
  readonly cheats: readonly Cheat[];
  /** Why the kernel did not return. */
  readonly reason: string | null;
  /** Its process ended before a claim did. */
  readonly isOver: boolean;
  /** The device that ran a shader. */
  readonly device: string | null;
}

/** After its own deadline a claim gets this long to say how far it came. */
const graceMs = 500;

/** All claims in one process of the kernel, one after another, up to the first that it does not survive. */
async function runChecks(
  session: Session,
  checks: readonly Check[],
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
  let device: string | null = null;
  const stop = (): void => void pool.close();
  session.signal.addEventListener('abort', stop, { once: true });
  try {
    for (const check of checks) {
      const job: Job = { check, replay: [], timeoutMs, tool, hostile: true };
      const ran = await pool.run(() => ({ job, timeoutMs: timeoutMs + graceMs }), homeOf(check));
      if (ran?.kind === 'timed-out')
        return {
          claims,
          cheats,
          reason: `it did not return within ${timeoutMs / 1000} s while ${check.goal} was tested`,
          isOver: true,
          device,
        };
      if (ran?.kind !== 'done')
        return { claims, cheats: [...cheats, cheatOfEnd(ran?.message ?? '')], reason: null, isOver: true, device };
      const { finding } = ran.result;
      if (finding?.code === 'PV-5036') {
        await session.show([finding]);
        return { claims, cheats, reason: `${finding.code}: ${finding.message}`, isOver: true, device };
      }
      if (check.device !== undefined && ran.result.receipt.backend.device !== 'none')
        device = ran.result.receipt.backend.device;
      claims.push(claimOf(check, ran.result));
      if (ran.result.conduct) cheats.push(...cheatsOf(ran.result.conduct));
    }
    return { claims, cheats, reason: null, isOver: false, device };
  } finally {
    session.signal.removeEventListener('abort', stop);
    await pool.close();
  }
}

function claimOf({ goal, work }: Check, { receipt }: JobResult): JudgedClaim {
  const { verdict, cases, reason, counterexample } = receipt;
  const { formal, toleranceText: tolerance } =
    work.kind === 'goal' ? work.goal : { formal: '', toleranceText: 'exact' };
  return { id: goal, property: formal, tolerance, verdict, cases, reason, counterexample };
}

function judgementOf(
  session: Session,
  { request, seed, found, evidence }: Case & { readonly evidence: Gathered },
): Judgement {
  const { claims, reason, notes, conditions, notJudged } = evidence;
  const cheats = distinctCheats(evidence.cheats);
  const broken = claims.find(({ counterexample }) => counterexample !== null);
  const { host } = session;
  return {
    schema: 'pv.judgement/1',
    status: statusOf({ cheats, claims, reason }),
    kernel: `${pathFrom(host.root, found.file)}#${found.name}`,
    contract: found.contract.contract.id,
    equation: found.model.name,
    seed,
    reason,
    cheats,
    claims,
    counterexample: broken?.counterexample ? { claim: broken.id, ...broken.counterexample } : null,
    score: scoreOf({ cheats, claims, reason }),
    scope: {
      cases: claims.reduce((sum, claim) => sum + claim.cases, 0),
      sizes: Object.fromEntries(
        found.model.domain.sizes.map(({ name, minimum, maximum }) => [name, [minimum, maximum] as const]),
      ),
      arithmetic: evidence.arithmetic,
      accuracy: found.accuracy,
      device: evidence.device,
      replayed: evidence.replayed,
      conditions,
      notJudged,
    },
    notes,
    reproduce: judgeCommand(
      { ...request, equation: found.model.name },
      {
        seed,
        cases: request.cases,
        accuracy: request.accuracy,
      },
    ),
  };
}
