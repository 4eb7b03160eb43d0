/** Logits of normalized queries and keys, in doubles; flat matrices are row-major. */

function logits(
  Q: Float32Array,
  K: Float32Array,
  gain: number,
  [n, d, s]: readonly [number, number, number],
  lengthOf: (squares: number) => number,
): Float32Array {
  const dot = (A: Float32Array, i: number, B: Float32Array, j: number): number => {
    let sum = 0;
    for (let l = 0; l < d; l++) sum += A[i * d + l]! * B[j * d + l]!;
    return sum;
  };
  const output = new Float32Array(n * s);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < s; j++)
      output[i * s + j] = (gain * dot(Q, i, K, j)) / (lengthOf(dot(Q, i, Q, i)) * lengthOf(dot(K, j, K, j)));
  }
  return output;
}

export function queryKeyLogitsInDoubles(
  Q: Float32Array,
  K: Float32Array,
  g: number,
  epsilon: number,
  n: number,
  d: number,
  s: number,
): Float32Array {
  return logits(Q, K, g, [n, d, s], (squares) => Math.max(epsilon, Math.sqrt(squares)));
}

/** Wrong: epsilon is under the root, not a least length. */
export function queryKeyLogitsEpsilonInside(
  Q: Float32Array,
  K: Float32Array,
  g: number,
  epsilon: number,
  n: number,
  d: number,
  s: number,
): Float32Array {
  return logits(Q, K, g, [n, d, s], (squares) => Math.sqrt(squares + epsilon));
}

/** Wrong: epsilon is added to the length, not the least of it. */
export function queryKeyLogitsEpsilonAdded(
  Q: Float32Array,
  K: Float32Array,
  g: number,
  epsilon: number,
  n: number,
  d: number,
  s: number,
): Float32Array {
  return logits(Q, K, g, [n, d, s], (squares) => Math.sqrt(squares) + epsilon);
}
