/** Euclidean norms in float64, summed from left to right, so that every machine gets the same bits. */

/** Σ xᵢ², from left to right. */
function sumOfSquares(x: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const value = x[i] ?? 0;
    sum += value * value;
  }
  return sum;
}

/** √(Σ over all arrays of Σ xᵢ²), array by array. The square of a float32 does not overflow a float64. */
export function norm(arrays: readonly Float32Array[]): number {
  let sum = 0;
  for (const array of arrays) sum += sumOfSquares(array);
  return Math.sqrt(sum);
}
