/**
 * A node's copy of all rounds: it takes over what others publish, and publishes what it decides.
 *
 * An event counts once it is in its place on the bus: publishing succeeds only after the last event that the node has seen, so that two
 * nodes cannot decide differently at once. It is acknowledged once it is in the node's own synced log. What the bus loses, the nodes put
 * back from their logs.
 */
import { ok, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import type { Bus } from '../bus/bus.ts';
import type { FedLearnConfig } from '../config.ts';
import { eventCodec, isShared, roundOf, type FedEvent, type SharedEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { nodeIdOf, type NodeId, type Roster } from '../node-id.ts';
import { decide, type Command } from '../round/decide.ts';
import type { RoundState } from '../round/state.ts';
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

/** The rounds as one node knows them. Operations happen one after the other. */
export interface Replica {
  readonly self: NodeId;
  readonly rounds: ReadonlyMap<RoundId, RoundState>;
  /** Takes over what was published in a round since the last time; `bus_unreachable` where the bus does not answer. */
  readonly sync: (round: RoundId) => Promise<Result<void, Refusal>>;
  /** Learns of rounds that were announced since the last time; returns those that are new. */
  readonly discover: () => Promise<Result<readonly RoundId[], Refusal>>;
  /** Announces a round. */
  readonly announce: (
    event: SharedEvent & { readonly type: 'fedlearn.round.announced' },
  ) => Promise<Result<void, Refusal>>;
  /** Decides a command on the latest state, and publishes what happens. Returns the state afterwards. */
  readonly execute: (round: RoundId, command: Command) => Promise<Result<RoundState, Refusal>>;
  /** Writes an event that concerns this node alone, durably. */
  readonly record: (event: FedEvent) => Promise<Result<void, Refusal>>;
}

/** The topic on which rounds are announced. */
export const directoryTopic = 'fedlearn.rounds';

/** The topic with a round's history. */
export const roundTopic = (id: RoundId): string => `fedlearn.round.${id}`;

/** More than the events of a round; only somebody who floods the topic causes as many conflicts. */
const mostAttempts = 64;

interface Cursor {
  after: number;
  /** What the topic has, so that what it lacks can be put back. */
  readonly seen: Set<string>;
}

/** A replica over a journal. */
export function createReplica(parts: ReplicaParts): Replica {
  const { journal, now } = parts;
  const cursors = new Map<string, Cursor>();
  const inTurn = createTurns();
  const ingest = createIngest(parts, cursors);
  const discover = async (): Promise<Result<readonly RoundId[], Refusal>> => {
    const before = new Set(journal.rounds.keys());
    const read = await ingest(directoryTopic, null);
    if (!read.ok) return read;
    return ok([...journal.rounds.keys()].filter((id) => !before.has(id)));
  };
  return {
    self: nodeIdOf(parts.signer.key),
    rounds: journal.rounds,
    sync: (id) => inTurn(async () => withoutValue(await ingest(roundTopic(id), id))),
    discover: () => inTurn(discover),
    announce: (event) => inTurn(() => announceOn(parts, ingest, event)),
    execute: (id, command) => inTurn(() => executeOn(parts, ingest, cursors, id, command)),
    record: (event) =>
      inTurn(async () => {
        const written = journal.append(event, now());
        return written.ok ? journal.sync() : written;
      }),
  };
}

const withoutValue = <E>(result: Result<unknown, E>): Result<void, E> => (result.ok ? ok(undefined) : result);

/** Runs what it is given one after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    // The failure is the caller's; the next one's turn comes all the same.
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** What became of the messages that were read: a refusal for each that does not count, by the event's hash. */
type Ingested = Result<ReadonlyMap<string, Refusal | null>, Refusal>;
type Ingest = (topic: string, round: RoundId | null) => Promise<Ingested>;

const topicCapability = 'fedlearn.topic';

function createIngest({ bus, journal, trusts, config, now }: ReplicaParts, cursors: Map<string, Cursor>): Ingest {
  const take = async (
    bytes: Uint8Array,
    at: number,
    round: RoundId | null,
  ): Promise<readonly [string, Refusal | null] | null> => {
    const event = readMessage(bytes, eventCodec);
    const isFitting = event.ok && isShared(event.value) && fits(event.value, round);
    if (!event.ok || !isFitting) {
      journal.refused(topicCapability, refuse('message_invalid').error, round, now());
      return null;
    }
    const { value } = event;
    const sha = eventSha(value);
    if (journal.knows(sha)) return [sha, null];
    const unsigned = isShared(value) ? await eventFault(value, trusts, config) : null;
    const appended = unsigned === null ? journal.append(value, at) : { ok: false as const, error: unsigned };
    if (appended.ok) return [sha, null];
    if (appended.error.code !== 'storage_failed') journal.refused(topicCapability, appended.error, round, now());
    return [sha, appended.error];
  };
  return async (topic, round) => {
    const cursor = cursors.get(topic) ?? { after: 0, seen: new Set<string>() };
    cursors.set(topic, cursor);
    const messages = await bus.read(topic, cursor.after);
    if (!messages.ok) return refuse('bus_unreachable');
    const outcome = new Map<string, Refusal | null>();
    for (const { seq, at, bytes } of messages.value) {
      const taken = await take(bytes, at, round);
      if (taken?.[1]?.code === 'storage_failed') return { ok: false, error: taken[1] };
      if (taken !== null) {
        outcome.set(...taken);
        cursor.seen.add(taken[0]);
      }
      cursor.after = seq;
    }
    if (messages.value.length === 0) return ok(outcome);
    const synced = await journal.sync();
    return synced.ok ? ok(outcome) : synced;
  };
}

/** The directory has announcements alone; a round's topic has its own events alone. */
const fits = (event: SharedEvent, round: RoundId | null): boolean =>
  round === null ? event.type === 'fedlearn.round.announced' : roundOf(event) === round;

async function announceOn(
  { bus, journal }: ReplicaParts,
  ingest: Ingest,
  event: SharedEvent & { readonly type: 'fedlearn.round.announced' },
): Promise<Result<void, Refusal>> {
  const id = event.manifest.roundId;
  // Else whoever passes it on again would fill the topics.
  if (journal.knows(eventSha(event))) return ok(undefined);
  for (const topic of [roundTopic(id), directoryTopic]) {
    const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), null);
    if (!published.ok) return refuse(published.error === 'too-large' ? 'message_invalid' : 'bus_unreachable');
  }
  const read = await ingest(roundTopic(id), id);
  if (!read.ok) return read;
  return journal.knows(eventSha(event)) ? ok(undefined) : refuse('round_conflict');
}

