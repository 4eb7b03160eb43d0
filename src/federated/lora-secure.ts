/** How adapters of a round that freezes A are masked and added up: only what B has learned is masked, the rest is known. */
import { present } from '../base/invariant.ts';
import { err, ok, type Result } from '../base/result.ts';
import { readAdapter, writeAdapter } from './adapter/adapter-file.ts';
import { differenceOf } from './adapter/difference.ts';
import { factorsOf, type AdaptedLayer, type Factor, type FloatTensor, type StateDict } from './adapter/layout.ts';
import type { SecureRules } from './delta-rules.ts';
import { stepServer } from './lora-server.ts';
import type { RoundManifest } from './manifest.ts';
import { perClientFault } from './manifest-limits.ts';
import { globalNorm } from './privacy/clip.ts';
import { fixedPointOf } from './secure-plan.ts';

/** What the rules of secure rounds share with those of others. */
export interface LoraParts {
  readonly layersOf: (manifest: RoundManifest) => Result<readonly AdaptedLayer[], string>;
  readonly startOf: (layers: readonly AdaptedLayer[], manifest: RoundManifest) => StateDict;
  readonly epsilonOf: (manifest: RoundManifest) => number | null;
  /** The share that rounding may add to the norm of a clipped difference. */
  readonly normSlack: number;
}

/** The factors B, in the order of their numbers. */
function maskedFactors(parts: LoraParts, manifest: RoundManifest): Result<readonly Factor[], string> {
  const fault = perClientFault(manifest);
  if (fault !== null) return err(fault);
  const layers = parts.layersOf(manifest);
  return layers.ok ? ok(factorsOf(layers.value, manifest.loraRank).filter(({ kind }) => kind === 'B')) : layers;
}

/** Where the round starts: the previous aggregate, or the adapter of the manifest's seed. */
function startFor(parts: LoraParts, manifest: RoundManifest, previous: Uint8Array | null): Result<StateDict, string> {
  const layers = parts.layersOf(manifest);
  if (!layers.ok) return layers;
  const initial = parts.startOf(layers.value, manifest);
  const start = previous === null ? ok(initial) : readAdapter(previous);
  if (!start.ok) return start;
  const fits = [...initial].every(([name, { shape }]) => start.value.get(name)?.shape.join() === shape.join());
  return fits && start.value.size === initial.size
    ? start
    : err('the aggregate that the round continues from has other tensors than the round');
}

const ofB = (adapter: StateDict, factors: readonly Factor[]): StateDict =>
  new Map(factors.map(({ name }) => [name, present(adapter.get(name), 'an adapter has its factors')]));

/** Rules of secure aggregation for LoRA; see {@link SecureRules}. */
export const loraSecureRules = (parts: LoraParts): SecureRules => ({
  length(manifest) {
    const factors = maskedFactors(parts, manifest);
    return factors.ok ? ok(factors.value.reduce((sum, { shape }) => sum + shape[0] * shape[1], 0)) : factors;
  },
  numbersOf(bytes, manifest, previous) {
    const factors = maskedFactors(parts, manifest);
    if (!factors.ok) return factors;
    const [adapter, start] = [readAdapter(bytes), startFor(parts, manifest, previous)];
    if (!adapter.ok) return adapter;
    if (!start.ok) return start;
    const learned = differenceOf(ofB(adapter.value, factors.value), ofB(start.value, factors.value));
    const length = globalNorm(learned);
    // Noise comes after the clip.
    if (manifest.dpNoiseScale === 0 && !(length <= manifest.clipNorm * (1 + parts.normSlack)))
      return err(`the norm of what was learned is ${length}; the round clips it to ${manifest.clipNorm}`);
    const { bound } = fixedPointOf(manifest);
    // Rounding may leave a clipped number just beyond the bound.
    return ok(Float32Array.from(numbersIn(learned), (x) => within(Math.fround(bound), bound, x)));
  },
  aggregateOf(mean, manifest, previous, serverState) {
    const factors = maskedFactors(parts, manifest);
    if (!factors.ok) return factors;
    const start = startFor(parts, manifest, previous);
    if (!start.ok) return start;
    const average = new Map(start.value);
    let at = 0;
    for (const { name, shape } of factors.value) {
      const { data } = present(start.value.get(name), 'an adapter has its factors');
      const from = at;
      average.set(name, { shape, data: data.map((x, i) => x + (mean[from + i] ?? NaN)) } satisfies FloatTensor);
      at += data.length;
    }
    const stepped = stepServer(manifest, start.value, average, serverState);
    if (!stepped.ok) return stepped;
    const { adapter, ...state } = stepped.value;
    return ok({ bytes: writeAdapter(adapter), epsilon: parts.epsilonOf(manifest), ...state });
  },
});

function* numbersIn(state: StateDict): Generator<number> {
  for (const { data } of state.values()) yield* data;
}

/** `x` cut off at ±bound, as a float32 that is not beyond it. */
function within(rounded: number, bound: number, x: number): number {
  if (Math.abs(x) <= bound) return x;
  const most = rounded <= bound ? rounded : rounded * (1 - 2 ** -23);
  return Math.sign(x) * most;
}
