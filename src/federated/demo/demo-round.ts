/** One round from the announcement to the applied adapter: five nodes, of which one is hostile, and a coordinator that vanishes. */
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { orThrow } from '../../training/training-error.ts';
import { readAdapter } from '../adapter/adapter-file.ts';
import { initialAdapter } from '../adapter/initial-adapter.ts';
import { adaptedLayers, type StateDict } from '../adapter/layout.ts';
import { createInProcessHub } from '../bus/in-process.ts';
import type { Refusal } from '../fed-code.ts';
import type { RoundManifestDraft } from '../manifest.ts';
import type { Adapters } from '../node/adapters.ts';
import type { LoggedRefusal } from '../node/claim.ts';
import type { NodeId } from '../node-id.ts';
import type { RoundState } from '../round/state.ts';
import type { RoundResult } from '../statements.ts';
import { readBaseModel, type BaseModel } from '../train/base-model.ts';
import { adaptModel, linearLayers } from '../train/lora.ts';
import { perplexity } from '../train/perplexity.ts';
import type { RoundId } from '../ulid.ts';
import { attackRound } from './attacks.ts';
import { demoId, openDemoNode, type DemoNode, type DemoWorld } from './demo-node.ts';
import { trainDemoBase } from './demo-base.ts';
import { knownTo, villageText } from './village-text.ts';

/** The nodes; the last is hostile. */
export const demoNames = ['anna', 'ben', 'clara', 'dora', 'mallory'] as const;
const honest = demoNames.slice(0, 4);
const [second, minute] = [1000, 60_000];
const start = Date.parse('2026-06-01T12:00:00.000Z');
const heldOut = encodeUtf8(villageText(1, 'held out', 60));

/** The manifest of the demo's round. */
export const draft = (base: BaseModel): RoundManifestDraft => ({
  baseModelId: 'pv-demo-32x1',
  baseModelSha: base.sha256,
  loraTargetModules: ['query', 'value', 'up', 'down'],
  loraRank: 4,
  loraAlpha: 8,
  loraDropout: 0,
  trainSteps: 60,
  learningRate: 0.01,
  batchSize: 4,
  seed: 28,
  proximalMu: 0,
  dpNoiseScale: 0,
  clipNorm: 8,
  epsilonBudget: null,
  privacyDelta: null,
  secure: 'off',
  aggregationMode: 'ffa',
  aggregationRule: 'trimmed_mean',
  faulty: 1,
  serverOptimizer: 'none',
  serverLearningRate: 1,
  maxSamples: 10_000,
  fixedPointBits: 0,
  reputations: [],
  previousAggregateSha: null,
  previousStateSha: null,
  minParticipants: 3,
  maxParticipants: 8,
  minTrustScore: 0,
  deadline: start + 10 * minute,
  topic: 'village-chat',
  consentText: 'May this node train an adapter on its text, and publish the adapter?',
});

/** What a demo showed. */
export interface DemoReport {
  readonly roundId: RoundId;
  readonly result: RoundResult;
  /** On text of the village that no node has: of the base, of each honest node's own adapter, and of the aggregate. */
  readonly perplexities: readonly { readonly of: string; readonly perplexity: number }[];
}

/** Receives what happens, as it happens. */
export interface Audience {
  /** A line for each thing. */
  readonly narrate: (line: string) => void;
  /** The round as the node knows it that leads it, the time in milliseconds since 1970, and what that node has refused. */
  readonly show: (state: RoundState, now: number, refusals: readonly LoggedRefusal[]) => void;
}

