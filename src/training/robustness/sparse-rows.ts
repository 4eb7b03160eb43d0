/** Sparse matrices from their entries. */
import type { SparseMatrix } from './matrix.ts';

/**
 * A sparse matrix that is written row by row. A weight of zero is kept: where its value overflows, an engine computes 0 · ∞, which is
 * not a number.
 */
export function sparseRows(
  rows: number,
  columns: number,
): {
  readonly add: (column: number, value: number) => void;
  readonly endRow: () => void;
  readonly matrix: () => SparseMatrix;
} {
  const starts = new Int32Array(rows + 1);
  const at: number[] = [];
  const values: number[] = [];
  let row = 0;
  return {
    add: (column, value) => {
      at.push(column);
      values.push(value);
    },
    endRow: () => void (starts[++row] = at.length),
    matrix: () => ({
      kind: 'sparse',
      rows,
      columns,
      starts,
      at: Int32Array.from(at),
      values: Float64Array.from(values),
    }),
  };
}

/** The matrix that copies value `sources[j]` into place j, times a factor; nothing where the source is negative. */
export function selection(
  sources: ArrayLike<number>,
  columns: number,
  factor: (j: number) => number = () => 1,
): SparseMatrix {
  const rows = sparseRows(sources.length, columns);
  for (let j = 0; j < sources.length; j++) {
    const source = sources[j] ?? -1;
    if (source >= 0) rows.add(source, factor(j));
    rows.endRow();
  }
  return rows.matrix();
}
