/** The state of one round, as its events make it. */
import type { RoundManifest } from '../manifest.ts';
import type { NodeId } from '../node-id.ts';
import { compareText } from '../../base/text.ts';
import type { ServerState } from '../secure/server-state.ts';
import { statementSha } from '../wire/signed.ts';
import {
  submissionForm,
  type Abort,
  type Closing,
  type Consent,
  type RoundResult,
  type SecureOpening,
  type Submission,
  type SubmitReceipt,
  type Token,
} from '../statements.ts';

/** The states of the specification, section 5.1. */
export type RoundPhase = 'ANNOUNCED' | 'JOINED' | 'TRAINED' | 'SUBMITTED' | 'AGGREGATING' | 'COMPLETED' | 'ABORTED';

/** A participant in the course of a round. */
export interface Member {
  readonly phase: 'JOINED' | 'TRAINED' | 'SUBMITTED' | 'REVOKED';
  readonly consent: Consent;
  readonly token: Token;
  /** What it has trained and signed, which its own node alone knows before it is accepted. */
  readonly trained: Submission | null;
  /** What it submitted and was accepted; kept after a revocation, so that positions stay. */
  readonly submitted: { readonly submission: Submission; readonly receipt: SubmitReceipt } | null;
}

/** How far the secure aggregation of a round is. */
export interface SecureProgress {
  readonly opening: SecureOpening;
  /** What participants have said. */
  readonly server: ServerState;
}

/** A round. */
export interface RoundState {
  readonly manifest: RoundManifest;
  readonly manifestSha: string;
  readonly members: ReadonlyMap<NodeId, Member>;
  readonly closing: Closing | null;
  /** Null until the coordinator has fixed the participants, and in rounds without secure aggregation. */
  readonly secure: SecureProgress | null;
  /** What this node has aggregated. */
  readonly aggregatedSha: string | null;
  readonly result: RoundResult | null;
  readonly abort: Abort | null;
}

/** The phase: that of the participant who is furthest, until the round is closed. */
export function phaseOf({ members, closing, result, abort }: RoundState): RoundPhase {
  if (abort !== null) return 'ABORTED';
  if (result !== null) return 'COMPLETED';
  if (closing !== null) return 'AGGREGATING';
  const phases = new Set([...members.values()].map(({ phase }) => phase));
  for (const phase of ['SUBMITTED', 'TRAINED', 'JOINED'] as const) if (phases.has(phase)) return phase;
  return 'ANNOUNCED';
}

/** Whether the round still takes participants and submissions, apart from its deadline. */
export const isOpen = ({ closing, result, abort }: RoundState): boolean =>
  closing === null && result === null && abort === null;

/** Whether nothing can happen in the round any more. */
export const isEnded = ({ result, abort }: RoundState): boolean => result !== null || abort !== null;

/** Participants that have joined and not revoked. */
export const activeMembers = ({ members }: RoundState): readonly (readonly [NodeId, Member])[] =>
  [...members].filter(([, { phase }]) => phase !== 'REVOKED');

/** Accepted submissions that count, sorted by participant (UTF-16 code units): the order of aggregation on every node. */
export const submissionsOf = (state: RoundState): readonly Submission[] =>
  activeMembers(state)
    .flatMap(([, { submitted }]) => (submitted === null ? [] : [submitted.submission]))
    .toSorted((a, b) => compareText(a.participant, b.participant));

/** The identities of {@link submissionsOf}, as a closing lists them. */
export const submissionShas = (state: RoundState): readonly string[] =>
  submissionsOf(state).map((submission) => statementSha(submissionForm, submission));

/** How many submissions were accepted, revoked ones included. */
export const acceptedSoFar = ({ members }: RoundState): number =>
  [...members.values()].filter(({ submitted }) => submitted !== null).length;

/** How many submissions a round needs: those of its manifest, and as many as the threshold of its secure aggregation. */
export const neededSubmissions = ({ manifest, secure }: RoundState): number =>
  Math.max(manifest.minParticipants, secure?.server.round.threshold ?? 0);

/** Whose submissions may still come: all who have joined; with secure aggregation, those who have shared their secrets. */
export function expectedSubmitters(state: RoundState): readonly NodeId[] {
  const active = activeMembers(state).map(([node]) => node);
  const server = state.secure?.server;
  if (server === undefined || !('sharers' in server)) return active;
  return active.filter((node) => server.sharers.includes(node));
}
