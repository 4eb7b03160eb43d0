/**
 * A node's copy of all rounds: it takes over what others publish, and publishes what it decides.
 *
 * An event counts once it is in its place on the bus: publishing succeeds only after the last event that the node has seen, so that two
 * nodes cannot decide differently at once. It is acknowledged once it is in the node's own synced log. What the bus loses, the nodes put
 * back from their logs.
 */
import { ok, type Result } from '../../base/result.ts';
import { eventCodec, type FedEvent, type SharedEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { nodeIdOf, type NodeId } from '../node-id.ts';
import { decide, type Command } from '../round/decide.ts';
import type { RoundState } from '../round/state.ts';
import type { RoundId } from '../ulid.ts';
import { messageBytes } from '../wire/message.ts';
import { eventSha } from './journal.ts';
import { createTopics, directoryTopic, roundTopic, type ReplicaParts, type Topics } from './topics.ts';
import { createTurns } from './turns.ts';

/** The event that begins a round. */
type Announcement = Extract<SharedEvent, { readonly type: 'fedlearn.round.announced' }>;

/** The rounds as one node knows them. Operations happen one after the other. */
export interface Replica {
  readonly self: NodeId;
  readonly rounds: ReadonlyMap<RoundId, RoundState>;
  /** Takes over what was published in a round since the last time; `bus_unreachable` where the bus does not answer. */
  readonly sync: (round: RoundId) => Promise<Result<void, Refusal>>;
  /** Learns of rounds that were announced since the last time. */
  readonly discover: () => Promise<Result<void, Refusal>>;
  /** Announces a round. */
  readonly announce: (event: Announcement) => Promise<Result<void, Refusal>>;
  /** Decides a command on the latest state, and publishes what happens. Returns the state afterwards. */
  readonly execute: (round: RoundId, command: Command) => Promise<Result<RoundState, Refusal>>;
  /** Writes an event that concerns this node alone, durably. */
  readonly record: (event: FedEvent) => Promise<Result<void, Refusal>>;
}

/** More than the events of a round; only somebody who floods the topic causes as many conflicts. */
const mostAttempts = 64;

/** A replica over a journal. */
export function createReplica(parts: ReplicaParts): Replica {
  const { journal, signer, now } = parts;
  const topics = createTopics(parts);
  const inTurn = createTurns();
  return {
    self: nodeIdOf(signer.key),
    rounds: journal.rounds,
    sync: (id) => inTurn(() => catchUp(parts, topics, id)),
    discover: () => inTurn(topics.readDirectory),
    announce: (event) => inTurn(() => announce(parts, topics, event)),
    execute: (id, command) => inTurn(() => execute(parts, topics, id, command)),
    record: (event) =>
      inTurn(async () => {
        const written = journal.append(event, now());
        return written.ok ? journal.sync() : written;
      }),
  };
}

/** Reads on. A node that has started again also puts back what the bus has lost meanwhile. */
async function catchUp({ journal }: ReplicaParts, topics: Topics, id: RoundId): Promise<Result<void, Refusal>> {
  if (topics.lastRead(id) === null && journal.rounds.has(id)) return topics.restore(id);
  const read = await topics.readRound(id);
  return read.ok ? ok(undefined) : read;
}

async function announce(
  { bus, journal }: ReplicaParts,
  topics: Topics,
  event: Announcement,
): Promise<Result<void, Refusal>> {
  const id = event.manifest.roundId;
  // Else whoever passes it on again would fill the topics.
  if (journal.knows(eventSha(event))) return ok(undefined);
  for (const topic of [roundTopic(id), directoryTopic]) {
    const published = await bus.publish(topic, messageBytes(eventCodec.encode(event)), null);
    if (!published.ok) return refuse(published.error === 'too-large' ? 'message_invalid' : 'bus_unreachable');
  }
  const read = await topics.readRound(id);
  if (!read.ok) return read;
  return journal.knows(eventSha(event)) ? ok(undefined) : refuse('round_conflict');
}

async function execute(
  parts: ReplicaParts,
  topics: Topics,
  id: RoundId,
  command: Command,
): Promise<Result<RoundState, Refusal>> {
  const begun = await catchUp(parts, topics, id);
  if (!begun.ok) return begun;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const done = await attemptOnce(parts, topics, id, command);
    if (done !== null) return done;
  }
  return refuse('round_busy');
}

/** Null if another node was faster, so that the command must be decided again on a later state. */
async function attemptOnce(
  { journal, signer, now }: ReplicaParts,
  topics: Topics,
  id: RoundId,
  command: Command,
): Promise<Result<RoundState, Refusal> | null> {
  const state = journal.rounds.get(id);
  if (state === undefined) return refuse('round_unknown');
  const decision = decide(state, command, { signer, now: now() });
  if (!decision.ok) return decision;
  if (decision.value === null) return ok(state);
  const published = await topics.publish(id, decision.value);
  if (!published.ok && published.error !== 'conflict') return { ok: false, error: published.error };
  const read = await topics.readRound(id);
  if (!read.ok) return read;
  if (published.ok) {
    const refusal = read.value.get(eventSha(decision.value));
    const next = journal.rounds.get(id);
    if (refusal === null && next !== undefined) return ok(next);
    if (refusal) return { ok: false, error: refusal };
  }
  return null;
}
