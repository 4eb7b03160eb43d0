/** Matrix products in the orders of BLAS, ggml and a plain vectorised loop. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, cascadeSum, f, fma, laneDot, laneSum, pairwiseSum } from './float32.ts';

type Dot = (a: readonly number[], b: readonly number[]) => number;
const products = (a: readonly number[], b: readonly number[]): readonly number[] => a.map((x, i) => f(x * at(b, i)));

const dots = {
  /** One fused accumulator, as in the inner kernels of OpenBLAS, MLAS and oneDNN. */
  fused: (a, b) => a.reduce((sum, x, i) => fma(x, at(b, i), sum), 0),
  /** ggml's vec_dot for AVX: four registers of eight lanes. */
  'four registers of eight lanes': (a, b) => laneDot(a, b, 32),
  'eight lanes': (a, b) => laneSum(products(a, b), 8),
  pairwise: (a, b) => pairwiseSum(products(a, b)),
  cascade: (a, b) => cascadeSum(products(a, b)),
} as const satisfies Record<string, Dot>;

/** Columns j of rows i: `entry(i, j)`. */
function matrix(rows: number, columns: number, entry: (i: number, j: number) => number): Float32Array {
  return Float32Array.from({ length: rows * columns }, (_, o) => entry(Math.floor(o / columns), o % columns));
}

const row = (A: Float32Array, i: number, k: number): readonly number[] => Array.from(A.subarray(i * k, (i + 1) * k));
const column = (B: Float32Array, j: number, n: number, k: number): readonly number[] =>
  Array.from({ length: k }, (_, l) => at(B, l * n + j));

export const matrixForms: readonly ForeignKernel[] = Object.entries(dots).flatMap(([name, dot]: [string, Dot]) => [
  {
    name,
    equation: 'matmul-kernel-v1/matmul',
    call: (A: Float32Array, B: Float32Array, m: number, k: number, n: number) =>
      matrix(m, n, (i, j) => dot(row(A, i, k), column(B, j, n, k))),
  },
  {
    name,
    equation: 'linear-kernel-v1/linear',
    call: (x: Float32Array, W: Float32Array, b: Float32Array, r: number, n: number, m: number) =>
      matrix(r, m, (i, o) => f(dot(row(x, i, n), row(W, o, n)) + at(b, o))),
  },
  {
    name: `${name}, from the bias on`,
    equation: 'linear-kernel-v1/linear',
    call: (x: Float32Array, W: Float32Array, b: Float32Array, r: number, n: number, m: number) =>
      matrix(r, m, (i, o) => dot([at(b, o), ...row(x, i, n)], [1, ...row(W, o, n)])),
  },
  {
    name,
    equation: 'tied-embeddings-kernel-v1/tied_logits',
    call: (h: Float32Array, W: Float32Array, n: number, d: number, v: number) =>
      matrix(n, v, (i, w) => dot(row(h, i, d), row(W, w, d))),
  },
]);
