/** A node's log and what follows from it: the rounds, what was used up, and how often what was refused. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { eventCodec, isOfRound, isShared, roundOf, type FedEvent } from '../events.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { openEventLog } from '../log/event-log.ts';
import { reduce } from '../round/reduce.ts';
import type { RoundState } from '../round/state.ts';
import type { Roster } from '../node-id.ts';
import type { ApplyScope } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import type { Claim, LoggedRefusal } from './claim.ts';

/** The memory of a node. */
export interface Journal {
  readonly rounds: ReadonlyMap<RoundId, RoundState>;
  /** Whether this shared event, by its hash, is in the log. */
  readonly knows: (eventSha: string) => boolean;
  /** The shared events of a round, in the order of the log. */
  readonly shared: (round: RoundId) => readonly FedEvent[];
  /** The adapters that were applied to each scope and not discarded since, the one in use last. */
  readonly applied: ReadonlyMap<ApplyScope, readonly string[]>;
  /** The deltas of each round that others may have seen, by their SHA-256. */
  readonly released: ReadonlyMap<RoundId, ReadonlySet<string>>;
  /** Appends an event if the state allows it; `storage_failed` if the log cannot be written. Durable only after `sync`. */
  readonly append: (event: FedEvent, at: number) => Result<void, Refusal>;
  readonly sync: () => Promise<Result<void, Refusal>>;
  /**
   * Counts a refusal, and appends it: each of the first 64 of a trusted sender, and of all others together, then each power of two, so
   * that a flood neither fills the disk nor hides others.
   */
  readonly refused: (capability: string, refusal: Refusal, claim: Claim, at: number) => void;
  /** The latest refusals in the log that are about a round, the last one last; of 256 about any. */
  readonly refusedIn: (round: RoundId) => readonly LoggedRefusal[];
  readonly close: () => Promise<Result<void, FileProblem>>;
}

/** SHA-256 of an event's canonical JSON. */
export const eventSha = (event: FedEvent): string =>
  bytesToHex(sha256(encodeUtf8(canonicalJson(eventCodec.encode(event)))));

interface Memory {
  readonly rounds: Map<RoundId, RoundState>;
  readonly known: Set<string>;
  readonly shared: Map<RoundId, FedEvent[]>;
  readonly used: Set<string>;
  readonly applied: Map<ApplyScope, readonly string[]>;
  readonly released: Map<RoundId, Set<string>>;
  readonly refusals: Map<string, number>;
  readonly latestRefusals: LoggedRefusal[];
  readonly trusts: Roster;
}

/** How many refusals of a kind are all written. */
export const countedAll = 64;
const mostLatest = 256;

/** The log's file in a node's folder. */
export const logName = 'events.jsonl';

/** What a journal needs of its node. */
export interface JournalParts {
  readonly host: Host;
  readonly folder: string;
  readonly trusts: Roster;
  /** Receives each refusal that is written. */
  readonly onRefused: (refusal: LoggedRefusal) => void;
}

/** Opens a node's memory, which it rebuilds from the log alone: PV-8600 where the log is damaged or its events do not follow. */
export async function openJournal({
  host,
  folder,
  trusts,
  onRefused,
}: JournalParts): Promise<Result<Journal, Problem>> {
  const log = await openEventLog(host, `${folder}/${logName}`);
  if (!log.ok) return log;
  const memory: Memory = {
    rounds: new Map(),
    known: new Set(),
    shared: new Map(),
    used: new Set(),
    applied: new Map(),
    released: new Map(),
    refusals: new Map(),
    latestRefusals: [],
    trusts,
  };
  for (const { seq, event, at } of log.value.earlier) {
    const folded = fold(memory, event, at);
    if (!folded.ok)
      return wrong(
        'PV-8600',
        'event log',
        `Line ${seq + 1} of the event log does not follow from the lines before: ${folded.error.code}.`,
        {
          position: seq,
        },
      );
  }
  const failed = ({ message }: FileProblem): { readonly ok: false; readonly error: Refusal } =>
    refuse('storage_failed', `the event log ${message}`);
  return ok({
    ...memory,
    knows: (sha) => memory.known.has(sha),
    shared: (round) => memory.shared.get(round) ?? [],
    append(event, at) {
      const next = follow(memory, event, at);
      if (!next.ok) return next;
      const written = log.value.append(event, at);
      if (!written.ok) return failed(written.error);
      next.value();
      return ok(undefined);
    },
    sync: async () => {
      const synced = await log.value.sync();
      return synced.ok ? synced : failed(synced.error);
    },
    refused(capability, { code }, claim, at) {
      const key = refusalKey(trusts, { capability, code, sender: claim.sender });
      const count = (memory.refusals.get(key) ?? 0) + 1;
      memory.refusals.set(key, count);
      if (count > countedAll && !Number.isInteger(Math.log2(count))) return;
      const event = refusalEvent({ ...claim, capability, code, count, at });
      // A log that takes nothing more fails the next command, which must not be acknowledged; a refusal is one already.
      log.value.append(event, at);
      fold(memory, event, at);
      onRefused({ ...claim, capability, code, count, at });
    },
    refusedIn: (id) => memory.latestRefusals.filter(({ round }) => round === id),
    close: log.value.close,
  });
}

