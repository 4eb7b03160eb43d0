/**
 * The operations of a decoder in strict float32: every operation rounds once, every sum runs from left to right, exp is our own.
 *
 * Order and form are those of llama2.c (karpathy/llama2.c, `run.c`: `rmsnorm`, `softmax`, `matmul`, `forward`), so that a
 * C compiler that keeps to IEEE 754 (no contraction, no reassociation) produces the same bits. For + − × ÷ √ a float64 result
 * rounded to float32 is the float32 result itself, since 53 ≥ 2·24 + 2 (Figueroa (1995), When is double rounding innocuous?,
 * ACM SIGNUM Newsletter 30(3)): `Math.fround` after each is all it takes.
 */
import { exp32 } from '../../numeric/elementary32/exp.ts';

const { fround } = Math;

/** llama2.c's ε of the normalisation, a float32. */
const epsilon = fround(1e-5);

/** out ← gainᵢ · (xᵢ / √(Σⱼ xⱼ²/n + 1e-5)); all of one length n, and `out` may be `x`. */
export function rmsnorm(out: Float32Array, x: Float32Array, gain: Float32Array): void {
  let squares = 0;
  for (let j = 0; j < x.length; j++) {
    const value = x[j] ?? 0;
    squares = fround(squares + fround(value * value));
  }
  const inverse = fround(1 / fround(Math.sqrt(fround(fround(squares / x.length) + epsilon))));
  for (let j = 0; j < x.length; j++) out[j] = (gain[j] ?? 0) * fround(inverse * (x[j] ?? 0));
}

/** out ← matrix · x, with as many rows as `out` is long, row-major. */
export function matrixProduct(out: Float32Array, matrix: Float32Array, x: Float32Array): void {
  const columns = x.length;
  for (let row = 0, start = 0; row < out.length; row++, start += columns) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum = fround(sum + fround((matrix[start + j] ?? 0) * (x[j] ?? 0)));
    out[row] = sum;
  }
}

/** x ← x + y. */
export function add(x: Float32Array, y: Float32Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) + (y[i] ?? 0);
}

/** x ← exp(xᵢ − max x) / Σⱼ exp(xⱼ − max x). */
export function softmax(x: Float32Array): void {
  let largest = -Infinity;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, x[i] ?? 0);
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const value = exp32((x[i] ?? 0) - largest);
    x[i] = value;
    sum = fround(sum + value);
  }
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) / sum;
}

/** gate ← gateᵢ · σ(gateᵢ) · upᵢ, with σ(z) = 1 / (1 + exp(−z)). */
export function swiglu(gate: Float32Array, up: Float32Array): void {
  for (let i = 0; i < gate.length; i++) {
    const value = gate[i] ?? 0;
    const open = fround(1 / fround(1 + exp32(-value)));
    gate[i] = fround(value * open) * (up[i] ?? 0);
  }
}

/** Keys or values of one head: row t starts at t·`stride` + `offset` of `rows`. */
export interface HeadRows {
  readonly rows: Float32Array;
  readonly stride: number;
  readonly offset: number;
}

/**
 * out ← Σₜ wₜ·valuesₜ with w = softmax over t of query·keysₜ / √d: one query head over the positions t of `weights`, which
 * is where w is left. `query` and `out` are d long.
 */
export function attend(
  out: Float32Array,
  query: Float32Array,
  keys: HeadRows,
  values: HeadRows,
  weights: Float32Array,
): void {
  const d = query.length;
  const scale = fround(Math.sqrt(d));
  for (let t = 0; t < weights.length; t++) {
    const start = t * keys.stride + keys.offset;
    let score = 0;
    for (let i = 0; i < d; i++) score = fround(score + fround((query[i] ?? 0) * (keys.rows[start + i] ?? 0)));
    weights[t] = score / scale;
  }
  softmax(weights);
  out.fill(0);
  for (let t = 0; t < weights.length; t++) {
    const start = t * values.stride + values.offset;
    const weight = weights[t] ?? 0;
    for (let i = 0; i < d; i++) out[i] = (out[i] ?? 0) + fround(weight * (values.rows[start + i] ?? 0));
  }
}
