/**
 * Checks a round as a third party, from a node's folder alone: the chain of the log, every signature, every hash, and the same aggregate
 * from the submissions. Changes nothing in the folder.
 */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Host } from '../../host/host.ts';
import type { FedLearnConfig } from '../config.ts';
import type { DeltaRules, DeltaSource } from '../delta-rules.ts';
import { isOfRound, isShared, roundOf, type FedEvent } from '../events.ts';
import { maxLogBytes, readLog, unusable } from '../log/event-log.ts';
import type { LoggedEvent } from '../log/log-line.ts';
import type { Roster } from '../node-id.ts';
import type { RoundManifest } from '../manifest.ts';
import { logName } from '../node/journal.ts';
import { reduce } from '../round/reduce.ts';
import { phaseOf, submissionsOf, type RoundPhase, type RoundState } from '../round/state.ts';
import { eventFault } from '../round/verify-event.ts';
import { verifyMasked, type Origin } from '../secure-aggregate.ts';
import { consentForm, submissionForm, type RoundResult } from '../statements.ts';
import { createBlobs, shaOf, type Blobs } from '../store/blobs.ts';
import type { RoundId } from '../ulid.ts';
import { holdsSignature } from '../wire/signed.ts';

/** A node's folder, with `events.jsonl` and `blobs/`. */
export interface NodeFolder {
  readonly folder: string;
  /** The log, whose chain holds. */
  readonly lines: readonly LoggedEvent[];
  /** The lines about each round, the rounds in the order of their first events. */
  readonly byRound: ReadonlyMap<RoundId, readonly LoggedEvent[]>;
  /** Bytes of a last line that was cut short; they are ignored. */
  readonly tornBytes: number;
}

/** What a verification takes for granted. */
export interface VerifyRoundOptions {
  readonly host: Host;
  readonly from: NodeFolder;
  /** Folders that may have deltas which `from` lacks: a node fetches others' deltas only when it needs them. */
  readonly others?: readonly string[];
  readonly round: RoundId;
  readonly trusts: Roster;
  /** The limits that manifests are held to. */
  readonly config: FedLearnConfig;
  readonly rules: DeltaRules;
  /** The norm of a delta, for a report; null where it cannot be known. */
  readonly norm?: (bytes: Uint8Array, manifest: RoundManifest, previous: Uint8Array | null) => number | null;
}

/** What was verified. */
export interface VerifiedRound {
  readonly state: RoundState;
  readonly phase: RoundPhase;
  /** The events of this round, whose signatures hold; times are those of the node's bus and clock. */
  readonly history: readonly LoggedEvent[];
  /** The norms of the aggregated deltas, by their SHA-256. */
  readonly norms: ReadonlyMap<string, number>;
  /** Whether the aggregate was computed again from the submissions; false only for a round without a result. */
  readonly recomputed: boolean;
}

const unverified = (message: string): Result<never, Problem> => wrong('PV-8604', 'round', message);

/** Reads a node's folder: PV-8600 where the log is damaged, PV-8601 where it cannot be read. */
export async function readNodeFolder(host: Host, folder: string): Promise<Result<NodeFolder, Problem>> {
  const bytes = await host.readBytes(`${folder}/${logName}`, { maxBytes: maxLogBytes });
  if (!bytes.ok) return unusable(bytes.error);
  const log = readLog(bytes.value);
  if (!log.ok) return log;
  const { lines, tornBytes } = log.value;
  return ok({ folder, lines, byRound: byRound(lines), tornBytes });
}

function byRound(lines: readonly LoggedEvent[]): NodeFolder['byRound'] {
  const groups = new Map<RoundId, LoggedEvent[]>();
  for (const line of lines) {
    const { event } = line;
    const round = event.type === 'fedlearn.consent.granted' ? event.consent.roundId : roundOf(event);
    if (round === null) continue;
    const group = groups.get(round);
    if (group === undefined) groups.set(round, [line]);
    else group.push(line);
  }
  return groups;
}

