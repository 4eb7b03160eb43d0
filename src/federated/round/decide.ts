/**
 * What a node answers to a command, as a pure function of the round's state: the event that happens, or a refusal that changes nothing.
 *
 * What it signs is deterministic too (RFC 8032), so that the same command in the same state gives the same bytes.
 */
import { ok, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import type { SharedEvent } from '../events.ts';
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import { nodeIdOf, type NodeId } from '../node-id.ts';
import type { SecureMessage } from '../secure/statement.ts';
import {
  abortForm,
  closingForm,
  openingForm,
  receiptForm,
  resultForm,
  stepEndForm,
  submissionForm,
  tokenForm,
  type Consent,
  type Revocation,
  type Submission,
  type Token,
} from '../statements.ts';
import { sign, statementSha } from '../wire/signed.ts';
import { joinFault, reduce, submissionFault } from './reduce.ts';
import { aggregatorFault, downloadUrlOf, shortCodeOf } from './reduce-end.ts';
import { participantsToOpen } from './secure.ts';
import {
  acceptedSoFar,
  expectedSubmitters,
  isOpen,
  neededSubmissions,
  submissionShas,
  submissionsOf,
  type RoundState,
} from './state.ts';

/** Who decides, and when. */
export interface Decider {
  readonly signer: Signer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A command whose signatures hold. */
export type Command =
  | { readonly kind: 'join'; readonly consent: Consent }
  | { readonly kind: 'submit'; readonly submission: Submission; readonly token: Token }
  | { readonly kind: 'revoke'; readonly revocation: Revocation }
  /** Fixes the participants of a secure round; `length` is how many numbers are masked. */
  | { readonly kind: 'open-secure'; readonly length: number }
  /** What this participant says in a step of secure aggregation. */
  | { readonly kind: 'say'; readonly messages: readonly SecureMessage[] }
  | { readonly kind: 'end-step'; readonly ends: 'keys' | 'shares' }
  /** Ends submissions; too few of them abort the round. */
  | { readonly kind: 'close' }
  | {
      readonly kind: 'complete';
      readonly sha: string;
      readonly serverStateSha: string | null;
      readonly epsilon: number | null;
    }
  | { readonly kind: 'abort'; readonly code: FedCode };

/** What happens; null where the state already is as commanded. */
export type Decision = Result<SharedEvent | null, Refusal>;

/** Decides a command on a round that was announced. */
export function decide(state: RoundState, command: Command, decider: Decider): Decision {
  switch (command.kind) {
    case 'join':
      return decideJoin(state, command.consent, decider);
    case 'submit':
      return decideSubmit(state, command.submission, command.token, decider);
    case 'revoke':
      return checked(state, { type: 'fedlearn.consent.revoked', revocation: command.revocation }, decider);
    case 'open-secure':
      return decideOpening(state, command.length, decider);
    case 'say':
      return checked(
        state,
        { type: 'fedlearn.secure.said', roundId: state.manifest.roundId, messages: command.messages },
        decider,
      );
    case 'end-step':
      return decideStepEnd(state, command.ends, decider);
    case 'close':
      return decideClose(state, decider);
    case 'complete':
      return decideComplete(state, command, decider);
    case 'abort':
      return decideAbort(state, command.code, decider);
  }
}

/** The event, if the state allows it. */
function checked(state: RoundState, event: SharedEvent, { now }: Decider): Decision {
  const next = reduce(state, event, now);
  return next.ok ? ok(event) : next;
}

const self = ({ signer }: Decider): NodeId => nodeIdOf(signer.key);

const about = ({
  manifest,
  manifestSha,
}: RoundState): { readonly roundId: RoundState['manifest']['roundId']; readonly manifestSha: string } => ({
  roundId: manifest.roundId,
  manifestSha,
});

function decideJoin(state: RoundState, consent: Consent, decider: Decider): Decision {
  const { manifest } = state;
  if (self(decider) !== manifest.coordinator) return refuse('not_coordinator');
  const fault = joinFault(state, consent, decider.now);
  if (fault !== null) return { ok: false, error: fault };
  const token = sign(
    tokenForm,
    {
      ...about(state),
      scope: 'fedlearn-participant',
      coordinator: manifest.coordinator,
      participant: consent.participant,
      issuedAt: decider.now,
      expiresAt: manifest.deadline,
    },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.round.joined', consent, token }, decider);
}

function decideSubmit(state: RoundState, submission: Submission, token: Token, decider: Decider): Decision {
  const { manifest, members } = state;
  if (self(decider) !== manifest.coordinator) return refuse('not_coordinator');
  const member = members.get(submission.participant);
  if (member !== undefined && statementSha(tokenForm, member.token) !== statementSha(tokenForm, token))
    return refuse('token_invalid', 'the token is not the one that was issued for this round and participant');
  const fault = submissionFault(state, submission, decider.now);
  if (fault !== null) return { ok: false, error: fault };
  const receipt = sign(
    receiptForm,
    {
      ...about(state),
      coordinator: manifest.coordinator,
      participant: submission.participant,
      submissionSha: statementSha(submissionForm, submission),
      position: acceptedSoFar(state),
      acceptedAt: decider.now,
    },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.round.submitted', submission, receipt }, decider);
}

function decideOpening(state: RoundState, length: number, decider: Decider): Decision {
  const { coordinator } = state.manifest;
  if (self(decider) !== coordinator) return refuse('not_coordinator');
  if (state.secure !== null) return ok(null);
  const opening = sign(
    openingForm,
    { ...about(state), coordinator, participants: participantsToOpen(state), length, openedAt: decider.now },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.secure.opened', opening }, decider);
}

function decideStepEnd(state: RoundState, ends: 'keys' | 'shares', decider: Decider): Decision {
  const { coordinator } = state.manifest;
  if (self(decider) !== coordinator) return refuse('not_coordinator');
  const end = sign(stepEndForm, { ...about(state), coordinator, ends, endedAt: decider.now }, decider.signer);
  return checked(state, { type: 'fedlearn.secure.ended', end }, decider);
}

function decideClose(state: RoundState, decider: Decider): Decision {
  const aggregator = self(decider);
  const { manifest } = state;
  if (state.result !== null) return ok(null);
  if (state.abort !== null) return refuse(state.abort.code, 'the round was aborted');
  const fault = aggregatorFault(state, aggregator, decider.now);
  if (fault !== null) return { ok: false, error: fault };
  if (!isOpen(state)) return ok(null);
  const [submitted, expected] = [submissionsOf(state).length, expectedSubmitters(state).length];
  const needed = neededSubmissions(state);
  const isOver = decider.now >= manifest.deadline;
  // Before the deadline, the coordinator closes a round in which everybody who joined has submitted, and enough have.
  if (!isOver && (submitted < expected || submitted < needed))
    return refuse('round_open', 'the deadline has not passed, and submissions are missing');
  if (submitted < needed) return decideAbort(state, shortCodeOf(state), decider);
  const closing = sign(
    closingForm,
    {
      ...about(state),
      aggregator,
      takeover: aggregator !== manifest.coordinator,
      submissions: submissionShas(state),
      closedAt: decider.now,
    },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.round.aggregating', closing }, decider);
}

function decideComplete(
  state: RoundState,
  { sha, serverStateSha, epsilon }: Extract<Command, { readonly kind: 'complete' }>,
  decider: Decider,
): Decision {
  if (state.result !== null) return ok(null);
  const submissions = submissionsOf(state);
  const aggregator = self(decider);
  const result = sign(
    resultForm,
    {
      ...about(state),
      aggregatedDeltaSha: sha,
      serverStateSha,
      nParticipants: submissions.length,
      totalSamples: submissions.reduce((sum, { numSamples }) => sum + numSamples, 0),
      aggregator,
      takeover: aggregator !== state.manifest.coordinator,
      epsilon,
      completedAt: decider.now,
      downloadUrl: downloadUrlOf(sha),
    },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.round.completed', result }, decider);
}

function decideAbort(state: RoundState, code: FedCode, decider: Decider): Decision {
  const abort = sign(
    abortForm,
    { ...about(state), aggregator: self(decider), code, abortedAt: decider.now },
    decider.signer,
  );
  return checked(state, { type: 'fedlearn.round.aborted', abort }, decider);
}
