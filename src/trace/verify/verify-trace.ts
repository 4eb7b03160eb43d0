/** The verdict on a trace: who vouches for its root, whether files and prompt are the recorded ones, and one replay. */
import { count, listOf } from '../../base/text.ts';
import type { Engine } from '../engine/engine.ts';
import type { Problem } from '../../base/problem.ts';
import { checkAnchor, type Anchor, type Standing } from './anchor.ts';
import { fail, isUndecided, leave, noFindings, pass, type Findings } from './check.ts';
import { checkFiles, type ReplayFiles } from './files.ts';
import { nothingCovered, type Coverage } from './headline.ts';
import { chooseLevel, weakBand, type Level } from './level.ts';
import { checkComplete } from './completeness.ts';
import { lateEnd, openEnd, type OpenEnd } from './generation-end.ts';
import { positionsInGaps, replayCoverage, undecidedCoverage } from './replay-coverage.ts';
import { replay, type Replayed } from './replay.ts';
import { checkRequired, type Requirement } from './requirement.ts';
import { samplingText } from './sampling-text.ts';
import { selectPositions, type Selection } from './selection.ts';
import type { ReplaySource } from './source.ts';
import type { Verdict } from './verdict.ts';

/** What is verified, and how. */
export interface Verification {
  readonly source: ReplaySource;
  /** Rewound: nothing has been fed in since position 0. */
  readonly engine: Engine;
  readonly files: ReplayFiles;
  readonly which: Selection;
  /** The level that is demanded; null for what `chooseLevel` says, which is never a band. */
  readonly level: Level | null;
  readonly anchor: Anchor;
  /** Accepts a truncated file, and a trace that does not show its end; otherwise these are PV-8032 and PV-8085. */
  readonly incomplete?: boolean;
  /** What a `verified` verdict must show; by default that the model generated the trace. */
  readonly require?: readonly Requirement[];
  /** Checks of the trace that were made beforehand. */
  readonly demands?: Findings;
}

/** What was examined, so that a part is not mistaken for the whole. */
interface Scope {
  /** What was requested; for a random challenge with its seed, so that others can repeat it. */
  readonly which: Selection;
  /** Positions of the steps whose logits were compared: K of the N `steps`. */
  readonly positions: readonly number[];
  readonly steps: number;
  /** Positions that were not recorded. */
  readonly gapPositions: number;
  /** The numeric profiles of the replaying engine and of the recording. */
  readonly engineProfile: string;
  readonly traceProfile: string;
  /** Logits that each step keeps, which is what a band can compare. */
  readonly sketch: number;
  /** How tokens were chosen again, in a few words; null if they were not. */
  readonly sampling: string | null;
}

/** The verdict on a trace: on its tree, its files and one replay. */
export interface TraceVerdict extends Verdict {
  /**
   * `verified`: all checks passed at the stated level and scope. `failed`: something is not as recorded.
   * `undetermined`: nothing was found to be wrong, and what was requested could not be decided.
   */
  readonly verdict: 'verified' | 'failed' | 'undetermined';
  /** Null if none could be chosen. */
  readonly level: Level | null;
  readonly scope: Scope;
  /** In the order of the checks, those of the replay by position; some of many. */
  readonly problems: readonly Problem[];
  /** Null if it did not come to a replay. */
  readonly replayed: Replayed | null;
}

/** Costs one replay up to the last position that is requested, however many are. */
export async function verifyTrace(verification: Verification): Promise<TraceVerdict> {
  const { source, engine, files, which, anchor, incomplete = false, demands = noFindings() } = verification;
  const findings: Findings = { checks: [...demands.checks], problems: [...demands.problems] };
  checkComplete(source, incomplete, findings);
  // Unmet demands are reported together with what the replay finds; what fails from here on is not worth a replay.
  const before = findings.problems.length;
  const selected = selectPositions(source.entries, which);
  // Where all are compared, the root over all of them says more than any path.
  const tree = source.checkTree(selected.ok && which.kind !== 'all' ? selected.value : []);
  if (tree.ok) pass(findings, 'tree', tree.value);
  else fail(findings, tree.error);
  const { standing, opened } = await checkAnchor(source.head, anchor, findings);
  checkFiles(source, files, findings);
  const late = lateEnd(source, engine);
  if (late !== null) fail(findings, late);
  const level = chooseLevel(verification.level, source.recorded, engine.profile);
  if (!level.ok) fail(findings, level.error);
  if (!selected.ok) fail(findings, selected.error);
  const ready = level.ok && selected.ok && findings.problems.length === before;
  const replayed = ready ? replay(source, engine, selected.value, level.value) : null;
  report(replayed, findings);
  // A fault already fails a trace; what it does not show is reported only if there is no fault.
  if (replayed !== null && findings.problems.length === 0) {
    const weak = weakness(source, engine, replayed);
    if (weak !== null) fail(findings, weak);
    checkRequired({ source, engine, files, which, standing, replayed }, verification.require, incomplete, findings);
  }
  const verdict = verdictOf(findings.problems);
  const end = openEnd(source, engine.config.sequenceLength);
  return {
    verdict,
    covers: coverageOf(verdict, verification, findings, replayed, standing, end),
    level: level.ok ? level.value : null,
    scope: scopeOf(source, engine, which, replayed === null || !selected.ok ? [] : selected.value),
    checks: findings.checks,
    problems: findings.problems,
    replayed,
    standing,
    signedBy: opened?.signedBy ?? [],
    unbound: unboundOf(verification, replayed, standing, end),
  };
}

