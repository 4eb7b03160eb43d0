import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The bits of the float16 nearest to each number, ties to even, as whole numbers from 0 to 65,535.
 *
 * Bit operations are missing in shaders and in this subset; instead, the binade of |x| gives the distance of neighbouring
 * float16 numbers there, and |x| in units of it is rounded. Laws: every float16 number is kept; 65,520 and more become ∞,
 * 2⁻²⁵ and less 0; −0 keeps its sign; every NaN becomes 0x7E00.
 *
 * Shapes: x is n, the output n. Range: all of float32; a device that flushes subnormals gives 0 for |x| < 2⁻¹²⁶, as here.
 * Source: IEEE Std 754-2019, sections 3.4 and 4.3.1.
 */
export function float16Bits(this: KernelThread, x: readonly number[], _n: number): number {
  const value = x[this.thread.x]!;
  if (!(Math.abs(value) >= 0)) {
    return 32256;
  }
  let sign = 0;
  if (value < 0 || (value === 0 && 1 / value < 0)) {
    sign = 32768;
  }
  const magnitude = Math.abs(value);
  let binade = 0;
  let step = Math.pow(2, -24);
  let next = Math.pow(2, -13);
  for (let j = 0; j < 29; j++) {
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
  return sign + Math.min(31744, 1024 * binade + whole);
}

/**
 * The value of each float16, exactly, from its bits.
 *
 * Shapes: h is n whole numbers from 0 to 65,535, the output n. Every NaN gives a NaN.
 * Source: IEEE Std 754-2019, section 3.4.
 */
export function float16Value(this: KernelThread, h: readonly number[], _n: number): number {
  let magnitudeBits = h[this.thread.x]!;
  let sign = 1;
  if (magnitudeBits >= 32768) {
    magnitudeBits = magnitudeBits - 32768;
    sign = -1;
  }
  const exponent = Math.floor(magnitudeBits / 1024);
  const fraction = magnitudeBits - exponent * 1024;
  if (exponent === 0) {
    return sign * (fraction * Math.pow(2, -24));
  }
  if (exponent === 31) {
    if (fraction === 0) {
      return sign * Infinity;
    }
    return Infinity - Infinity;
  }
  return sign * ((1024 + fraction) * Math.pow(2, exponent - 25));
}
