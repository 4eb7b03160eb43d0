/**
 * True upper bounds on the largest singular value, rounded outward: they hold over the reals, whatever the rounding in float64.
 *
 * u = 2⁻⁵³. A sum of n products errs by at most γₙ = n·u/(1 − n·u) times the sum of their magnitudes (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., lemma 3.1 and section 3.1); {@link slack} is more than γₙ for every n used here.
 */
import type { Matrix } from './matrix.ts';

/** Twice γₙ, which also covers a root and a product after the sum. */
const slack = (n: number): number => (n + 8) * 2 ** -52;

/** More than a sum can lose to underflow. */
const tiny = 2 ** -900;

const upward = (value: number, terms: number): number => value * (1 + slack(terms)) + tiny;

/** min(‖W‖_F, √(‖W‖₁·‖W‖_∞)) ≥ σ₁(W): one pass over the matrix. */
export function quickUpperBound({ rows, columns, data }: Matrix): number {
  const columnSums = new Float64Array(columns);
  let [squares, largestRow] = [0, 0];
  for (let i = 0, p = 0; i < rows; i++) {
    let rowSum = 0;
    for (let j = 0; j < columns; j++, p++) {
      const value = Math.abs(data[p] ?? NaN);
      squares += value * value;
      rowSum += value;
      columnSums[j] = (columnSums[j] ?? NaN) + value;
    }
    largestRow = Math.max(largestRow, rowSum);
  }
  const largestColumn = columnSums.reduce((a, b) => Math.max(a, b), 0);
  const frobenius = upward(Math.sqrt(squares), data.length);
  return Math.min(frobenius, upward(Math.sqrt(largestRow * largestColumn), rows + columns));
}

/**
 * An upper bound of σ₁(W) by Gram iteration, at most `enough` or after `iterations` squarings: with G₀ = W and G₍ₖ₊₁₎ = GₖᵀGₖ,
 * σ₁(W)^(2ᵏ) = σ₁(Gₖ) ≤ ‖Gₖ‖_F. Each squaring halves the logarithm of the bound's excess factor.
 *
 * Source: Delattre et al. (2023), Efficient bound of Lipschitz constant for convolutional layers by Gram iteration,
 * arXiv:2305.16173, theorem 1. Rounding: the computed square is GᵀG + E with ‖E‖_F ≤ γ·‖G‖_F², so that
 * σ₁(G)² ≤ σ₁(computed) + γ·‖G‖_F².
 */
export function gramUpperBound(matrix: Matrix, enough: number, iterations: number): number {
  const n = Math.min(matrix.rows, matrix.columns);
  /** ‖Gₖ‖_F rounded up, and the power of two by which the next square was divided. */
  const levels: { readonly frobenius: number; readonly scale: number; readonly terms: number }[] = [];
  let bound = quickUpperBound(matrix);
  let square = squareOf(matrix);
  let [frobenius, terms] = [upward(norm(matrix.data), matrix.data.length), Math.max(matrix.rows, matrix.columns)];
  for (let k = 0; k < iterations && bound > enough && frobenius < Infinity; k++) {
    const scale = powerOfTwoAt(norm(square));
    for (let i = 0; i < square.length; i++) square[i] = (square[i] ?? NaN) / scale;
    levels.push({ frobenius, scale, terms });
    [frobenius, terms] = [upward(norm(square), square.length), n];
    let sigma = frobenius;
    for (const level of levels.toReversed()) {
      const lost = slack(level.terms) * level.frobenius * level.frobenius;
      sigma = upward(Math.sqrt(upward(sigma * level.scale + lost, 2)), 2);
    }
    bound = Math.min(bound, sigma);
    if (k + 1 < iterations && bound > enough) square = symmetricSquare(square, n);
  }
  return bound;
}

function norm(x: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (x[i] ?? NaN);
  return Math.sqrt(sum);
}

/** The smaller of WᵀW and WWᵀ: both have the same non-zero singular values, the squares of those of W. */
function squareOf({ rows, columns, data }: Matrix): Float64Array {
  if (rows < columns) return products(data, rows, columns, columns, 1);
  return products(data, columns, rows, 1, columns);
}

const symmetricSquare = (g: Float64Array, n: number): Float64Array => products(g, n, n, n, 1);

/** The n×n products of `n` vectors of `size` elements with each other; element k of vector i is x[i·step + k·stride]. */
function products(x: Float32Array | Float64Array, n: number, size: number, step: number, stride: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0, p = i * step, q = j * step; k < size; k++, p += stride, q += stride)
        sum += (x[p] ?? NaN) * (x[q] ?? NaN);
      out[i * n + j] = sum;
      out[j * n + i] = sum;
    }
  }
  return out;
}

/** The largest power of two ≤ x, by which division is exact; 1 if x is 0 or not finite. */
function powerOfTwoAt(x: number): number {
  if (!(x > 0 && x < Infinity)) return 1;
  let power = 1;
  while (power * 2 <= x) power *= 2;
  while (power > x && power > 2 ** -1000) power /= 2;
  return power;
}
