/** `pv judge`: one kernel against one equation of a contract, on inputs that it cannot know and as somebody who may cheat. */
import { randomInt } from 'node:crypto';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import { pathFrom } from '../../host/path-from.ts';
import { judgeCommand } from '../command-line.ts';
import { buildVersion } from '../build-version.ts';
import { classesMet } from '../accuracy-met.ts';
import type { Equation } from '../../contract/contract.ts';
import type { AccuracyClass } from '../../contract/accuracy.ts';
import { isGreen } from '../../evidence/verdict.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';
import type { Session } from '../session.ts';
import {
  helpersOf,
  importedFromJudge,
  judgedContract,
  judgedSubject,
  withAccuracy,
  type Asked,
  type JudgedContract,
} from './judged-subject.ts';
import { judgeShader } from './judge-shader.ts';
import { plannedChecks, runChecks } from './judged-checks.ts';
import { judgeConduct, type ConductFound } from './judge-conduct.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import { judgedCalls } from '../../plan/judged-calls.ts';
import {
  distinctCheats,
  scoreOf,
  statusOf,
  type Cheat,
  type Evidence,
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

/** The judgement, or the exit code if there is none: the arguments are wrong, which has been said, or it was interrupted. */
export type JudgeOutcome =
  { readonly ok: true; readonly judgement: Judgement } | { readonly ok: false; readonly exitCode: ExitCode };

/** Calls that are repeated under each condition, if the kernel is not slow. */
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
    const lacksBinding = subject.error.some(({ code }) => code === 'PV-5037');
    const evidence = { ...nothing, reason, lacksBinding };
    return { ok: true, judgement: judgementOf(session, { request, seed, found: found.value, evidence }) };
  }
  const evidence = await gather(session, { request, seed, found: found.value }, subject.value);
  // What was ended by Ctrl-C says nothing of the kernel.
  if (session.signal.aborted) return { ok: false, exitCode: exitCodes.interrupted };
  return { ok: true, judgement: judgementOf(session, { request, seed, found: found.value, evidence }) };
}

interface Gathered {
  readonly claims: readonly JudgedClaim[];
  readonly cheats: readonly Cheat[];
  readonly reason: string | null;
  readonly notes: readonly string[];
  readonly conditions: readonly string[];
  readonly notJudged: readonly string[];
  readonly byFormula: readonly string[];
  readonly byBinding: readonly string[];
  readonly replayed: number;
  readonly arithmetic: 'f32' | 'f64';
  readonly device: string | null;
  readonly wrongKernels: Evidence['wrongKernels'];
  readonly lacksBinding?: boolean;
}

const nothing: Gathered = {
  claims: [],
  cheats: [],
  reason: null,
  notes: [],
  conditions: [],
  notJudged: [],
  byFormula: [],
  byBinding: [],
  replayed: 0,
  arithmetic: 'f64',
  device: null,
  wrongKernels: null,
};

interface Case {
  readonly request: JudgeRequest;
  readonly seed: number;
  readonly found: JudgedContract;
}

