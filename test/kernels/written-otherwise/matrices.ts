/** Matrix products, linear layers with and without adapters, and SwiGLU; flat matrices are row-major. */
import type { KernelThread } from '../../../src/runtime/kernel-types.ts';

type Matrix = readonly (readonly number[])[];

export function matmulBackwards(this: KernelThread, A: Matrix, B: Matrix, _m: number, k: number): number {
  let sum = 0;
  for (let l = k - 1; l >= 0; l--) {
    sum += A[this.thread.y]![l]! * B[l]![this.thread.x]!;
  }
  return sum;
}

export function matmulInDoubles(A: Float32Array, B: Float32Array, m: number, k: number, n: number): Float32Array {
  const output = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum += A[i * k + l]! * B[l * n + j]!;
      output[i * n + j] = sum;
    }
  }
  return output;
}

/** Four terms at a time, added to what is in float32. */
export function matmulBlocked(A: Float32Array, B: Float32Array, m: number, k: number, n: number): Float32Array {
  const output = new Float32Array(m * n);
  for (let start = 0; start < k; start += 4) {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let l = start; l < Math.min(k, start + 4); l++) sum += A[i * k + l]! * B[l * n + j]!;
        output[i * n + j] = output[i * n + j]! + sum;
      }
    }
  }
  return output;
}

/** Wrong: A has eleven bits behind the point. */
export function matmulOfHalves(this: KernelThread, A: Matrix, B: Matrix, _m: number, k: number): number {
  let sum = 0;
  for (let l = 0; l < k; l++) {
    sum += (Math.round(A[this.thread.y]![l]! * 2048) / 2048) * B[l]![this.thread.x]!;
  }
  return sum;
}

/** Wrong: goes by fours, and forgets what is left of more than four. */
export function matmulTailLost(A: Float32Array, B: Float32Array, m: number, k: number, n: number): Float32Array {
  const output = new Float32Array(m * n);
  const end = k >= 4 ? k - (k % 4) : k;
  for (let l = 0; l < end; l++) {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) output[i * n + j] = output[i * n + j]! + A[i * k + l]! * B[l * n + j]!;
    }
  }
  return output;
}

/** The bias first, then the products backwards. */
export function linearBackwards(
  x: Float32Array,
  W: Float32Array,
  bias: Float32Array,
  r: number,
  n: number,
  m: number,
): Float32Array {
  const output = new Float32Array(r * m);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j < m; j++) {
      let sum = bias[j]!;
      for (let k = n - 1; k >= 0; k--) sum += x[i * n + k]! * W[j * n + k]!;
      output[i * m + j] = sum;
    }
  }
  return output;
}

/** Wrong: W is read as if it were transposed. */
export function linearTransposed(
  x: Float32Array,
  W: Float32Array,
  bias: Float32Array,
  r: number,
  n: number,
  m: number,
): Float32Array {
  const output = new Float32Array(r * m);
  for (let i = 0; i < r; i++) {
    for (let j = 0; j < m; j++) {
      let sum = bias[j]!;
      for (let k = 0; k < n; k++) sum += x[i * n + k]! * W[k * m + j]!;
      output[i * m + j] = sum;
    }
  }
  return output;
}

interface Adapted {
  readonly x: Float32Array;
  readonly W: Float32Array;
  readonly A: Float32Array;
  readonly B: Float32Array;
  readonly t: number;
  readonly n: number;
  readonly m: number;
  readonly r: number;
}

/** x·Wᵀ + scale·(x·Aᵀ)·Bᵀ. */
function adapted({ x, W, A, B, t, n, m, r }: Adapted, scale: number): Float32Array {
  const dot = (row: number, M: Float32Array, column: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[row * n + i]! * M[column * n + i]!;
    return sum;
  };
  const output = new Float32Array(t * m);
  for (let row = 0; row < t; row++) {
    for (let j = 0; j < m; j++) {
      let low = 0;
      for (let k = 0; k < r; k++) low += dot(row, A, k) * B[j * r + k]!;
      output[row * m + j] = dot(row, W, j) + scale * low;
    }
  }
  return output;
}

export function loraInDoubles(
  x: Float32Array,
  W: Float32Array,
  A: Float32Array,
  B: Float32Array,
  alpha: number,
  t: number,
  n: number,
  m: number,
  r: number,
): Float32Array {
  return adapted({ x, W, A, B, t, n, m, r }, alpha / r);
}

/** Wrong: alpha is not divided by the rank. */
export function loraWithoutRank(
  x: Float32Array,
  W: Float32Array,
  A: Float32Array,
  B: Float32Array,
  alpha: number,
  t: number,
  n: number,
  m: number,
  r: number,
): Float32Array {
  return adapted({ x, W, A, B, t, n, m, r }, alpha);
}

/** Wrong: alpha is divided by the root of the rank, as rsLoRA does. */
export function loraRootOfRank(
  x: Float32Array,
  W: Float32Array,
  A: Float32Array,
  B: Float32Array,
  alpha: number,
  t: number,
  n: number,
  m: number,
  r: number,
): Float32Array {
  return adapted({ x, W, A, B, t, n, m, r }, alpha / Math.sqrt(r));
}

function column(x: Float32Array, M: Float32Array, j: number, m: number): number {
  return x.reduce((sum, value, i) => sum + value * M[i * m + j]!, 0);
}

export function swigluInDoubles(
  x: Float32Array,
  W: Float32Array,
  V: Float32Array,
  _n: number,
  m: number,
): Float32Array {
  return Float32Array.from({ length: m }, (_, j) => {
    const gate = column(x, W, j, m);
    return (gate / (1 + Math.exp(-gate))) * column(x, V, j, m);
  });
}

/** Wrong: the gate and what it gates are swapped. */
export function swigluSwapped(x: Float32Array, W: Float32Array, V: Float32Array, _n: number, m: number): Float32Array {
  return Float32Array.from({ length: m }, (_, j) => {
    const gate = column(x, V, j, m);
    return (gate / (1 + Math.exp(-gate))) * column(x, W, j, m);
  });
}
