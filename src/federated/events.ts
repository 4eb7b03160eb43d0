/** What happens to rounds and on a node. The state of a node is rebuilt from these alone. */
import type { RoundId } from './ulid.ts';
import { roundIdCodec } from './ulid.ts';
import { manifestForm, type RoundManifest } from './manifest.ts';
import { nodeIdCodec, type NodeId } from './node-id.ts';
import {
  abortForm,
  applyScope,
  closingForm,
  consentForm,
  fedCode,
  openingForm,
  receiptForm,
  resultForm,
  revocationForm,
  stepEndForm,
  submissionForm,
  tokenForm,
  type Abort,
  type ApplyScope,
  type Closing,
  type Consent,
  type Revocation,
  type RoundResult,
  type SecureOpening,
  type SecureStepEnd,
  type Submission,
  type SubmitReceipt,
  type Token,
} from './statements.ts';
import type { FedCode } from './fed-code.ts';
import { secureMessageDecoder, type SecureMessage } from './secure/statement.ts';
import { mostShares } from './secure/shamir.ts';
import {
  count,
  digest,
  listOf,
  orNull,
  recordCodec,
  text,
  unionCodec,
  type Codec,
  type RecordCodec,
} from './wire/codec.ts';
import type { JsonValue } from '../base/canonical-json.ts';

/** The history of a round that all of its nodes share. Each event carries the signatures that entitle it. */
export type SharedEvent =
  | { readonly type: 'fedlearn.round.announced'; readonly manifest: RoundManifest }
  | { readonly type: 'fedlearn.round.joined'; readonly consent: Consent; readonly token: Token }
  | { readonly type: 'fedlearn.round.submitted'; readonly submission: Submission; readonly receipt: SubmitReceipt }
  | { readonly type: 'fedlearn.consent.revoked'; readonly revocation: Revocation }
  | { readonly type: 'fedlearn.secure.opened'; readonly opening: SecureOpening }
  /** What one participant says in one step of secure aggregation; each message names its context and is signed. */
  | { readonly type: 'fedlearn.secure.said'; readonly roundId: RoundId; readonly messages: readonly SecureMessage[] }
  | { readonly type: 'fedlearn.secure.ended'; readonly end: SecureStepEnd }
  | { readonly type: 'fedlearn.round.aggregating'; readonly closing: Closing }
  | { readonly type: 'fedlearn.round.completed'; readonly result: RoundResult }
  | { readonly type: 'fedlearn.round.aborted'; readonly abort: Abort };

/** Steps of a round that one node alone takes. */
type OwnRoundEvent =
  | { readonly type: 'fedlearn.round.trained'; readonly submission: Submission }
  | { readonly type: 'fedlearn.round.aggregated'; readonly roundId: RoundId; readonly deltaSha: string };

/** What else a node remembers. */
type NodeEvent =
  | { readonly type: 'fedlearn.consent.granted'; readonly consent: Consent }
  | {
      readonly type: 'fedlearn.adapter.applied';
      readonly sha: string;
      readonly scope: ApplyScope;
    }
  | { readonly type: 'fedlearn.adapter.discarded'; readonly sha: string }
  | { readonly type: 'fedlearn.command.used'; readonly nonce: string }
  /** The node was about to show others a delta, which cannot be taken back. */
  | { readonly type: 'fedlearn.privacy.spent'; readonly roundId: RoundId; readonly deltaSha: string }
  /**
   * `count` such refusals of a sender so far: from the 64th on, only each power of two is written. Round and sender are what the message
   * says, or null.
   */
  | {
      readonly type: 'fedlearn.refused';
      readonly capability: string;
      readonly code: FedCode;
      readonly roundId: RoundId | null;
      readonly sender: NodeId | null;
      readonly count: number;
    }
  | {
      readonly type: 'security.signature.invalid';
      readonly capability: string;
      readonly roundId: RoundId | null;
      readonly sender: NodeId | null;
      readonly count: number;
    };

