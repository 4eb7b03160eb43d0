/** The transitions that end a round: closing, completion and abort, by the coordinator or by a takeover. */
import { ok, type Result } from '../../base/result.ts';
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import type { NodeId } from '../node-id.ts';
import type { Abort, Closing, RoundResult } from '../statements.ts';
import { closeMasked, unmaskable, unmaskDeadlineOf } from './secure.ts';
import { isOpen, neededSubmissions, submissionShas, submissionsOf, type RoundState } from './state.ts';

/**
 * Why `aggregator` may not end the round at `at`; null if it may. The coordinator always may; a participant may once the deadline has
 * passed. Others never may.
 */
export function aggregatorFault(state: RoundState, aggregator: NodeId, at: number): Refusal | null {
  const { manifest, members } = state;
  if (aggregator === manifest.coordinator) return null;
  const member = members.get(aggregator);
  if (member === undefined || member.phase === 'REVOKED') return refuse('not_aggregator').error;
  return at >= manifest.deadline ? null : refuse('round_open', 'the deadline has not passed').error;
}

interface Ending {
  readonly aggregator: NodeId;
  readonly manifestSha: string;
}

/** `stated` is the time that the aggregator signed, `at` the bus's: both must be past the deadline for a takeover. */
function endingFault(
  state: RoundState,
  { aggregator, manifestSha }: Ending,
  stated: number,
  at: number,
): Refusal | null {
  if (manifestSha !== state.manifestSha) return refuse('round_conflict', 'it is for another manifest').error;
  if (state.result !== null || state.abort !== null) return refuse('round_closed').error;
  return aggregatorFault(state, aggregator, Math.min(stated, at));
}

/** Closes the round over exactly the submissions that this state has: a node that misses one refuses. */
export function reduceClosing(state: RoundState, closing: Closing, at: number): Result<RoundState, Refusal> {
  const fault = isOpen(state) ? endingFault(state, closing, closing.closedAt, at) : refuse('round_closed').error;
  if (fault !== null) return { ok: false, error: fault };
  if (closing.takeover !== (closing.aggregator !== state.manifest.coordinator))
    return refuse('not_coordinator', 'a takeover must say that it is one');
  const expected = submissionShas(state);
  const isSame =
    expected.length === closing.submissions.length && expected.every((sha, i) => sha === closing.submissions[i]);
  if (!isSame) return refuse('submission_invalid', 'the closing does not list the submissions of the round');
  if (expected.length < state.manifest.minParticipants) return refuse('fedlearn_min_participants_unmet');
  const secure = closeMasked(state);
  return secure.ok ? ok({ ...state, closing, secure: secure.value }) : secure;
}

/** Completes a closed round. The SHA-256 of the aggregate is taken as stated; `verifyRound` recomputes it. */
export function reduceCompleted(state: RoundState, result: RoundResult, at: number): Result<RoundState, Refusal> {
  const fault = endingFault(state, result, result.completedAt, at);
  if (fault !== null) return { ok: false, error: fault };
  if (state.closing === null) return refuse('round_open', 'the round was not closed');
  const unmasked = state.secure === null ? ok(null) : unmaskable(state);
  if (!unmasked.ok) return unmasked;
  if (result.takeover !== (result.aggregator !== state.manifest.coordinator))
    return refuse('not_coordinator', 'a takeover must say that it is one');
  const submissions = submissionsOf(state);
  const samples = submissions.reduce((sum, { numSamples }) => sum + numSamples, 0);
  if (result.nParticipants !== submissions.length || result.totalSamples !== samples)
    return refuse('submission_invalid', 'the result does not count the submissions of the round');
  if ((result.serverStateSha === null) !== (state.manifest.serverOptimizer === 'none'))
    return refuse('message_invalid', 'server_state_sha does not fit the server_optimizer of the round');
  if (result.downloadUrl !== downloadUrlOf(result.aggregatedDeltaSha))
    return refuse('message_invalid', 'download_url is not that of the aggregate');
  return ok({ ...state, result });
}

/** Where an aggregate is fetched from. */
export const downloadUrlOf = (sha: string): string => `bus:${sha}`;

/**
 * Aborts a round: its coordinator for any reason; a participant, after the deadline, for too few submissions, and for what prevents
 * unmasking once survivors have had their time.
 */
export function reduceAborted(state: RoundState, abort: Abort, at: number): Result<RoundState, Refusal> {
  const fault = endingFault(state, abort, abort.abortedAt, at);
  if (fault !== null) return { ok: false, error: fault };
  if (abort.aggregator !== state.manifest.coordinator && !mayAbort(state, abort, Math.min(abort.abortedAt, at)))
    return refuse(
      'not_coordinator',
      'a participant can only abort a round with too few submissions, or whose survivors do not unmask it in time',
    );
  return ok({ ...state, abort });
}

function mayAbort(state: RoundState, { code }: Abort, at: number): boolean {
  const unmaskDeadline = unmaskDeadlineOf(state);
  if (unmaskDeadline === null)
    return submissionsOf(state).length < neededSubmissions(state) && code === shortCodeOf(state);
  if (at < unmaskDeadline) return false;
  return code === 'secure_sum_failed' || (code === 'secure_too_few' && !unmaskable(state).ok);
}

/** Why a round with too few submissions ends. */
export const shortCodeOf = (state: RoundState): FedCode =>
  submissionsOf(state).length < state.manifest.minParticipants ? 'fedlearn_min_participants_unmet' : 'secure_too_few';
