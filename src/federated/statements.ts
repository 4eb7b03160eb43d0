/** What nodes sign in the course of a round. Each names the round and its manifest, so that it counts nowhere else. */
import type { JsonValue } from '../base/canonical-json.ts';
import { nodeIdCodec, type NodeId } from './node-id.ts';
import { fedCodeNames, type FedCode } from './fed-code.ts';
import { roundIdCodec, type RoundId } from './ulid.ts';
import {
  choice,
  count,
  digest,
  flag,
  instant,
  json,
  listOf,
  number,
  orNull,
  recordCodec,
  signature,
  text,
  type Codec,
  type RecordCodec,
} from './wire/codec.ts';
import type { Form } from './wire/signed.ts';

/** Common to all of them; times are in milliseconds since 1970. */
interface AboutRound {
  readonly roundId: RoundId;
  readonly manifestSha: string;
  readonly signature: Uint8Array;
}

const aboutRound = { roundId: roundIdCodec, manifestSha: digest, signature };

const form = <T extends { readonly signature: Uint8Array }>(
  purpose: string,
  signer: keyof T & string,
  codec: RecordCodec<T>,
): Form<T, 'signature'> => ({ purpose, signer, signature: 'signature', ...codec });

/** An operator's acceptance of a manifest's consent text, which is also the request to join. */
export interface Consent extends AboutRound {
  readonly participant: NodeId;
  /** Of the base model that is installed at the participant. */
  readonly baseModelSha: string;
  readonly grantedAt: number;
}

export const consentForm = form<Consent>(
  'consent',
  'participant',
  recordCodec<Consent>({ ...aboutRound, participant: nodeIdCodec, baseModelSha: digest, grantedAt: instant }),
);

/** The right to submit to one round, which the coordinator grants to one participant. */
export interface Token extends AboutRound {
  readonly scope: 'fedlearn-participant';
  readonly coordinator: NodeId;
  readonly participant: NodeId;
  readonly issuedAt: number;
  /** The deadline. */
  readonly expiresAt: number;
}

export const tokenForm = form<Token>(
  'token',
  'coordinator',
  recordCodec<Token>({
    ...aboutRound,
    scope: choice('fedlearn-participant'),
    coordinator: nodeIdCodec,
    participant: nodeIdCodec,
    issuedAt: instant,
    expiresAt: instant,
  }),
);

/** More than any configuration should allow; bounds what a message costs. */
export const mostSubmissions = 4096;

/**
 * The coordinator's end of joining, in a round with secure aggregation: who takes part from now on. It must name all who have joined and
 * not revoked.
 */
export interface SecureOpening extends AboutRound {
  readonly coordinator: NodeId;
  /** Sorted by UTF-16 code units. */
  readonly participants: readonly NodeId[];
  /** How many numbers are masked, which follows from the manifest and the base model. */
  readonly length: number;
  readonly openedAt: number;
}

export const openingForm = form<SecureOpening>(
  'secure-opening',
  'coordinator',
  recordCodec<SecureOpening>({
    ...aboutRound,
    coordinator: nodeIdCodec,
    participants: listOf(nodeIdCodec, mostSubmissions),
    length: count,
    openedAt: instant,
  }),
);

/** The coordinator's end of a step of secure aggregation that not everybody has taken: it goes on without those who have not. */
export interface SecureStepEnd extends AboutRound {
  readonly coordinator: NodeId;
  readonly ends: 'keys' | 'shares';
  readonly endedAt: number;
}

export const stepEndForm = form<SecureStepEnd>(
  'secure-step-end',
  'coordinator',
  recordCodec<SecureStepEnd>({
    ...aboutRound,
    coordinator: nodeIdCodec,
    ends: choice('keys', 'shares'),
    endedAt: instant,
  }),
);

/**
 * A participant's delta, which travels as a blob under its SHA-256. With secure aggregation it is the masked one, as little-endian
 * numbers of 32 bits.
 */
export interface Submission extends AboutRound {
  readonly participant: NodeId;
  readonly deltaSha: string;
  /** In bytes. */
  readonly deltaSize: number;
  /** The weight; the manifest's `max_samples` bounds it. */
  readonly numSamples: number;
  /** For telemetry only. */
  readonly trainLoss: number;
  /** By the participant's clock, for telemetry only: the coordinator's decides. */
  readonly submittedAt: number;
}

export const submissionForm = form<Submission>(
  'submission',
  'participant',
  recordCodec<Submission>({
    ...aboutRound,
    participant: nodeIdCodec,
    deltaSha: digest,
    deltaSize: count,
    numSamples: count,
    trainLoss: number,
    submittedAt: instant,
  }),
);