/** Any event. */
export type FedEvent = SharedEvent | OwnRoundEvent | NodeEvent;

/** An event of one round's state. */
export type RoundEvent = SharedEvent | OwnRoundEvent;

// Read by the decoder of its type, and written as it was signed.
const secureMessage: Codec<SecureMessage> = {
  decode: secureMessageDecoder,
  encode: (message) => message as unknown as JsonValue, // texts, numbers and lists
};

const shaAlone = recordCodec<{ readonly sha: string }>({ sha: digest });

const refusedOf = { capability: text(128), roundId: orNull(roundIdCodec), sender: orNull(nodeIdCodec), count };

/** Events on the wire and in logs. */
export const eventCodec: RecordCodec<FedEvent> = unionCodec<FedEvent>({
  'fedlearn.round.announced': recordCodec({ manifest: manifestForm }),
  'fedlearn.round.joined': recordCodec({ consent: consentForm, token: tokenForm }),
  'fedlearn.round.submitted': recordCodec({ submission: submissionForm, receipt: receiptForm }),
  'fedlearn.consent.revoked': recordCodec({ revocation: revocationForm }),
  'fedlearn.secure.opened': recordCodec({ opening: openingForm }),
  'fedlearn.secure.said': recordCodec({ roundId: roundIdCodec, messages: listOf(secureMessage, mostShares) }),
  'fedlearn.secure.ended': recordCodec({ end: stepEndForm }),
  'fedlearn.round.aggregating': recordCodec({ closing: closingForm }),
  'fedlearn.round.completed': recordCodec({ result: resultForm }),
  'fedlearn.round.aborted': recordCodec({ abort: abortForm }),
  'fedlearn.round.trained': recordCodec({ submission: submissionForm }),
  'fedlearn.round.aggregated': recordCodec({ roundId: roundIdCodec, deltaSha: digest }),
  'fedlearn.consent.granted': recordCodec({ consent: consentForm }),
  'fedlearn.adapter.applied': recordCodec({ sha: digest, scope: applyScope }),
  'fedlearn.adapter.discarded': shaAlone,
  'fedlearn.command.used': recordCodec({ nonce: digest }),
  'fedlearn.privacy.spent': recordCodec({ roundId: roundIdCodec, deltaSha: digest }),
  'fedlearn.refused': recordCodec({ ...refusedOf, code: fedCode }),
  'security.signature.invalid': recordCodec(refusedOf),
});

/** The round that an event changes; null for events of the node. */
export function roundOf(event: FedEvent): RoundId | null {
  switch (event.type) {
    case 'fedlearn.round.announced':
      return event.manifest.roundId;
    case 'fedlearn.round.joined':
      return event.token.roundId;
    case 'fedlearn.round.submitted':
      return event.receipt.roundId;
    case 'fedlearn.consent.revoked':
      return event.revocation.roundId;
    case 'fedlearn.secure.opened':
      return event.opening.roundId;
    case 'fedlearn.secure.said':
      return event.roundId;
    case 'fedlearn.secure.ended':
      return event.end.roundId;
    case 'fedlearn.round.aggregating':
      return event.closing.roundId;
    case 'fedlearn.round.completed':
      return event.result.roundId;
    case 'fedlearn.round.aborted':
      return event.abort.roundId;
    case 'fedlearn.round.trained':
      return event.submission.roundId;
    case 'fedlearn.round.aggregated':
      return event.roundId;
    default:
      return null;
  }
}

/** Whether an event belongs to the history that all nodes share. */
export const isShared = (event: FedEvent): event is SharedEvent =>
  roundOf(event) !== null && event.type !== 'fedlearn.round.trained' && event.type !== 'fedlearn.round.aggregated';

/** Whether an event changes the state of a round. */
export const isOfRound = (event: FedEvent): event is RoundEvent => roundOf(event) !== null;
