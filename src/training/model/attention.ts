/**
 * Causal self-attention with several heads: each position sees itself and the positions before it.
 *
 * Source: Vaswani et al. (2017), Attention is all you need, arXiv:1706.03762, section 3.2; the gradients are equations 3, 5 and
 * 6 of Dao et al. (2022), FlashAttention, arXiv:2205.14135, appendix B.2.
 */
import { exp32 } from '../../numeric/elementary32/exp.ts';
import { present } from '../../base/invariant.ts';
import { noBranches, withBranch, type Branches } from './branch.ts';
import { linear } from './linear.ts';
import { add, type Module } from './module.ts';
import { multiply, multiplyTransposedLeft, multiplyTransposedRight } from './products.ts';

const { fround } = Math;

/** Sizes of attention. */
export interface AttentionSizes {
  /** Independent sequences; sequence s has the rows from s·positions. */
  readonly batch: number;
  readonly positions: number;
  readonly heads: number;
  /** Numbers per position over all heads; a multiple of `heads`. */
  readonly width: number;
}

/** Attention with its four affine layers: `name.query`, `name.key`, `name.value` and `name.output`. */
export function attention(name: string, sizes: AttentionSizes, branches: Branches = noBranches): Module {
  const { batch, positions, heads, width } = sizes;
  const rows = batch * positions;
  const part = (which: string): Module =>
    withBranch(linear(`${name}.${which}`, rows, width, width), branches(`${name}.${which}`, rows));
  const [query, key, value, output] = [part('query'), part('key'), part('value'), part('output')];
  const buffer = (): Float32Array => new Float32Array(rows * width);
  const [attended, queryGradient, keyGradient, valueGradient] = [buffer(), buffer(), buffer(), buffer()];
  const inputGradient = buffer();
  const headWidth = width / heads;
  const places = Array.from({ length: batch * heads }, (_, i): HeadPlace => ({
    start: Math.floor(i / heads) * positions * width + (i % heads) * headWidth,
    stride: width,
  }));
  const kept = places.map(() => headBuffers(positions, headWidth));
  const small = (): Float32Array => new Float32Array(positions * headWidth);
  const [result, g, dq, dk, dv] = [small(), small(), small(), small(), small()];
  return {
    gradients: { ...query.gradients, ...key.gradients, ...value.gradients, ...output.gradients },
    forward(weights, x) {
      const [q, k, v] = [query.forward(weights, x), key.forward(weights, x), value.forward(weights, x)];
      for (const [i, place] of places.entries()) {
        const head = present(kept[i], 'a head has its buffers');
        gather(head.q, q, place, headWidth);
        gather(head.k, k, place, headWidth);
        gather(head.v, v, place, headWidth);
        attend(result, head, positions, headWidth);
        scatter(attended, result, place, headWidth);
      }
      return output.forward(weights, attended);
    },
    backward(weights, gradient) {
      const above = output.backward(weights, gradient);
      for (const [i, place] of places.entries()) {
        gather(g, above, place, headWidth);
        attendBackward({ q: dq, k: dk, v: dv }, g, present(kept[i], 'a head has its buffers'), positions, headWidth);
        scatter(queryGradient, dq, place, headWidth);
        scatter(keyGradient, dk, place, headWidth);
        scatter(valueGradient, dv, place, headWidth);
      }
      add(inputGradient, query.backward(weights, queryGradient), key.backward(weights, keyGradient));
      add(inputGradient, inputGradient, value.backward(weights, valueGradient));
      return inputGradient;
    },
  };
}

/** Where the rows of a head begin among those of all heads. */
interface HeadPlace {
  readonly start: number;
  readonly stride: number;
}

/** Copies the rows of a head next to each other. */
function gather(out: Float32Array, x: Float32Array, { start, stride }: HeadPlace, width: number): void {
  for (let i = 0, from = start; i < out.length; i += width, from += stride)
    for (let j = 0; j < width; j++) out[i + j] = x[from + j] ?? NaN;
}

/** Copies the rows of a head back. */
function scatter(out: Float32Array, x: Float32Array, { start, stride }: HeadPlace, width: number): void {
  for (let i = 0, to = start; i < x.length; i += width, to += stride)
    for (let j = 0; j < width; j++) out[to + j] = x[i + j] ?? NaN;
}

/** One head of one sequence: queries, keys and values (positions×width), and the weights that {@link attend} leaves. */
export interface Head {
  readonly q: Float32Array;
  readonly k: Float32Array;
  readonly v: Float32Array;
  /** positions×positions, 0 above the diagonal. */
  readonly shares: Float32Array;
}

/** The buffers of a head. */
function headBuffers(positions: number, width: number): Head {
  const rows = (): Float32Array => new Float32Array(positions * width);
  return { q: rows(), k: rows(), v: rows(), shares: new Float32Array(positions * positions) };
}

/** out ← softmax(q·kᵀ/√width, causal)·v, and `shares` ← that softmax. */
export function attend(out: Float32Array, { q, k, v, shares }: Head, positions: number, width: number): void {
  multiplyTransposedRight(shares, q, k, positions, positions, width);
  const divisor = Math.sqrt(width);
  for (let i = 0; i < positions; i++) causalSoftmax(shares, i * positions, i + 1, positions, divisor);
  multiply(out, shares, v, positions, positions, width);
}

/** Row `start…` ← softmax of its first `count` numbers over `divisor`, and 0 for the others. */
function causalSoftmax(row: Float32Array, start: number, count: number, width: number, divisor: number): void {
  let largest = -Infinity;
  for (let j = start; j < start + count; j++) {
    const score = fround((row[j] ?? NaN) / divisor);
    row[j] = score;
    largest = Math.max(largest, score);
  }
  let sum = 0;
  for (let j = start; j < start + count; j++) {
    const share = exp32(fround((row[j] ?? NaN) - largest));
    row[j] = share;
    sum += share;
  }
  for (let j = start; j < start + count; j++) row[j] = (row[j] ?? NaN) / sum;
  row.fill(0, start + count, start + width);
}

/** out ← the gradients by queries, keys and values, given the gradient `g` by the output of {@link attend}. */
export function attendBackward(
  out: { readonly q: Float32Array; readonly k: Float32Array; readonly v: Float32Array },
  g: Float32Array,
  { q, k, v, shares }: Head,
  positions: number,
  width: number,
): void {
  multiplyTransposedLeft(out.v, shares, g, positions, positions, width);
  const scores = new Float32Array(positions * positions);
  multiplyTransposedRight(scores, g, v, positions, positions, width);
  const divisor = Math.sqrt(width);
  for (let i = 0; i < positions; i++) softmaxBackward(scores, shares, i * positions, positions, divisor);
  multiply(out.q, scores, k, positions, positions, width);
  multiplyTransposedLeft(out.k, scores, q, positions, positions, width);
}

/** Row `start…` of g ← share·(g − Σ share·g)/divisor. */
function softmaxBackward(g: Float32Array, shares: Float32Array, start: number, count: number, divisor: number): void {
  let mean = 0;
  for (let j = start; j < start + count; j++) mean += (shares[j] ?? NaN) * (g[j] ?? NaN);
  for (let j = start; j < start + count; j++) g[j] = ((shares[j] ?? NaN) * ((g[j] ?? NaN) - mean)) / divisor;
}
