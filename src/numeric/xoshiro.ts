/**
 * xoshiro128** 1.1: 128 bits of state, 32-bit outputs, period 2^128 − 1, as seeded and named streams.
 *
 * Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021;
 * https://prng.di.unimi.it/xoshiro128starstar.c. Not for secrets.
 */
import { nextSplitmix, type Word64 } from './splitmix.ts';
import { invariant } from '../base/invariant.ts';

/** The state: four signed 32-bit words, not all zero. Mutated by every draw. */
export interface Xoshiro {
  a: number;
  b: number;
  c: number;
  d: number;
}

/** What a stream is derived from: a seed with the names and indices absorbed so far. Plain and immutable. */
export type StreamKey = Readonly<Word64>;

/** The next output, an integer in [0, 2^32). */
export function nextUint32(s: Xoshiro): number {
  const x = Math.imul(s.b, 5);
  const t = s.b << 9;
  s.c ^= s.a;
  s.d ^= s.b;
  s.b ^= s.c;
  s.a ^= s.d;
  s.c ^= t;
  s.d = (s.d << 11) | (s.d >>> 21);
  return Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
}

/** A double in [0, 1) with 32 random bits: enough for float32 and cheaper than {@link unitDouble}. */
export function unitFloat(s: Xoshiro): number {
  return nextUint32(s) * 2 ** -32;
}

/** A double in [0, 1) with 53 random bits. */
export function unitDouble(s: Xoshiro): number {
  return ((nextUint32(s) >>> 5) * 2 ** 26 + (nextUint32(s) >>> 6)) * 2 ** -53;
}

/** An integer in [low, high], every one equally likely (rejection, so no modulo bias). At most 2^53 values. */
export function uniformInteger(s: Xoshiro, low: number, high: number): number {
  const count = high - low + 1;
  invariant(count >= 1 && count <= 2 ** 53, 'an integer range has between 1 and 2^53 values');
  if (count <= 2 ** 32) {
    const limit = 2 ** 32 - (2 ** 32 % count);
    let draw = nextUint32(s);
    while (draw >= limit) draw = nextUint32(s);
    return low + (draw % count);
  }
  const limit = 2 ** 53 - (2 ** 53 % count);
  let draw = (nextUint32(s) >>> 11) * 2 ** 32 + nextUint32(s);
  while (draw >= limit) draw = (nextUint32(s) >>> 11) * 2 ** 32 + nextUint32(s);
  return low + (draw % count);
}

/** The key of `name` under `seed` (an integer of magnitude below 2^53). Different names give unrelated streams. */
export function streamKey(seed: number, name: string): StreamKey {
  invariant(Number.isSafeInteger(seed), 'a seed is a safe integer');
  const key: Word64 = { high: 0, low: 0 };
  // The seed is mixed before the name, or seed 0 with "a" would be seed 3 with "b".
  absorb(key, seed);
  for (let i = 0; i < name.length; i++) absorb(key, name.charCodeAt(i));
  absorb(key, name.length);
  return key;
}

const mixed: Word64 = { high: 0, low: 0 };

function absorb(key: Word64, value: number): void {
  key.low ^= value | 0;
  key.high ^= Math.floor(value / 2 ** 32) | 0;
  nextSplitmix(key, mixed);
  key.high = mixed.high;
  key.low = mixed.low;
}

const seeding: Word64 = { high: 0, low: 0 };

/** Resets `into` to the start of stream `index` (a non-negative safe integer) of `key`, without allocating. */
export function seekStream(key: StreamKey, index: number, into: Xoshiro): void {
  seeding.high = key.high;
  seeding.low = key.low;
  absorb(seeding, index);
  nextSplitmix(seeding, mixed);
  into.a = mixed.low;
  into.b = mixed.high;
  nextSplitmix(seeding, mixed);
  into.c = mixed.low;
  // SplitMix64 outputs two zero words in a row for no state, but xoshiro must never be all zero.
  into.d = mixed.high | (into.a | into.b | into.c | mixed.high ? 0 : 1);
}

/** Stream `index` of `key`. */
export function streamAt(key: StreamKey, index: number): Xoshiro {
  const stream: Xoshiro = { a: 0, b: 0, c: 0, d: 1 };
  seekStream(key, index, stream);
  return stream;
}

/** The stream called `name` under `seed`: the same pair gives the same numbers on every engine and platform. */
export function streamFor(seed: number, name: string): Xoshiro {
  return streamAt(streamKey(seed, name), 0);
}