/** The rounds in a node's folder, in the order of their first events. */
export const roundsIn = (from: NodeFolder): readonly RoundId[] => [...from.byRound.keys()];

/** Verifies a round; PV-8604 says what does not hold. */
export async function verifyRound(options: VerifyRoundOptions): Promise<Result<VerifiedRound, Problem>> {
  const replayed = await replay(options);
  if (!replayed.ok) return replayed;
  const { state, history } = replayed.value;
  const found = { state, phase: phaseOf(state), history };
  if (state.result === null) return ok({ ...found, norms: new Map(), recomputed: false });
  const norms = await recompute(options, state, state.result);
  return norms.ok ? ok({ ...found, norms: norms.value, recomputed: true }) : norms;
}

async function replay({
  round,
  trusts,
  config,
  from,
}: VerifyRoundOptions): Promise<
  Result<{ readonly state: RoundState; readonly history: readonly LoggedEvent[] }, Problem>
> {
  let state: RoundState | null = null;
  const history: LoggedEvent[] = [];
  for (const line of from.byRound.get(round) ?? []) {
    const { seq, event, at } = line;
    const unsigned = await ownFault(event, trusts);
    if (unsigned) return unverified(`${event.type} in line ${seq + 1} does not count: signature_invalid`);
    if (!isOfRound(event)) continue;
    const fault = isShared(event) ? await eventFault(event, trusts, config) : null;
    if (fault !== null)
      return unverified(`${event.type} in line ${seq + 1} does not count: ${fault.code} ${fault.detail}`.trimEnd());
    const next: ReturnType<typeof reduce> = reduce(state, event, at);
    if (!next.ok)
      return unverified(
        `${event.type} in line ${seq + 1} does not follow from the events before: ${next.error.code} ${next.error.detail}`.trimEnd(),
      );
    state = next.value;
    history.push(line);
  }
  return state === null ? unverified(`The log has no round ${round}.`) : ok({ state, history });
}

/** Whether what the node itself signed for the round, and kept, is not signed. */
async function ownFault(event: FedEvent, trusts: Roster): Promise<boolean> {
  if (event.type === 'fedlearn.round.trained') return !(await holdsSignature(submissionForm, event.submission, trusts));
  if (event.type === 'fedlearn.consent.granted') return !(await holdsSignature(consentForm, event.consent, trusts));
  return false;
}

interface OpenedDeltas {
  readonly deltas: readonly DeltaSource[];
  readonly norms: ReadonlyMap<string, number>;
}

/** The deltas that the round's result is made of, each of which is checked again. */
async function openDeltas(
  options: VerifyRoundOptions,
  state: RoundState,
  previous: Uint8Array | null,
): Promise<Result<OpenedDeltas, Problem>> {
  const { rules, norm } = options;
  const { manifest } = state;
  const deltas: DeltaSource[] = [];
  const norms = new Map<string, number>();
  // With secure aggregation, nobody can look into a submission.
  for (const { participant, numSamples, deltaSha, deltaSize } of manifest.secure === 'off'
    ? submissionsOf(state)
    : []) {
    const found = await findBlob(options, deltaSha, Math.min(deltaSize, options.config.submissionMaxBytes));
    if (found === null)
      return unverified(`The delta ${deltaSha} is missing or damaged, so that the aggregate cannot be computed again.`);
    const { bytes, blobs } = found;
    const invalid = rules.validate(bytes, manifest, previous);
    if (invalid !== null) return unverified(`The delta ${deltaSha} should not have been accepted: ${invalid}.`);
    const length = norm?.(bytes, manifest, previous) ?? null;
    if (length !== null) norms.set(deltaSha, length);
    const read: DeltaSource['read'] = async (offset, count, into) => {
      const file = await blobs.open(deltaSha);
      if (!file.ok) return file;
      const part = await file.value.read(offset, count, into);
      await file.value.close();
      return part;
    };
    deltas.push({ participant, numSamples, sha: deltaSha, size: bytes.length, read });
  }
  return ok({ deltas, norms });
}

