/**
 * A layer of a merged model: x·W, with the weights of the base model plus the merged change of K fine-tuned models, d×v
 * and flat. Each change keeps its k largest elements; at every position the sign with more mass wins, and the elements of
 * that sign are averaged.
 *
 * Laws: linear in x; models without a change leave the base model's layer; a single model that is kept whole gives its
 * own layer.
 *
 * Shapes: x is d, theta is d·v, delta is K×(d·v), the output v. Range: 0 ≤ k ≤ d·v.
 * Sources: Yadav et al. (2023), arXiv:2306.01708, section 3.1, algorithm 1; Goodfellow, Bengio & Courville (2016), equation 6.2.
 */
export function alborMergedLayer(
  x: Float32Array,
  theta: Float32Array,
  delta: Float32Array,
  k: number,
  d: number,
  v: number,
  K: number,
): Float32Array {
  const n = d * v;
  const trimmed = Array.from({ length: K }, (_, a) => keepLargest(delta.subarray(a * n, (a + 1) * n), k));
  const weights = theta.map((weight, i) => {
    const own = trimmed.map((change) => change[i] ?? NaN);
    const up = own.filter((change) => change > 0);
    const down = own.filter((change) => change < 0);
    const agreed = sumOf(up) >= -sumOf(down) ? up : down;
    return weight + sumOf(agreed) / Math.max(1, agreed.length);
  });
  return Float32Array.from({ length: v }, (_, j) =>
    sumOf(Array.from(x, (value, l) => value * (weights[l * v + j] ?? NaN))),
  );
}

/**
 * A layer of a pruned and quantised model: x·Wᵀ for each row x of the activations, with h weights of every row of W
 * removed, those with the smallest |W|·‖X‖, and the others quantised: round(|w|/a·L)/L·a.
 *
 * Laws: with no weights left, every output is 0; the outputs are those of a linear layer with the remaining weights.
 *
 * Shapes: W is m×n, X is s×n, the output s×m. Range: 0 ≤ h ≤ n, 1 ≤ L ≤ 127.
 * Sources: Sun et al. (2023), arXiv:2306.11695, equation 1; Dettmers et al. (2022), arXiv:2110.02861, section 2.
 */
export function alborPrunedLayer(
  W: Float32Array,
  X: Float32Array,
  h: number,
  levels: number,
  m: number,
  n: number,
  s: number,
): Float32Array {
  // In float32 throughout, so that scores tie exactly where they do in float32.
  const norms = Array.from({ length: n }, (_, j) => {
    let squares = 0;
    for (let l = 0; l < s; l++) squares = Math.fround(squares + Math.fround((X[l * n + j] ?? NaN) ** 2));
    return Math.fround(Math.sqrt(squares));
  });
  const output = new Float32Array(s * m);
  for (let row = 0; row < m; row++) {
    const weights = W.subarray(row * n, (row + 1) * n);
    const scores = weights.map((weight, j) => Math.fround(Math.abs(weight) * (norms[j] ?? NaN)));
    const order = Array.from(scores.keys()).sort((a, b) => (scores[a] ?? NaN) - (scores[b] ?? NaN) || a - b);
    const left = new Set(order.slice(h));
    const largest = Math.max(0, ...Array.from(left, (j) => Math.abs(weights[j] ?? NaN)));
    const kept = weights.map((weight, j) => {
      if (!left.has(j) || largest === 0) return 0;
      const code = Math.floor(Math.fround(Math.fround(Math.fround(Math.abs(weight) / largest) * levels) + 0.5));
      return Math.sign(weight) * Math.fround(code / levels) * largest;
    });
    for (let l = 0; l < s; l++) {
      output[l * m + row] = sumOf(Array.from(kept, (weight, j) => weight * (X[l * n + j] ?? NaN)));
    }
  }
  return output;
}

/** The k elements of largest magnitude, the first of equal ones; the others become 0. */
function keepLargest(change: Float32Array, k: number): Float32Array {
  const order = Array.from(change.keys()).sort(
    (a, b) => Math.abs(change[b] ?? NaN) - Math.abs(change[a] ?? NaN) || a - b,
  );
  const kept = new Set(order.slice(0, k));
  return change.map((value, i) => (kept.has(i) ? value : 0));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
