/**
 * The random numbers that generations are sampled with, one for each token: streams of float32 in [0, 1), by name and
 * version.
 */
import type { Sampler } from '../format/trace.ts';

/** The random number generators that a manifest may name. */
export type GeneratorName = Extract<Sampler, { readonly kind: 'top-p' }>['generator'];

interface Draw {
  readonly state: bigint;
  /** 64 bits; the upper 24 are used. */
  readonly output: bigint;
}

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const rotateLeft = (value: bigint, by: bigint): bigint => wrap(value << by) | (value >> (64n - by));

const generators: Readonly<Record<GeneratorName, (state: bigint) => Draw>> = {
  // From tarassh/llama2-rs, which calls it xoshiro256**; its state is one word, and the constant that it adds is SplitMix64's.
  'llama2-rs/1': (state) => ({
    output: rotateLeft(wrap(rotateLeft(state, 5n) * 5n), 7n),
    state: wrap(rotateLeft(state, 23n) + 0x9e3779b97f4a7c15n),
  }),
  // xorshift64* of llama2.c: Vigna (2016), An experimental exploration of Marsaglia's xorshift generators, scrambled,
  // ACM TOMS 42(4).
  'xorshift64star/1': (before) => {
    let state = before ^ (before >> 12n);
    state ^= wrap(state << 25n);
    state ^= state >> 27n;
    return { state, output: wrap(state * 0x2545f4914f6cdd1dn) };
  },
};

/** Draws of `generator` from `seed` (0 to 2⁶⁴ − 1): each a multiple of 2⁻²⁴ in [0, 1), which a float32 holds exactly. */
export function createCoin(generator: GeneratorName, seed: bigint): () => number {
  let state = seed;
  return () => {
    const drawn = generators[generator](state);
    state = drawn.state;
    return Number(drawn.output >> 40n) * 2 ** -24;
  };
}
