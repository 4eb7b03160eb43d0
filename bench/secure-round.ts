/**
 * What a round with secure aggregation costs between nodes: `node scripts/run.mjs bench/secure-round.ts [rounds]`.
 *
 * 10 nodes with a million parameters, of which 3 leave after they have shared, over the bus of one process, with their logs, signatures
 * and blobs in memory: processor time from joining to the published adapter, without training. bench/secure-aggregation.ts measures the
 * arithmetic alone. Exits with 1 when a target is missed.
 */
import { invariant, present } from '../src/base/invariant.ts';
import { ok, type Result } from '../src/base/result.ts';
import { createInProcessHub } from '../src/federated/bus/in-process.ts';
import { fedLearnConfig } from '../src/federated/config.ts';
import type { DeltaRules } from '../src/federated/delta-rules.ts';
import type { RoundManifestDraft } from '../src/federated/manifest.ts';
import { createAdapters } from '../src/federated/node/adapters.ts';
import { createRoundCoordinator } from '../src/federated/node/coordinator.ts';
import { openFedNode } from '../src/federated/node/fed-node.ts';
import { createRoundParticipant } from '../src/federated/node/participant.ts';
import { serveNode } from '../src/federated/node/serve.ts';
import type { Served } from '../src/federated/node/served.ts';
import { createMemoryHost } from '../src/host/memory-host.ts';
import { generateSigner, parseSignerKey } from '../src/notes/signer.ts';
import { float32Numbers, littleEndianBytes } from '../src/tensors/float32-bytes.ts';

const rounds = Number(process.argv[2] ?? 3);
const parameters = 1_000_000;
const [count, lost] = [10, 3];
const baseModelSha = 'ba5e'.repeat(16);

function value<T>(result: Result<T, unknown>): T {
  invariant(result.ok, `nothing is refused in the benchmark: ${JSON.stringify(result)}`);
  return result.value;
}

/** A delta is a million float32. */
const rules: DeltaRules = {
  validate: () => null,
  aggregate: async () => ({ ok: false, error: 'single deltas are hidden' }),
  secure: {
    length: () => ok(parameters),
    numbersOf: (bytes) => ok(float32Numbers(bytes)),
    aggregateOf: (mean) => ok({ bytes: littleEndianBytes(mean), epsilon: null }),
  },
};

const delta = littleEndianBytes(Float32Array.from({ length: parameters }, (_, i) => Math.sin(i)));

const draft = (deadline: number): RoundManifestDraft => ({
  baseModelId: 'bench',
  baseModelSha,
  loraTargetModules: ['query'],
  loraRank: 4,
  loraAlpha: 8,
  loraDropout: 0,
  trainSteps: 1,
  learningRate: 1,
  batchSize: 1,
  seed: 1,
  proximalMu: 0,
  dpNoiseScale: 0,
  clipNorm: 1,
  epsilonBudget: null,
  privacyDelta: null,
  secure: 'double_mask',
  aggregationMode: 'ffa',
  aggregationRule: 'fedavg',
  faulty: 0,
  serverOptimizer: 'none',
  serverLearningRate: 1,
  maxSamples: 100,
  fixedPointBits: 20,
  reputations: [],
  previousAggregateSha: null,
  previousStateSha: null,
  minParticipants: 3,
  maxParticipants: 10,
  minTrustScore: 0,
  deadline,
  topic: 'bench',
  consentText: 'May this node be measured?',
});

const signers = Array.from({ length: count }, (_, i) =>
  value(parseSignerKey(value(generateSigner(`node-${i}.example`)).signerKey)),
);
const config = value(fedLearnConfig({ enabled: true }));

async function openNodes(clock: { now: number }): Promise<readonly Served[]> {
  const hub = createInProcessHub(() => clock.now);
  const nodes: Served[] = [];
  for (const signer of signers) {
    const node = value(
      await openFedNode({
        signer,
        host: createMemoryHost(),
        folder: 'node',
        bus: hub.connect(),
        config,
        trusts: () => true,
        rules,
        now: () => clock.now,
      }),
    );
    const served: Served = {
      node,
      coordinator: createRoundCoordinator(node),
      participant: createRoundParticipant(node, {
        model: { sha: baseModelSha, hiddenSize: 64, layers: 1, residentBytes: 0 },
        train: async () => ok({ bytes: delta, numSamples: 3, trainLoss: 0 }),
      }),
      adapters: createAdapters(node, async () => ok(undefined)),
    };
    value(await serveNode(served));
    nodes.push(served);
  }
  return nodes;
}

/** Processor seconds: of all nodes together up to the closing and the reveals, and of the aggregation alone. */
async function roundOnce(): Promise<{ readonly nodes: number; readonly aggregation: number }> {
  const clock = { now: Date.parse('2026-06-01T12:00:00.000Z') };
  const nodes = await openNodes(clock);
  const { coordinator } = present(nodes[0], 'the coordinator');
  const id = value(await coordinator.announceRound(draft(clock.now + 60_000)));
  const before = process.cpuUsage();
  const stepAll = async (some: readonly Served[]): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) for (const { participant } of some) value(await participant.secureStep(id));
  };
  for (const { node, participant } of nodes) {
    value(await node.replica.discover());
    value(await participant.join(id, true));
  }
  value(await coordinator.openSecure(id));
  await stepAll(nodes);
  const left = nodes.slice(0, count - lost);
  for (const { participant } of left) {
    value(await participant.train(id));
    value(await participant.submit(id));
  }
  clock.now += 60_000;
  const early = await coordinator.finalizeAndPublish(id);
  invariant(!early.ok, 'survivors have yet to reveal their shares');
  await stepAll(left);
  const middle = process.cpuUsage(before);
  const result = value(await coordinator.finalizeAndPublish(id));
  const end = process.cpuUsage(before);
  const bytes = value(await present(left[1], 'another').adapters.fetch(result.aggregatedDeltaSha));
  invariant(Math.abs((float32Numbers(bytes)[1] ?? NaN) - Math.sin(1)) < 1e-6, 'the mean of equal deltas is the delta');
  const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
  return { nodes: seconds(middle), aggregation: seconds(end) - seconds(middle) };
}

const measured: { readonly nodes: number; readonly aggregation: number }[] = [];
for (let round = 0; round <= rounds; round++) {
  const one = await roundOnce();
  // The first round compiles, and does not count.
  if (round > 0) measured.push(one);
}
const node = Math.min(...measured.map((one) => one.nodes)) / (count - lost);
const aggregation = Math.min(...measured.map((one) => one.aggregation));
const verdict = (seconds: number): string => (seconds <= 1.5 ? 'met' : '**missed**');
console.log(
  `| ${count} nodes × ${parameters.toLocaleString('en')} parameters, ${lost} dropped, over the bus | processor seconds | target |`,
);
console.log('| --- | --- | --- |');
console.log(`| all steps, for each of the ${count - lost} that stay | ${node.toFixed(2)} | ≤ 1.5: ${verdict(node)} |`);
console.log(`| the aggregation, at one node | ${aggregation.toFixed(2)} | ≤ 1.5: ${verdict(aggregation)} |`);
process.exitCode = Math.max(node, aggregation) <= 1.5 ? 0 : 1;
