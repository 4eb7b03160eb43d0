/** The form in which networks are certified: a graph of affine maps and leaky ReLUs in float64. */
import { trainingError } from '../training-error.ts';
import { longestRow, packed, rowMagnitudeTimes, type Matrix } from './matrix.ts';

export interface AffineTerm {
  /** The index of the node that the matrix multiplies. */
  readonly from: number;
  readonly matrix: Matrix;
}

/** The sum of the terms and the bias. */
export interface AffineNode {
  readonly kind: 'affine';
  readonly size: number;
  readonly terms: readonly AffineTerm[];
  readonly bias: Float64Array;
  /** At least the sum of the magnitudes of the constants that make up each bias; it bounds what rounding them can do. */
  readonly biasMagnitude: Float64Array;
  /** The largest number of roundings between an input of the node and its output, in any order of summation. */
  readonly roundings: number;
}

/** max(x, 0) + slope · min(x, 0), with a slope in [0, 1] for each element: 0 is ReLU, 1 the identity. */
export interface ActivationNode {
  readonly kind: 'activation';
  readonly size: number;
  readonly from: number;
  readonly slopes: Float64Array;
}

interface InputNode {
  readonly kind: 'input';
  readonly size: number;
}

export type NetworkNode = InputNode | AffineNode | ActivationNode;

/** Nodes in an order in which each comes after those that it reads. Node 0 is the input. */
export interface Network {
  readonly nodes: readonly NetworkNode[];
  readonly inputSize: number;
  readonly outputSize: number;
  /** The index of the node whose values are the outputs. */
  readonly output: number;
  /** The format of the stored weights: a float32 engine rounds the weights of a float64 file. */
  readonly weights: 'float32' | 'float64';
  /**
   * Whether operators of a file were merged or replaced, such as max(a, b) by b + ReLU(a − b): then running this network rounds
   * otherwise than running the file, and may lose a value beside a large one.
   */
  readonly isRewritten?: true;
  /** How a file was read where it leaves values open, such as the size of a batch; proofs hold for this reading only. */
  readonly readAs?: readonly string[];
}

/** A layer of a plain feed-forward network: y = slope-ReLU(W x + b). */
export interface Layer {
  /** One array of weights for each output. */
  readonly weights: readonly ArrayLike<number>[];
  readonly bias: ArrayLike<number>;
  /** 0 for ReLU, α in (0, 1) for leaky ReLU; absent for an affine layer. */
  readonly slope?: number;
}

/** A feed-forward network from its layers, each applied to the output of the one before. Throws PV-8306 for weights that are not finite. */
export function networkOf(
  inputSize: number,
  layers: readonly Layer[],
  weights: Network['weights'] = 'float64',
): Network {
  const nodes: NetworkNode[] = [{ kind: 'input', size: inputSize }];
  let columns = inputSize;
  for (const { weights: rows, bias, slope } of layers) {
    if (![...rows.flatMap((row) => Array.from(row)), ...Array.from(bias)].every(Number.isFinite))
      throw trainingError({
        code: 'PV-8306',
        check: 'weights',
        message: 'A weight of the network is NaN or infinite.',
      });
    const values = new Float64Array(rows.length * columns);
    for (const [r, row] of rows.entries()) values.set(Array.from(row), r * columns);
    const matrix: Matrix = { kind: 'dense', rows: rows.length, columns, values };
    nodes.push(affineNode([{ from: nodes.length - 1, matrix }], Float64Array.from(bias)));
    columns = rows.length;
    if (slope === undefined) continue;
    nodes.push({
      kind: 'activation',
      size: columns,
      from: nodes.length - 1,
      slopes: new Float64Array(columns).fill(slope),
    });
  }
  return { nodes, inputSize, outputSize: columns, output: nodes.length - 1, weights };
}

/** An affine node whose value is computed as one sum of products and a bias. */
export const affineNode = (terms: readonly AffineTerm[], bias: Float64Array): AffineNode => ({
  kind: 'affine',
  size: bias.length,
  terms: terms.map(({ from, matrix }) => ({ from, matrix: packed(matrix) })),
  bias,
  biasMagnitude: bias.map(Math.abs),
  // A product is rounded once and takes part in at most as many additions as there are products and a bias.
  roundings: terms.reduce((sum, { matrix }) => sum + longestRow(matrix), 1),
});

/** The sum of the magnitudes of the weights of each output. */
export function weightMagnitudes(node: AffineNode): Float64Array {
  const out = new Float64Array(node.size);
  for (const { matrix } of node.terms) {
    const ones = new Float64Array(matrix.columns).fill(1);
    for (let r = 0; r < node.size; r++) out[r] = (out[r] ?? 0) + rowMagnitudeTimes(matrix, r, ones);
  }
  return out;
}
