/**
 * Dense and sparse products in strict float32: every product and every sum rounds once, and each sum runs from left to right
 * over the shared dimension. Dense products run in WebAssembly SIMD where the platform has it, with the same bits.
 *
 * All matrices are row-major. `out` is overwritten and must not alias an input.
 */
import { present } from '../../base/invariant.ts';
import * as plain from './plain-products.ts';
import { createSimdProduct, type AddProduct } from './simd.ts';

const { fround } = Math;

/** Made by the first product that is worth it; null where there is no SIMD. */
let addProduct: AddProduct | null | undefined;

/** Below so many terms, the copies into WebAssembly cost more than the product. */
const fewestTerms = 4096;

function simdFor(terms: number): AddProduct | null {
  if (terms < fewestTerms) return null;
  if (addProduct === undefined) addProduct = createSimdProduct();
  return addProduct;
}

/** out (m×n) ← A (m×k) · B (k×n). */
export function multiply(out: Float32Array, a: Float32Array, b: Float32Array, m: number, k: number, n: number): void {
  const add = simdFor(m * k * n);
  if (add === null) return plain.multiply(out, a, b, m, k, n);
  out.fill(0);
  add(out, { data: a, row: k, column: 1 }, { data: b, row: n, column: 1 }, m, k, n);
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
  const add = simdFor(m * k * n);
  if (add === null) return plain.multiplyTransposedLeft(out, a, g, m, k, n);
  out.fill(0);
  add(out, { data: a, row: 1, column: k }, { data: g, row: n, column: 1 }, k, m, n);
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
  const add = simdFor(m * k * n);
  if (add === null) return plain.multiplyTransposedRight(out, g, b, m, k, n);
  out.fill(0);
  add(out, { data: g, row: n, column: 1 }, { data: b, row: 1, column: n }, m, n, k);
}

/** A sparse square matrix in compressed rows. Columns ascend within a row, which is the order of its sums. */
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
