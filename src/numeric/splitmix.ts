/**
 * SplitMix64 on pairs of 32-bit words: the seeding generator that xoshiro's authors recommend.
 *
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants of
 * Vigna's public-domain splitmix64.c (https://prng.di.unimi.it/splitmix64.c).
 */

/** A 64-bit word as two signed 32-bit halves, because BigInt is two orders of magnitude slower. */
export interface Word64 {
  high: number;
  low: number;
}

/** Upper 32 bits of the 64-bit product of two unsigned 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const carry = (middle & 0xffff) + a0 * b1;
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(carry / 65536)) | 0;
}

function multiply(word: Word64, high: number, low: number): void {
  const cross = Math.imul(word.high, low) + Math.imul(word.low, high);
  word.high = (multiplyHigh(word.low, low) + cross) | 0;
  word.low = Math.imul(word.low, low);
}

function xorShiftRight(word: Word64, by: number): void {
  word.low ^= (word.low >>> by) | (word.high << (32 - by));
  word.high ^= word.high >>> by;
}

/** Advances `state` by the golden ratio and writes the mixed output to `out` (which may not be `state`). */
export function nextSplitmix(state: Word64, out: Word64): void {
  const low = (state.low >>> 0) + 0x7f4a7c15;
  state.low = low | 0;
  state.high = (state.high + 0x9e3779b9 + (low > 0xffffffff ? 1 : 0)) | 0;
  out.high = state.high;
  out.low = state.low;
  xorShiftRight(out, 30);
  multiply(out, 0xbf58476d, 0x1ce4e5b9);
  xorShiftRight(out, 27);
  multiply(out, 0x94d049bb, 0x133111eb);
  xorShiftRight(out, 31);
}
