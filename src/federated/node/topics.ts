/** Takes over what others publish: reads topics, checks each event, and appends to the node's log what counts. */
import { ok, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import type { Bus, BusMessage } from '../bus/bus.ts';
import type { FedLearnConfig } from '../config.ts';
import { eventCodec, isShared, roundOf, type SharedEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import type { Roster } from '../node-id.ts';
import { eventFault } from '../round/verify-event.ts';
import type { RoundId } from '../ulid.ts';
import { messageBytes, readMessage } from '../wire/message.ts';
import { eventSha, type Journal } from './journal.ts';

/** What a replica works with. */
export interface ReplicaParts {
  readonly signer: Signer;
  readonly bus: Bus;
  readonly journal: Journal;
  readonly config: FedLearnConfig;
  readonly trusts: Roster;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The topic on which rounds are announced. */
export const directoryTopic = 'fedlearn.rounds';

/** The topic with a round's history. */
export const roundTopic = (id: RoundId): string => `fedlearn.round.${id}`;

/** What became of the events that were read, by their hashes: null, or why an event does not count. */
type Outcomes = ReadonlyMap<string, Refusal | null>;

/** The topics that a node reads. */
export interface Topics {
  /** Takes over what is new in the directory, durably. */
  readonly readDirectory: () => Promise<Result<Outcomes, Refusal>>;
  /** Takes over what is new in a round, durably. */
  readonly readRound: (id: RoundId) => Promise<Result<Outcomes, Refusal>>;
  /** Reads a round's topic from its beginning, and puts back what the bus has lost and the log has. */
  readonly restore: (id: RoundId) => Promise<Result<void, Refusal>>;
  /** The number of the last message that was read of a round's topic; null if the topic was not read yet. */
  readonly lastRead: (id: RoundId) => number | null;
  /** Appends an event after the last message that was read; `conflict` if others were faster. */
  readonly publish: (id: RoundId, event: SharedEvent) => Promise<Result<void, Refusal | 'conflict'>>;
}

interface Cursor {
  after: number;
  /** The hashes of the topic's events, so that what it lacks can be put back. */
  readonly seen: Set<string>;
}

const topicCapability = 'fedlearn.topic';

/** The topics of a node. */
export function createTopics(parts: ReplicaParts): Topics {
  const { bus, journal } = parts;
  const cursors = new Map<string, Cursor>();
  const read = async (topic: string, round: RoundId | null): Promise<Result<Outcomes, Refusal>> => {
    const cursor = cursors.get(topic) ?? { after: 0, seen: new Set<string>() };
    const messages = await bus.read(topic, cursor.after);
    if (!messages.ok) return refuse('bus_unreachable');
    cursors.set(topic, cursor);
    const outcomes = new Map<string, Refusal | null>();
    for (const message of messages.value) {
      const taken = await take(parts, message, round);
      if (taken?.refusal?.code === 'storage_failed') return { ok: false, error: taken.refusal };
      if (taken !== null) {
        outcomes.set(taken.sha, taken.refusal);
        cursor.seen.add(taken.sha);
      }
      cursor.after = message.seq;
    }
    if (messages.value.length === 0) return ok(outcomes);
    const synced = await journal.sync();
    return synced.ok ? ok(outcomes) : synced;
  };
  const readRound: Topics['readRound'] = (id) => read(roundTopic(id), id);
  return {
    readDirectory: () => read(directoryTopic, null),
    readRound,
    async restore(id) {
      const topic = roundTopic(id);
      cursors.delete(topic);
      const all = await readRound(id);
      if (!all.ok) return all;
      const seen = cursors.get(topic)?.seen ?? new Set();
      for (const event of journal.shared(id)) {
        if (seen.has(eventSha(event))) continue;
        const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), null);
        if (!published.ok) return refuse('bus_unreachable');
      }
      const again = await readRound(id);
      return again.ok ? ok(undefined) : again;
    },
    lastRead: (id) => cursors.get(roundTopic(id))?.after ?? null,
    async publish(id, event) {
      const topic = roundTopic(id);
      const after = cursors.get(topic)?.after ?? 0;
      const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), after);
      if (published.ok) return ok(undefined);
      return published.error === 'conflict' ? { ok: false, error: 'conflict' } : refuse('bus_unreachable');
    },
  };
}

interface Taken {
  readonly sha: string;
  readonly refusal: Refusal | null;
}

/** Appends the event of a message to the log if it counts; null if the message is not an event of its topic. */
async function take(
  { journal, trusts, config, now }: ReplicaParts,
  { bytes, at }: BusMessage,
  round: RoundId | null,
): Promise<Taken | null> {
  const event = readMessage(bytes, eventCodec);
  if (!event.ok || !isShared(event.value) || !belongs(event.value, round)) {
    journal.refused(topicCapability, refuse('message_invalid').error, round, now());
    return null;
  }
  const sha = eventSha(event.value);
  if (journal.knows(sha)) return { sha, refusal: null };
  const unsigned = await eventFault(event.value, trusts, config);
  const appended = unsigned === null ? journal.append(event.value, at) : { ok: false as const, error: unsigned };
  if (appended.ok) return { sha, refusal: null };
  if (appended.error.code !== 'storage_failed') journal.refused(topicCapability, appended.error, round, now());
  return { sha, refusal: appended.error };
}

/** The directory has announcements alone; a round's topic has its own events alone. */
const belongs = (event: SharedEvent, round: RoundId | null): boolean =>
  round === null ? event.type === 'fedlearn.round.announced' : roundOf(event) === round;
