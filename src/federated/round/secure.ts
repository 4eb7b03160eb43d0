/** The transitions of secure aggregation within a round (Bonawitz et al. 2017, figure 4): every node follows them from the log alone. */
import { ok, type Result } from '../../base/result.ts';
import { refuse, refuseFor, type Refusal } from '../fed-code.ts';
import type { NodeId } from '../node-id.ts';
import { schemeOf, secureRoundOf } from '../secure-plan.ts';
import { advance, admit, hasAnswered, openSecureServer, withoutAnswer } from '../secure/server.ts';
import type { ServerState, UnmaskStage } from '../secure/server-state.ts';
import type { SecureMessage } from '../secure/statement.ts';
import type { SecureOpening, SecureStepEnd, Submission } from '../statements.ts';
import { activeMembers, isEnded, isOpen, submissionsOf, type RoundState, type SecureProgress } from './state.ts';

type Next = Result<RoundState, Refusal>;

/** Where a round's secure aggregation is: `joining` until the coordinator fixes the participants. */
export type SecureStage = 'joining' | ServerState['stage'] | 'ended';

/** The stage; without meaning in rounds without secure aggregation. */
export const secureStageOf = (state: RoundState): SecureStage =>
  isEnded(state) ? 'ended' : (state.secure?.server.stage ?? 'joining');

/** The participants that have joined and not revoked, sorted: whom an opening must name. */
export const participantsToOpen = (state: RoundState): readonly NodeId[] =>
  activeMembers(state)
    .map(([node]) => node)
    .sort();

/** Fixes the participants. */
export function reduceOpened(state: RoundState, opening: SecureOpening): Next {
  const { manifest, manifestSha } = state;
  const scheme = schemeOf(manifest);
  if (opening.manifestSha !== manifestSha || opening.coordinator !== manifest.coordinator)
    return refuse('not_coordinator', 'the opening is not by the coordinator, or for another manifest');
  if (scheme === null) return refuse('secure_step_closed', 'the round has no secure aggregation');
  if (state.secure !== null) return refuse('secure_already_answered', 'the participants are fixed already');
  if (!isOpen(state) || opening.openedAt >= manifest.deadline) return refuse('round_closed');
  const expected = participantsToOpen(state);
  if (expected.length < manifest.minParticipants) return refuse('fedlearn_min_participants_unmet');
  if (opening.participants.join() !== expected.join())
    return refuse('secure_sets_differ', 'the opening does not name those who have joined');
  const round = secureRoundOf(manifest, manifestSha, scheme, opening);
  return round.ok
    ? ok({ ...state, secure: { opening, server: openSecureServer(round.value) } })
    : refuseFor(round.error);
}

/** Takes what one participant says in one step: one message, or its shares for all others. */
export function reduceSaid(state: RoundState, messages: readonly SecureMessage[], at: number): Next {
  const { secure, manifest } = state;
  const [first] = messages;
  if (secure === null || state.result !== null || state.abort !== null)
    return refuse('secure_step_closed', 'the round takes no messages of secure aggregation now');
  // A text that is not the ID of a member finds nothing.
  const member = state.members.get((first?.participant ?? '') as NodeId);
  if (first === undefined || member === undefined) return refuse('not_participant');
  if (member.phase === 'REVOKED') return refuse('consent_revoked');
  const { type, participant } = first;
  let { server } = secure;
  if (server.stage !== type) return refuse('secure_step_closed', `the round waits for ${server.stage}`);
  if (state.closing === null && at >= manifest.deadline) return refuse('round_closed');
  if (hasAnswered(server, participant)) return refuse('secure_already_answered');
  const expected = server.stage === 'shares' ? server.keyList.length - 1 : 1;
  const isOne = messages.every((message) => message.participant === participant && message.type === type);
  if (!isOne || messages.length !== expected)
    return refuse('secure_message_invalid', `a participant says ${expected} messages of ${type} at once`);
  for (const message of messages) {
    const admitted = admit(server, message);
    if (!admitted.ok) return refuseFor(admitted.error);
    server = admitted.value;
  }
  return ok(settled(state, { ...secure, server }));
}

