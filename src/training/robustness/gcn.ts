/** Graph convolutions under perturbed features: with the graph fixed, aggregating and mixing is one affine map. */
import type { SparseMatrix } from './matrix.ts';
import { affineNode, type Layer, type Network, type NetworkNode } from './network.ts';
import { sparseRows } from './sparse-rows.ts';

/** A graph convolutional network: H ← slope-ReLU(Â H W + b) in each layer, with the same Â. */
export interface GraphNetwork {
  /** Â: the weight of node `column` in the new features of node `row`, once for each pair. */
  readonly aggregation: {
    readonly nodes: number;
    readonly entries: readonly (readonly [row: number, column: number, weight: number])[];
  };
  /** Features per node. */
  readonly features: number;
  /** Weights of each layer with one array for each new feature, as in {@link Layer}. */
  readonly layers: readonly Layer[];
}

/**
 * The network over all features of all nodes, node by node, whose output is all scores of all nodes, node by node. A ball in it
 * perturbs the features; edges are as given.
 */
export function graphNetwork(
  { aggregation, features, layers }: GraphNetwork,
  weights: Network['weights'] = 'float64',
): Network {
  const { nodes: count, entries } = aggregation;
  const neighbours = Array.from({ length: count }, (): (readonly [number, number])[] => []);
  for (const [row, column, weight] of entries) neighbours[row]?.push([column, weight]);
  const nodes: NetworkNode[] = [{ kind: 'input', size: count * features }];
  let width = features;
  for (const { weights: rows, bias, slope } of layers) {
    const matrix = mixed(neighbours, rows, width);
    const biases = Float64Array.from({ length: count * rows.length }, (_, j) => bias[j % rows.length] ?? 0);
    const node = affineNode([{ from: nodes.length - 1, matrix }], biases);
    // Engines aggregate and mix one after the other: one rounding more for each product.
    nodes.push({ ...node, roundings: node.roundings + 2 });
    width = rows.length;
    if (slope !== undefined)
      nodes.push({
        kind: 'activation',
        size: count * width,
        from: nodes.length - 1,
        slopes: new Float64Array(count * width).fill(slope),
      });
  }
  return { nodes, inputSize: count * features, outputSize: count * width, output: nodes.length - 1, weights };
}

/** The matrix from all features to all new ones: (Â H W) with the features of each node next to each other. */
function mixed(
  neighbours: readonly (readonly (readonly [number, number])[])[],
  rows: Layer['weights'],
  width: number,
): SparseMatrix {
  const matrix = sparseRows(neighbours.length * rows.length, neighbours.length * width);
  for (const near of neighbours)
    for (const row of rows) {
      for (const [column, weight] of near) addScaled(matrix, column * width, row, weight);
      matrix.endRow();
    }
  return matrix.matrix();
}

function addScaled(matrix: ReturnType<typeof sparseRows>, start: number, row: ArrayLike<number>, factor: number): void {
  for (let k = 0; k < row.length; k++) matrix.add(start + k, factor * (row[k] ?? 0));
}