async function gather(session: Session, { request, seed, found }: Case, subject: BoundSubject): Promise<Gathered> {
  const timeoutMs = request.timeout * 1000;
  const tool = { name: 'pv' as const, version: await buildVersion(session.host), node: process.versions.node };
  const helpers = await helpersOf(session, found);
  const plans = { helpers, seed, cases: request.cases, device: request.device, tool };
  const planned = plannedChecks({ ...plans, found }, subject);
  const { language } = subject.program;
  const isFunction = language === 'function';
  const ran = await runChecks(session, planned, tool, timeoutMs);
  const imported = isFunction ? await importedFromJudge(session, found) : [];
  const holdIn = async (accuracy: AccuracyClass, open: readonly string[]): Promise<readonly string[]> => {
    const again = plannedChecks({ ...plans, found: withAccuracy(found, accuracy) }, subject);
    const checks = again.checks.filter(({ goal }) => open.includes(goal));
    const { claims } = await runChecks(session, { checks, wrongKernels: null }, tool, timeoutMs);
    return claims.filter(({ verdict }) => isGreen(verdict)).map(({ id }) => id);
  };
  const hasRun = ran.cheats.length === 0 && !ran.isOver;
  const claims = hasRun ? await withClassesMet(ran.claims, found.accuracy, holdIn) : ran.claims;
  const cheats: Cheat[] = [
    ...ran.cheats,
    ...(imported.length > 0
      ? [{ kind: 'imports-the-judge' as const, how: `it imports ${pathFrom(session.host.root, imported[0] ?? '')}` }]
      : []),
  ];
  const common = {
    notJudged: [...planned.notJudged, ...ran.notJudged.map((id) => id.slice(id.lastIndexOf('/') + 1))],
    byFormula: planned.byFormula,
    byBinding: planned.byBinding,
    arithmetic: isFunction ? 'f64' : 'f32',
    device: ran.device,
    wrongKernels: ran.wrongKernels,
  } as const;
  // A process that hung or ended has cost its time; it would again.
  // So has a shader that was not run for a claim.
  const isStopped = language === 'wgsl' && ran.claims.some(({ verdict }) => verdict === 'undetermined');
  if (language === 'gpu.js' || ran.reason !== null || ran.isOver || isStopped)
    return { ...nothing, claims, cheats, reason: ran.reason, ...common };
  const calls = await judgedCalls(subject, found.model, seed, replayed);
  const { program } = subject;
  const conduct: ConductFound = isFunction
    ? await judgeConduct(session, { program, calls, seed, timeoutMs, hasRun: claims.some(({ cases }) => cases > 0) })
    : await judgeShader({ program, calls, seed, device: request.device });
  return {
    claims,
    cheats: [...cheats, ...conduct.cheats],
    reason: conduct.hang,
    notes: conduct.notes,
    conditions: conduct.conditions,
    replayed: conduct.replayed,
    ...common,
  };
}

async function withClassesMet(
  claims: readonly JudgedClaim[],
  accuracy: AccuracyClass,
  holdIn: Parameters<typeof classesMet>[2],
): Promise<readonly JudgedClaim[]> {
  const broken = claims.filter(({ verdict, tolerance }) => verdict === 'falsified' && tolerance !== 'exact');
  const met = await classesMet(
    broken.map(({ id }) => id),
    accuracy,
    holdIn,
  );
  return claims.map((claim) => {
    const meets = met.get(claim.id);
    return meets === undefined ? claim : { ...claim, meets };
  });
}

const equationOf = ({ contract, model }: JudgedContract): Equation | undefined =>
  contract.contract.equations.find(({ name }) => name === model.name);

function judgementOf(
  session: Session,
  { request, seed, found, evidence }: Case & { readonly evidence: Gathered },
): Judgement {
  const { claims, reason, notes, conditions, notJudged, byFormula, byBinding, wrongKernels } = evidence;
  const cheats = distinctCheats(evidence.cheats);
  const deciding = { ...evidence, cheats };
  const broken = claims.find(({ counterexample }) => counterexample !== null);
  const { host } = session;
  return {
    schema: 'pv.judgement/1',
    status: statusOf(deciding),
    kernel: `${pathFrom(host.root, found.file)}#${found.name}`,
    contract: found.contract.contract.id,
    equation: found.model.name,
    seed,
    reason,
    cheats,
    claims,
    counterexample: broken?.counterexample ? { claim: broken.id, ...broken.counterexample } : null,
    score: scoreOf(deciding),
    scope: {
      cases: claims.reduce((sum, claim) => sum + claim.cases, 0),
      domain: equationOf(found)?.domain?.text ?? null,
      sizes: Object.fromEntries(
        found.model.domain.sizes.map(({ name, minimum, maximum }) => [name, [minimum, maximum] as const]),
      ),
      arithmetic: evidence.arithmetic,
      accuracy: found.accuracy,
      device: evidence.device,
      wrongKernels,
      replayed: evidence.replayed,
      conditions,
      byFormula,
      byBinding,
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
