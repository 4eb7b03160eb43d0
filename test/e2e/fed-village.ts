/** Nodes in processes of their own, which meet over a real nats-server, and their operators in the process of the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/base/canonical-json.ts';
import { present } from '../../src/base/invariant.ts';
import type { Result } from '../../src/base/result.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../src/notes/signer.ts';
import { writeAdapter } from '../../src/federated/adapter/adapter-file.ts';
import { initialAdapter } from '../../src/federated/adapter/initial-adapter.ts';
import { connectNats } from '../../src/federated/bus/nats.ts';
import type { Bus } from '../../src/federated/bus/bus.ts';
import { loraRules } from '../../src/federated/lora-rules.ts';
import type { Refusal } from '../../src/federated/fed-code.ts';
import { manifestForm, type RoundManifest } from '../../src/federated/manifest.ts';
import { capabilities } from '../../src/federated/node/capabilities.ts';
import { command } from '../../src/federated/node/operator.ts';
import { nodeIdOf, type NodeId } from '../../src/federated/node-id.ts';
import { fixedPointOf } from '../../src/federated/secure-plan.ts';
import { toFixedPoint, weightedMean } from '../../src/federated/secure/fixed-point.ts';
import { submissionForm } from '../../src/federated/statements.ts';
import { createBlobs, shaOf, unmaskedBlobs } from '../../src/federated/store/blobs.ts';
import { readBaseModel, type BaseModel } from '../../src/federated/train/base-model.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { sign } from '../../src/federated/wire/signed.ts';
import { uniform } from '../../src/training/model/initial.ts';
import { good, textOf } from '../federated/nodes.ts';
import { layersOf, runFiles } from '../federated/train/support.ts';
import { startNatsServer, type NatsServer } from '../federated/bus/nats-server.ts';
import { bin } from '../support/built.ts';

const host = createNodeHost();

/** A node's process and its operator. */
export interface Villager {
  readonly name: string;
  readonly id: NodeId;
  readonly folder: string;
  /** Starts the process; returns when it answers. */
  readonly start: () => Promise<void>;
  /** Ends it without a word, as `kill -9` does. */
  readonly kill: () => Promise<void>;
  /** Ends it as Ctrl-C does; returns the exit code. */
  readonly interrupt: () => Promise<number | null>;
  readonly command: (capability: string, request: JsonValue) => Promise<Result<JsonValue, Refusal | 'not-running'>>;
  /** Commands until it works, as an operator would try again; fails after 20 seconds. */
  readonly insist: (capability: string, request: JsonValue) => Promise<JsonObject>;
  readonly join: (round: string) => Promise<void>;
  /** Puts the villager's own adapter into its node's store; returns the request to submit it. */
  readonly handOver: (round: string) => Promise<JsonObject>;
  /** Hands it over and has it submitted. */
  readonly submit: (round: string) => Promise<JsonObject>;
  readonly log: () => Promise<string>;
}

/** How a node is set up. */
interface VillagerSetting {
  /** How far its clock is ahead, in seconds. */
  readonly ahead?: number;
  /** Where it reaches the server, if not directly. */
  readonly url?: string;
}

export interface Village {
  readonly folder: string;
  readonly server: NatsServer;
  /** The operators' connection. */
  readonly bus: Bus;
  readonly base: BaseModel;
  readonly add: (settings: Readonly<Record<string, VillagerSetting>>) => Promise<ReadonlyMap<string, Villager>>;
  /** The file of a node's own adapter. */
  readonly deltaOf: (name: string) => Uint8Array;
  readonly signerOf: (name: string) => Promise<Signer>;
  /** A submission of it, as a program with the node's key signs it. */
  readonly submissionOf: (name: string, round: string) => Promise<JsonObject>;
  /** The SHA-256 that the adapters of these nodes aggregate to in a round, computed here. */
  readonly expected: (round: JsonValue | undefined, names: readonly Villager[]) => Promise<string>;
  /** The wire form of a draft whose deadline is so many seconds away by the clock of the one who announces. */
  readonly draft: (seconds: number, changes?: JsonObject) => JsonObject;
  readonly close: () => Promise<void>;
}

const start = 4;
const samplesOf = (name: string): number => 10 * name.length;

