/**
 * Dense products as plain loops, in strict float32: every product and every sum rounds once, and each sum runs from left to right
 * over the shared dimension, so a plain loop and SIMD over the columns give the same bits.
 *
 * All matrices are row-major. `out` is overwritten and must not alias an input.
 */
const { fround } = Math;

/** Four terms are added while a sum is in a register, in the same order as one term at a time. */
const unrolled = 4;

/** out[o…] ← out[o…] + factor₀·row₀ + … + factor₃·row₃, term by term, for n columns; the rows of `x` begin at q0 to q3. */
function addRows(out: Float32Array, o: number, x: Float32Array, n: number, f: Float32Array, q: Int32Array): void {
  const [f0 = NaN, f1 = NaN, f2 = NaN, f3 = NaN] = f;
  const [q0 = NaN, q1 = NaN, q2 = NaN, q3 = NaN] = q;
  for (let j = 0; j < n; j++) {
    let sum = fround((out[o + j] ?? NaN) + fround(f0 * (x[q0 + j] ?? NaN)));
    sum = fround(sum + fround(f1 * (x[q1 + j] ?? NaN)));
    sum = fround(sum + fround(f2 * (x[q2 + j] ?? NaN)));
    out[o + j] = fround(sum + fround(f3 * (x[q3 + j] ?? NaN)));
  }
}

/** out[o…] ← out[o…] + factor·x[q…] for n columns. */
function addRow(out: Float32Array, o: number, x: Float32Array, n: number, factor: number, q: number): void {
  for (let j = 0; j < n; j++) out[o + j] = fround((out[o + j] ?? NaN) + fround(factor * (x[q + j] ?? NaN)));
}

const factors = new Float32Array(unrolled);
const rows = new Int32Array(unrolled);

/** out (m×n) ← A (m×k) · B (k×n). */
export function multiply(out: Float32Array, a: Float32Array, b: Float32Array, m: number, k: number, n: number): void {
  out.fill(0);
  const whole = k - (k % unrolled);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < whole; p += unrolled) {
      for (let u = 0; u < unrolled; u++) {
        factors[u] = a[i * k + p + u] ?? NaN;
        rows[u] = (p + u) * n;
      }
      addRows(out, i * n, b, n, factors, rows);
    }
    for (let p = whole; p < k; p++) addRow(out, i * n, b, n, a[i * k + p] ?? NaN, p * n);
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
  const whole = m - (m % unrolled);
  for (let i = 0; i < whole; i += unrolled) {
    for (let p = 0; p < k; p++) {
      for (let u = 0; u < unrolled; u++) {
        factors[u] = a[(i + u) * k + p] ?? NaN;
        rows[u] = (i + u) * n;
      }
      addRows(out, p * n, g, n, factors, rows);
    }
  }
  for (let i = whole; i < m; i++) for (let p = 0; p < k; p++) addRow(out, p * n, g, n, a[i * k + p] ?? NaN, i * n);
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
  // Like A · B, with the transpose of B written out: the sums over n then run in parallel instead of one after another.
  const transposed = new Float32Array(b.length);
  for (let p = 0; p < k; p++) for (let j = 0; j < n; j++) transposed[j * k + p] = b[p * n + j] ?? NaN;
  multiply(out, g, transposed, m, n, k);
}
