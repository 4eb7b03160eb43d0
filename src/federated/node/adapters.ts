/** What a node does with aggregated adapters: fetch by hash, check, apply where its operator says, discard. */
import { ok, type Result } from '../../base/result.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import type { RoundManifest } from '../manifest.ts';
import type { RoundState } from '../round/state.ts';
import type { ApplyScope } from '../statements.ts';
import { isDigest } from '../wire/codec.ts';
import { aggregateRound, holdBlob } from './aggregate-round.ts';
import { ask, capabilities } from './capabilities.ts';
import type { FedNode } from './fed-node.ts';
import { shaOf } from '../store/blobs.ts';

/**
 * Loads an adapter into the session or makes it the node's default; null goes back to the base model alone. An error says why it did not.
 * Repeating it changes nothing.
 */
export type AdapterTarget = (
  scope: ApplyScope,
  adapter: { readonly sha: string; readonly bytes: Uint8Array; readonly manifest: RoundManifest | null } | null,
) => Promise<Result<void, string>>;

/** That an adapter was applied. */
interface ApplyReceipt {
  readonly sha: string;
  readonly scope: ApplyScope;
}

/** The adapters of a node. */
export interface Adapters {
  /** The bytes of an adapter, whose hash was checked; `adapter_not_found` if nobody has it. */
  readonly fetch: (sha: string) => Promise<Result<Uint8Array, Refusal>>;
  /** Puts an aggregate of a round back on the bus, for others to fetch; deltas of single participants are not given away. */
  readonly offer: (sha: string) => Promise<Result<void, Refusal>>;
  /**
   * Fetches an adapter, computes it again from its round, and applies it. Never happens by itself unless the configuration says so, and
   * then to the session alone.
   */
  readonly apply: (sha: string, scope: ApplyScope) => Promise<Result<ApplyReceipt, Refusal>>;
  /** Takes an adapter out of use. A scope that uses it goes back to the adapter that it had before, or to the base model alone. */
  readonly discard: (sha: string) => Promise<Result<void, Refusal>>;
  /** The adapter in use in each scope that has one. */
  readonly applied: () => ReadonlyMap<ApplyScope, string>;
}

/** The adapters of a node, applied to `target`. */
export function createAdapters(node: FedNode, target: AdapterTarget): Adapters {
  const fetch = (sha: string): Promise<Result<Uint8Array, Refusal>> => fetchAdapter(node, sha);
  return {
    fetch: (sha) => node.guarded(capabilities.fetch, null, () => fetch(sha)),
    offer: (sha) =>
      node.guarded(capabilities.fetch, null, async () => {
        const bytes = roundWith(node, sha) === null ? null : await node.blobs.get(sha, node.config.submissionMaxBytes);
        if (bytes === null) return refuse('adapter_not_found');
        const put = await node.bus.putBlob(bytes);
        return put.ok ? ok(undefined) : refuse('bus_unreachable');
      }),
    apply: (sha, scope) =>
      node.guarded(capabilities.apply, null, async () => {
        const bytes = await fetch(sha);
        if (!bytes.ok) return bytes;
        const manifest = await recheck(node, sha);
        if (!manifest.ok) return manifest;
        const done = await target(scope, { sha, bytes: bytes.value, manifest: manifest.value });
        if (!done.ok) return refuse('delta_invalid', done.error);
        const recorded = await node.replica.record({ type: 'fedlearn.adapter.applied', sha, scope });
        return recorded.ok ? ok({ sha, scope }) : recorded;
      }),
    discard: (sha) =>
      node.guarded(capabilities.discard, null, async () => {
        if (!isDigest(sha)) return refuse('adapter_not_found');
        const using = [...node.journal.applied].filter(([, shas]) => shas.at(-1) === sha);
        for (const [scope, shas] of using) {
          const rolledBack = await use(node, target, scope, shas.at(-2));
          if (!rolledBack.ok) return rolledBack;
        }
        return node.replica.record({ type: 'fedlearn.adapter.discarded', sha });
      }),
    applied: () =>
      new Map([...node.journal.applied].flatMap(([scope, shas]) => shas.slice(-1).map((sha) => [scope, sha] as const))),
  };
}

/** Gives a scope the adapter that it had before, which the node has held since then. */
async function use(
  node: FedNode,
  target: AdapterTarget,
  scope: ApplyScope,
  sha: string | undefined,
): Promise<Result<void, Refusal>> {
  const bytes = sha === undefined ? null : await fetchAdapter(node, sha);
  if (bytes !== null && !bytes.ok) return bytes;
  const manifest = sha === undefined ? null : (roundWith(node, sha)?.manifest ?? null);
  const done = await target(scope, sha === undefined || bytes === null ? null : { sha, bytes: bytes.value, manifest });
  return done.ok ? done : refuse('storage_failed', done.error);
}

/** The round whose result names an adapter, or the state of its server's optimizer; null if the node knows none. */
export const roundWith = (node: FedNode, sha: string): RoundState | null =>
  [...node.replica.rounds.values()].find(
    ({ result }) => result?.aggregatedDeltaSha === sha || result?.serverStateSha === sha,
  ) ?? null;

async function fetchAdapter(node: FedNode, sha: string): Promise<Result<Uint8Array, Refusal>> {
  if (!isDigest(sha)) return refuse('adapter_not_found', 'an adapter is named by the SHA-256 of its bytes');
  const { submissionMaxBytes } = node.config;
  const held = await holdBlob(node, sha, submissionMaxBytes);
  if (!held.ok) return held;
  if (held.value !== null) return ok(held.value);
  const state = roundWith(node, sha);
  if (state?.result === null || state === null) return refuse('adapter_not_found');
  const offered = await ask(node.bus, capabilities.fetch, state.result.aggregator, { sha });
  if (!offered.ok) return refuse('adapter_not_found', 'neither the bus nor the aggregator has it');
  const again = await holdBlob(node, sha, submissionMaxBytes);
  if (!again.ok) return again;
  return again.value === null ? refuse('adapter_not_found') : ok(again.value);
}

/**
 * The manifest of the round that gives an adapter, after the node has computed it again from all of the round's submissions:
 * `adapter_unverified` if they give another, or no round is known; `delta_missing` if not all are there, since whoever can delete a
 * submission could publish any adapter.
 */
async function recheck(node: FedNode, sha: string): Promise<Result<RoundManifest, Refusal>> {
  const state = roundWith(node, sha);
  if (state === null) return refuse('adapter_unverified', 'it is not the result of a round that this node knows');
  const aggregate = await aggregateRound(node, state);
  if (!aggregate.ok) return aggregate;
  return shaOf(aggregate.value.bytes) === sha
    ? ok(state.manifest)
    : refuse('adapter_unverified', 'the submissions of the round give another adapter');
}
