/**
 * Checks a round as a third party, from a node's folder alone: the chain of the log, every signature, every hash, and the same aggregate
 * from the submissions. Changes nothing in the folder.
 */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Host } from '../../host/host.ts';
import type { FedLearnConfig } from '../config.ts';
import type { DeltaRules, DeltaSource } from '../delta-rules.ts';
import { isOfRound, isShared, roundOf } from '../events.ts';
import { maxLogBytes, readLog, unusable, type LogFile } from '../log/event-log.ts';
import type { Roster } from '../node-id.ts';
import type { RoundManifest } from '../manifest.ts';
import { logName } from '../node/journal.ts';
import { reduce } from '../round/reduce.ts';
import { phaseOf, submissionsOf, type RoundPhase, type RoundState } from '../round/state.ts';
import { eventFault } from '../round/verify-event.ts';
import { verifyMasked, type Origin } from '../secure-aggregate.ts';
import { createBlobs, shaOf, type Blobs } from '../store/blobs.ts';
import type { RoundId } from '../ulid.ts';

/** What a verification takes for granted. */
export interface VerifyRoundOptions {
  readonly host: Host;
  /** A node's folder, with `events.jsonl` and `blobs/`. */
  readonly folder: string;
  readonly round: RoundId;
  readonly trusts: Roster;
  /** The limits that manifests are held to. */
  readonly config: FedLearnConfig;
  readonly rules: DeltaRules;
}

/** What was verified. */
export interface VerifiedRound {
  readonly state: RoundState;
  readonly phase: RoundPhase;
  /** Events of this round whose signatures hold. */
  readonly events: number;
  /** Whether the aggregate was computed again from the submissions; false only for a round without a result. */
  readonly recomputed: boolean;
}

const unverified = (message: string): Result<never, Problem> => wrong('PV-8604', 'round', message);

/** The rounds in a node's folder, in the order of their announcements; PV-8600 where the log is damaged, PV-8601 where it cannot be read. */
export async function roundsIn(host: Host, folder: string): Promise<Result<readonly RoundId[], Problem>> {
  const log = await readFolder(host, folder);
  if (!log.ok) return log;
  return ok([...new Set(log.value.lines.flatMap(({ event }) => roundOf(event) ?? []))]);
}

async function readFolder(host: Host, folder: string): Promise<Result<LogFile, Problem>> {
  const bytes = await host.readBytes(`${folder}/${logName}`, { maxBytes: maxLogBytes });
  return bytes.ok ? readLog(bytes.value) : unusable(bytes.error);
}

/** Verifies a round: PV-8600 where the log is damaged, PV-8601 where the folder cannot be read, PV-8604 for all else. */
export async function verifyRound(options: VerifyRoundOptions): Promise<Result<VerifiedRound, Problem>> {
  const log = await readFolder(options.host, options.folder);
  if (!log.ok) return log;
  const replayed = await replay(options, log.value);
  if (!replayed.ok) return replayed;
  const { state, events } = replayed.value;
  if (state.result === null) return ok({ state, phase: phaseOf(state), events, recomputed: false });
  const checked = await recompute(options, state);
  return checked.ok ? ok({ state, phase: phaseOf(state), events, recomputed: true }) : checked;
}

async function replay(
  { round, trusts, config }: VerifyRoundOptions,
  { lines }: LogFile,
): Promise<Result<{ readonly state: RoundState; readonly events: number }, Problem>> {
  let state: RoundState | null = null;
  let events = 0;
  for (const { seq, event, at } of lines) {
    if (!isOfRound(event) || roundOf(event) !== round) continue;
    const fault = isShared(event) ? await eventFault(event, trusts, config) : null;
    if (fault !== null)
      return unverified(`${event.type} in line ${seq + 1} does not count: ${fault.code} ${fault.detail}`.trimEnd());
    const next: ReturnType<typeof reduce> = reduce(state, event, at);
    if (!next.ok)
      return unverified(
        `${event.type} in line ${seq + 1} does not follow from the events before: ${next.error.code} ${next.error.detail}`.trimEnd(),
      );
    state = next.value;
    events += 1;
  }
  return state === null ? unverified(`The log has no round ${round}.`) : ok({ state, events });
}

async function recompute(
  { host, folder, rules, config }: VerifyRoundOptions,
  state: RoundState,
): Promise<Result<void, Problem>> {
  const { manifest, result } = state;
  const blobs = createBlobs(host, `${folder}/blobs`);
  const deltas: DeltaSource[] = [];
  // With secure aggregation, nobody can look into a submission.
  const isOpen = manifest.secure === 'off';
  for (const { participant, numSamples, deltaSha, deltaSize } of isOpen ? submissionsOf(state) : []) {
    const bytes = await blobs.get(deltaSha, deltaSize);
    if (bytes === null)
      return unverified(`The delta ${deltaSha} is missing or damaged, so that the aggregate cannot be computed again.`);
    const invalid = rules.validate(bytes, manifest);
    if (invalid !== null) return unverified(`The delta ${deltaSha} should not have been accepted: ${invalid}.`);
    const read: DeltaSource['read'] = async (offset, length, into) => {
      const file = await blobs.open(deltaSha);
      if (!file.ok) return file;
      const part = await file.value.read(offset, length, into);
      await file.value.close();
      return part;
    };
    deltas.push({ participant, numSamples, sha: deltaSha, size: bytes.length, read });
  }
  const origin = await readOrigin(blobs, manifest, config);
  if (!origin.ok) return origin;
  const { previous, serverState } = origin.value;
  const aggregate = isOpen
    ? await rules.aggregate(deltas, manifest, previous, serverState)
    : await verifyMasked(rules, state, origin.value, blobs.get);
  if (!aggregate.ok)
    return unverified(`The submissions of round ${manifest.roundId} cannot be aggregated: ${aggregate.error}.`);
  const sha = shaOf(aggregate.value.bytes);
  if (sha !== result?.aggregatedDeltaSha)
    return unverified(
      `The submissions of round ${manifest.roundId} give the adapter ${sha}, but its result names ${result?.aggregatedDeltaSha}.`,
    );
  const next = aggregate.value.serverState;
  if ((next === undefined ? null : shaOf(next)) !== result.serverStateSha)
    return unverified(`The server's optimizer of round ${manifest.roundId} has another state than its result names.`);
  if (!Object.is(aggregate.value.epsilon, result.epsilon))
    return unverified(`The round cost ε = ${aggregate.value.epsilon}, but its result states ${result.epsilon}.`);
  const { epsilonBudget } = manifest;
  if (epsilonBudget !== null && (result.epsilon === null || result.epsilon > epsilonBudget))
    return unverified(`The round cost ε = ${result.epsilon}, above the budget of ${epsilonBudget}.`);
  return ok(undefined);
}

/** What the round continues from. */
async function readOrigin(
  blobs: Blobs,
  { previousAggregateSha, previousStateSha }: RoundManifest,
  { submissionMaxBytes }: FedLearnConfig,
): Promise<Result<Origin, Problem>> {
  const get = (sha: string | null): Promise<Uint8Array | null> =>
    sha === null ? Promise.resolve(null) : blobs.get(sha, 2 * submissionMaxBytes);
  const [previous, serverState] = [await get(previousAggregateSha), await get(previousStateSha)];
  if (previousAggregateSha !== null && previous === null)
    return unverified(`The previous aggregate ${previousAggregateSha} is missing or damaged.`);
  if (previousStateSha !== null && serverState === null)
    return unverified(`The previous state ${previousStateSha} of the server's optimizer is missing or damaged.`);
  return ok({ previous, serverState });
}
