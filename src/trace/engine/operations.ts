/**
 * The operations of a decoder in strict float32: every operation rounds once, every sum runs from left to right, exp is
 * our own.
 *
 * Order and form are those of llama2.c (karpathy/llama2.c, `run.c`: `rmsnorm`, `softmax`, `matmul`, `forward`), so that
 * a C compiler that keeps to IEEE 754 (no contraction, no reassociation) produces the same bits. For + − × ÷ √ a
 * float64 result rounded to float32 is the float32 result itself, since 53 ≥ 2·24 + 2 (Figueroa (1995), When is double
 * rounding innocuous?, ACM SIGNUM Newsletter 30(3)): `Math.fround` after each is all it takes.
 */
import { exp32 } from '../../numeric/elementary32/exp.ts';

const { fround } = Math;

/** llama2.c's ε of the normalisation, a float32. */
const epsilon = fround(1e-5);

/** gainᵢ · (xᵢ / √(Σⱼ xⱼ²/n + 1e-5)), both of one length n. */
export function rmsnorm(x: Float32Array, gain: Float32Array): Float32Array {
  let squares = 0;
  for (let j = 0; j < x.length; j++) {
    const value = x[j] ?? 0;
    squares = fround(squares + fround(value * value));
  }
  const inverse = fround(1 / fround(Math.sqrt(fround(fround(squares / x.length) + epsilon))));
  return x.map((value, j) => (gain[j] ?? 0) * fround(inverse * value));
}

/** matrix · x for a row-major matrix with as many columns as `x` is long. */
export function matrixProduct(matrix: Float32Array, x: Float32Array): Float32Array {
  const columns = x.length;
  const out = new Float32Array(matrix.length / columns);
  for (let row = 0, start = 0; row < out.length; row++, start += columns) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum = fround(sum + fround((matrix[start + j] ?? 0) * (x[j] ?? 0)));
    out[row] = sum;
  }
  return out;
}

/** x + y. */
export function add(x: Float32Array, y: Float32Array): Float32Array {
  return x.map((value, i) => value + (y[i] ?? 0));
}

/** exp(xᵢ − max x) / Σⱼ exp(xⱼ − max x). */
export function softmax(x: Float32Array): Float32Array {
  let largest = -Infinity;
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, x[i] ?? 0);
  const out = new Float32Array(x.length);
  let sum = 0;
  for (let i = 0; i < x.length; i++) {
    const power = exp32((x[i] ?? 0) - largest);
    out[i] = power;
    sum = fround(sum + power);
  }
  for (let i = 0; i < x.length; i++) out[i] = (out[i] ?? 0) / sum;
  return out;
}

/** gateᵢ · σ(gateᵢ) · upᵢ, with σ(z) = 1 / (1 + exp(−z)). */
export function swiglu(gate: Float32Array, up: Float32Array): Float32Array {
  return gate.map((value, i) => {
    const open = fround(1 / fround(1 + exp32(-value)));
    return fround(value * open) * (up[i] ?? 0);
  });
}

/**
 * Σₜ wₜ·valuesₜ with w = softmax over t of query·keysₜ / √d, for each query head: the attention of one position to all
 * that `keys` and `values` hold.
 *
 * `query` has `heads` rows of d numbers; `keys` and `values` have, for every position, `kvHeads` rows of d: query head
 * h reads row ⌊h·kvHeads / heads⌋. The output has the shape of `query`. Source of the grouping: Ainslie et al. (2023),
 * arXiv:2305.13245, section 2.2.
 */
export function groupedAttention(
  query: Float32Array,
  keys: Float32Array,
  values: Float32Array,
  heads: number,
  kvHeads: number,
): Float32Array {
  const d = query.length / heads;
  const stride = kvHeads * d;
  const positions = keys.length / stride;
  const scale = fround(Math.sqrt(d));
  const scores = new Float32Array(positions);
  const out = new Float32Array(query.length);
  for (let head = 0; head < heads; head++) {
    const own = head * d;
    const shared = Math.floor((head * kvHeads) / heads) * d;
    for (let t = 0; t < positions; t++) {
      const start = t * stride + shared;
      let score = 0;
      for (let i = 0; i < d; i++) score = fround(score + fround((query[own + i] ?? 0) * (keys[start + i] ?? 0)));
      scores[t] = score / scale;
    }
    const weights = softmax(scores);
    for (let t = 0; t < positions; t++) {
      const start = t * stride + shared;
      const weight = weights[t] ?? 0;
      for (let i = 0; i < d; i++) out[own + i] = (out[own + i] ?? 0) + fround(weight * (values[start + i] ?? 0));
    }
  }
  return out;
}
