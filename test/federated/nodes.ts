/** Nodes in one process, with a clock that tests move, deltas that are lists of float64, and keys from fixed seeds. */
import type { JsonValue } from '../../src/base/canonical-json.ts';
import { err, ok, type Result } from '../../src/base/result.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { Host } from '../../src/host/host.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../src/notes/signer.ts';
import type { Bus } from '../../src/federated/bus/bus.ts';
import { createInProcessHub } from '../../src/federated/bus/in-process.ts';
import { fedLearnConfig, type FedLearnConfig } from '../../src/federated/config.ts';
import type { DeltaRules } from '../../src/federated/delta-rules.ts';
import type { RoundManifestDraft } from '../../src/federated/manifest.ts';
import { nodeIdOf, type NodeId } from '../../src/federated/node-id.ts';
import { createAdapters, type AdapterTarget } from '../../src/federated/node/adapters.ts';
import { createRoundCoordinator } from '../../src/federated/node/coordinator.ts';
import { openFedNode } from '../../src/federated/node/fed-node.ts';
import { createRoundParticipant, type ParticipantParts } from '../../src/federated/node/participant.ts';
import { followRounds } from '../../src/federated/node/follow.ts';
import { serveNode } from '../../src/federated/node/serve.ts';
import type { Served } from '../../src/federated/node/served.ts';
import type { RoundId } from '../../src/federated/ulid.ts';

export const start = Date.parse('2026-06-01T12:00:00.000Z');
export const minute = 60_000;
export const baseSha = 'ba5e'.repeat(16);

