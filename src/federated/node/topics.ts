/** Takes over what others publish: reads topics, checks each event, and appends to the node's log what counts. */
import { ok, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import { mostRead, type Bus, type BusMessage } from '../bus/bus.ts';
import type { FedLearnConfig } from '../config.ts';
import { eventCodec, isShared, roundOf, type SharedEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import type { Roster } from '../node-id.ts';
import { eventFault } from '../round/verify-event.ts';
import { shaOf } from '../store/blobs.ts';
import type { RoundId } from '../ulid.ts';
import { messageBytes, readMessage } from '../wire/message.ts';
import { authorOf } from './claim.ts';
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
  readonly readDirectory: () => Promise<Result<void, Refusal>>;
  /** Takes over what is new in a round, durably. If the bus has lost messages, puts them back first. */
  readonly readRound: (id: RoundId) => Promise<Result<Outcomes, Refusal>>;
  /** Reads a round's topic from its beginning, and puts back what the bus has lost and the log has. */
  readonly restore: (id: RoundId) => Promise<Result<void, Refusal>>;
  /** The number of the last message that was read of a round's topic; null if the topic was not read yet. */
  readonly lastRead: (id: RoundId) => number | null;
  /** Appends an event after the last message that was read; `conflict` if others were faster. */
  readonly publish: (id: RoundId, event: SharedEvent) => Promise<Result<void, Refusal | 'conflict'>>;
}

interface Cursor {
  /** The number and the hash of the last message that was read; 0 before the first. */
  after: number;
  last: string;
  /** The hashes of the topic's events, so that what it lacks can be put back. */
  readonly seen: Set<string>;
}

const topicCapability = 'fedlearn.topic';

/** The topics of a node. */
export function createTopics(parts: ReplicaParts): Topics {
  const { bus } = parts;
  const cursors = new Map<string, Cursor>();
  const cursorOf = (topic: string): Cursor => {
    const cursor = cursors.get(topic) ?? { after: 0, last: '', seen: new Set() };
    cursors.set(topic, cursor);
    return cursor;
  };
  const restore: Topics['restore'] = async (id) => {
    const topic = roundTopic(id);
    cursors.delete(topic);
    const all = await readOn(parts, topic, cursorOf(topic), id);
    if (!all.ok) return all;
    const restored = await putBack(parts, cursorOf(topic), id);
    const again = restored.ok ? await readOn(parts, topic, cursorOf(topic), id) : restored;
    return again.ok ? ok(undefined) : again;
  };
  return {
    async readDirectory() {
      const read = await readOn(parts, directoryTopic, cursorOf(directoryTopic), null);
      if (!read.ok || read.value !== null) return read.ok ? ok(undefined) : read;
      cursors.delete(directoryTopic);
      const again = await readOn(parts, directoryTopic, cursorOf(directoryTopic), null);
      return again.ok ? ok(undefined) : again;
    },
    async readRound(id) {
      const read = await readOn(parts, roundTopic(id), cursorOf(roundTopic(id)), id);
      if (!read.ok) return read;
      if (read.value !== null) return ok(read.value);
      const restored = await restore(id);
      return restored.ok ? ok(new Map()) : restored;
    },
    restore,
    lastRead: (id) => cursors.get(roundTopic(id))?.after ?? null,
    async publish(id, event) {
      const topic = roundTopic(id);
      const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), cursorOf(topic).after);
      if (published.ok) return ok(undefined);
      return published.error === 'conflict' ? { ok: false, error: 'conflict' } : refuse('bus_unreachable');
    },
  };
}

/** Of {@link mostRead} messages each. */
const mostParts = 64;

interface Newer {
  readonly messages: readonly BusMessage[];
  /** Whether there may be more. */
  readonly isPart: boolean;
}

/** Messages after the cursor; null if the bus has lost the one that was read last, and may number its messages anew. */
async function newer(bus: Bus, topic: string, { after, last }: Cursor): Promise<Result<Newer | null, Refusal>> {
  const read = await bus.read(topic, Math.max(0, after - 1));
  if (!read.ok) return refuse('bus_unreachable');
  const isPart = read.value.length === mostRead;
  if (after === 0) return ok({ messages: read.value, isPart });
  const [first, ...messages] = read.value;
  return ok(first?.seq === after && shaOf(first.bytes) === last ? { messages, isPart } : null);
}

/** Takes over what is after the cursor, durably; null if the topic must be read from its beginning. */
async function readOn(
  parts: ReplicaParts,
  topic: string,
  cursor: Cursor,
  round: RoundId | null,
): Promise<Result<Outcomes | null, Refusal>> {
  const outcomes = new Map<string, Refusal | null>();
  // Who floods a topic faster than it is read must not keep the node from everything else: the next look reads on.
  for (let [isPart, i] = [true, 0]; isPart && i < mostParts; i++) {
    const next = await newer(parts.bus, topic, cursor);
    if (!next.ok || next.value === null) return next.ok ? ok(null) : next;
    ({ isPart } = next.value);
    for (const message of next.value.messages) {
      const taken = await take(parts, message, round);
      if (taken?.refusal?.code === 'storage_failed') return { ok: false, error: taken.refusal };
      if (taken !== null) {
        outcomes.set(taken.sha, taken.refusal);
        cursor.seen.add(taken.sha);
      }
      cursor.after = message.seq;
      cursor.last = shaOf(message.bytes);
    }
    const synced = next.value.messages.length === 0 ? ok(undefined) : await parts.journal.sync();
    if (!synced.ok) return synced;
  }
  return ok(outcomes);
}

/** Publishes again what the log has of a round and its topic has not, in the order of the log. */
async function putBack({ bus, journal }: ReplicaParts, { seen }: Cursor, id: RoundId): Promise<Result<void, Refusal>> {
  for (const event of journal.shared(id)) {
    if (seen.has(eventSha(event))) continue;
    const topics = event.type === 'fedlearn.round.announced' ? [roundTopic(id), directoryTopic] : [roundTopic(id)];
    for (const topic of topics) {
      const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), null);
      if (!published.ok) return refuse('bus_unreachable');
    }
  }
  return ok(undefined);
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
    journal.refused(topicCapability, refuse('message_invalid').error, { round, sender: null }, now());
    return null;
  }
  const sha = eventSha(event.value);
  if (journal.knows(sha)) return { sha, refusal: null };
  const unsigned = await eventFault(event.value, trusts, config);
  const appended = unsigned === null ? journal.append(event.value, at) : { ok: false as const, error: unsigned };
  if (appended.ok) return { sha, refusal: null };
  const claim = { round: round ?? roundOf(event.value), sender: authorOf(event.value) };
  if (appended.error.code !== 'storage_failed') journal.refused(topicCapability, appended.error, claim, now());
  return { sha, refusal: appended.error };
}

/** The directory has announcements alone; a round's topic has its own events alone. */
const belongs = (event: SharedEvent, round: RoundId | null): boolean =>
  round === null ? event.type === 'fedlearn.round.announced' : roundOf(event) === round;
