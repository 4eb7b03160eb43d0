/**
 * Training with interval bounds (Gowal et al., 2019, arXiv:1810.12715): a loss on the worst scores that intervals allow within ε,
 * which makes the trained network certifiable.
 */
import { crossEntropy } from '../model/cross-entropy.ts';
import type { GnnLayer } from '../model/gnn.ts';
import { networkOf, type Network } from './network.ts';

/** Weights (in×out, row-major) and bias of a layer; ReLU follows every layer but the last. */
export type DenseLayer = GnnLayer;

/** Inputs with their labels. */
export interface LabelledInputs {
  /** One after the other. */
  readonly inputs: Float32Array;
  readonly labels: Int32Array;
}

export interface IbpLossOptions {
  /** The radius in the maximum norm. */
  readonly epsilon: number;
  /** The share of the worst case in the loss, from 0 (ordinary training) to 1. Raise it, and epsilon, while training. */
  readonly worstCaseShare: number;
}

export interface LossAndGradients {
  readonly loss: number;
  /** The gradients of each layer, shaped like the layer. */
  readonly gradients: readonly DenseLayer[];
}

/**
 * (1 − share) · loss at the inputs + share · loss on the worst scores within ε, each a mean cross-entropy, and its gradients. The
 * worst score of a label is its lower bound, and that of every other class its upper one. Sums run in a fixed order; the
 * bounds are not rounded outward, since nothing is certified here.
 */
export function ibpLoss(
  layers: readonly DenseLayer[],
  examples: LabelledInputs,
  { epsilon, worstCaseShare }: IbpLossOptions,
): LossAndGradients {
  const ordinary = intervalLoss(layers, examples, 0);
  const worst = intervalLoss(layers, examples, epsilon);
  const mix = (a: number, b: number): number => (1 - worstCaseShare) * a + worstCaseShare * b;
  const mixed = (a: Float32Array, b: Float32Array | undefined): Float32Array =>
    a.map((value, k) => mix(value, b?.[k] ?? Number.NaN));
  return {
    loss: mix(ordinary.loss, worst.loss),
    gradients: ordinary.gradients.map(({ weight, bias }, l) => ({
      weight: mixed(weight, worst.gradients[l]?.weight),
      bias: mixed(bias, worst.gradients[l]?.bias),
    })),
  };
}

/** The network of the layers, to be certified. */
export function denseNetwork(layers: readonly DenseLayer[]): Network {
  const [first] = layers;
  const inputs = first === undefined ? 0 : first.weight.length / first.bias.length;
  return networkOf(
    inputs,
    layers.map(({ weight, bias }, l) => ({
      weights: Array.from(bias, (_, j) =>
        Float64Array.from({ length: weight.length / bias.length }, (_, i) => weight[i * bias.length + j] ?? 0),
      ),
      bias,
      ...(l < layers.length - 1 && { slope: 0 }),
    })),
    'float32',
  );
}

/** Lower and upper values, one input after the other. */
interface Interval {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
}

const intervalOf = (size: number): Interval => ({ lo: new Float64Array(size), hi: new Float64Array(size) });

function intervalLoss(
  layers: readonly DenseLayer[],
  { inputs, labels }: LabelledInputs,
  epsilon: number,
): LossAndGradients {
  const count = labels.length;
  let values: Interval = {
    lo: Float64Array.from(inputs, (x) => x - epsilon),
    hi: Float64Array.from(inputs, (x) => x + epsilon),
  };
  const reads: Interval[] = [];
  const sums: Interval[] = [];
  for (const [l, layer] of layers.entries()) {
    reads.push(values);
    const sum = affine(layer, values, count);
    sums.push(sum);
    values = l < layers.length - 1 ? { lo: sum.lo.map(rectified), hi: sum.hi.map(rectified) } : sum;
  }
  const classes = layers.at(-1)?.bias.length ?? 0;
  const isLabel = (k: number): boolean => labels[Math.floor(k / classes)] === k % classes;
  const scores = Float32Array.from(values.lo, (lo, k) => (isLabel(k) ? lo : (values.hi[k] ?? 0)));
  const slopes = new Float32Array(scores.length);
  const loss = crossEntropy(scores, labels, classes, slopes);
  let by: Interval = {
    lo: Float64Array.from(slopes, (g, k) => (isLabel(k) ? g : 0)),
    hi: Float64Array.from(slopes, (g, k) => (isLabel(k) ? 0 : g)),
  };
  const gradients: DenseLayer[] = [];
  for (let l = layers.length - 1; l >= 0; l--) {
    const [layer, read, sum] = [layers[l], reads[l], sums[l]];
    if (layer === undefined || read === undefined || sum === undefined) break;
    if (l < layers.length - 1)
      by = {
        lo: by.lo.map((g, k) => ((sum.lo[k] ?? 0) > 0 ? g : 0)),
        hi: by.hi.map((g, k) => ((sum.hi[k] ?? 0) > 0 ? g : 0)),
      };
    const step = backwards(layer, read, by, count);
    gradients.unshift(step.gradient);
    by = step.by;
  }
  return { loss, gradients };
}

const rectified = (x: number): number => (x > 0 ? x : 0);

/** The intervals of W x + b: a positive weight takes the bound of the same side, a negative one the other. */
function affine({ weight, bias }: DenseLayer, { lo, hi }: Interval, count: number): Interval {
  const width = bias.length;
  const size = weight.length / width;
  const out = intervalOf(count * width);
  for (let n = 0; n < count; n++) {
    for (let j = 0; j < width; j++) {
      let [least, most] = [bias[j] ?? 0, bias[j] ?? 0];
      for (let i = 0; i < size; i++) {
        const w = weight[i * width + j] ?? 0;
        const [l, h] = [lo[n * size + i] ?? 0, hi[n * size + i] ?? 0];
        least += w * (w > 0 ? l : h);
        most += w * (w > 0 ? h : l);
      }
      out.lo[n * width + j] = least;
      out.hi[n * width + j] = most;
    }
  }
  return out;
}

/** The gradients of a layer, and those by what it reads, from those by its sums. */
function backwards(
  { weight, bias }: DenseLayer,
  read: Interval,
  by: Interval,
  count: number,
): { readonly gradient: DenseLayer; readonly by: Interval } {
  const width = bias.length;
  const size = weight.length / width;
  const [weights, biases, before] = [
    new Float64Array(weight.length),
    new Float64Array(width),
    intervalOf(count * size),
  ];
  for (let n = 0; n < count; n++) {
    for (let j = 0; j < width; j++) {
      const [a, b] = [by.lo[n * width + j] ?? 0, by.hi[n * width + j] ?? 0];
      biases[j] = (biases[j] ?? 0) + a + b;
      for (let i = 0; i < size; i++) {
        const place = n * size + i;
        const at = i * width + j;
        const w = weight[at] ?? 0;
        const [l, h] = [read.lo[place] ?? 0, read.hi[place] ?? 0];
        weights[at] = (weights[at] ?? 0) + (w > 0 ? a * l + b * h : a * h + b * l);
        before.lo[place] = (before.lo[place] ?? 0) + w * (w > 0 ? a : b);
        before.hi[place] = (before.hi[place] ?? 0) + w * (w > 0 ? b : a);
      }
    }
  }
  return { gradient: { weight: Float32Array.from(weights), bias: Float32Array.from(biases) }, by: before };
}
