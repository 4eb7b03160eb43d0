/** Who a refused message says that it is from, and about which round: for people, who should hear of it, and never a proof. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { SharedEvent } from '../events.ts';
import type { FedCode } from '../fed-code.ts';
import { parseNodeId, type NodeId } from '../node-id.ts';
import { parseUlid, type RoundId } from '../ulid.ts';

/** What a message claims, where it has the form of an ID; null for anything else. */
export interface Claim {
  readonly round: RoundId | null;
  readonly sender: NodeId | null;
}

/** A refusal that a node has written to its log. */
export interface LoggedRefusal extends Claim {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly capability: string;
  readonly code: FedCode;
  /** How many of this capability, code and sender there were with it; senders that the node does not trust count together. */
  readonly count: number;
}

const membersOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}; // a list is readonly to the compiler alone

/** The claim of a request: of its statement's participant, or of the coordinator of the manifest that it passes on. */
export function claimOf(message: JsonValue): Claim {
  const whole = membersOf(message);
  const { round_id: round, participant, coordinator } = 'submission' in whole ? membersOf(whole['submission']) : whole;
  const sender = participant ?? coordinator;
  return {
    round: typeof round === 'string' ? parseUlid(round) : null,
    sender: typeof sender === 'string' ? parseNodeId(sender) : null,
  };
}

/** Whose an event of a topic says it is. Whoever published it may be somebody else. */
export function authorOf(event: SharedEvent): NodeId | null {
  switch (event.type) {
    case 'fedlearn.round.announced':
      return event.manifest.coordinator;
    case 'fedlearn.round.joined':
      return event.consent.participant;
    case 'fedlearn.round.submitted':
      return event.submission.participant;
    case 'fedlearn.consent.revoked':
      return event.revocation.participant;
    case 'fedlearn.secure.opened':
      return event.opening.coordinator;
    case 'fedlearn.secure.said':
      return parseNodeId(event.messages[0]?.participant ?? '');
    case 'fedlearn.secure.ended':
      return event.end.coordinator;
    case 'fedlearn.round.aggregating':
      return event.closing.aggregator;
    case 'fedlearn.round.completed':
      return event.result.aggregator;
    case 'fedlearn.round.aborted':
      return event.abort.aggregator;
  }
}
