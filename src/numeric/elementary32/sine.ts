/**
 * Sine and cosine of a float32, with the same bits on every engine: + − × on float64 and integers, and one rounding at the
 * end. `Math.sin` and `Math.cos` differ between engines and versions.
 *
 * Source: Wilco Dijkstra's `sinf` and `cosf` of 2018 (ARM optimized-routines, `math/sinf.c`, `sincosf.h`, `sincosf_data.c`,
 * MIT licence; glibc since 2.28): x − n·π/2 in [−π/4, π/4], then the minimax polynomial of the quadrant. The error is below
 * 0.56 units in the last place. Bits are those of glibc's code without fused multiply-add.
 */
import { reduceLarge, type Reduced } from './reduce-large.ts';

/** sin r for |r| ≤ π/4: r + r³·(…), with `square` = r². */
function sinePolynomial(r: number, square: number): number {
  const cube = r * square;
  const high = 0.008332178146138854 + square * -0.00019517298981385725;
  return r + cube * -0.16666654943701084 + cube * square * high;
}

/** cos r for |r| ≤ π/4, with `square` = r². */
function cosinePolynomial(square: number): number {
  const fourth = square * square;
  const high = -0.001388676379437604 + square * 2.4390450703564542e-5;
  const low = 1 + square * -0.49999999725108224;
  return low + fourth * 0.041666623324344516 + fourth * square * high;
}

/** n = the integer nearest to 2x/π and x − n·π/2, for |x| < 120. */
function reduceSmall(x: number): Reduced {
  // In 24 binary digits after the point, as the original has it: the rounding of half-way cases depends on it.
  const quadrant = (((x * (0.6366197723675814 * 2 ** 24)) | 0) + 0x80_0000) >> 24;
  return { rest: x - quadrant * (Math.PI / 2), quadrant };
}

/** sin(x + turns·π/2). */
function sineAfter(x: number, turns: 0 | 1): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < Infinity)) return Number.NaN;
  const small = magnitude < 0.75;
  const { rest, quadrant } = small ? { rest: x, quadrant: 0 } : magnitude < 120 ? reduceSmall(x) : reduceLarge(x);
  const square = rest * rest;
  const quarter = (quadrant + turns) & 3;
  const sine = quarter & 1 ? cosinePolynomial(square) : sinePolynomial(rest, square);
  return Math.fround(quarter & 2 ? -sine : sine);
}

/** sin x for a float32 `x` in radians (other numbers are rounded first), as a float32; NaN for ±∞ and NaN. */
export function sin32(x: number): number {
  const value = Math.fround(x);
  return Math.abs(value) < 2 ** -12 ? value : sineAfter(value, 0);
}

/** cos x for a float32 `x` in radians (other numbers are rounded first), as a float32; NaN for ±∞ and NaN. */
export function cos32(x: number): number {
  const value = Math.fround(x);
  return Math.abs(value) < 2 ** -12 ? 1 : sineAfter(value, 1);
}
