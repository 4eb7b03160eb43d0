/** Graph convolutional networks under perturbed features: on a fixed graph, aggregating and mixing form one affine map. */
import type { GnnLayer } from '../model/gnn.ts';
import type { SparseMatrix as Adjacency } from '../model/products.ts';
import type { SparseMatrix } from './matrix.ts';
import { affineNode, type Network, type NetworkNode } from './network.ts';
import { sparseRows } from './sparse-rows.ts';

/** The part of a graph network that decides some of its nodes. */
export interface GnnNetwork {
  /** From the features of the nodes in `inputs` to the scores of those in `outputs`, each node after node. */
  readonly network: Network;
  /** The nodes whose features the outputs depend on, in ascending order. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
}

/**
 * The network H ← ReLU(Â (H W) + b), without ReLU in the last layer, for the nodes in `outputs`, or all nodes by default. A ball
 * perturbs features; the edges are fixed. The network contains only nodes that can reach an output, so one node of a large
 * graph is certified on its neighbourhood.
 */
export function gnnNetwork(adjacency: Adjacency, layers: readonly GnnLayer[], outputs?: readonly number[]): GnnNetwork {
  const last = outputs ?? Array.from({ length: adjacency.size }, (_, node) => node);
  // The nodes whose values each layer needs, from the features to the scores.
  const needed: (readonly number[])[] = [last];
  for (let l = 0; l < layers.length; l++) needed.unshift(neighbours(adjacency, needed[0] ?? []));
  const [inputs = []] = needed;
  const first = layers[0];
  const features = first === undefined ? 0 : first.weight.length / first.bias.length;
  const nodes: NetworkNode[] = [{ kind: 'input', size: inputs.length * features }];
  for (const [l, layer] of layers.entries()) {
    const { matrix, summands } = mixing(adjacency, layer, needed[l] ?? [], needed[l + 1] ?? []);
    const width = layer.bias.length;
    const bias = Float64Array.from({ length: matrix.rows }, (_, j) => layer.bias[j % width] ?? 0);
    // The engine rounds while it mixes the features of a node, and again while it aggregates the nodes.
    nodes.push({ ...affineNode([{ from: nodes.length - 1, matrix }], bias), roundings: summands });
    if (l < layers.length - 1)
      nodes.push({
        kind: 'activation',
        size: matrix.rows,
        from: nodes.length - 1,
        slopes: new Float64Array(matrix.rows),
      });
  }
  const output = nodes.length - 1;
  const network: Network = {
    nodes,
    inputSize: nodes[0]?.size ?? 0,
    outputSize: nodes[output]?.size ?? 0,
    output,
    weights: 'float32',
  };
  return { network, inputs, outputs: last };
}

/** The nodes that aggregation reads for some nodes, in ascending order. */
function neighbours({ starts, columns }: Adjacency, of: readonly number[]): readonly number[] {
  const found = new Set<number>();
  for (const node of of) for (let k = starts[node] ?? 0; k < (starts[node + 1] ?? 0); k++) found.add(columns[k] ?? 0);
  return [...found].sort((a, b) => a - b);
}

/** The matrix from the features of the nodes in `from` to the new ones of those in `to`, and how many roundings it stands for. */
function mixing(
  { starts, columns, values }: Adjacency,
  { weight, bias }: GnnLayer,
  from: readonly number[],
  to: readonly number[],
): { readonly matrix: SparseMatrix; readonly summands: number } {
  const width = bias.length;
  const features = weight.length / width;
  const places = new Map(from.map((node, place) => [node, place]));
  const edges = to.reduce((sum, node) => sum + (starts[node + 1] ?? 0) - (starts[node] ?? 0), 0);
  const rows = sparseRows(to.length * width, from.length * features, edges * features * width);
  let degree = 0;
  for (const node of to) {
    const [start, end] = [starts[node] ?? 0, starts[node + 1] ?? 0];
    degree = Math.max(degree, end - start);
    for (let j = 0; j < width; j++) {
      // Entries of one row: those of a neighbour, then those of the next.
      for (let k = 0; k < (end - start) * features; k++) {
        const edge = start + Math.floor(k / features);
        const feature = k % features;
        const place = places.get(columns[edge] ?? 0) ?? 0;
        rows.add(place * features + feature, (values[edge] ?? 0) * (weight[feature * width + j] ?? 0));
      }
      rows.endRow();
    }
  }
  return { matrix: rows.matrix(), summands: features + degree + 2 };
}
