/** Softmax as PyTorch, FlashAttention and vectorised libraries compute it. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { cascadeSum, exp, f, flushingExp, laneSum, slice } from './float32.ts';

type Row = (x: readonly number[]) => readonly number[];

/** Eight lanes, then every term divided by the sum. */
const lanes: Row = (x) => {
  const largest = Math.max(...x);
  const terms = x.map((value) => exp(f(value - largest)));
  const sum = laneSum(terms, 8);
  return terms.map((term) => f(term / sum));
};

/** An exponential that flushes, and one reciprocal instead of divisions. */
const reciprocal: Row = (x) => {
  const largest = Math.max(...x);
  const terms = x.map((value) => flushingExp(f(value - largest)));
  const scale = f(1 / laneSum(terms, 16));
  return terms.map((term) => f(term * scale));
};

/** Maximum and sum in one pass: the sum is rescaled whenever the maximum grows. */
const online: Row = (x) => {
  let largest = -Infinity;
  let sum = 0;
  for (const value of x) {
    const next = Math.max(largest, value);
    sum = f(f(sum * exp(f(largest - next))) + exp(f(value - next)));
    largest = next;
  }
  return x.map((value) => f(exp(f(value - largest)) / sum));
};

/** exp(x - max - log Σ exp(x - max)): the exponential of a logarithmic softmax. */
const ofLogarithm: Row = (x) => {
  const largest = Math.max(...x);
  const logarithm = f(Math.log(cascadeSum(x.map((value) => exp(f(value - largest))))));
  return x.map((value) => exp(f(f(value - largest) - logarithm)));
};

const forms = { lanes, reciprocal, online, ofLogarithm } as const;

/** Rows of a matrix, each by `row`. */
export function rowsOf(x: Float32Array, n: number, row: Row): Float32Array {
  return Float32Array.from({ length: x.length / n }, (_, b) => b).reduce((output, _, b) => {
    output.set(row(slice(x, b * n, n)), b * n);
    return output;
  }, new Float32Array(x.length));
}

export const softmaxForms: readonly ForeignKernel[] = Object.entries(forms).flatMap(([form, row]) => [
  {
    name: `softmax, ${form}`,
    equation: 'softmax-kernel-v1/softmax',
    call: (x: Float32Array, n: number) => rowsOf(x, n, row),
  },
  {
    name: `softmax, ${form}`,
    equation: 'attention-weights-kernel-v1/attention_weights',
    call: (x: Float32Array, n: number) => rowsOf(x, n, row),
  },
  {
    name: `softmax, ${form}`,
    equation: 'sampling-kernel-v1/temperature_softmax',
    call: (z: Float32Array, t: number, _r: number, v: number) =>
      rowsOf(
        z.map((value) => value / t),
        v,
        row,
      ),
  },
]);

/** For attention. */
export const softmaxRow = { lanes, reciprocal } as const;
