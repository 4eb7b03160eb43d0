/** Attention as FlashAttention, PyTorch and ONNX Runtime compute it. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, exp, f, flushingExp, fma, laneDot } from './float32.ts';
import { softmaxRow } from './softmax.ts';

interface Head {
  readonly Q: Float32Array;
  readonly K: Float32Array;
  readonly V: Float32Array;
  readonly sizes: { readonly n: number; readonly d: number; readonly s: number; readonly v: number };
  /** The keys of query i: from the first on, up to the second. */
  readonly keys: (i: number) => readonly [number, number];
}

type Attend = (head: Head, i: number) => readonly number[];

const row = (A: Float32Array, i: number, width: number): readonly number[] =>
  Array.from(A.subarray(i * width, (i + 1) * width));

/** Tiles of `tile` keys: the output and the sum are rescaled whenever a tile has a larger score. */
const tiled =
  (tile: number): Attend =>
  ({ Q, K, V, sizes: { d, v }, keys }, i) => {
    const scale = f(1 / Math.sqrt(d));
    const [from, to] = keys(i);
    let largest = -Infinity;
    let sum = 0;
    let output = new Array<number>(v).fill(0);
    for (let start = from; start < to; start += tile) {
      const js = Array.from({ length: Math.min(tile, to - start) }, (_, t) => start + t);
      const scores = js.map((j) => f(laneDot(row(Q, i, d), row(K, j, d), 8) * scale));
      const next = Math.max(largest, ...scores);
      const shrink = exp(f(largest - next));
      const weights = scores.map((score) => exp(f(score - next)));
      sum = weights.reduce((total, weight) => f(total + weight), f(sum * shrink));
      output = output.map((value, c) =>
        js.reduce((total, j, t) => fma(at(weights, t), at(V, j * v + c), total), f(value * shrink)),
      );
      largest = next;
    }
    return output.map((value) => f(value / sum));
  };

/** Scaled queries, a softmax over the row, then the product with V. */
const threeSteps =
  (softmax: (x: readonly number[]) => readonly number[], splits: boolean): Attend =>
  ({ Q, K, V, sizes: { d, v }, keys }, i) => {
    const [from, to] = keys(i);
    // PyTorch's and ONNX's reference: both operands take the square root of the scale.
    const part = splits ? f(Math.sqrt(f(1 / f(Math.sqrt(d))))) : f(1 / f(Math.sqrt(d)));
    const js = Array.from({ length: to - from }, (_, t) => from + t);
    const query = row(Q, i, d).map((x) => f(x * part));
    const scores = js.map((j) =>
      laneDot(
        query,
        row(K, j, d).map((x) => (splits ? f(x * part) : x)),
        8,
      ),
    );
    const weights = softmax(scores);
    return Array.from({ length: v }, (_, c) =>
      js.reduce((total, j, t) => fma(at(weights, t), at(V, j * v + c), total), 0),
    );
  };

/** Weights that are not divided until the end: one row of exp(score - max), flushed, then one reciprocal. */
const late: Attend = ({ Q, K, V, sizes: { d, v }, keys }, i) => {
  const [from, to] = keys(i);
  const js = Array.from({ length: to - from }, (_, t) => from + t);
  const scores = js.map((j) => f(laneDot(row(Q, i, d), row(K, j, d), 4) / f(Math.sqrt(d))));
  const weights = scores.map((score) => flushingExp(f(score - Math.max(...scores))));
  const scale = f(1 / weights.reduce((total, weight) => f(total + weight), 0));
  return Array.from({ length: v }, (_, c) =>
    f(js.reduce((total, j, t) => fma(at(weights, t), at(V, j * v + c), total), 0) * scale),
  );
};

const forms: Readonly<Record<string, Attend>> = {
  'tiles of 4 keys': tiled(4),
  'tiles of 2 keys': tiled(2),
  'key by key': tiled(1),
  'scaled queries': threeSteps(softmaxRow.lanes, false),
  'scale on both operands': threeSteps(softmaxRow.lanes, true),
  'flushed, reciprocal': threeSteps(softmaxRow.reciprocal, false),
  'divided last': late,
};

function attend(head: Head, form: Attend): Float32Array {
  const { n, v } = head.sizes;
  const output = new Float32Array(n * v);
  for (let i = 0; i < n; i++) output.set(form(head, i), i * v);
  return output;
}

export const attentionForms: readonly ForeignKernel[] = Object.entries(forms).flatMap(([name, form]) => [
  {
    name,
    equation: 'attention-kernel-v1/attention',
    call: (Q: Float32Array, K: Float32Array, V: Float32Array, n: number, d: number, s: number, v: number) =>
      attend({ Q, K, V, sizes: { n, d, s, v }, keys: () => [0, s] }, form),
  },
  {
    name,
    equation: 'attention-kernel-v1/causal_attention',
    call: (Q: Float32Array, K: Float32Array, V: Float32Array, n: number, d: number, v: number) =>
      attend({ Q, K, V, sizes: { n, d, s: n, v }, keys: (i) => [0, i + 1] }, form),
  },
  {
    name,
    equation: 'sliding-window-attention-kernel-v1/sliding_window_attention',
    call: (Q: Float32Array, K: Float32Array, V: Float32Array, w: number, n: number, d: number, v: number) =>
      attend({ Q, K, V, sizes: { n, d, s: n, v }, keys: (i) => [Math.max(0, i - w + 1), i + 1] }, form),
  },
  {
    name,
    equation: 'kv-cache-kernel-v1/cached_attention',
    call: (q: Float32Array, C: Float32Array, D: Float32Array, p: number, d: number, m: number, v: number) =>
      attend({ Q: q, K: C, V: D, sizes: { n: 1, d, s: m, v }, keys: () => [0, p + 1] }, form),
  },
]);
