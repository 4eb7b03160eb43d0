/**
 * Whether logits within a band of ours could have chosen a token: how a sampler is checked if bits differ.
 *
 * After Token-DiFR (arXiv:2511.20621), which scores how far a claimed token is from the one that a shared seed would
 * give; here the band decides. Each logit may be off by `band`, so the odds of one set of tokens against the rest by a
 * factor of exp(2·band/temperature) at most; a draw that falls into what a token could cover passes.
 */
import type { Sampler } from '../format/trace.ts';

/** Float32 sums of probabilities, as samplers make them, are off by less than this. */
const rounding = 1e-5;

type TopP = Extract<Sampler, { readonly kind: 'top-p' }>;

/** Greedy: whether `token` could have had the largest logit. */
export function couldBeLargest(logits: Float32Array, token: number, band: number): boolean {
  const claimed = logits[token] ?? -Infinity;
  return logits.every((logit) => logit <= claimed + 2 * band);
}

/** Whether `coin` in [0, 1) could have chosen `token` of these logits. */
export function couldBeDrawn(logits: Float32Array, token: number, sampler: TopP, coin: number, band: number): boolean {
  const probabilities = softmax(logits, sampler.temperature);
  // No comparison holds for a token that is not there.
  const claimed = probabilities[token] ?? NaN;
  const factor = Math.exp((2 * band) / sampler.temperature);
  const least = (mass: number): number => mass / (mass + (1 - mass) * factor) - rounding;
  const most = (mass: number): number => (mass * factor) / (mass * factor + (1 - mass)) + rounding;
  const { topP } = sampler;
  if (topP <= 0 || topP >= 1) {
    const before = sumOf(probabilities.subarray(0, token));
    return least(before) <= coin && coin < most(before + claimed);
  }
  // Tokens of nearly equal probability may have been in either order.
  const surelyBefore = sumOf(probabilities.filter((p) => p > claimed * factor));
  const maybeBefore = sumOf(probabilities.filter((p, id) => id !== token && p >= claimed / factor));
  if (least(surelyBefore) > topP) return false;
  const [low, high] = keptMass(probabilities, topP, least, most);
  return least(surelyBefore) <= coin * high && coin * low < most(maybeBefore + claimed);
}

/**
 * The least and the most that the kept tokens could add up to: those up to the first with which the sum is above
 * `topP`.
 */
function keptMass(
  probabilities: Float64Array,
  topP: number,
  least: (mass: number) => number,
  most: (mass: number) => number,
): readonly [number, number] {
  let [low, high] = [1, topP];
  let before = 0;
  for (const p of probabilities.toSorted((a, b) => b - a)) {
    if (least(before) > topP) break;
    const mass = before + p;
    if (most(mass) > topP) {
      low = Math.min(low, Math.max(topP, least(mass)));
      high = Math.max(high, Math.min(1, most(mass)));
    }
    before = mass;
  }
  return [low, high];
}

function softmax(logits: Float32Array, temperature: number): Float64Array {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = Float64Array.from(logits, (logit) => Math.exp((logit - largest) / temperature));
  const sum = sumOf(weights);
  return weights.map((weight) => weight / sum);
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((a, b) => a + b, 0);