/** Each has learned something of its own. */
function deltaOf(base: BaseModel, name: string): Uint8Array {
  const from = initialAdapter(start, layersOf(base, ['query', 'value']), 4);
  return writeAdapter(
    new Map(
      [...from].map(([tensor, { shape, data }]) => [
        tensor,
        { shape, data: tensor.includes('.lora_B.') ? uniform(7, name + tensor, data.length, 0.1) : data },
      ]),
    ),
  );
}

const secureFields: JsonObject = { secure: 'double_mask', clip_norm: 8, max_samples: 100, fixed_point_bits: 18 };

const draftFields = (base: BaseModel): JsonObject => ({
  base_model_id: 'small',
  base_model_sha: base.sha256,
  lora_target_modules: ['query', 'value'],
  lora_rank: 4,
  lora_alpha: 8,
  lora_dropout: 0,
  train_steps: 5,
  learning_rate: 0.01,
  batch_size: 2,
  seed: start,
  proximal_mu: 0,
  dp_noise_scale: 0,
  clip_norm: 100,
  epsilon_budget: null,
  privacy_delta: null,
  secure: 'off',
  aggregation_mode: 'ffa',
  aggregation_rule: 'fedavg',
  faulty: 0,
  server_optimizer: 'none',
  server_learning_rate: 1,
  max_samples: 1000,
  fixed_point_bits: 0,
  reputations: [],
  previous_aggregate_sha: null,
  previous_state_sha: null,
  min_participants: 3,
  max_participants: 8,
  min_trust_score: 0,
  topic: 'village-chat',
  consent_text: 'May this node train on your chats?',
});

/** Loaded into a node's process before `pv`: moves its clock. */
const shift = (seconds: number): string =>
  `data:text/javascript,const now=Date.now;Date.now=()=>now()+${1000 * seconds}`;

/** What all nodes of a village have in their settings. */
interface VillageSetting {
  /** In seconds. */
  readonly requestTimeout: number;
  readonly fedlearn?: JsonObject;
  /** Whether its rounds have secure aggregation. */
  readonly secure?: boolean;
}

