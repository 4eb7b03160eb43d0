import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The eight 6-bit scales (row 0) and minima (row 1) that a Q4_K super-block packs into 12 bytes: for the first four
 * sub-blocks, the low six bits of bytes 0 to 3 and 4 to 7; for the others, four bits of bytes 8 to 11 below the two high
 * bits of the former.
 *
 * Law: whole numbers from 0 to 63; every bit of the 12 bytes is used once.
 *
 * Shapes: s is 12 (bytes), the output 2×8. Source: ggml, block_q4_K and get_scale_min_k4 of ggml-quants (layout of GGUF files).
 */
export function q4kScales(this: KernelThread, s: readonly number[]): number {
  const sub = this.thread.x;
  if (sub < 4) {
    return s[sub + 4 * this.thread.y]! % 64;
  }
  if (this.thread.y === 0) {
    return (s[sub + 4]! % 16) + 16 * Math.floor(s[sub - 4]! / 64);
  }
  return Math.floor(s[sub + 4]! / 16) + 16 * Math.floor(s[sub]! / 64);
}

/**
 * The 256 values of a Q4_K super-block: d·scale·code − m·minimum, with the scale and minimum of the value's sub-block of 32.
 * A group of 32 bytes holds two sub-blocks, the first in the low halves of the bytes, the second in the high ones.
 *
 * Law: one rounding - both products are exact, since d and m are float16 and the whole numbers have 10 bits together.
 *
 * Shapes: s is 12 bytes, q is 128 bytes, the output 256. Source: ggml, block_q4_K and dequantize_row_q4_K.
 */
export function q4kDequantize(
  this: KernelThread,
  s: readonly number[],
  q: readonly number[],
  d: number,
  m: number,
): number {
  const sub = Math.floor(this.thread.x / 32);
  let scale = s[sub]! % 64;
  let minimum = s[sub + 4]! % 64;
  if (sub >= 4) {
    scale = (s[sub + 4]! % 16) + 16 * Math.floor(s[sub - 4]! / 64);
    minimum = Math.floor(s[sub + 4]! / 16) + 16 * Math.floor(s[sub]! / 64);
  }
  const byte = q[32 * Math.floor(sub / 2) + (this.thread.x % 32)]!;
  let code = byte % 16;
  if (sub % 2 === 1) {
    code = Math.floor(byte / 16);
  }
  return d * scale * code - m * minimum;
}

/**
 * The whole numbers of the dot product of a Q4_K super-block with a Q8_K one: per sub-block scale·Σ code·y (row 0) and
 * minimum·Σ y (row 1).
 *
 * Law: exact. A sum of 32 products is at most 15·128·32, times 63 below 2²⁴, up to which float32 represents every whole
 * number; the sum over all eight sub-blocks is not.
 *
 * Shapes: s is 12 bytes, q is 128 bytes, y is 256 (from −128 to 127), the output 2×8. Source: ggml, ggml_vec_dot_q4_K_q8_K.
 */
export function q4kDotTerms(
  this: KernelThread,
  s: readonly number[],
  q: readonly number[],
  y: readonly number[],
): number {
  const sub = this.thread.x;
  let scale = s[sub]! % 64;
  let minimum = s[sub + 4]! % 64;
  if (sub >= 4) {
    scale = (s[sub + 4]! % 16) + 16 * Math.floor(s[sub - 4]! / 64);
    minimum = Math.floor(s[sub + 4]! / 16) + 16 * Math.floor(s[sub]! / 64);
  }
  let products = 0;
  let values = 0;
  for (let l = 0; l < 32; l++) {
    const byte = q[32 * Math.floor(sub / 2) + l]!;
    let code = byte % 16;
    if (sub % 2 === 1) {
      code = Math.floor(byte / 16);
    }
    products += code * y[32 * sub + l]!;
    values += y[32 * sub + l]!;
  }
  if (this.thread.y === 0) {
    return scale * products;
  }
  return minimum * values;
}

/**
 * The dot product of a Q4_K super-block with a Q8_K one from its whole numbers: f·(d·Σ products − m·Σ minima).
 *
 * Shapes: t is 2×8 (from {@link q4kDotTerms}), the output a number. Source: ggml, ggml_vec_dot_q4_K_q8_K.
 */
export function q4kDot(this: KernelThread, t: readonly (readonly number[])[], d: number, m: number, f: number): number {
  let products = 0;
  let minima = 0;
  for (let b = 0; b < 8; b++) {
    products += t[0]![b]!;
    minima += t[1]![b]!;
  }
  return f * (d * products - m * minima);
}

/**
 * The 4-bit code of each value for a scale and a minimum: round((x + m)/s) between 0 and 15, halves up.
 *
 * Laws: s·code − m is within half a scale of x where x lies between −m and 15·s − m; the value of a code gets that code.
 *
 * Shapes: x is n, the output n. Range: s > 0. Source: ggml, quantize_row_q4_K_ref (its last loop, nearest_int).
 */
export function q4kCode(this: KernelThread, x: readonly number[], s: number, m: number, _n: number): number {
  return Math.max(0, Math.min(15, Math.floor((x[this.thread.x]! + m) / s + 0.5)));
}
