/**
 * Float32 arithmetic and the orders in which libraries add.
 */

/** Rounds to float32. */
export const f = Math.fround;

/** a·b + c, rounded once: the product of two float32 is exact in float64. */
export const fma = (a: number, b: number, c: number): number => f(a * b + c);

/** Eight or sixteen running sums, then a tree over them, then the rest: a vectorised loop. */
export function laneSum(terms: readonly number[], lanes: number): number {
  const whole = terms.length - (terms.length % lanes);
  let sums = Array.from({ length: lanes }, (_, lane) => {
    let sum = 0;
    for (let i = lane; i < whole; i += lanes) sum = f(sum + at(terms, i));
    return sum;
  });
  while (sums.length > 1) {
    const half = sums.length / 2;
    sums = Array.from({ length: half }, (_, lane) => f(at(sums, lane) + at(sums, lane + half)));
  }
  let total = at(sums, 0);
  for (let i = whole; i < terms.length; i++) total = f(total + at(terms, i));
  return total;
}

/** Halves, and halves of halves: NumPy's and XLA's order, without their unrolled leaves. */
export function pairwiseSum(terms: readonly number[]): number {
  if (terms.length <= 1) return terms[0] ?? 0;
  const half = terms.length >> 1;
  return f(pairwiseSum(terms.slice(0, half)) + pairwiseSum(terms.slice(half)));
}

/** Four levels of sums, each of which empties into the next after 16 terms: PyTorch's `cascade_sum`. */
export function cascadeSum(terms: readonly number[]): number {
  const levels = [0, 0, 0, 0];
  terms.forEach((term, i) => {
    levels[0] = f(at(levels, 0) + term);
    for (let level = 1; level < 4 && (i + 1) % 16 ** level === 0; level++) {
      levels[level] = f(at(levels, level) + at(levels, level - 1));
      levels[level - 1] = 0;
    }
  });
  return levels.reduce((sum, level) => f(sum + level), 0);
}

/** Products added into `lanes` fused accumulators: a dot product of BLAS, oneDNN or ggml. */
export function laneDot(a: readonly number[], b: readonly number[], lanes: number): number {
  const sums = Array.from({ length: lanes }, () => 0);
  a.forEach((value, i) => (sums[i % lanes] = fma(value, at(b, i), at(sums, i % lanes))));
  return pairwiseSum(sums);
}

/**
 * The exponential of vectorised libraries (Cephes): a polynomial after the reduction by ln 2 in two parts. What is not a normal number
 * becomes 0.
 */
export function flushingExp(x: number): number {
  if (x < -87.33654) return 0;
  const n = Math.floor(fma(x, f(Math.LOG2E), 0.5));
  let r = fma(n, -0.693359375, x);
  r = fma(n, f(2.1219444e-4), r);
  let p = f(1.98756915e-4);
  for (const c of [1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1])
    p = fma(p, r, f(c));
  return f(f(fma(p, f(r * r), r) + 1) * 2 ** n);
}

/** The exponential, correctly rounded: that of a C library is within a unit of it. */
export const exp = (x: number): number => f(Math.exp(x));

/** Rows `start … start + length` of a flat array. */
export const slice = (values: Float32Array, start: number, length: number): readonly number[] =>
  Array.from(values.subarray(start, start + length));

export function at(values: ArrayLike<number>, i: number): number {
  return values[i] ?? Number.NaN;
}