/** Ends a step without those who have not taken it. */
export function reduceStepEnded(state: RoundState, end: SecureStepEnd): Next {
  const { secure, manifest } = state;
  if (end.manifestSha !== state.manifestSha || end.coordinator !== manifest.coordinator)
    return refuse('not_coordinator', 'the end of a step is not by the coordinator, or for another manifest');
  if (secure?.server.stage !== end.ends || !isOpen(state) || end.endedAt >= manifest.deadline)
    return refuse('secure_step_closed', `the round does not wait for ${end.ends}`);
  const next = advance(secure.server);
  return next.ok ? ok({ ...state, secure: { ...secure, server: next.value } }) : refuseFor(next.error);
}

/** The state after a participant has revoked: what it has sent in the present step does not count. */
export function withoutRevoked(state: RoundState, participant: NodeId): RoundState {
  const { secure } = state;
  return secure === null ? state : settled(state, { ...secure, server: withoutAnswer(secure.server, participant) });
}

/** Ends a step once everybody has taken it who still can; of survivors, as many as the threshold must have signed. */
function settled(state: RoundState, secure: SecureProgress): RoundState {
  const next = isComplete(state, secure.server) ? advance(secure.server) : null;
  return { ...state, secure: next?.ok ? { ...secure, server: next.value } : secure };
}

function isComplete(state: RoundState, server: ServerState): boolean {
  const active = participantsToOpen(state);
  switch (server.stage) {
    case 'keys':
      return active.every((node) => hasAnswered(server, node));
    case 'shares':
      return server.keyList.every(
        ({ participant }) => active.every((node) => node !== participant) || hasAnswered(server, participant),
      );
    case 'survivors':
      return server.attestations.size >= server.round.threshold;
    default:
      // The closing of the round ends `masked`, and its result `unmask`.
      return false;
  }
}

/** Why a submission is not the masked delta that its participant has stated; null if it is, or the round has no secure aggregation. */
export function maskedFault({ manifest, secure }: RoundState, submission: Submission): Refusal | null {
  if (manifest.secure === 'off') return null;
  if (secure?.server.stage !== 'masked')
    return refuse('secure_step_closed', 'the participants have not shared their secrets').error;
  const { inputs, round } = secure.server;
  const input = inputs.get(submission.participant);
  const isStated =
    input?.vectorSha === submission.deltaSha &&
    input.weight === submission.numSamples &&
    submission.deltaSize === 4 * round.length;
  return isStated ? null : refuse('submission_invalid', 'the participant has not stated this masked delta').error;
}

/** Takes those whose submissions count for the survivors. */
export function closeMasked(state: RoundState): Result<SecureProgress | null, Refusal> {
  const { manifest, secure } = state;
  if (manifest.secure === 'off') return ok(null);
  if (secure?.server.stage !== 'masked')
    return refuse('secure_step_closed', 'the participants have not shared their secrets');
  const counted = new Set<string>(submissionsOf(state).map(({ participant }) => participant));
  const inputs = new Map([...secure.server.inputs].filter(([participant]) => counted.has(participant)));
  const next = advance({ ...secure.server, inputs });
  return next.ok ? ok({ ...secure, server: next.value }) : refuseFor(next.error);
}

/** The stage from which the sum follows; `secure_too_few` until as many survivors as the threshold have revealed their shares. */
export function unmaskable({ secure }: RoundState): Result<UnmaskStage, Refusal> {
  const server = secure?.server;
  const [revealed, threshold] =
    server?.stage === 'unmask' ? [server.answers.size, server.round.threshold] : [0, server?.round.threshold ?? 0];
  if (server?.stage === 'unmask' && (server.round.scheme === 'additive_pairwise' || revealed >= threshold))
    return ok(server);
  return refuse('secure_too_few', `${revealed} survivors have revealed their shares; the threshold is ${threshold}`);
}

/** Ten minutes: nodes come back, and clocks differ. */
const leastUnmaskMs = 600_000;

/**
 * When survivors are given up on: after the deadline they have as long as the round had before it, and ten minutes at least. Null in a
 * round that is not being unmasked.
 */
export function unmaskDeadlineOf({ manifest: { deadline }, secure, closing }: RoundState): number | null {
  if (secure === null || closing === null) return null;
  return deadline + Math.max(deadline - secure.opening.openedAt, leastUnmaskMs);
}
