/** Losses as PyTorch and optax compute them. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { at, exp, f, flushingExp, laneSum, pairwiseSum, slice } from './float32.ts';

type Exponential = (x: number) => number;

/** x - max - log Σ exp(x - max). */
function logSoftmax(x: readonly number[], exponential: Exponential): readonly number[] {
  const largest = Math.max(...x);
  const logarithm = f(
    Math.log(
      laneSum(
        x.map((value) => exponential(f(value - largest))),
        8,
      ),
    ),
  );
  return x.map((value) => f(f(value - largest) - logarithm));
}

/** x - (max + log Σ exp(x - max)): by the logarithm of the sum of exponentials. */
function logSoftmaxOfSum(x: readonly number[], exponential: Exponential): readonly number[] {
  const largest = Math.max(...x);
  const sum = f(largest + f(Math.log(pairwiseSum(x.map((value) => exponential(f(value - largest)))))));
  return x.map((value) => f(value - sum));
}

const forms = { 'logarithmic softmax': logSoftmax, 'logarithm of the sum': logSoftmaxOfSum } as const;
const exponentials = { exact: exp, flushed: flushingExp } as const;

const byRow = (r: number, loss: (b: number) => number): Float32Array =>
  Float32Array.from({ length: r }, (_, b) => loss(b));
const mean = (terms: readonly number[]): number => f(pairwiseSum(terms) / terms.length);

type Form = (x: readonly number[], exponential: Exponential) => readonly number[];

function logarithmicLosses(name: string, form: Form, exponential: Exponential): readonly ForeignKernel[] {
  const crossEntropy: ForeignKernel = {
    name,
    equation: 'cross-entropy-kernel-v1/cross_entropy',
    call: (z: Float32Array, y: Int32Array, r: number, v: number) =>
      byRow(r, (b) => f(-at(form(slice(z, b * v, v), exponential), at(y, b)))),
  };
  /** F.kl_div(log_softmax(s / τ), log_softmax(t / τ), log_target=True)·τ²·α + (1 - α)·F.cross_entropy(s, y). */
  const distillation: ForeignKernel = {
    name,
    equation: 'knowledge-distillation-kernel-v1/distillation_loss',
    call: (t: Float32Array, s: Float32Array, y: Int32Array, temperature: number, alpha: number, r: number, v: number) =>
      byRow(r, (b) => {
        const scaled = (x: Float32Array): readonly number[] =>
          form(
            slice(x, b * v, v).map((value) => f(value / temperature)),
            exponential,
          );
        const [teacher, student] = [scaled(t), scaled(s)];
        const divergence = laneSum(
          teacher.map((value, j) => f(exponential(value) * f(value - at(student, j)))),
          8,
        );
        const hard = f(-at(form(slice(s, b * v, v), exponential), at(y, b)));
        return f(f(alpha * f(f(temperature * temperature) * divergence)) + f(f(1 - alpha) * hard));
      }),
  };
  return [crossEntropy, distillation];
}

type Pair = (x: number, y: number) => number;
type Mean = (terms: readonly number[]) => number;
const oneByOne: Mean = (terms) => f(terms.reduce((sum, term) => f(sum + term), 0) / terms.length);
const rowMean = (name: string, equation: string, term: Pair, meanOf: Mean = mean): ForeignKernel => ({
  name,
  equation: `losses-kernel-v1/${equation}`,
  call: (x: Float32Array, y: Float32Array, r: number, n: number) =>
    byRow(r, (b) => meanOf(slice(x, b * n, n).map((value, i) => term(value, at(y, b * n + i))))),
});

/** A loss that changes its form at a width. */
const byWidth = (equation: string, term: (x: number, width: number) => number, name = 'pairwise'): ForeignKernel => ({
  name,
  equation: `losses-kernel-v1/${equation}`,
  call: (x: Float32Array, y: Float32Array, width: number, r: number, n: number) =>
    byRow(r, (b) => mean(slice(x, b * n, n).map((value, i) => term(Math.abs(f(value - at(y, b * n + i))), width)))),
});

const dot = (a: readonly number[], b: readonly number[]): number => pairwiseSum(a.map((x, i) => f(x * at(b, i))));
const norm = (a: readonly number[]): number => f(Math.sqrt(dot(a, a)));
const cosines: Readonly<Record<string, (x: readonly number[], w: readonly number[]) => number>> = {
  /** optax: every vector is divided by its length first. */
  'unit vectors': (x, w) => {
    const unit = (a: readonly number[]): readonly number[] => {
      const length = Math.max(norm(a), f(1e-8));
      return a.map((value) => f(value / length));
    };
    return dot(unit(x), unit(w));
  },
  'two lengths': (x, w) => f(dot(x, w) / Math.max(f(norm(x) * norm(w)), f(1e-8))),
};

export const lossForms: readonly ForeignKernel[] = [
  ...Object.entries(forms).flatMap(([name, form]) =>
    Object.entries(exponentials).flatMap(([how, exponential]) =>
      logarithmicLosses(`${name}, ${how} exponential`, form, exponential),
    ),
  ),
  rowMean('pairwise', 'squared_error', (x, y) => f(f(x - y) ** 2)),
  rowMean('pairwise', 'absolute_error', (x, y) => Math.abs(f(x - y))),
  rowMean('one by one', 'squared_error', (x, y) => f(f(x - y) ** 2), oneByOne),
  rowMean('one by one', 'absolute_error', (x, y) => Math.abs(f(x - y)), oneByOne),
  rowMean('pairwise', 'hinge', (x, y) => Math.max(0, f(1 - f(y * x)))),
  rowMean("PyTorch's", 'binary_cross_entropy', (x, y) =>
    f(f(f(1 - y) * x) + f(f(Math.log1p(exp(-Math.abs(x)))) + f(Math.max(-x, 0)))),
  ),
  rowMean('by logarithms of sigmoids, with a flushed exponential', 'binary_cross_entropy', (x, y) =>
    f(f(Math.max(x, 0) - f(x * y)) + f(Math.log1p(flushingExp(-Math.abs(x))))),
  ),
  byWidth('huber', (e, d) => (e <= d ? f(0.5 * f(e * e)) : f(d * f(e - f(0.5 * d))))),
  byWidth('smooth_l1', (e, d) => (e < d ? f(f(f(0.5 * e) * e) / d) : f(e - f(0.5 * d)))),
  byWidth(
    'smooth_l1',
    (e, d) => f(f(1 / d) * (e < d ? f(0.5 * f(e * e)) : f(d * f(e - f(0.5 * d))))),
    'Huber, times 1 / β',
  ),
  ...Object.entries(cosines).map(([name, cosine]): ForeignKernel => ({
    name,
    equation: 'losses-kernel-v1/cosine_embedding',
    call: (x: Float32Array, w: Float32Array, t: Int32Array, margin: number, r: number, n: number) =>
      byRow(r, (b) => {
        const c = cosine(slice(x, b * n, n), slice(w, b * n, n));
        return at(t, b) === 1 ? f(1 - c) : Math.max(0, f(c - margin));
      }),
  })),
];