/** Puts back what the bus has lost of a round, in the order of the log. */
async function restore({ bus, journal }: ReplicaParts, cursor: Cursor, id: RoundId): Promise<Result<void, Refusal>> {
  for (const event of journal.shared(id)) {
    if (cursor.seen.has(eventSha(event))) continue;
    const published = await bus.publish(roundTopic(id), messageBytes(eventCodec.encode(event)), null);
    if (!published.ok) return refuse('bus_unreachable');
  }
  return ok(undefined);
}

/** Reads a topic from its beginning, and puts back what it lacks. */
async function reread(
  parts: ReplicaParts,
  ingest: Ingest,
  cursors: Map<string, Cursor>,
  id: RoundId,
): Promise<Result<void, Refusal>> {
  const topic = roundTopic(id);
  cursors.delete(topic);
  const read = await ingest(topic, id);
  if (!read.ok) return read;
  const cursor = cursors.get(topic);
  const restored = cursor === undefined ? ok(undefined) : await restore(parts, cursor, id);
  return restored.ok ? withoutValue(await ingest(topic, id)) : restored;
}

async function executeOn(
  parts: ReplicaParts,
  ingest: Ingest,
  cursors: Map<string, Cursor>,
  id: RoundId,
  command: Command,
): Promise<Result<RoundState, Refusal>> {
  const { bus, journal, signer, now } = parts;
  const topic = roundTopic(id);
  const isFirst = !cursors.has(topic) && journal.rounds.has(id);
  const begun = isFirst ? await reread(parts, ingest, cursors, id) : ok(undefined);
  if (!begun.ok) return begun;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const read = await ingest(topic, id);
    if (!read.ok) return read;
    const state = journal.rounds.get(id);
    if (state === undefined) return refuse('round_unknown');
    const decision = decide(state, command, { signer, now: now() });
    if (!decision.ok) return decision;
    const [event] = decision.value;
    if (event === undefined) return ok(state);
    const after = cursors.get(topic)?.after ?? 0;
    const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), after);
    if (!published.ok && published.error !== 'conflict') return refuse('bus_unreachable');
    const back = await ingest(topic, id);
    if (!back.ok) return back;
    if (published.ok) {
      const refusal = back.value.get(eventSha(event));
      const next = journal.rounds.get(id);
      if (refusal === null && next !== undefined) return ok(next);
      if (refusal) return { ok: false, error: refusal };
    }
    // A conflict without a later message: the bus has lost some, and numbers its messages anew.
    if (cursors.get(topic)?.after === after) {
      const again = await reread(parts, ingest, cursors, id);
      if (!again.ok) return again;
    }
  }
  return refuse('round_busy');
}
