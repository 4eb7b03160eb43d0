/**
 * Dense and sparse products in strict float32: every product and every sum rounds once, and each sum runs from left to right
 * over the shared dimension, so that a plain loop and SIMD over the columns give the same bits.
 *
 * All matrices are row-major. `out` is overwritten and is none of the inputs.
 */
import { present } from '../../base/invariant.ts';

const { fround } = Math;

/** out (m×n) ← A (m×k) · B (k×n). */
export function multiply(out: Float32Array, a: Float32Array, b: Float32Array, m: number, k: number, n: number): void {
  out.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const factor = a[i * k + p] ?? NaN;
      for (let j = 0, o = i * n, q = p * n; j < n; j++, o++, q++)
        out[o] = fround((out[o] ?? NaN) + fround(factor * (b[q] ?? NaN)));
    }
  }
}

/** out (k×n) ← Aᵀ · G for A (m×k) and G (m×n): the gradient of B in A · B. */
export function multiplyTransposedLeft(
  out: Float32Array,
  a: Float32Array,
  g: Float32Array,
  m: number,
  k: number,
  n: number,
): void {
  out.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const factor = a[i * k + p] ?? NaN;
      for (let j = 0, o = p * n, q = i * n; j < n; j++, o++, q++)
        out[o] = fround((out[o] ?? NaN) + fround(factor * (g[q] ?? NaN)));
    }
  }
}

/** out (m×k) ← G (m×n) · Bᵀ for B (k×n): the gradient of A in A · B. */
export function multiplyTransposedRight(
  out: Float32Array,
  g: Float32Array,
  b: Float32Array,
  m: number,
  k: number,
  n: number,
): void {
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      let sum = 0;
      for (let j = 0, r = i * n, q = p * n; j < n; j++, r++, q++)
        sum = fround(sum + fround((g[r] ?? NaN) * (b[q] ?? NaN)));
      out[i * k + p] = sum;
    }
  }
}

/** A sparse square matrix by rows; columns ascend within a row, which is the order of its sums. */
export interface SparseMatrix {
  /** Rows and columns. */
  readonly size: number;
  /** Row r has the entries `starts[r]` to `starts[r + 1]`. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** out (size×n) ← S · X for X (size×n). */
export function multiplySparse(
  out: Float32Array,
  { size, starts, columns, values }: SparseMatrix,
  x: Float32Array,
  n: number,
): void {
  out.fill(0);
  for (let row = 0; row < size; row++) {
    const end = present(starts[row + 1], 'a row has an end');
    for (let e = present(starts[row], 'a row has a start'); e < end; e++) {
      const factor = values[e] ?? NaN;
      for (let j = 0, o = row * n, q = (columns[e] ?? NaN) * n; j < n; j++, o++, q++)
        out[o] = fround((out[o] ?? NaN) + fround(factor * (x[q] ?? NaN)));
    }
  }
}
