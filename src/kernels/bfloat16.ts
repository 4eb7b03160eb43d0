import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The bits of the bfloat16 nearest to each number, ties to even, as whole numbers from 0 to 65,535.
 *
 * Bit operations are missing in shaders and in this subset; instead, the binade of |x| gives the distance of neighbouring
 * bfloat16 numbers there, and |x| in units of it is rounded. Laws: every bfloat16 number is kept; 3.3961775e38 and more
 * become ∞, 2⁻¹³⁴ and less 0; −0 keeps its sign; every NaN becomes 0x7FC0.
 *
 * Shapes: x is n, the output n. Range: all of float32; a device that flushes subnormals gives 0 for |x| < 2⁻¹²⁶, where
 * these are 1 to 127.
 * Source: Kalamkar et al. (2019), arXiv:1905.12322, section 3; IEEE Std 754-2019, section 4.3.1.
 */
export function bfloat16Bits(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  if (!(Math.abs(value) >= 0)) {
    return 32704;
  }
  let sign = 0;
  if (value < 0 || (value === 0 && 1 / value < 0)) {
    sign = 32768;
  }
  const magnitude = Math.abs(value);
  let binade = 0;
  let step = Math.pow(2, -133);
  let next = Math.pow(2, -125);
  for (let j = 0; j < 253; j++) {
    if (magnitude >= next) {
      binade += 1;
      step = step * 2;
    }
    next = next * 2;
  }
  const scaled = magnitude / step;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) {
    whole += 1;
  }
  return sign + Math.min(32640, 128 * binade + whole);
}

/**
 * The value of each bfloat16, exactly, from its bits.
 *
 * Shapes: h is n whole numbers from 0 to 65,535, the output n. Every NaN gives a NaN.
 * Source: Kalamkar et al. (2019), arXiv:1905.12322, section 3: the upper half of a float32.
 */
export function bfloat16Value(this: KernelThread, h: readonly number[], _n: number): number {
  let magnitudeBits = h[this.thread.x]!;
  let sign = 1;
  if (magnitudeBits >= 32768) {
    magnitudeBits = magnitudeBits - 32768;
    sign = -1;
  }
  const exponent = Math.floor(magnitudeBits / 128);
  const fraction = magnitudeBits - exponent * 128;
  if (exponent === 0) {
    return sign * (fraction * Math.pow(2, -133));
  }
  if (exponent === 255) {
    if (fraction === 0) {
      return sign * Infinity;
    }
    return Infinity - Infinity;
  }
  return sign * ((128 + fraction) * Math.pow(2, exponent - 134));
}
