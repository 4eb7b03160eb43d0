/**
 * What a whole round costs: `node scripts/run.mjs bench/federated-round.ts [memory|time]`.
 *
 * First the memory of a coordinator that takes 32 deltas of 63 MiB, checks them and aggregates them; the bus's blobs are files, as a
 * server's are. Then a round of 32 nodes in one process, each with its own folder on disk, with adapters of 1M parameters: signatures,
 * logs, checks, aggregation, without training; over the bus in the process, and, if nats-server is there, over NATS on the loopback
 * interface. Exits with 1 when a target is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok } from '../src/base/result.ts';
import { writeAdapter } from '../src/federated/adapter/adapter-file.ts';
import { adaptedLayers, type StateDict } from '../src/federated/adapter/layout.ts';
import type { Bus } from '../src/federated/bus/bus.ts';
import {
  connectNats,
  createAdapters,
  createInProcessHub,
  createNodeHost,
  createRoundCoordinator,
  createRoundParticipant,
  fedLearnConfig,
  generateSigner,
  initialAdapter,
  loraRules,
  nodeIdOf,
  openFedNode,
  orThrow,
  parseSignerKey,
  serveNode,
  type BaseModel,
  type DeltaRules,
  type RoundManifestDraft,
  type Served,
  type Signer,
} from '../src/federated/index.ts';
import { shaOf } from '../src/federated/store/blobs.ts';
import { linearLayers } from '../src/federated/train/lora.ts';
import { hasNatsServer, startNatsServer } from '../test/federated/bus/nats-server.ts';

const participants = 32;
const modules = ['query', 'value', 'up', 'down'];

/** A size of model and adapter; the weights of the model are not needed. */
interface Size {
  readonly base: BaseModel;
  /** Shared by all nodes, which in truth are processes of their own. */
  readonly rules: DeltaRules;
  readonly rank: number;
}

function sizeOf(width: number, layers: number, rank: number): Size {
  const base: BaseModel = {
    sizes: { vocabulary: 256, width, heads: 8, layers, context: 64, tied: true },
    weights: new Map(),
    sha256: 'ba5e'.repeat(16),
  };
  return { base, rules: loraRules(base), rank };
}

function adapterOf({ base, rank }: Size): StateDict {
  return initialAdapter(1, orThrow(adaptedLayers(linearLayers(base.sizes), modules)), rank);
}

const draftOf = ({ base, rank }: Size): RoundManifestDraft => ({
  baseModelId: 'bench',
  baseModelSha: base.sha256,
  loraTargetModules: modules,
  loraRank: rank,
  loraAlpha: 8,
  loraDropout: 0,
  trainSteps: 1,
  learningRate: 0.01,
  batchSize: 1,
  seed: 1,
  proximalMu: 0,
  dpNoiseScale: 0,
  clipNorm: 100,
  epsilonBudget: null,
  privacyDelta: null,
  secure: 'off',
  aggregationMode: 'ffa',
  aggregationRule: 'fedavg',
  faulty: 0,
  serverOptimizer: 'none',
  serverLearningRate: 1,
  maxSamples: 100,
  fixedPointBits: 0,
  reputations: [],
  previousAggregateSha: null,
  previousStateSha: null,
  minParticipants: participants,
  maxParticipants: participants,
  minTrustScore: 0,
  deadline: Date.now() + 3_600_000,
  topic: 'bench',
  consentText: 'yes?',
});

const signers = Array.from({ length: participants }, (_, p) =>
  orThrow(parseSignerKey(orThrow(generateSigner(`node-${p}`)).signerKey)),
);
const trusted = new Set(signers.map(({ key }) => nodeIdOf(key)));
const config = orThrow(fedLearnConfig({ enabled: true }));

/** A node whose training gives `delta`. */
async function startNode(
  folder: string,
  signer: Signer,
  bus: Bus,
  size: Size,
  delta: () => Uint8Array,
): Promise<Served> {
  const node = orThrow(
    await openFedNode({
      signer,
      host: createNodeHost(),
      folder,
      bus,
      config,
      now: Date.now,
      rules: size.rules,
      trusts: (id) => trusted.has(id),
    }),
  );
  const served: Served = {
    node,
    coordinator: createRoundCoordinator(node),
    participant: createRoundParticipant(node, {
      model: { sha: size.base.sha256, hiddenSize: 8, layers: 1, residentBytes: 0 },
      train: async () => ok({ bytes: delta(), numSamples: 1, trainLoss: 1 }),
    }),
    adapters: createAdapters(node, async () => ok(undefined)),
  };
  orThrow(await serveNode(served));
  return served;
}

/** Bytes of a delta that are another one's for each participant. */
function numbered(file: Uint8Array, p: number): Uint8Array {
  new DataView(file.buffer, file.byteOffset + file.length - 4, 4).setFloat32(0, 0.001 * (p + 1), true);
  return file;
}

