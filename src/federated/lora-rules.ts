/** The rules of deltas that are LoRA adapters on a character transformer. */
import { err, ok, type Result } from '../base/result.ts';
import { adapterFault } from './adapter/adapter-fault.ts';
import { readAdapter, writeAdapter } from './adapter/adapter-file.ts';
import { readerOf } from './adapter/adapter-reader.ts';
import { initialAdapter } from './adapter/initial-adapter.ts';
import { adaptedLayers, factorsOf, isFactorA, type AdaptedLayer, type StateDict } from './adapter/layout.ts';
import { aggregate } from './aggregate/aggregate.ts';
import type { DeltaRules } from './delta-rules.ts';
import { loraSecureRules } from './lora-secure.ts';
import { stepServer } from './lora-server.ts';
import type { RoundManifest } from './manifest.ts';
import { epsilonEstimate } from './privacy/epsilon.ts';
import { distance } from './adapter/difference.ts';
import type { BaseModel } from './train/base-model.ts';
import { linearLayers } from './train/lora.ts';

/** The layers that a manifest adapts; an error if the base model is another one, or does not have them. */
export function layersOf(
  { sizes, sha256 }: BaseModel,
  manifest: RoundManifest,
): Result<readonly AdaptedLayer[], string> {
  if (manifest.baseModelSha !== sha256)
    return err(`the base model here is ${sha256}, the manifest names ${manifest.baseModelSha}`);
  const layers = adaptedLayers(linearLayers(sizes), manifest.loraTargetModules);
  return layers.ok ? layers : err(layers.error.replace(/\.$/, ''));
}

/** The adapter that a round without a previous one starts from. */
export const startOf = (layers: readonly AdaptedLayer[], { seed, loraRank }: RoundManifest): StateDict =>
  initialAdapter(seed, layers, loraRank);

/** Rounding of a clipped difference to float32 may add this share to its norm. */
const normSlack = 1e-6;

/**
 * Rules for adapters on `base`. A delta is a whole adapter: where the round starts, plus what was learned. Without noise, the norm of
 * what was learned must be within the clip.
 */
export const loraRules = (base: BaseModel): DeltaRules => ({
  validate: validator(base),
  async aggregate(deltas, manifest, previous, serverState) {
    if (manifest.secure !== 'off') return err('secure aggregation shows nobody a single delta to aggregate');
    const layers = layersOf(base, manifest);
    if (!layers.ok) return layers;
    const reputations = new Map(manifest.reputations.map(({ participant, factor }) => [participant, factor]));
    const participants = deltas.map(({ participant, numSamples, size, read }) => ({
      id: participant,
      samples: numSamples,
      reputation: reputations.get(participant) ?? 1,
      adapter: { size, read },
    }));
    const { aggregationMode: mode, aggregationRule: name, faulty, clipNorm, loraAlpha: alpha } = manifest;
    const rule = { name, faulty, normBound: name === 'norm_bound' ? clipNorm : null };
    const startBytes = previous ?? writeAdapter(startOf(layers.value, manifest));
    const start = readerOf(startBytes);
    // As large as a submission, except for `stack`; parts that are put together at the end would take twice the memory.
    let out = new Uint8Array(deltas[0]?.size ?? 0);
    let end = 0;
    const report = await aggregate(participants, { mode, rule, alpha, start }, (part) => {
      if (end + part.length > out.length) {
        const larger = new Uint8Array(2 * (end + part.length));
        larger.set(out);
        out = larger;
      }
      out.set(part, end);
      end += part.length;
    });
    if (!report.ok) return err(report.error.message);
    const [epsilon, bytes] = [epsilonOfRound(manifest), out.subarray(0, end)];
    if (manifest.serverOptimizer === 'none') return ok({ bytes, epsilon });
    const [from, average] = [readAdapter(startBytes), readAdapter(bytes)];
    if (!from.ok) return from;
    if (!average.ok) return average;
    const stepped = stepServer(manifest, from.value, average.value, serverState);
    if (!stepped.ok) return stepped;
    const { adapter, ...state } = stepped.value;
    return ok({ bytes: writeAdapter(adapter), epsilon, ...state });
  },
  secure: loraSecureRules({
    layersOf: (manifest) => layersOf(base, manifest),
    startOf,
    epsilonOf: epsilonOfRound,
    normSlack,
  }),
});