/** Why a band is too weak; null at the exact level and between engines of one profile, where every bit was compared. */
function weakness(source: ReplaySource, engine: Engine, replayed: Replayed): Problem | null {
  if (replayed.level === 'exact' || source.recorded.profile === engine.profile) return null;
  return weakBand(replayed.level, replayed.compared, stepsIn(source), hiddenIn(source));
}

const stepsIn = ({ entries }: ReplaySource): number => entries.filter(({ kind }) => kind === 'step').length;

/** A prefill does not give its logits: the recorder did not choose to leave out the positions of the prompt. */
const hiddenIn = ({ entries, recorded: { prompt } }: ReplaySource): number =>
  Math.max(0, positionsInGaps(entries) - (prompt.tokens?.length ?? 0));

function unboundOf(
  { source, engine, files }: Verification,
  replayed: Replayed | null,
  standing: Standing,
  end: OpenEnd | null,
): readonly string[] {
  return [
    ...unboundBy(standing),
    ...source.unbound,
    ...promptText(source, files),
    ...(end === null ? [] : [end.clause]),
    ...tokensLeftOut(replayed),
    ...logitsLeftOut(replayed, source.recorded.sketch, engine.config.vocabSize),
  ];
}

function coverageOf(
  verdict: TraceVerdict['verdict'],
  { source, files, which }: Verification,
  { problems }: Findings,
  replayed: Replayed | null,
  standing: Standing,
  end: OpenEnd | null,
): Coverage {
  if (verdict === 'failed') return nothingCovered;
  const names = problems.map(({ check }) => check);
  if (verdict === 'undetermined') return undecidedCoverage(names, replayed, which);
  return replayCoverage(source, files, which, replayed, standing, end === null ? [] : [end.short]);
}

/** The verdict that follows from all problems. */
export function verdictOf(problems: readonly Problem[]): TraceVerdict['verdict'] {
  if (problems.length === 0) return 'verified';
  return problems.every(isUndecided) ? 'undetermined' : 'failed';
}

function scopeOf(source: ReplaySource, engine: Engine, which: Selection, positions: readonly number[]): Scope {
  const { entries, recorded } = source;
  return {
    which,
    positions,
    steps: stepsIn(source),
    gapPositions: positionsInGaps(entries),
    engineProfile: engine.profile,
    traceProfile: recorded.profile,
    sketch: recorded.sketch,
    sampling: recorded.prompt.tokens === null ? null : samplingText(recorded.sampler),
  };
}

function report(replayed: Replayed | null, findings: Findings): void {
  if (replayed === null) {
    leave(findings, 'logits', 'Nothing was replayed, since a check before it did not pass.');
    return;
  }
  const { level, problems, failures, compared, tokens, difference } = replayed;
  for (const problem of problems) fail(findings, problem);
  const isOf = (codes: readonly string[]): boolean => problems.some(({ code }) => codes.includes(code));
  const far =
    difference === null
      ? ''
      : ` Largest |Δ| ${difference.largest.toPrecision(3)}, mean ${difference.mean.toPrecision(3)}.`;
  const agree = compared === 1 ? 'agrees' : 'agree';
  if (failures === 0) pass(findings, 'logits', `${count(compared, 'step')} ${agree} at the level ${level}.${far}`);
  const words = {
    forced: 'forced by the prompt',
    same: 'chosen again',
    near: 'possible within the band',
    differs: 'not what was expected',
    unknown: 'not made again',
  };
  const parts = (['forced', 'same', 'near', 'differs', 'unknown'] as const).flatMap((state) =>
    tokens[state] > 0 ? [`${tokens[state]} ${words[state]}`] : [],
  );
  const name = 'tokens';
  if (isOf(['PV-8063', 'PV-8065'])) findings.checks.push({ name, outcome: 'failed', detail: `${listOf(parts)}.` });
  else if (parts.length === 0) leave(findings, name, 'No output token was recorded.');
  else if (tokens.forced + tokens.same + tokens.near === 0)
    leave(findings, name, `${parts.join('')}: the sampler cannot be run again.`);
  else pass(findings, name, `${listOf(parts)}.`);
}

function unboundBy(standing: Standing): readonly string[] {
  const word = 'who vouches for the root: only the trace itself states it';
  const size = 'the number of leaves, as far as the given root goes: a root alone does not bind it';
  return standing === 'nothing' ? [word] : standing === 'given root' ? [size] : [];
}

/** A text next to token ids is only the recorder's claim until a tokenizer encodes it. */
function promptText({ recorded: { prompt } }: ReplaySource, { tokenizer }: ReplayFiles): readonly string[] {
  if (prompt.text === null) return [];
  if (prompt.tokens === null)
    return ['that the recorded prompt was fed in: the trace does not say which tokens it was'];
  return tokenizer === null
    ? ['that the recorded prompt is the text of the recorded tokens: no tokenizer was given']
    : [];
}

/** A band sees what a sketch keeps; only the exact level looks at hashes. */
function logitsLeftOut(replayed: Replayed | null, sketch: number, vocabSize: number): readonly string[] {
  if (replayed === null || replayed.level === 'exact') return [];
  const kept = Math.min(sketch, vocabSize);
  return [
    `the hashes of the logits, and all but the ${kept} of ${vocabSize} that each step keeps, beyond their log-sum-exp`,
  ];
}

function tokensLeftOut(replayed: Replayed | null): readonly string[] {
  const left = replayed?.tokens.unknown ?? 0;
  return left === 0 ? [] : [`how ${count(left, 'token')} were chosen: the sampler cannot be run again here`];
}