let missed = 0;
function verdict(met: boolean): string {
  missed += met ? 0 : 1;
  return met ? 'met' : '**missed**';
}

/** One node after the other takes part; its blobs are files. */
async function coordinatorMemory(folder: string): Promise<void> {
  const size = sizeOf(4096, 9, 32);
  const hub = createInProcessHub(Date.now);
  const bus = hub.connect();
  const files: Bus = {
    ...bus,
    putBlob: async (bytes) => {
      const sha = shaOf(bytes);
      await writeFile(join(folder, `blob-${sha}`), bytes);
      return ok(sha);
    },
    getBlob: (sha) => readFile(join(folder, `blob-${sha}`)).then(ok, () => err('missing' as const)),
  };
  const file = writeAdapter(adapterOf(size));
  const nodes: Served[] = [];
  for (const [p, signer] of signers.entries())
    nodes.push(await startNode(join(folder, `${p}`), signer, files, size, () => numbered(file, p)));
  const [coordinator] = nodes;
  if (coordinator === undefined) return;
  const before = process.memoryUsage().rss;
  const id = orThrow(await coordinator.coordinator.announceRound(draftOf(size)));
  for (const { node, participant } of nodes) {
    orThrow(await node.replica.discover());
    orThrow(await participant.join(id, true));
    orThrow(await participant.train(id));
    orThrow(await participant.submit(id));
    // Only the coordinator's store is measured; the disk need not hold both.
    if (node !== coordinator.node) rmSync(join(node.folder, 'blobs'), { recursive: true });
  }
  orThrow(await coordinator.coordinator.finalizeAndPublish(id));
  for (const { node } of nodes) await node.close();
  const [mib, peak] = [(n: number): string => (n / 1024 ** 2).toFixed(0), process.resourceUsage().maxRSS * 1024];
  console.log(
    `coordinator of ${participants} × ${mib(file.length)} MiB: the process takes ${mib(peak)} MiB at most (${mib(before)} before); target ≤ 512 MiB: ${verdict(peak <= 512 * 1024 ** 2)}`,
  );
}

interface Cost {
  readonly wall: number;
  /** Processor time of this process. */
  readonly cpu: number;
}

const small = sizeOf(1024, 4, 18);

async function round(folder: string, connect: () => Promise<Bus>): Promise<Cost> {
  const file = writeAdapter(adapterOf(small));
  const deltas = signers.map((_, p) => numbered(file.slice(), p));
  const nodes: Served[] = [];
  for (const [p, signer] of signers.entries())
    nodes.push(await startNode(join(folder, `${p}`), signer, await connect(), small, () => deltas[p] ?? file));
  const [coordinator] = nodes;
  if (coordinator === undefined) throw new Error('no node');
  const [start, before] = [performance.now(), process.cpuUsage()];
  const id = orThrow(await coordinator.coordinator.announceRound(draftOf(small)));
  const take = async ({ node, participant }: Served): Promise<void> => {
    orThrow(await node.replica.discover());
    orThrow(await participant.join(id, true));
    orThrow(await participant.train(id));
    orThrow(await participant.submit(id));
  };
  await Promise.all(nodes.map(take));
  orThrow(await coordinator.coordinator.finalizeAndPublish(id));
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - start) / 1000;
  for (const { node } of nodes) {
    await node.bus.close();
    await node.close();
  }
  return { wall, cpu: (user + system) / 1e6 };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pv-round-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const parameters = [...adapterOf(small).values()].reduce((sum, { data }) => sum + data.length, 0);
const text = ({ wall, cpu }: Cost): string => `${wall.toFixed(2)} s, ${cpu.toFixed(2)} s of processor time`;

const part = process.argv[2] ?? 'all';
if (part !== 'time') await inFolder(coordinatorMemory);
if (part !== 'memory') await times();
if (missed > 0) process.exitCode = 1;

async function times(): Promise<void> {
  const inProcess = await inFolder((folder) => {
    const hub = createInProcessHub(Date.now);
    return round(folder, async () => hub.connect());
  });
  console.log(
    `${participants} nodes in one process, ${(parameters / 1e6).toFixed(2)}M parameters: ${text(inProcess)}; target < 10 s: ${verdict(inProcess.wall < 10)}`,
  );
  if (hasNatsServer) {
    const server = await startNatsServer();
    const overNats = await inFolder((folder) =>
      round(folder, async () => orThrow(await connectNats({ servers: server.url }))),
    );
    await server.stop();
    console.log(
      `the same over nats-server on the loopback interface: ${text(overNats)}; ${(overNats.cpu / inProcess.cpu).toFixed(2)} × the processor time`,
    );
  } else console.log('nats-server is not installed: NATS was not measured');
}