/** What an event changes, to be done once it is written; a refusal if the state does not allow it. */
function follow(memory: Memory, event: FedEvent, at: number): Result<() => void, Refusal> {
  if (event.type === 'fedlearn.command.used' && memory.used.has(event.nonce)) return refuse('command_replayed');
  if (!isOfRound(event)) return ok(() => followOfNode(memory, event, at));
  const id = roundOf(event);
  if (id === null) return refuse('message_invalid');
  const next = reduce(memory.rounds.get(id) ?? null, event, at);
  if (!next.ok) return next;
  return ok(() => {
    memory.rounds.set(id, next.value);
    if (!isShared(event)) return;
    memory.known.add(eventSha(event));
    const shared = memory.shared.get(id) ?? [];
    memory.shared.set(id, shared);
    shared.push(event);
  });
}

function fold(memory: Memory, event: FedEvent, at: number): Result<void, Refusal> {
  const next = follow(memory, event, at);
  if (!next.ok) return next;
  next.value();
  return ok(undefined);
}

function followOfNode(memory: Memory, event: FedEvent, at: number): void {
  const { used, applied, released } = memory;
  switch (event.type) {
    case 'fedlearn.command.used':
      used.add(event.nonce);
      break;
    case 'fedlearn.privacy.spent':
      released.set(event.roundId, new Set(released.get(event.roundId)).add(event.deltaSha));
      break;
    case 'fedlearn.adapter.applied':
      applied.set(event.scope, [...without(applied.get(event.scope), event.sha), event.sha]);
      break;
    case 'fedlearn.adapter.discarded':
      for (const [scope, shas] of applied) applied.set(scope, without(shas, event.sha));
      break;
    case 'fedlearn.refused':
    case 'security.signature.invalid':
      followRefusal(memory, event, at);
      break;
    default:
      break;
  }
}

type RefusalEvent = Extract<FedEvent, { readonly type: 'fedlearn.refused' | 'security.signature.invalid' }>;

const refusalEvent = ({ capability, code, round: roundId, sender, count }: LoggedRefusal): RefusalEvent =>
  code === 'signature_invalid'
    ? { type: 'security.signature.invalid', capability, roundId, sender, count }
    : { type: 'fedlearn.refused', capability, code, roundId, sender, count };

/** The refusal that an event of a log is; null for other events. */
export function refusalIn(event: FedEvent, at: number): LoggedRefusal | null {
  if (event.type !== 'fedlearn.refused' && event.type !== 'security.signature.invalid') return null;
  const { capability, roundId: round, sender, count } = event;
  return {
    at,
    capability,
    code: event.type === 'fedlearn.refused' ? event.code : 'signature_invalid',
    round,
    sender,
    count,
  };
}

/** Anybody can invent senders: only those that are trusted are counted apart. */
const refusalKey = (
  trusts: Roster,
  { capability, code, sender }: Pick<LoggedRefusal, 'capability' | 'code' | 'sender'>,
): string => `${capability} ${code} ${sender !== null && trusts(sender) ? sender : ''}`;

function followRefusal({ refusals, latestRefusals, trusts }: Memory, event: RefusalEvent, at: number): void {
  const refusal = refusalIn(event, at);
  if (refusal === null) return;
  refusals.set(refusalKey(trusts, refusal), refusal.count);
  latestRefusals.push(refusal);
  if (latestRefusals.length > mostLatest) latestRefusals.shift();
}

const without = (shas: readonly string[] = [], sha: string): readonly string[] => shas.filter((one) => one !== sha);
