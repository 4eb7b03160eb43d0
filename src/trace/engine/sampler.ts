/**
 * How a token is chosen from logits (karpathy/llama2.c, `run.c`: `sample`), in strict float32.
 */
import { err, ok, type Result } from '../../base/result.ts';
import type { Sampler } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';
import { createCoin } from './coin.ts';
import { softmax } from './operations.ts';

const { fround } = Math;

/** The token chosen from finite logits, which are not changed; each call draws once if the sampler draws at all. */
export type Choose = (logits: Float32Array) => Result<number, Problem>;

/**
 * A chooser for `sampler`, starting from its seed. PV-8014 for impossible settings, or those of another engine.
 *
 * Top-p (Holtzman et al. (2020), arXiv:1904.09751, section 3.1) works as in llama2.c: tokens less likely than (1
 * − p)/(n − 1) are left out; the rest in order of their probabilities, ties by their ids, up to the first with which
 * the sum is above p. Where all are left out (only for p < 1/n, where llama2.c reads outside its table) the likeliest is
 * taken.
 */
export function createSampler(sampler: Sampler): Result<Choose, Problem> {
  if (sampler.kind === 'greedy') return ok((logits) => ok(likeliest(logits)));
  if (sampler.kind === 'other') {
    return err(
      setting(
        'sampler',
        `The tokens were chosen by another engine (${sampler.description}): it cannot be replayed here.`,
        'greedy or top-p',
        'other',
      ),
    );
  }
  const temperature = fround(sampler.temperature);
  if (!(temperature > 0 && temperature < Infinity)) {
    return err(
      setting(
        'temperature',
        'A temperature for sampling is a float32 above 0; greedy sampling has none.',
        'above 0',
        `${sampler.temperature}`,
      ),
    );
  }
  const topP = fround(sampler.topP);
  if (Number.isNaN(topP)) return err(setting('top-p', 'Top-p is a probability.', 'a number', `${sampler.topP}`));
  const seed = readSeed(sampler.seed);
  if (seed === null) {
    return err(
      setting('seed', 'A seed is a whole number of 64 bits in decimal digits.', `0 to ${largestSeed}`, sampler.seed),
    );
  }
  if (seed === 0n && sampler.generator === 'xorshift64star/1') {
    return err(setting('seed', 'From the seed 0 xorshift64* draws nothing but zeros.', `1 to ${largestSeed}`, '0'));
  }
  const coin = createCoin(sampler.generator, seed);
  return ok((logits) => {
    const probabilities = softmax(logits.map((logit) => logit / temperature));
    // A quotient that overflows makes all of them NaN.
    if (Number.isNaN(probabilities[0])) {
      return err(
        setting(
          'temperature',
          `These logits divided by the temperature overflow float32.`,
          'a higher one',
          `${sampler.temperature}`,
        ),
      );
    }
    return ok(tokenAt(probabilities, topP, coin()));
  });
}

/** The token with the largest logit, of equal ones the first. */
export function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if ((logits[id] ?? 0) > (logits[best] ?? 0)) best = id;
  return best;
}

/**
 * The token that `coin` in [0, 1) falls on: in order of ids, or with 0 < topP < 1 among the likeliest, in order of
 * their probabilities.
 */
export function tokenAt(probabilities: Float32Array, topP: number, coin: number): number {
  return topP <= 0 || topP >= 1 ? fromAll(probabilities, coin) : fromNucleus(probabilities, topP, coin);
}

function fromAll(probabilities: Float32Array, coin: number): number {
  let sum = 0;
  for (let id = 0; id < probabilities.length; id++) {
    sum = fround(sum + (probabilities[id] ?? 0));
    if (coin < sum) return id;
  }
  // Rounding may leave the sum below 1.
  return probabilities.length - 1;
}

function fromNucleus(probabilities: Float32Array, topP: number, coin: number): number {
  const probability = (id: number): number => probabilities[id] ?? 0;
  const least = fround(fround(1 - topP) / fround(probabilities.length - 1));
  const candidates: number[] = [];
  for (let id = 0; id < probabilities.length; id++) if (probability(id) >= least) candidates.push(id);
  candidates.sort((a, b) => probability(b) - probability(a) || a - b);

  let mass = 0;
  let kept = 0;
  while (kept < candidates.length && mass <= topP) mass = fround(mass + probability(candidates[kept++] ?? 0));
  const threshold = fround(coin * mass);
  let sum = 0;
  for (const id of candidates.slice(0, kept)) {
    sum = fround(sum + probability(id));
    if (threshold < sum) return id;
  }
  return candidates[kept - 1] ?? likeliest(probabilities);
}

const largestSeed = 2n ** 64n - 1n;

/** Null unless `text` is a number of 64 bits in decimal digits, without sign and leading zeros. */
function readSeed(text: string): bigint | null {
  if (!/^(0|[1-9]\d{0,19})$/.test(text)) return null;
  const seed = BigInt(text);
  return seed <= largestSeed ? seed : null;
}

function setting(check: string, message: string, expected: string, actual: string): Problem {
  return { code: 'PV-8014', check, message, expected, actual };
}
