/** The first nodes of a graph in any order, for testing the equivariance of a graph network. */
import { createGnn, type GnnLayer, type GraphData } from './gnn.ts';
import { permuted } from './graph.ts';
import type { SparseMatrix } from './products.ts';

/** A network on a graph with permuted nodes. */
export interface GnnProbe {
  readonly nodes: number;
  /** The outputs for the graph whose node i is node `order[i]`, nodes×classes. */
  readonly forward: (layers: readonly GnnLayer[], order: Int32Array) => Float32Array;
}

/**
 * A probe of the first `most` nodes and the edges among them, or of the whole graph if it is smaller. It mixes rows as the whole
 * network does, at a cost that does not grow with the graph.
 */
export function createGnnProbe(widths: readonly number[], graph: GraphData, most: number): GnnProbe {
  const adjacency = leading(graph.adjacency, Math.min(most, graph.adjacency.size));
  const nodes = adjacency.size;
  const width = widths[0] ?? 0;
  return {
    nodes,
    forward(layers, order) {
      const features = new Float32Array(nodes * width);
      for (const [i, node] of order.entries())
        features.set(graph.features.subarray(node * width, (node + 1) * width), i * width);
      const labels = new Int32Array(nodes).fill(-1);
      return createGnn(widths, { adjacency: permuted(adjacency, order), features, labels }).forward(layers);
    },
  };
}

/** The first `size` rows and columns. */
function leading({ starts, columns, values }: SparseMatrix, size: number): SparseMatrix {
  const [ends, kept, numbers]: [number[], number[], number[]] = [[0], [], []];
  for (let row = 0; row < size; row++) {
    for (let e = starts[row] ?? 0; e < (starts[row + 1] ?? 0); e++) {
      const column = columns[e] ?? size;
      if (column >= size) continue;
      kept.push(column);
      numbers.push(values[e] ?? NaN);
    }
    ends.push(kept.length);
  }
  return { size, starts: Int32Array.from(ends), columns: Int32Array.from(kept), values: Float32Array.from(numbers) };
}
