/** Normalizations as PyTorch, ggml and Apex compute them. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, f, fma, laneSum, pairwiseSum, slice } from './float32.ts';
import { rowsOf } from './softmax.ts';

interface Moments {
  readonly mean: number;
  readonly variance: number;
}

const twoPasses = (x: readonly number[]): Moments => {
  const mean = f(laneSum(x, 8) / x.length);
  const squares = x.map((value) => f(f(value - mean) * f(value - mean)));
  return { mean, variance: f(pairwiseSum(squares) / x.length) };
};

/** One term after another, twice: what a loop without vector instructions does. */
const oneByOne = (x: readonly number[]): Moments => {
  const mean = f(x.reduce((sum, value) => f(sum + value), 0) / x.length);
  const squares = x.reduce((sum, value) => f(sum + f(f(value - mean) * f(value - mean))), 0);
  return { mean, variance: f(squares / x.length) };
};

/** Welford's update, with the reciprocal of the count. */
const welford = (x: readonly number[]): Moments => {
  let mean = 0;
  let squares = 0;
  x.forEach((value, i) => {
    const delta = f(value - mean);
    mean = fma(delta, f(1 / (i + 1)), mean);
    squares = fma(delta, f(value - mean), squares);
  });
  return { mean, variance: f(squares / x.length) };
};

/** ggml: sums in double, everything else in single. */
const sumsInDouble = (x: readonly number[]): Moments => {
  const mean = f(x.reduce((sum, value) => sum + value, 0) / x.length);
  const squares = x.reduce((sum, value) => sum + f(f(value - mean) ** 2), 0);
  return { mean, variance: f(squares / x.length) };
};

const momentForms = {
  'two passes': twoPasses,
  'one by one': oneByOne,
  Welford: welford,
  'sums in double': sumsInDouble,
} as const;
const reciprocalRoot = (variance: number, epsilon: number): number => f(1 / f(Math.sqrt(f(variance + epsilon))));

const layernorms = Object.entries(momentForms).map(([name, moments]): ForeignKernel => ({
  name: `${name}, times 1 / √`,
  equation: 'layernorm-kernel-v1/layernorm',
  call: (x: Float32Array, gain: Float32Array, bias: Float32Array, epsilon: number, _r: number, n: number) =>
    rowsOf(x, n, (values) => {
      const { mean, variance } = moments(values);
      const scale = reciprocalRoot(variance, epsilon);
      return values.map((value, i) => fma(f(f(value - mean) * scale), at(gain, i), at(bias, i)));
    }),
}));

/** Mean squares in three orders. */
const squareMeans: Readonly<Record<string, (x: readonly number[]) => number>> = {
  'eight lanes': (x) =>
    f(
      laneSum(
        x.map((value) => f(value * value)),
        8,
      ) / x.length,
    ),
  'fused, times 1 / n': (x) => f(x.reduce((sum, value) => fma(value, value, sum), 0) * f(1 / x.length)),
  'sums in double': (x) => f(x.reduce((sum, value) => sum + f(value * value), 0) / x.length),
};

const rmsnorms = Object.entries(squareMeans).flatMap(([name, meanSquare]): readonly ForeignKernel[] =>
  [true, false].map((gainLast) => ({
    name: `${name}, ${gainLast ? 'gain last' : 'gain on the scale'}`,
    equation: 'rmsnorm-kernel-v1/rmsnorm',
    call: (x: Float32Array, gain: Float32Array, epsilon: number, n: number) => {
      const scale = reciprocalRoot(meanSquare(slice(x, 0, n)), epsilon);
      return x.map((value, i) => (gainLast ? f(f(value * scale) * at(gain, i)) : f(value * f(scale * at(gain, i)))));
    },
  })),
);

const columnOf = (x: Float32Array, j: number, r: number, n: number): readonly number[] =>
  Array.from({ length: r }, (_, b) => at(x, b * n + j));

const batchnorms = Object.entries(momentForms).map(([name, moments]): ForeignKernel => ({
  name,
  equation: 'batchnorm-kernel-v1/batch_norm',
  call: (x: Float32Array, gain: Float32Array, bias: Float32Array, epsilon: number, r: number, n: number) =>
    x.map((value, o) => {
      const j = o % n;
      const { mean, variance } = moments(columnOf(x, j, r, n));
      return fma(f(f(value - mean) * reciprocalRoot(variance, epsilon)), at(gain, j), at(bias, j));
    }),
}));

export const normalizationForms: readonly ForeignKernel[] = [
  ...layernorms,
  ...rmsnorms,
  ...batchnorms,
  {
    name: 'gain times 1 / √, then a product',
    equation: 'batchnorm-kernel-v1/batch_norm_inference',
    call: (
      x: Float32Array,
      gain: Float32Array,
      bias: Float32Array,
      mean: Float32Array,
      variance: Float32Array,
      epsilon: number,
      _r: number,
      n: number,
    ) =>
      x.map((value, o) => {
        const j = o % n;
        const scale = f(at(gain, j) * reciprocalRoot(at(variance, j), epsilon));
        return fma(f(value - at(mean, j)), scale, at(bias, j));
      }),
  },
];