/** A village without nodes. */
export async function createVillage({
  requestTimeout,
  fedlearn = {},
  secure = false,
}: VillageSetting): Promise<Village> {
  const folder = await mkdtemp(join(tmpdir(), 'pv-village-'));
  const { certificate, weights } = await runFiles();
  await mkdir(join(folder, 'base'));
  await writeFile(join(folder, 'base/certificate.json'), certificate);
  await writeFile(join(folder, 'base/weights.safetensors'), weights);
  const base = good(readBaseModel(certificate, weights));
  const server = await startNatsServer();
  const bus = good(
    await connectNats({ servers: server.url, timeoutMs: 10_000, connection: { reconnectTimeWait: 100 } }),
  );
  const villagers: Villager[] = [];

  const signerOf = async (name: string): Promise<Signer> =>
    good(parseSignerKey(await readFile(join(folder, `${name}.key`), 'utf8')));
  const delta = (name: string): Uint8Array => deltaOf(base, name);
  const villager = async (name: string, signer: Signer, { ahead = 0, url }: VillagerSetting): Promise<Villager> => {
    const own = join(folder, name);
    const config = `${own}.yaml`;
    await writeFile(
      config,
      JSON.stringify({
        key: `${name}.key`,
        folder: name,
        roster: 'roster.txt',
        base: 'base',
        nats: url ?? server.url,
        request_timeout_seconds: requestTimeout,
        experimental: { fedlearn: { enabled: true, min_round_participants: 2, ...fedlearn } },
      }),
    );
    let child: ChildProcess | null = null;
    const ended = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
      const process = child;
      child = null;
      if (process === null || process.exitCode !== null) return process?.exitCode ?? null;
      process.kill(signal);
      return new Promise((resolve) => process.once('exit', resolve));
    };
    const one: Villager = {
      name,
      id: nodeIdOf(signer.key),
      folder: own,
      async start() {
        const preload = ahead === 0 ? [] : ['--import', shift(ahead)];
        const began = spawn(process.execPath, [...preload, bin, 'fed', 'node', '--config', config, '--json'], {
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        child = began;
        let said = '';
        await new Promise<void>((resolve, reject) => {
          began.stdout.on('data', (text: Buffer) => text.includes('"node"') && resolve());
          began.stderr.on('data', (text: Buffer) => void (said += text.toString()));
          began.once('exit', () => reject(new Error(`${name}: ${said}`)));
        });
      },
      kill: async () => void (await ended('SIGKILL')),
      interrupt: () => ended('SIGTERM'),
      command: (capability, request) =>
        command({ bus, signer, now: () => 1000 * (host.posixSeconds() + ahead) }, capability, request),
      async insist(capability, request) {
        for (let tries = 0; ; tries++) {
          const done = await one.command(capability, request);
          if (done.ok) return done.value as JsonObject; // every answer is an object
          if (tries === 60) throw new Error(`${name} ${capability}: ${JSON.stringify(done.error)}`);
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      },
      async join(round) {
        const { manifest_sha: sha = null } = await one.insist(capabilities.consider, { round_id: round });
        await one.insist(capabilities.join, { round_id: round, manifest_sha: sha, consent: true });
      },
      async handOver(round) {
        const store = secure ? unmaskedBlobs(host, own) : createBlobs(host, `${own}/blobs`);
        const sha = good(await store.put(delta(name)));
        return { round_id: round, delta: { sha, num_samples: samplesOf(name), train_loss: 1 } };
      },
      submit: async (round) => one.insist(capabilities.submit, await one.handOver(round)),
      log: () => readFile(join(own, 'events.jsonl'), 'utf8'),
    };
    return one;
  };

  return {
    folder,
    server,
    bus,
    base,
    async add(settings) {
      const added = new Map<string, Villager>();
      const roster: string[] = [];
      for (const [name, setting] of Object.entries(settings)) {
        const { signerKey, verifierKey } = good(generateSigner(name));
        await writeFile(join(folder, `${name}.key`), `${signerKey}\n`, { mode: 0o600 });
        roster.push(`${verifierKey}\n`);
        added.set(name, await villager(name, good(parseSignerKey(signerKey)), setting));
      }
      await writeFile(join(folder, 'roster.txt'), roster.join(''));
      villagers.push(...added.values());
      await Promise.all([...added.values()].map((one) => one.start()));
      return added;
    },
    deltaOf: delta,
    signerOf,
    async submissionOf(name, round) {
      const one = present(
        villagers.find((villager) => villager.name === name),
        'added',
      );
      const { manifest_sha: sha } = await one.insist(capabilities.status, { round_id: round });
      const bytes = delta(name);
      const about = { roundId: round as RoundId, manifestSha: textOf(sha), participant: one.id }; // the node made it
      const file = { deltaSha: shaOf(bytes), deltaSize: bytes.length, numSamples: samplesOf(name) };
      const stated = { ...about, ...file, trainLoss: 1, submittedAt: 1000 * host.posixSeconds() };
      return submissionForm.encode(sign(submissionForm, stated, await signerOf(name)));
    },
    async expected(round, of) {
      const manifest = good(manifestForm.decode(round, 'manifest'));
      if (secure) return shaOf(sumOf(base, manifest, of));
      const sources = of
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ name, id }) => {
          const bytes = delta(name);
          return {
            participant: id,
            numSamples: samplesOf(name),
            sha: shaOf(bytes),
            size: bytes.length,
            read: async (offset: number, length: number) => ({
              ok: true as const,
              value: bytes.slice(offset, offset + length),
            }),
          };
        });
      return shaOf(good(await loraRules(base).aggregate(sources, manifest, null, null)).bytes);
    },
    draft: (seconds, changes = {}) => ({
      ...draftFields(base),
      ...(secure ? secureFields : {}),
      deadline: new Date(1000 * (host.posixSeconds() + seconds)).toISOString(),
      ...changes,
    }),
    async close() {
      await Promise.all(villagers.map((one) => one.kill()));
      await bus.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a round with secure aggregation gives, from the deltas themselves. */
function sumOf(base: BaseModel, manifest: RoundManifest, of: readonly Villager[]): Uint8Array {
  const rules = loraRules(base).secure;
  const sum = new Int32Array(good(rules.length(manifest)));
  for (const { name } of of) {
    const numbers = good(rules.numbersOf(deltaOf(base, name), manifest, null));
    const whole = good(toFixedPoint(numbers, samplesOf(name), fixedPointOf(manifest)));
    for (const [i, one] of whole.entries()) sum[i] = (sum[i] ?? 0) + one;
  }
  const weight = of.reduce((total, { name }) => total + samplesOf(name), 0);
  return good(rules.aggregateOf(weightedMean(sum, weight, manifest.fixedPointBits), manifest, null, null)).bytes;
}

/** A villager by name. */
export const villagerOf = (all: ReadonlyMap<string, Villager>, name: string): Villager =>
  present(all.get(name), 'added');