function validator(base: BaseModel): DeltaRules['validate'] {
  // All deltas of a round are compared with the same start, which takes longer to draw than to compare.
  let last: { readonly manifest: RoundManifest; readonly start: StateDict } | null = null;
  return (bytes, manifest, previous) => {
    const layers = layersOf(base, manifest);
    if (!layers.ok) return layers.error;
    const { loraRank: rank, loraAlpha: alpha, loraTargetModules: targetModules } = manifest;
    const plan = { layers: layers.value, targetModules, rank, alpha };
    // The start is as large as a whole delta, and a manifest alone does not bound it.
    const needed = factorsOf(layers.value, rank).reduce((sum, { shape }) => sum + 4 * shape[0] * shape[1], 0);
    if (bytes.length < needed)
      return sentence(adapterFault(bytes, { ...plan, frozen: null }) ?? `The delta has fewer than ${needed} bytes`);
    if (last?.manifest !== manifest) last = { manifest, start: startOf(layers.value, manifest) };
    const { start } = last;
    const frozen = manifest.aggregationMode === 'ffa' ? start : null;
    const fault = adapterFault(bytes, { ...plan, frozen });
    return fault === null ? normFault(bytes, start, manifest, previous) : sentence(fault);
  };
}

/** Without its full stop. */
const sentence = (fault: string): string => fault.replace(/\.$/, '');

/**
 * ‖what was learned‖₂ of a delta, noise included: its difference from `previous`, or from the round's initial adapter. Null where the
 * two cannot be compared, as under secure aggregation.
 */
export function learnedNorm(
  base: BaseModel,
  bytes: Uint8Array,
  manifest: RoundManifest,
  previous: Uint8Array | null,
): number | null {
  const layers = layersOf(base, manifest);
  const adapter = readAdapter(bytes);
  if (!layers.ok || !adapter.ok || manifest.secure !== 'off') return null;
  const start = previous === null ? ok(startOf(layers.value, manifest)) : readAdapter(previous);
  return start.ok && shapesOf(adapter.value) === shapesOf(start.value) ? distance(adapter.value, start.value) : null;
}

const shapesOf = (state: StateDict): string =>
  [...state]
    .map(([name, { shape }]) => `${name} ${shape.join()}`)
    .toSorted()
    .join('\n');

/**
 * Noise of N standard normal numbers has a norm within 8 of √N, but for one in 10¹³: the norm is a 1-Lipschitz function of them, and its
 * mean lies between √(N − 1) and √N. Source: Boucheron, Lugosi, Massart (2013), Concentration inequalities, theorem 5.6.
 */
const noiseReach = 8;

/** `initial` is where a round without a previous aggregate starts. Noise comes after the clip. */
function normFault(
  bytes: Uint8Array,
  initial: StateDict,
  { clipNorm, dpNoiseScale, aggregationMode }: RoundManifest,
  previous: Uint8Array | null,
): string | null {
  if (clipNorm === 0) return null;
  const adapter = readAdapter(bytes);
  if (!adapter.ok) return adapter.error;
  const start = previous === null ? ok(initial) : readAdapter(previous);
  if (!start.ok) return start.error;
  if (shapesOf(adapter.value) !== shapesOf(start.value))
    return 'The aggregate that the round continues from has other tensors than the round';
  const length = distance(adapter.value, start.value);
  const noisy = [...start.value].filter(([name]) => aggregationMode !== 'ffa' || !isFactorA(name));
  const numbers = noisy.reduce((sum, [, { data }]) => sum + data.length, 0);
  const least = dpNoiseScale * (Math.sqrt(numbers - 1) - noiseReach) - clipNorm;
  const most = clipNorm * (1 + normSlack) + dpNoiseScale * (Math.sqrt(numbers) + noiseReach);
  if (dpNoiseScale === 0)
    return length <= most ? null : `The norm of what was learned is ${length}; the round clips it to ${clipNorm}`;
  if (length < least)
    return `The norm of what was learned is ${length}; with the noise of the round it is at least ${least}`;
  return length <= most ? null : `The norm of what was learned is ${length}; with clip and noise it is at most ${most}`;
}

/**
 * What a round costs a participant, against its absence: each adds its noise once, to what it submits, so that every submission is one
 * release of the Gaussian mechanism. Null without noise.
 */
const epsilonOfRound = ({ dpNoiseScale, clipNorm, privacyDelta }: RoundManifest): number | null =>
  dpNoiseScale === 0 || privacyDelta === null ? null : epsilonEstimate(dpNoiseScale, clipNorm, 1, 1, 1, privacyDelta);
