/** The largest eigenvalues of a symmetric operator, by the Lanczos method. */
import { present } from '../../base/invariant.ts';
import { length } from './matrix.ts';

/** A symmetric operator on vectors of `size` numbers, restricted to the complement of known eigenvectors. */
export interface Operator {
  readonly size: number;
  readonly apply: (x: Float64Array, out: Float64Array) => void;
  /** Known orthonormal eigenvectors, whose eigenvalues are excluded. */
  readonly known: readonly Float64Array[];
}

/**
 * Estimates of the largest eigenvalues, in descending order: at most `steps`, or fewer if the Krylov space of `start` is smaller.
 * Each estimate is at most the eigenvalue that it approaches, and the first is the best.
 *
 * `start` must not be an eigenvector (such as all ones, for the Laplacian of any graph), or nothing else is found.
 *
 * Source: Golub & Van Loan, Matrix Computations, 4th ed., algorithm 10.1.1, with full reorthogonalisation (section 10.3.4).
 */
export function largestEigenvalues({ size, apply, known }: Operator, steps: number, start: Float64Array): Float64Array {
  const basis = [...known];
  const [diagonal, off]: [number[], number[]] = [[], []];
  let vector = start.slice();
  const image = new Float64Array(size);
  let scale = 0;
  for (let k = 0; k < Math.min(steps, size - known.length); k++) {
    const before = length(vector);
    orthogonalise(vector, basis);
    const size2 = length(vector);
    // What remains of a vector in the span of the basis is rounding error.
    if (!(size2 > 1e-10 * Math.max(before, scale))) break;
    if (k > 0) off.push(size2);
    for (let j = 0; j < size; j++) vector[j] = (vector[j] ?? NaN) / size2;
    basis.push(vector);
    apply(vector, image);
    diagonal.push(dot(vector, image));
    scale = Math.max(scale, length(image));
    vector = image.slice();
  }
  return tridiagonalEigenvalues(diagonal, off);
}

/** Removes the component in the span of the basis, twice, because cancellation spoils the first pass. */
function orthogonalise(vector: Float64Array, basis: readonly Float64Array[]): void {
  for (let pass = 0; pass < 2; pass++) {
    for (const one of basis) {
      const share = dot(vector, one);
      for (let j = 0; j < vector.length; j++) vector[j] = (vector[j] ?? NaN) - share * (one[j] ?? NaN);
    }
  }
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? NaN) * (y[i] ?? NaN);
  return sum;
}

/**
 * All eigenvalues of the symmetric tridiagonal matrix, descending, by bisection of the Gershgorin interval.
 *
 * Source: Barth, Martin & Wilkinson (1967), Calculation of the eigenvalues of a symmetric tridiagonal matrix by the method of
 * bisection, Numerische Mathematik 9.
 */
function tridiagonalEigenvalues(diagonal: readonly number[], off: readonly number[]): Float64Array {
  const n = diagonal.length;
  const radius = (i: number): number => Math.abs(off[i - 1] ?? 0) + Math.abs(off[i] ?? 0);
  let [low, high] = [Infinity, -Infinity];
  for (const [i, value] of diagonal.entries()) {
    low = Math.min(low, value - radius(i));
    high = Math.max(high, value + radius(i));
  }
  /** How many eigenvalues are less than x. */
  const below = (x: number): number => {
    let [count, q] = [0, 1];
    for (let i = 0; i < n; i++) {
      const b = off[i - 1] ?? 0;
      q = present(diagonal[i], 'a row has its diagonal') - x - (b === 0 ? 0 : (b * b) / (q === 0 ? 1e-300 : q));
      if (q < 0) count += 1;
    }
    return count;
  };
  return Float64Array.from({ length: n }, (_, k) => {
    let [from, to] = [low, high];
    for (let i = 0; i < 64; i++) {
      const middle = from + (to - from) / 2;
      if (below(middle) > n - 1 - k) to = middle;
      else from = middle;
    }
    return from + (to - from) / 2;
  });
}