/** The coordinator's acceptance of a submission: whoever holds one can show that a result left it out. */
export interface SubmitReceipt extends AboutRound {
  readonly coordinator: NodeId;
  readonly participant: NodeId;
  /** SHA-256 of the submission without its signature. */
  readonly submissionSha: string;
  /** Counts the accepted submissions of the round from 0, so that a missing one is noticed. */
  readonly position: number;
  readonly acceptedAt: number;
}

export const receiptForm = form<SubmitReceipt>(
  'receipt',
  'coordinator',
  recordCodec<SubmitReceipt>({
    ...aboutRound,
    coordinator: nodeIdCodec,
    participant: nodeIdCodec,
    submissionSha: digest,
    position: count,
    acceptedAt: instant,
  }),
);

/** A participant's withdrawal, which also withdraws what it submitted. */
export interface Revocation extends AboutRound {
  readonly participant: NodeId;
  readonly revokedAt: number;
}

export const revocationForm = form<Revocation>(
  'revocation',
  'participant',
  recordCodec<Revocation>({ ...aboutRound, participant: nodeIdCodec, revokedAt: instant }),
);

/** The end of submissions: which of them are aggregated, in which order. */
export interface Closing extends AboutRound {
  readonly aggregator: NodeId;
  /** Whether somebody else than the coordinator closes. */
  readonly takeover: boolean;
  /** SHA-256 of each submission, sorted by participant. */
  readonly submissions: readonly string[];
  readonly closedAt: number;
}

export const closingForm = form<Closing>(
  'closing',
  'aggregator',
  recordCodec<Closing>({
    ...aboutRound,
    aggregator: nodeIdCodec,
    takeover: flag,
    submissions: listOf(digest, mostSubmissions),
    closedAt: instant,
  }),
);

/** What a round gave. */
export interface RoundResult extends AboutRound {
  readonly aggregatedDeltaSha: string;
  /** SHA-256 of the state of the server's optimizer after the round; null without one. */
  readonly serverStateSha: string | null;
  readonly nParticipants: number;
  readonly totalSamples: number;
  readonly aggregator: NodeId;
  readonly takeover: boolean;
  /** What the round costs a participant at the manifest's `privacy_delta`; null without noise. */
  readonly epsilon: number | null;
  readonly completedAt: number;
  /** `bus:SHA-256`, where the aggregated delta is fetched. */
  readonly downloadUrl: string;
}

export const resultForm = form<RoundResult>(
  'result',
  'aggregator',
  recordCodec<RoundResult>({
    ...aboutRound,
    aggregatedDeltaSha: digest,
    serverStateSha: orNull(digest),
    nParticipants: count,
    totalSamples: count,
    aggregator: nodeIdCodec,
    takeover: flag,
    epsilon: orNull(number),
    completedAt: instant,
    downloadUrl: text(256),
  }),
);

/** A code on the wire. */
export const fedCode: Codec<FedCode> = choice(...fedCodeNames);

/** A round that ends without a result. */
export interface Abort extends AboutRound {
  readonly aggregator: NodeId;
  readonly code: FedCode;
  readonly abortedAt: number;
}

export const abortForm = form<Abort>(
  'abort',
  'aggregator',
  recordCodec<Abort>({ ...aboutRound, aggregator: nodeIdCodec, code: fedCode, abortedAt: instant }),
);

/** Where an adapter is applied. */
export type ApplyScope = 'session' | 'node';

export const applyScope: Codec<ApplyScope> = choice('session', 'node');

/** An operator's command to its own node over the bus, good for one use. */
export interface OperatorCommand {
  /** The node, whose own key signs. */
  readonly node: NodeId;
  readonly capability: string;
  /** What the capability takes. */
  readonly request: JsonValue;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly signature: Uint8Array;
}

export const commandForm = form<OperatorCommand>(
  'command',
  'node',
  recordCodec<OperatorCommand>({
    node: nodeIdCodec,
    capability: text(128),
    request: json,
    nonce: digest,
    issuedAt: instant,
    signature,
  }),
);

/** A node's answer to one command of its operator: the bus could forge one that is not signed. */
export interface OperatorAnswer {
  readonly node: NodeId;
  /** That of the command. */
  readonly nonce: string;
  /** The reply, as it would be sent to others. */
  readonly reply: JsonValue;
  readonly signature: Uint8Array;
}

export const answerForm = form<OperatorAnswer>(
  'answer',
  'node',
  recordCodec<OperatorAnswer>({ node: nodeIdCodec, nonce: digest, reply: json, signature }),
);
