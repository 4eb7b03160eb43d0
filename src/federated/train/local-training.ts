/** A node's training for a round, on text that a provider gives: train, clip, add noise, and submit the adapter. */
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { TrainingCertificate } from '../../training/certificate/certificate.ts';
import { readAdapter, writeAdapter } from '../adapter/adapter-file.ts';
import { differenceOf, sumOf } from '../adapter/difference.ts';
import { isFactorA, type StateDict } from '../adapter/layout.ts';
import { proximalGradient } from '../aggregate/fed-prox.ts';
import { layersOf, startOf } from '../lora-rules.ts';
import type { RoundManifest } from '../manifest.ts';
import type { ParticipantParts } from '../node/participant.ts';
import type { LocalModel } from '../node/resources.ts';
import { clipGradient } from '../privacy/clip.ts';
import { addDpNoise } from '../privacy/noise.ts';
import type { BaseModel } from './base-model.ts';
import type { TrainingDataProvider } from './providers.ts';
import { samplesIn, trainAdapter, type LocalTraining } from './train-adapter.ts';

/** What local training is made of. */
export interface LocalParts {
  readonly base: BaseModel;
  readonly provider: TrainingDataProvider;
  /** The bytes of the aggregate that a round continues from; null if they are not to be had. */
  readonly previous: (sha: string) => Promise<Uint8Array | null>;
  /** Receives the certificate of each training, which stays at the node. */
  readonly onTrained?: (manifest: RoundManifest, certificate: TrainingCertificate) => Promise<void>;
}

/** Steps whose mean loss is reported. */
const reportedSteps = 10;

/** A base model as manifests and budgets see it. */
export const localModel = ({ sha256: sha, sizes, weights }: BaseModel): LocalModel => ({
  sha,
  hiddenSize: sizes.width,
  layers: sizes.layers,
  residentBytes: [...weights.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
});

/** A participant that trains on its own text. */
export const localTraining = (parts: LocalParts): ParticipantParts => ({
  model: localModel(parts.base),
  train: (manifest) => train(parts, manifest),
});

async function train(parts: LocalParts, manifest: RoundManifest): ReturnType<ParticipantParts['train']> {
  const { base, provider } = parts;
  const layers = layersOf(base, manifest);
  if (!layers.ok) return layers;
  const start = await startFor(parts, manifest, startOf(layers.value, manifest));
  if (!start.ok) return start;
  const texts = await provider.texts();
  if (!texts.ok) return err(texts.error.message);
  const text = encodeUtf8(texts.value.join('\n'));
  const isFrozen = (name: string): boolean => manifest.aggregationMode === 'ffa' && isFactorA(name);
  const trained = await trainAdapter(base, start.value, text, {
    layers: layers.value,
    rank: manifest.loraRank,
    alpha: manifest.loraAlpha,
    dropout: manifest.loraDropout,
    trainSteps: manifest.trainSteps,
    learningRate: manifest.learningRate,
    batchSize: manifest.batchSize,
    seed: manifest.seed,
    // A manifest without a clip bounds no gradient.
    clipNorm: manifest.clipNorm > 0 ? manifest.clipNorm : Number.MAX_VALUE,
    frozen: isFrozen,
    penalty: proximalPenalty(start.value, manifest.proximalMu),
    round: { round_id: manifest.roundId },
  });
  if (!trained.ok) return err(trained.error.message);
  const { adapter, losses, certificate } = trained.value;
  if (losses.length === 0) return err('every step of the training was refused; see its certificate');
  await parts.onTrained?.(manifest, certificate);
  const last = losses.slice(-reportedSteps);
  return ok({
    bytes: writeAdapter(released(adapter, start.value, manifest, isFrozen)),
    numSamples: Math.min(samplesIn(base, text), manifest.maxSamples),
    trainLoss: last.reduce((sum, loss) => sum + loss, 0) / last.length,
  });
}

/** Where the round starts. */
async function startFor(
  { previous }: LocalParts,
  { previousAggregateSha }: RoundManifest,
  initial: StateDict,
): Promise<Result<StateDict, string>> {
  if (previousAggregateSha === null) return ok(initial);
  const bytes = await previous(previousAggregateSha);
  if (bytes === null)
    return err(`the aggregate ${previousAggregateSha} that the round continues from is not available`);
  const adapter = readAdapter(bytes);
  if (!adapter.ok) return adapter;
  const fits = [...initial].every(([name, { shape }]) => adapter.value.get(name)?.shape.join() === shape.join());
  return fits && adapter.value.size === initial.size
    ? adapter
    : err('the aggregate that the round continues from has other tensors than the round');
}

/** FedProx: pulls every factor towards where the round started. */
const proximalPenalty =
  (start: StateDict, mu: number): NonNullable<LocalTraining['penalty']> =>
  (factors, gradients) => {
    for (const { name, data } of factors) {
      const [gradient, from] = [gradients[name], start.get(name)?.data];
      if (mu > 0 && gradient && from) gradient.set(proximalGradient(gradient, data, from, mu));
    }
  };

/** The adapter as it leaves the node: what was learned is clipped, and gets noise, in all factors that were trained. */
function released(
  adapter: StateDict,
  start: StateDict,
  { clipNorm, dpNoiseScale }: RoundManifest,
  isFrozen: (name: string) => boolean,
): StateDict {
  const isTrained = ([name]: readonly [string, unknown]): boolean => !isFrozen(name);
  const from = new Map([...start].filter(isTrained));
  const learned = differenceOf(new Map([...adapter].filter(isTrained)), from);
  const clipped = clipNorm > 0 ? clipGradient(learned, clipNorm) : learned;
  return new Map([...start, ...sumOf(from, addDpNoise(clipped, dpNoiseScale))]);
}
