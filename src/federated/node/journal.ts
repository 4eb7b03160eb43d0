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
import type { ApplyScope } from '../statements.ts';
import type { RoundId } from '../ulid.ts';

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
  /** Counts a refusal, and appends it: each of the first 64, then each power of two, so that a flood does not fill the disk. */
  readonly refused: (capability: string, refusal: Refusal, round: RoundId | null, at: number) => void;
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
}

const countedAll = 64;

/** The log's file in a node's folder. */
export const logName = 'events.jsonl';

/** Opens a node's memory, which it rebuilds from the log alone: PV-8600 where the log is damaged or its events do not follow. */
export async function openJournal(host: Host, folder: string): Promise<Result<Journal, Problem>> {
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
    refused(capability, { code }, roundId, at) {
      const count = (memory.refusals.get(`${capability} ${code}`) ?? 0) + 1;
      const event: FedEvent =
        code === 'signature_invalid'
          ? { type: 'security.signature.invalid', capability, count }
          : { type: 'fedlearn.refused', capability, code, roundId, count };
      fold(memory, event, at);
      // A log that takes nothing more fails the next command, which must not be acknowledged; a refusal is one already.
      if (count <= countedAll || Number.isInteger(Math.log2(count))) log.value.append(event, at);
    },
    close: log.value.close,
  });
}

/** What an event changes, to be done once it is written; a refusal if the state does not allow it. */
function follow(memory: Memory, event: FedEvent, at: number): Result<() => void, Refusal> {
  if (event.type === 'fedlearn.command.used' && memory.used.has(event.nonce)) return refuse('command_replayed');
  if (!isOfRound(event)) return ok(() => followOfNode(memory, event));
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

function followOfNode({ used, applied, released, refusals }: Memory, event: FedEvent): void {
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
      refusals.set(`${event.capability} ${event.code}`, event.count);
      break;
    case 'security.signature.invalid':
      refusals.set(`${event.capability} signature_invalid`, event.count);
      break;
    default:
      break;
  }
}

const without = (shas: readonly string[] = [], sha: string): readonly string[] => shas.filter((one) => one !== sha);
