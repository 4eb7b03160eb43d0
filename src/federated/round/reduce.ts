/**
 * The transitions of a round. An event that its state does not allow changes nothing and is refused with a code, on every node alike.
 *
 * Signatures are checked before (verify-event.ts); here, only whether signed things fit the round and each other.
 */
import { ok, type Result } from '../../base/result.ts';
import type { RoundEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { manifestSha } from '../manifest.ts';
import type { NodeId } from '../node-id.ts';
import { submissionForm, type Consent, type Submission, type SubmitReceipt, type Token } from '../statements.ts';
import { statementSha } from '../wire/signed.ts';
import { maskedFault, reduceOpened, reduceSaid, reduceStepEnded, withoutRevoked } from './secure.ts';
import { reduceClosing, reduceCompleted, reduceAborted } from './reduce-end.ts';
import { acceptedSoFar, activeMembers, isOpen, type Member, type RoundState } from './state.ts';

/** The next state. `at` is when the event happened, in milliseconds since 1970. `state` is null before the announcement. */
export function reduce(state: RoundState | null, event: RoundEvent, at: number): Result<RoundState, Refusal> {
  if (event.type === 'fedlearn.round.announced') {
    const sha = manifestSha(event.manifest);
    if (state !== null)
      return state.manifestSha === sha
        ? ok(state)
        : refuse('round_conflict', 'another manifest has the ID of this round');
    const { manifest } = event;
    return ok({
      manifest,
      manifestSha: sha,
      members: new Map(),
      closing: null,
      secure: null,
      aggregatedSha: null,
      result: null,
      abort: null,
    });
  }
  if (state === null) return refuse('round_unknown');
  switch (event.type) {
    case 'fedlearn.round.joined':
      return reduceJoined(state, event.consent, event.token);
    case 'fedlearn.round.trained':
      return reduceTrained(state, event.submission);
    case 'fedlearn.round.submitted':
      return reduceSubmitted(state, event.submission, event.receipt);
    case 'fedlearn.consent.revoked':
      return reduceRevoked(state, event.revocation.participant, event.revocation.manifestSha);
    case 'fedlearn.secure.opened':
      return reduceOpened(state, event.opening);
    case 'fedlearn.secure.said':
      return reduceSaid(state, event.messages, at);
    case 'fedlearn.secure.ended':
      return reduceStepEnded(state, event.end);
    case 'fedlearn.round.aggregating':
      return reduceClosing(state, event.closing, at);
    case 'fedlearn.round.aggregated':
      return ok({ ...state, aggregatedSha: event.deltaSha });
    case 'fedlearn.round.completed':
      return reduceCompleted(state, event.result, at);
    case 'fedlearn.round.aborted':
      return reduceAborted(state, event.abort, at);
  }
}

const withMember = (state: RoundState, node: NodeId, member: Member): RoundState => ({
  ...state,
  members: new Map(state.members).set(node, member),
});

/** Why a participant cannot join now; null if it can. */
export function joinFault(state: RoundState, consent: Consent, at: number): Refusal | null {
  const { manifest } = state;
  const known = state.members.get(consent.participant);
  if (consent.roundId !== manifest.roundId || consent.manifestSha !== state.manifestSha)
    return refuse('consent_required', 'the consent is for another round or manifest').error;
  if (consent.baseModelSha !== manifest.baseModelSha)
    return refuse('base_model_mismatch', 'the consent names another base model').error;
  if (known?.phase === 'REVOKED') return refuse('consent_revoked').error;
  if (known !== undefined) return refuse('already_joined').error;
  if (!isOpen(state) || state.secure !== null || at >= manifest.deadline) return refuse('round_closed').error;
  // Who revokes makes room for others, and is still remembered.
  const isFull = activeMembers(state).length >= manifest.maxParticipants || state.members.size >= mostMembers;
  return isFull ? refuse('round_full').error : null;
}

/** Each event costs time in proportion to the members: without a bound, a log could cost the square of its length. */
const mostMembers = 4096;

function reduceJoined(state: RoundState, consent: Consent, token: Token): Result<RoundState, Refusal> {
  const { manifest } = state;
  const fault = joinFault(state, consent, token.issuedAt);
  if (fault !== null) return { ok: false, error: fault };
  const isFor =
    token.roundId === manifest.roundId &&
    token.manifestSha === state.manifestSha &&
    token.coordinator === manifest.coordinator &&
    token.participant === consent.participant &&
    token.expiresAt === manifest.deadline;
  if (!isFor) return refuse('token_invalid', 'the token is not for this round and participant');
  return ok(
    withMember(state, consent.participant, { phase: 'JOINED', consent, token, trained: null, submitted: null }),
  );
}

function reduceTrained(state: RoundState, trained: Submission): Result<RoundState, Refusal> {
  const member = state.members.get(trained.participant);
  if (member === undefined || member.phase === 'REVOKED') return refuse('not_participant');
  if (!isOpen(state)) return refuse('round_closed');
  if (member.submitted !== null) return refuse('submission_duplicate');
  return ok(withMember(state, trained.participant, { ...member, phase: 'TRAINED', trained }));
}

/** Why a submission cannot be accepted now; null if it can. The delta itself is not looked at. */
export function submissionFault(state: RoundState, submission: Submission, at: number): Refusal | null {
  const { manifest } = state;
  const member = state.members.get(submission.participant);
  if (submission.roundId !== manifest.roundId || submission.manifestSha !== state.manifestSha)
    return refuse('submission_invalid', 'the submission is for another round or manifest').error;
  if (member === undefined) return refuse('not_participant').error;
  if (member.phase === 'REVOKED') return refuse('consent_revoked').error;
  if (member.submitted !== null) return refuse('submission_duplicate').error;
  if (!isOpen(state) || at >= manifest.deadline) return refuse('round_closed').error;
  if (submission.numSamples < 1 || submission.numSamples > manifest.maxSamples)
    return refuse('submission_invalid', `num_samples must be from 1 to ${manifest.maxSamples}`).error;
  if (submission.deltaSize < 1) return refuse('submission_invalid', 'delta_size must be at least 1').error;
  return maskedFault(state, submission);
}

function reduceSubmitted(
  state: RoundState,
  submission: Submission,
  receipt: SubmitReceipt,
): Result<RoundState, Refusal> {
  const fault = submissionFault(state, submission, receipt.acceptedAt);
  if (fault !== null) return { ok: false, error: fault };
  const isFor =
    receipt.roundId === state.manifest.roundId &&
    receipt.manifestSha === state.manifestSha &&
    receipt.coordinator === state.manifest.coordinator &&
    receipt.participant === submission.participant &&
    receipt.submissionSha === statementSha(submissionForm, submission);
  if (!isFor) return refuse('submission_invalid', 'the receipt is not for this submission');
  if (receipt.position !== acceptedSoFar(state))
    return refuse('submission_invalid', 'the receipt does not follow the last one: a submission is missing');
  const member = state.members.get(submission.participant);
  if (member === undefined) return refuse('not_participant');
  const submitted = { submission, receipt };
  return ok(withMember(state, submission.participant, { ...member, phase: 'SUBMITTED', submitted }));
}

function reduceRevoked(state: RoundState, participant: NodeId, sha: string): Result<RoundState, Refusal> {
  const member = state.members.get(participant);
  if (sha !== state.manifestSha) return refuse('consent_required', 'the revocation is for another manifest');
  if (member === undefined) return refuse('not_participant');
  if (member.phase === 'REVOKED') return refuse('consent_revoked');
  if (!isOpen(state)) return refuse('round_closed');
  return ok(withoutRevoked(withMember(state, participant, { ...member, phase: 'REVOKED' }), participant));
}
