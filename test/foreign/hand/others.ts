/** Optimizer steps, rotary embeddings, convolutions and sums as libraries compute them. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, f, fma, laneDot, pairwiseSum } from './float32.ts';

const moments: readonly ForeignKernel[] = [
  {
    name: "PyTorch's lerp",
    equation: 'adamw-kernel-v1/adam_first_moment',
    call: (m: Float32Array, g: Float32Array, beta: number) => {
      const weight = f(1 - beta);
      // lerp switches its form at ½, so that it ends on g exactly.
      return m.map((value, i) =>
        weight < 0.5 ? fma(weight, f(at(g, i) - value), value) : f(at(g, i) - f(f(at(g, i) - value) * f(1 - weight))),
      );
    },
  },
  {
    name: 'a scaled moment, then addcmul',
    equation: 'adamw-kernel-v1/adam_second_moment',
    call: (v: Float32Array, g: Float32Array, beta: number) =>
      v.map((value, i) => fma(f(f(1 - beta) * at(g, i)), at(g, i), f(value * beta))),
  },
];

/** PyTorch's single-tensor AdamW: weight decay first, bias corrections as numbers in double. */
const adamw: ForeignKernel = {
  name: "PyTorch's order",
  equation: 'adamw-kernel-v1/adamw_update',
  call: (
    theta: Float32Array,
    m: Float32Array,
    v: Float32Array,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
    decay: number,
    t: number,
  ) => {
    const shrink = f(1 - rate * decay);
    const step = f(-rate / (1 - beta1 ** t));
    const root = f(Math.sqrt(1 - beta2 ** t));
    return theta.map((value, i) => {
      const denominator = f(f(f(Math.sqrt(at(v, i))) / root) + epsilon);
      return f(f(value * shrink) + f(step * f(at(m, i) / denominator)));
    });
  },
};

/** Positions times frequencies from a table of float32. */
const rope = (name: string, angleOf: (p: number, pair: number, b: number, d: number) => number): ForeignKernel => ({
  name,
  equation: 'rope-kernel-v1/rope',
  call: (x: Float32Array, b: number, n: number, d: number) => {
    const output = new Float32Array(n * d);
    for (let p = 0; p < n; p++)
      for (let c = 0; c < d; c += 2) {
        const angle = angleOf(p, c / 2, b, d);
        const [cos, sin] = [f(Math.cos(angle)), f(Math.sin(angle))];
        const [even, odd] = [at(x, p * d + c), at(x, p * d + c + 1)];
        output[p * d + c] = fma(even, cos, -f(odd * sin));
        output[p * d + c + 1] = fma(even, sin, f(odd * cos));
      }
    return output;
  },
});

export const otherForms: readonly ForeignKernel[] = [
  ...moments,
  adamw,
  rope('a table of inverse frequencies', (p, pair, b, d) => f(p * f(1 / f(b ** f((2 * pair) / d))))),
  rope('angles scaled pair by pair, ggml', (p, pair, b, d) => {
    const scale = f(b ** f(-2 / d));
    let angle = p;
    for (let i = 0; i < pair; i++) angle = f(angle * scale);
    return angle;
  }),
  {
    name: 'columns, then a product from the bias on',
    equation: 'conv1d-kernel-v1/conv1d',
    // Sizes in the equation's order: c, m, s, d, k, e, p, l, q.
    call: (x: Float32Array, w: Float32Array, bias: Float32Array, ...sizes: readonly number[]) =>
      convolution(x, w, bias, sizes),
  },
  {
    name: 'lanes, then the share',
    equation: 'gradient-accumulation-kernel-v1/accumulate_gradients',
    call: (g: Float32Array, c: Int32Array, N: number, n: number) => {
      const total = c.reduce((sum, count) => f(sum + count), 0);
      return Float32Array.from({ length: n }, (_, i) =>
        pairwiseSum(Array.from({ length: N }, (_, a) => f(f(at(c, a) / total) * at(g, a * n + i)))),
      );
    },
  },
  {
    name: 'shares, pairwise',
    equation: 'federated-averaging-kernel-v1/federated_average',
    call: (D: Float32Array, s: Int32Array, P: number, n: number) => {
      const total = s.reduce((sum, count) => f(sum + count), 0);
      return Float32Array.from({ length: n }, (_, i) =>
        f(pairwiseSum(Array.from({ length: P }, (_, p) => f(at(s, p) * at(D, p * n + i)))) / total),
      );
    },
  },
  {
    name: 'rows added',
    equation: 'bias-add-kernel-v1/bias_add',
    call: (x: Float32Array, b: Float32Array, _r: number, n: number) => x.map((value, o) => f(value + at(b, o % n))),
  },
];

function convolution(x: Float32Array, w: Float32Array, bias: Float32Array, sizes: readonly number[]): Float32Array {
  const [c = 0, m = 0, s = 0, d = 0, k = 0, , p = 0, l = 0, q = 0] = sizes;
  return Float32Array.from({ length: q * m }, (_, o) => {
    const [channel, t] = [Math.floor(o / m), o % m];
    const column: number[] = [at(bias, channel)];
    const weights: number[] = [1];
    for (let a = 0; a < c; a++)
      for (let j = 0; j < k; j++) {
        const i = t * s + j * d + 1 - p;
        column.push(i >= 0 && i < l ? at(x, a * l + i) : 0);
        weights.push(at(w, (channel * c + a) * k + j));
      }
    return laneDot(column, weights, 4);
  });
}
