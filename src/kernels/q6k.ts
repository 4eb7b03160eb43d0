import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The 256 values of a Q6_K super-block: d·scale·code, a code's low four bits from l and its high two from h, less 32, and
 * the scale that of the value's sub-block of 16. Each half of 128 values has 64 bytes of l and 32 of h; four values that
 * lie 32 apart share a byte of h.
 *
 * Law: exact - d is a float16, and the whole numbers have 12 bits together.
 *
 * Shapes: l is 128 bytes, h is 64 bytes, s is 16 (from −128 to 127), the output 256.
 * Source: ggml, block_q6_K and dequantize_row_q6_K of ggml-quants (layout of GGUF files).
 */
export function q6kDequantize(
  this: KernelThread,
  l: readonly number[],
  h: readonly number[],
  s: readonly number[],
  d: number,
): number {
  const half = Math.floor(this.thread.x / 128);
  const quarter = Math.floor(this.thread.x / 32) % 4;
  const place = this.thread.x % 32;
  const byte = l[64 * half + 32 * (quarter % 2) + place]!;
  let low = byte % 16;
  if (quarter >= 2) {
    low = Math.floor(byte / 16);
  }
  let high = h[32 * half + place]!;
  for (let k = 0; k < quarter; k++) {
    high = Math.floor(high / 4);
  }
  const code = low + 16 * (high % 4) - 32;
  return d * s[Math.floor(this.thread.x / 16)]! * code;
}

/**
 * The whole numbers of the dot product of a Q6_K super-block with a Q8_K one: scale·Σ code·y for each sub-block of 16.
 *
 * Law: exact. A sum of 16 products is at most 16·32·128, times 128 at most 2²³; the sum of all 16 may be beyond 2²⁴.
 *
 * Shapes: l is 128 bytes, h is 64 bytes, s is 16, y is 256 (from −128 to 127), the output 16.
 * Source: ggml, ggml_vec_dot_q6_K_q8_K.
 */
export function q6kDotTerms(
  this: KernelThread,
  l: readonly number[],
  h: readonly number[],
  s: readonly number[],
  y: readonly number[],
): number {
  const first = 16 * this.thread.x;
  const half = Math.floor(first / 128);
  const quarter = Math.floor(first / 32) % 4;
  let products = 0;
  for (let i = 0; i < 16; i++) {
    const place = (first % 32) + i;
    const byte = l[64 * half + 32 * (quarter % 2) + place]!;
    let low = byte % 16;
    if (quarter >= 2) {
      low = Math.floor(byte / 16);
    }
    let high = h[32 * half + place]!;
    for (let k = 0; k < quarter; k++) {
      high = Math.floor(high / 4);
    }
    products += (low + 16 * (high % 4) - 32) * y[first + i]!;
  }
  return s[this.thread.x]! * products;
}

/**
 * The dot product of a Q6_K super-block with a Q8_K one from its whole numbers: d·f·Σ terms.
 *
 * Shapes: t is 16 (from {@link q6kDotTerms}), the output a number. Source: ggml, ggml_vec_dot_q6_K_q8_K.
 */
export function q6kDot(this: KernelThread, t: readonly number[], d: number, f: number): number {
  let sum = 0;
  for (let b = 0; b < 16; b++) {
    sum += t[b]!;
  }
  return d * f * sum;
}

/**
 * The 6-bit code of each value for a scale: round(x/s), halves up, between −32 and 31.
 *
 * Laws: s·code is within half a scale of x where x lies between −32·s and 31·s; the value of a code gets that code.
 *
 * Shapes: x is n, the output n. Range: s > 0. Source: ggml, quantize_row_q6_K_ref (its last loop, nearest_int).
 */
export function q6kCode(this: KernelThread, x: readonly number[], s: number, _n: number): number {
  return Math.max(-32, Math.min(31, Math.floor(x[this.thread.x]! / s + 0.5)));
}
