/** The inputs that all implementations share, at 128 × 512. */

export interface Work {
  readonly rows: number;
  readonly n: number;
  readonly k: number;
  readonly d: number;
  readonly x: Float32Array;
  readonly gamma: Float32Array;
  readonly A: Float32Array;
  readonly B: Float32Array;
  readonly Q: Float32Array;
  readonly K: Float32Array;
  readonly Kt: Float32Array;
  readonly V: Float32Array;
  readonly theta: Float32Array;
  readonly m: Float32Array;
  readonly v: Float32Array;
  readonly y: Int32Array;
}

/** Deterministic float32 values in [-1, 1). */
const vector = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => (((i + seed) * 2654435761) % 2048) / 1024 - 1);

export function workAt(rows: number, n: number, d: number): Work {
  const K = vector(n * d, 6);
  return {
    rows,
    n,
    k: n,
    d,
    x: vector(rows * n, 1),
    gamma: vector(n, 2),
    A: vector(rows * n, 3),
    B: vector(n * rows, 4),
    Q: vector(rows * d, 5),
    K,
    Kt: Float32Array.from({ length: d * n }, (_, i) => K[(i % n) * d + Math.floor(i / n)] ?? 0),
    V: vector(n * d, 7),
    theta: vector(rows * n, 8),
    m: vector(rows * n, 9),
    v: vector(rows * n, 10).map(Math.abs),
    y: Int32Array.from({ length: rows }, (_, i) => (i * 37) % n),
  };
}