/** Runs the demo in a new folder. The same bytes in every run, on every machine. */
export async function runDemoRound(host: Host, folder: string, audience: Audience): Promise<DemoReport> {
  audience.narrate('base     training a small character transformer on plain text');
  const base = await writeBase(host, folder);
  audience.narrate(`base     ${base.sha256}`);
  const clock = { now: start };
  const hub = createInProcessHub(() => clock.now);
  const world: DemoWorld = { host, folder, hub, base, clock, trusted: new Set(demoNames.map(demoId)) };
  await write(host, `${folder}/roster.txt`, demoNames.map((name) => `${demoId(name)}\n`).join(''));
  const nodes = new Map<string, DemoNode>();
  for (const [k, name] of demoNames.entries())
    nodes.set(name, await openDemoNode(world, name, villageText(1, name, 30, knownTo(k))));
  let leader = 'anna';
  const narrate = (line: string): void => {
    audience.narrate(line);
    const { replica, journal } = of(leader).node;
    for (const [round, state] of replica.rounds) audience.show(state, clock.now, journal.refusedIn(round));
    clock.now += second;
  };
  const of = (name: string): DemoNode => {
    const node = nodes.get(name);
    if (node === undefined) throw new Error(name);
    return node;
  };

  const roundId = good(await of('anna').coordinator.announceRound(draft(base)));
  narrate(`anna     announces round ${roundId}: trimmed mean of adapters, tolerating 1 hostile node`);
  const adapters = new Map<string, StateDict>();
  for (const name of honest) {
    const { participant, node } = of(name);
    good(await participant.join(roundId, true));
    const { deltaSha, trainLoss, numSamples } = good(await participant.train(roundId));
    good(await participant.submit(roundId));
    narrate(
      `${name.padEnd(8)} consents, trains on ${numSamples} samples (loss ${trainLoss.toFixed(3)}), submits ${deltaSha.slice(0, 12)}`,
    );
    const bytes = await node.blobs.get(deltaSha, node.config.submissionMaxBytes);
    adapters.set(name, adapterIn(bytes));
  }
  const { manifest } = (await knownRound(of('mallory'), roundId)) ?? {};
  if (manifest === undefined) throw new Error('the round is not known');
  const from = initialAdapter(manifest.seed, layersFor(base), manifest.loraRank);
  for (const { attack, answer } of await attackRound(of('mallory'), manifest, from, demoId('ben')))
    narrate(`mallory  ${attack}: ${answer}`);

  await of('anna').vanish();
  clock.now = manifest.deadline + minute;
  leader = 'ben';
  narrate('anna     vanishes; the deadline passes');
  const refused = await of('ben').participant.finalize(roundId);
  narrate(`ben      asks her to finalise: ${refused.ok ? 'done' : refused.error.code}`);
  const [result, other] = await Promise.all([
    of('ben').participant.finalizeTakeover(roundId),
    of('clara').participant.finalizeTakeover(roundId),
  ]);
  const taken = good(result);
  narrate(`${nameOf(taken.aggregator).padEnd(8)} takes over: adapter ${taken.aggregatedDeltaSha}`);
  narrate(
    `clara    takes over at the same time: ${good(other).aggregatedDeltaSha === taken.aggregatedDeltaSha ? 'the same adapter' : 'ANOTHER adapter'}`,
  );
  await of('dora').node.replica.sync(roundId);
  good(await applyOf(of('dora').adapters, taken.aggregatedDeltaSha));
  narrate(`dora     fetches it, aggregates again (same bytes), applies it to her session`);
  const aggregate = adapterIn(good(await of('dora').adapters.fetch(taken.aggregatedDeltaSha)));
  for (const name of demoNames.slice(1)) await of(name).vanish();

  const measured = [
    ['the base', null] as const,
    ...[...adapters].map(([name, adapter]) => [`${name} alone`, adapter] as const),
    ['the aggregate', aggregate] as const,
  ];
  return {
    roundId,
    result: taken,
    perplexities: measured.map(([name, adapter]) => ({ of: name, perplexity: perplexityOf(base, adapter) })),
  };
}

const nameOf = (id: NodeId): string => demoNames.find((name) => demoId(name) === id) ?? id;

const applyOf = (adapters: Adapters, sha: string) => adapters.apply(sha, 'session');

async function knownRound(mallory: DemoNode, id: RoundId) {
  const rounds = await mallory.participant.listRounds(null);
  if (rounds.ok && rounds.value.length > 0) return { manifest: rounds.value.find(({ roundId }) => roundId === id) };
  await mallory.node.replica.discover();
  return { manifest: mallory.node.replica.rounds.get(id)?.manifest };
}

const layersFor = (base: BaseModel) => {
  const layers = adaptedLayers(linearLayers(base.sizes), draft(base).loraTargetModules);
  if (!layers.ok) throw new Error(layers.error);
  return layers.value;
};

/** Of text of the village that no node has. */
export function perplexityOf(base: BaseModel, adapter: StateDict | null): number {
  const { loraRank: rank, loraAlpha: alpha } = draft(base);
  const own = (name: string): Float32Array => base.weights.get(name) ?? new Float32Array(0);
  if (adapter === null) return perplexity(base, own, heldOut);
  const merged = adaptModel(base, layersFor(base), { rank, alpha }).merged(
    (name) => adapter.get(name)?.data ?? new Float32Array(0),
  );
  return perplexity(base, merged, heldOut);
}

/** Trains and writes the base model. */
export async function writeBase(host: Host, folder: string): Promise<BaseModel> {
  const files = await trainDemoBase();
  for (const [name, bytes] of files) await write(host, `${folder}/base/${name}`, bytes);
  const file = (name: string): Uint8Array => files.get(name) ?? new Uint8Array(0);
  return orThrow(readBaseModel(file('certificate.json'), file('weights.safetensors')));
}

/** The adapter in bytes that the demo has made. */
export function adapterIn(bytes: Uint8Array | null): StateDict {
  const adapter = readAdapter(bytes ?? new Uint8Array(0));
  if (!adapter.ok) throw new Error(adapter.error);
  return adapter.value;
}

/** Writes a file of the demo. */
export async function write(host: Host, path: string, content: string | Uint8Array): Promise<void> {
  const written = await host.writeFileAtomic(path, content);
  if (!written.ok) throw new Error(`${path}: ${written.error.message}`);
}

/** The value; the demo's own steps are not refused. */
export function good<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.detail}`);
  return result.value;
}
