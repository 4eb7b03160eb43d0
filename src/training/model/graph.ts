/** Graphs as the symmetric, normalised adjacency matrices that graph convolutions multiply by. */
import type { SparseMatrix } from './products.ts';

/** An undirected edge between two nodes, counted from 0. */
export type Edge = readonly [number, number];

/**
 * Â = D^(−½)·(A + I)·D^(−½) with D the degrees of A + I. Self-loops are added, and repeated edges count once.
 *
 * Source: Kipf & Welling (2017), Semi-supervised classification with graph convolutional networks, arXiv:1609.02907,
 * section 2.
 */
export function normalisedAdjacency(nodes: number, edges: Iterable<Edge>): SparseMatrix {
  const neighbours = Array.from({ length: nodes }, (_, node) => new Set([node]));
  for (const [from, to] of edges) {
    neighbours[from]?.add(to);
    neighbours[to]?.add(from);
  }
  const starts = new Int32Array(nodes + 1);
  for (const [row, { size }] of neighbours.entries()) starts[row + 1] = (starts[row] ?? 0) + size;
  const entries = starts[nodes] ?? 0;
  const [columns, values] = [new Int32Array(entries), new Float32Array(entries)];
  const degree = (node: number): number => neighbours[node]?.size ?? 0;
  let next = 0;
  for (const [row, set] of neighbours.entries()) {
    for (const column of [...set].sort((a, b) => a - b)) {
      columns[next] = column;
      values[next++] = 1 / Math.sqrt(degree(row) * degree(column));
    }
  }
  return { size: nodes, starts, columns, values };
}

/** Permutes the nodes: row and column i of the result are row and column `order[i]` of the matrix. */
export function permuted({ size, starts, columns, values }: SparseMatrix, order: Int32Array): SparseMatrix {
  const place = new Int32Array(size);
  for (const [i, node] of order.entries()) place[node] = i;
  const out = {
    starts: new Int32Array(size + 1),
    columns: new Int32Array(columns.length),
    values: new Float32Array(values.length),
  };
  let next = 0;
  for (const [i, node] of order.entries()) {
    const [start, end] = [starts[node] ?? 0, starts[node + 1] ?? 0];
    const row = Array.from(
      { length: end - start },
      (_, e) => [place[columns[start + e] ?? 0] ?? 0, values[start + e] ?? NaN] as const,
    );
    for (const [column, value] of row.sort(([a], [b]) => a - b)) {
      out.columns[next] = column;
      out.values[next++] = value;
    }
    out.starts[i + 1] = next;
  }
  return { size, ...out };
}
