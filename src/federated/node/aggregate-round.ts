/** Ends a round: closes it, aggregates what was submitted, and publishes the result; the same for its coordinator and for a takeover. */
import { ok, type Result } from '../../base/result.ts';
import type { Aggregate, DeltaSource } from '../delta-rules.ts';
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import { unmaskDeadlineOf } from '../round/secure.ts';
import { aggregateMasked, type Origin } from '../secure-aggregate.ts';
import type { RoundManifest } from '../manifest.ts';
import type { RoundState } from '../round/state.ts';
import { submissionsOf } from '../round/state.ts';
import type { RoundResult } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import type { FedNode } from './fed-node.ts';

/** A blob in the node's store, fetched from the bus if it is not there yet; null if neither has it. */
export async function holdBlob(
  { blobs, bus }: Pick<FedNode, 'blobs' | 'bus'>,
  sha: string,
  maxBytes: number,
): Promise<Result<Uint8Array | null, Refusal>> {
  const own = await blobs.get(sha, maxBytes);
  if (own !== null) return ok(own);
  const fetched = await bus.getBlob(sha, maxBytes);
  if (!fetched.ok) {
    if (fetched.error === 'unreachable') return refuse('bus_unreachable');
    return fetched.error === 'too-large' ? refuse('submission_too_large') : ok(null);
  }
  const put = await blobs.put(fetched.value);
  return put.ok ? ok(fetched.value) : refuse('storage_failed', put.error.message);
}

/** The deltas of a round in their order, open for reading. They must be closed. */
async function openDeltas(
  node: FedNode,
  state: RoundState,
): Promise<Result<{ readonly deltas: readonly DeltaSource[]; readonly close: () => Promise<void> }, Refusal>> {
  const deltas: DeltaSource[] = [];
  const closes: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closes) await one();
  };
  for (const { participant, numSamples, deltaSha, deltaSize } of submissionsOf(state)) {
    const held = await holdBlob(node, deltaSha, Math.min(deltaSize, node.config.submissionMaxBytes));
    const opened = held.ok && held.value !== null ? await node.blobs.open(deltaSha) : null;
    if (!held.ok || opened === null || !opened.ok) {
      await close();
      return held.ok ? refuse('delta_missing', `nobody has the delta ${deltaSha}`) : held;
    }
    closes.push(opened.value.close);
    deltas.push({ participant, numSamples, sha: deltaSha, size: opened.value.size, read: opened.value.read });
  }
  return ok({ deltas, close });
}

/** The adapter that a round continues from; null for one that begins anew, and `adapter_not_found` if nobody has it. */
export const previousOf = (node: FedNode, manifest: RoundManifest): Promise<Result<Uint8Array | null, Refusal>> =>
  named(node, manifest.previousAggregateSha);

async function named(node: FedNode, sha: string | null): Promise<Result<Uint8Array | null, Refusal>> {
  if (sha === null) return ok(null);
  // The state of an optimizer has two numbers for each of the adapter's.
  const held = await holdBlob(node, sha, 2 * node.config.submissionMaxBytes);
  return held.ok && held.value === null
    ? refuse('adapter_not_found', `${sha}, which the round continues from, is not available`)
    : held;
}

/** What a round continues from, as its manifest names it; `adapter_not_found` if nobody has it. */
export async function originOf(node: FedNode, manifest: RoundManifest): Promise<Result<Origin, Refusal>> {
  const previous = await previousOf(node, manifest);
  if (!previous.ok) return previous;
  const serverState = await named(node, manifest.previousStateSha);
  return serverState.ok ? ok({ previous: previous.value, serverState: serverState.value }) : serverState;
}

/** The aggregate of a closed round, from its submissions alone. */
export async function aggregateRound(node: FedNode, state: RoundState): Promise<Result<Aggregate, Refusal>> {
  const origin = await originOf(node, state.manifest);
  if (!origin.ok) return origin;
  const { previous, serverState } = origin.value;
  if (state.manifest.secure !== 'off')
    return aggregateMasked(node.rules, state, origin.value, async (sha, size) => {
      const held = await holdBlob(node, sha, size);
      return held.ok ? held.value : null;
    });
  const opened = await openDeltas(node, state);
  if (!opened.ok) return opened;
  const aggregate = await node.rules.aggregate(opened.value.deltas, state.manifest, previous, serverState);
  await opened.value.close();
  return aggregate.ok ? aggregate : refuse('fedlearn_aggregation_failed', aggregate.error);
}

/**
 * Ends a round and returns its result. If another node was faster, the result is that node's, and must name the same aggregate:
 * `adapter_unverified` otherwise.
 */
export async function endRound(node: FedNode, id: RoundId): Promise<Result<RoundResult, Refusal>> {
  const { replica } = node;
  const closed = await replica.execute(id, { kind: 'close' });
  if (!closed.ok) return closed;
  const { result, abort, manifest } = closed.value;
  if (abort !== null) return refuse(abort.code, 'the round was aborted');
  if (result !== null) return ok(result);
  const aggregate = await aggregateRound(node, closed.value);
  if (!aggregate.ok) {
    const { code } = aggregate.error;
    if (endsRound(node, closed.value, code)) await replica.execute(id, { kind: 'abort', code });
    return aggregate;
  }
  const { epsilonBudget } = manifest;
  const { epsilon } = aggregate.value;
  if (epsilonBudget !== null && (epsilon === null || epsilon > epsilonBudget))
    return refuse('privacy_budget_exceeded', `the result would cost ε = ${epsilon}, the budget is ${epsilonBudget}`);
  const put = await share(node, aggregate.value.bytes);
  if (!put.ok) return put;
  const { serverState } = aggregate.value;
  const kept = serverState === undefined ? ok(null) : await share(node, serverState);
  if (!kept.ok) return kept;
  const recorded = await replica.record({ type: 'fedlearn.round.aggregated', roundId: id, deltaSha: put.value });
  if (!recorded.ok) return recorded;
  const ended = await replica.execute(id, {
    kind: 'complete',
    sha: put.value,
    serverStateSha: kept.value,
    epsilon,
  });
  if (!ended.ok) return ended;
  if (ended.value.result === null) return refuse('round_closed');
  const isSame =
    ended.value.result.aggregatedDeltaSha === put.value && ended.value.result.serverStateSha === kept.value;
  return isSame
    ? ok(ended.value.result)
    : refuse('adapter_unverified', 'the published result names another aggregate than the submissions give');
}

/**
 * Whether a refusal is for good. What the rules refuse, they refuse on every node, so that the coordinator ends the round; survivors that
 * do not unmask it have had their time at the unmask deadline, after which any participant ends it.
 */
function endsRound({ self, now }: FedNode, state: RoundState, code: FedCode): boolean {
  const isCoordinator = self === state.manifest.coordinator;
  if (code === 'fedlearn_aggregation_failed') return isCoordinator;
  const unmaskDeadline = unmaskDeadlineOf(state);
  if (unmaskDeadline === null) return false;
  const isOver = now() >= unmaskDeadline;
  return code === 'secure_too_few' ? isOver : code === 'secure_sum_failed' && (isCoordinator || isOver);
}

/** Stores a blob, and puts it on the bus; its SHA-256. */
async function share({ blobs, bus }: FedNode, bytes: Uint8Array): Promise<Result<string, Refusal>> {
  const put = await blobs.put(bytes);
  if (!put.ok) return refuse('storage_failed', put.error.message);
  const shared = await bus.putBlob(bytes);
  return shared.ok ? put : refuse('bus_unreachable');
}