/** The value of a result that must be a success. */
export function good<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`not a success: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** A member of a message that must be a text. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`not a text: ${JSON.stringify(value)}`);
  return value;
}

/** The code of a refusal; `ok` of a success. */
export const codeOf = (result: Result<unknown, { readonly code: string }>): string =>
  result.ok ? 'ok' : result.error.code;

/** A key from a name, the same in every run. */
export function signerOf(name: string): Signer {
  const seed = new Uint8Array(32);
  seed.set(new TextEncoder().encode(name).subarray(0, 32));
  seed[31] = 7;
  return good(parseSignerKey(good(generateSigner(name, 'ed25519', seed)).signerKey));
}

export const idOf = (name: string): NodeId => nodeIdOf(signerOf(name).key);

/** The bytes of a delta of these numbers. */
export const deltaOf = (...values: readonly number[]): Uint8Array => new Uint8Array(Float64Array.from(values).buffer);

const width = 4;

/** Weighted averages of four float64, in the given order. */
export const vectorRules: DeltaRules = {
  validate: (bytes) => {
    if (bytes.length !== 8 * width) return `a delta has ${8 * width} bytes`;
    return new Float64Array(bytes.slice().buffer).every(Number.isFinite) ? null : 'a delta has only finite numbers';
  },
  aggregate: async (deltas) => {
    const sum = new Float64Array(width);
    const total = deltas.reduce((all, { numSamples }) => all + numSamples, 0);
    for (const { numSamples, size, read } of deltas) {
      const bytes = await read(0, size);
      if (!bytes.ok) return err(bytes.error.message);
      for (const [i, value] of new Float64Array(bytes.value.slice().buffer).entries())
        sum[i] = (sum[i] ?? 0) + (numSamples / total) * value;
    }
    return ok({ bytes: new Uint8Array(sum.buffer), epsilon: null });
  },
  secure: {
    length: () => ok(width),
    numbersOf: (bytes) => ok(Float32Array.from(new Float64Array(bytes.slice().buffer))),
    aggregateOf: (mean) => ok({ bytes: new Uint8Array(Float64Array.from(mean).buffer), epsilon: null }),
  },
};

export const enabled = (changes: Partial<FedLearnConfig> = {}): FedLearnConfig =>
  good(fedLearnConfig({ enabled: true, minRoundParticipants: 2, ...changes }));

/** A draft of a round of these nodes; the deadline is ten minutes after `start`. */
export const draftOf = (changes: Partial<RoundManifestDraft> = {}): RoundManifestDraft => ({
  baseModelId: 'char-transformer',
  baseModelSha: baseSha,
  loraTargetModules: ['q_proj', 'v_proj'],
  loraRank: 8,
  loraAlpha: 16,
  loraDropout: 0,
  trainSteps: 10,
  learningRate: 1e-3,
  batchSize: 4,
  seed: 1,
  proximalMu: 0,
  dpNoiseScale: 0,
  clipNorm: 1,
  epsilonBudget: null,
  privacyDelta: null,
  secure: 'off',
  aggregationMode: 'ffa',
  aggregationRule: 'fedavg',
  faulty: 0,
  serverOptimizer: 'none',
  serverLearningRate: 1,
  maxSamples: 1000,
  fixedPointBits: 0,
  reputations: [],
  previousAggregateSha: null,
  previousStateSha: null,
  minParticipants: 3,
  maxParticipants: 8,
  minTrustScore: 0,
  deadline: start + 10 * minute,
  topic: 'village-chat',
  consentText: 'May this node train on your chats?',
  ...changes,
});

/** Time for a test. */
interface TestClock {
  now: number;
}

/** Where the nodes of a test meet. */
export interface World {
  readonly clock: TestClock;
  readonly connect: () => Bus;
  /** Trusted names. */
  readonly trusted: ReadonlySet<NodeId>;
}

export function createWorld(names: readonly string[]): World {
  const clock = { now: start };
  const hub = createInProcessHub(() => clock.now);
  return { clock, connect: hub.connect, trusted: new Set(names.map(idOf)) };
}

/** A node of a test; `host` is its disk, which outlives it. */
export interface TestNode extends Served {
  readonly host: Host;
  readonly applied: Map<string, string>;
  /** Ends its process without a word: nothing is released but what the operating system releases. */
  readonly crash: () => Promise<void>;
}

export interface NodeSetting {
  readonly host?: Host;
  readonly config?: FedLearnConfig;
  readonly rules?: DeltaRules;
  readonly bus?: Bus;
  readonly parts?: Partial<ParticipantParts>;
  readonly trusted?: ReadonlySet<NodeId>;
  /** How far its clock is ahead, in milliseconds. */
  readonly skew?: number;
  readonly follow?: boolean;
}

/** Opens, serves and follows. */
export async function startNode(world: World, name: string, setting: NodeSetting = {}): Promise<TestNode> {
  const { host = createMemoryHost(), config = enabled(), rules = vectorRules, bus = world.connect() } = setting;
  // A process that crashed is over.
  const own: Host = { ...host, isOver: () => true };
  const node = good(
    await openFedNode({
      signer: signerOf(name),
      host: own,
      folder: 'node',
      bus,
      config,
      trusts: (id) => (setting.trusted ?? world.trusted).has(id),
      rules,
      now: () => world.clock.now + (setting.skew ?? 0),
    }),
  );
  const applied = new Map<string, string>();
  const target: AdapterTarget = async (scope, adapter) => {
    if (adapter === null) applied.delete(scope);
    else applied.set(scope, adapter.sha);
    return ok(undefined);
  };
  const served: Served = {
    node,
    coordinator: createRoundCoordinator(node),
    participant: createRoundParticipant(node, {
      model: { sha: baseSha, hiddenSize: 64, layers: 2, residentBytes: 1e6 },
      train: async () => ok({ bytes: deltaOf(name.length, 2, 3, 4), numSamples: 10 * name.length, trainLoss: 1.5 }),
      ...setting.parts,
    }),
    adapters: createAdapters(node, target),
  };
  const stops = config.enabled ? [good(await serveNode(served))] : [];
  if (config.enabled && setting.follow === true) stops.push(good(await followRounds(served)));
  return {
    ...served,
    host,
    applied,
    crash: async () => {
      for (const stop of stops) await stop();
      await bus.close();
    },
  };
}

/** The first node announces a round, which all of them join. */
export async function joinedAll(nodes: readonly TestNode[], draft: RoundManifestDraft = draftOf()): Promise<RoundId> {
  const [coordinator] = nodes;
  if (coordinator === undefined) throw new Error('no node');
  const id = good(await coordinator.coordinator.announceRound(draft));
  for (const { node, participant } of nodes) {
    good(await node.replica.discover());
    good(await participant.join(id, true));
  }
  return id;
}

/** Every node trains for a round that it has joined, and submits. */
export async function submittedAll(nodes: readonly TestNode[], id: RoundId): Promise<void> {
  for (const { participant } of nodes) {
    good(await participant.train(id));
    good(await participant.submit(id));
  }
}

/** Everything that is waiting has run. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