/** A blob of the node's folder, or of another if this one has none; null if no folder has it, or the first one that has is damaged. */
async function findBlob(
  { host, from, others = [] }: VerifyRoundOptions,
  sha: string,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly blobs: Blobs } | null> {
  for (const folder of [from.folder, ...others]) {
    if ((await host.kindOf(`${folder}/blobs/${sha}`)) === 'missing') continue;
    const blobs = createBlobs(host, `${folder}/blobs`);
    const bytes = await blobs.get(sha, maxBytes);
    return bytes === null ? null : { bytes, blobs };
  }
  return null;
}

async function recompute(
  options: VerifyRoundOptions,
  state: RoundState,
  result: RoundResult,
): Promise<Result<VerifiedRound['norms'], Problem>> {
  const { host, from, rules } = options;
  const { manifest } = state;
  const origin = await readOrigin(options, manifest);
  if (!origin.ok) return origin;
  const { previous, serverState } = origin.value;
  const opened = await openDeltas(options, state, previous);
  if (!opened.ok) return opened;
  const blob = async (name: string, maxBytes: number): Promise<Uint8Array | null> =>
    (await findBlob(options, name, maxBytes))?.bytes ?? null;
  const aggregate =
    manifest.secure === 'off'
      ? await rules.aggregate(opened.value.deltas, manifest, previous, serverState)
      : await verifyMasked(rules, state, origin.value, blob);
  if (!aggregate.ok)
    return unverified(`The submissions of round ${manifest.roundId} cannot be aggregated: ${aggregate.error}.`);
  const { bytes, epsilon } = aggregate.value;
  const sha = shaOf(bytes);
  if (sha !== result.aggregatedDeltaSha)
    return unverified(
      `The submissions of round ${manifest.roundId} give the adapter ${sha}, but its result names ${result.aggregatedDeltaSha}.`,
    );
  const next = aggregate.value.serverState;
  if ((next === undefined ? null : shaOf(next)) !== result.serverStateSha)
    return unverified(`The server's optimizer of round ${manifest.roundId} has another state than its result names.`);
  if (state.aggregatedSha !== null && state.aggregatedSha !== sha)
    return unverified(`The node aggregated ${state.aggregatedSha}, but the result names ${sha}.`);
  // Somebody may take the file from the folder.
  const kept = `${from.folder}/blobs/${sha}`;
  if ((await host.kindOf(kept)) !== 'missing' && (await findBlob(options, sha, bytes.length)) === null)
    return unverified(`The file of the adapter, ${kept}, is damaged.`);
  const costly = epsilonFault(epsilon, result, manifest);
  return costly === null ? ok(opened.value.norms) : unverified(costly);
}

function epsilonFault(epsilon: number | null, result: RoundResult, { epsilonBudget }: RoundManifest): string | null {
  if (!Object.is(epsilon, result.epsilon))
    return `The round cost ε = ${epsilon}, but its result states ${result.epsilon}.`;
  return epsilonBudget !== null && (epsilon === null || epsilon > epsilonBudget)
    ? `The round cost ε = ${epsilon}, above the budget of ${epsilonBudget}.`
    : null;
}

/** What the round continues from. */
async function readOrigin(
  options: VerifyRoundOptions,
  { previousAggregateSha, previousStateSha }: RoundManifest,
): Promise<Result<Origin, Problem>> {
  const get = async (sha: string | null): Promise<Uint8Array | null> =>
    sha === null ? null : ((await findBlob(options, sha, 2 * options.config.submissionMaxBytes))?.bytes ?? null);
  const [previous, serverState] = [await get(previousAggregateSha), await get(previousStateSha)];
  if (previousAggregateSha !== null && previous === null)
    return unverified(`The previous aggregate ${previousAggregateSha} is missing or damaged.`);
  if (previousStateSha !== null && serverState === null)
    return unverified(`The previous state ${previousStateSha} of the server's optimizer is missing or damaged.`);
  return ok({ previous, serverState });
}
