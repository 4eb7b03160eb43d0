/**
 * Graph convolutional networks: H⁽ˡ⁺¹⁾ = ReLU(Â·(H⁽ˡ⁾·W⁽ˡ⁾) + b⁽ˡ⁾), without ReLU in the last layer.
 *
 * Source: Kipf & Welling (2017), arXiv:1609.02907, equation 2; the gradients are those of algorithm 6.4 of Goodfellow, Bengio &
 * Courville (2016), Deep Learning. Â is symmetric, so it is its own transpose.
 */
import { present } from '../../base/invariant.ts';
import { crossEntropy } from './cross-entropy.ts';
import { sumRows } from './linear.ts';
import {
  multiply,
  multiplySparse,
  multiplyTransposedLeft,
  multiplyTransposedRight,
  type SparseMatrix,
} from './products.ts';

const { fround } = Math;

/** A graph with node features and labels. */
export interface GraphData {
  readonly adjacency: SparseMatrix;
  /** nodes×widths[0], row-major. */
  readonly features: Float32Array;
  /** The class of each node, or −1 without a label. */
  readonly labels: Int32Array;
}

/** The weights of one layer. */
export interface GnnLayer {
  /** in×out, row-major. */
  readonly weight: Float32Array;
  /** out. */
  readonly bias: Float32Array;
}

/** A network with its buffers for one graph. */
export interface Gnn {
  /** The outputs of the last layer, nodes×classes; the next call overwrites this buffer. */
  readonly forward: (layers: readonly GnnLayer[]) => Float32Array;
  /** The mean cross-entropy over labelled nodes and the gradients of each layer; the next call overwrites these buffers. */
  readonly lossAndGradients: (layers: readonly GnnLayer[]) => {
    readonly loss: number;
    readonly gradients: readonly GnnLayer[];
  };
}

/** The network with `widths` features before, between and after its layers; at least two numbers. */
export function createGnn(widths: readonly number[], { adjacency, features, labels }: GraphData): Gnn {
  const nodes = adjacency.size;
  const depth = widths.length - 1;
  const width = (l: number): number => present(widths[l], 'a layer has widths');
  const rows = (l: number): Float32Array => new Float32Array(nodes * width(l));
  /** H⁽ˡ⁾ before and after each layer, H·W, and the gradient of each. */
  const outputs = Array.from({ length: depth }, (_, l) => rows(l + 1));
  const mixed = Array.from({ length: depth }, (_, l) => rows(l + 1));
  const gradients = Array.from({ length: depth }, (_, l): GnnLayer => ({
    weight: new Float32Array(width(l) * width(l + 1)),
    bias: new Float32Array(width(l + 1)),
  }));
  const outputGradients = Array.from({ length: depth }, (_, l) => rows(l + 1));
  const at = <T>(list: readonly T[], l: number): T => present(list[l], 'a layer has its buffers');
  const input = (l: number): Float32Array => (l === 0 ? features : at(outputs, l - 1));

  function forward(layers: readonly GnnLayer[]): Float32Array {
    for (const [l, { weight, bias }] of layers.entries()) {
      const [product, output] = [at(mixed, l), at(outputs, l)];
      multiply(product, input(l), weight, nodes, width(l), width(l + 1));
      multiplySparse(output, adjacency, product, width(l + 1));
      addBias(output, bias, l < depth - 1);
    }
    return at(outputs, depth - 1);
  }

  function lossAndGradients(layers: readonly GnnLayer[]): ReturnType<Gnn['lossAndGradients']> {
    const logits = forward(layers);
    const loss = crossEntropy(logits, labels, width(depth), at(outputGradients, depth - 1));
    for (let l = depth - 1; l >= 0; l--) {
      const [gradient, product, { weight, bias }] = [at(outputGradients, l), at(mixed, l), at(gradients, l)];
      if (l < depth - 1) maskBy(gradient, at(outputs, l));
      sumRows(bias, gradient, nodes);
      // H·W is no longer needed, so its buffer takes its gradient.
      multiplySparse(product, adjacency, gradient, width(l + 1));
      multiplyTransposedLeft(weight, input(l), product, nodes, width(l), width(l + 1));
      if (l > 0)
        multiplyTransposedRight(
          at(outputGradients, l - 1),
          product,
          at(layers, l).weight,
          nodes,
          width(l),
          width(l + 1),
        );
    }
    return { loss, gradients };
  }

  return { forward, lossAndGradients };
}

/** x ← x + bias for each row, followed by max(0, ·) if `rectified`. */
function addBias(x: Float32Array, bias: Float32Array, rectified: boolean): void {
  const n = bias.length;
  for (let start = 0; start < x.length; start += n) {
    for (let j = 0; j < n; j++) {
      const sum = fround((x[start + j] ?? NaN) + (bias[j] ?? NaN));
      x[start + j] = rectified && sum <= 0 ? 0 : sum;
    }
  }
}

/** g ← g where the output is positive, 0 elsewhere: the derivative of ReLU is 0 at 0. */
function maskBy(g: Float32Array, output: Float32Array): void {
  for (let i = 0; i < g.length; i++) if ((output[i] ?? NaN) <= 0) g[i] = 0;
}
