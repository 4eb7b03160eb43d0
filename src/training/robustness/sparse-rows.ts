/** Sparse matrices from their entries. */
import type { SparseMatrix } from './matrix.ts';

/**
 * A sparse matrix of at most `most` entries that is written row by row. A weight of zero is kept: where its value overflows, an engine computes 0 · ∞, which is
 * not a number.
 */
export function sparseRows(
  rows: number,
  columns: number,
  most: number,
): {
  readonly add: (column: number, value: number) => void;
  readonly endRow: () => void;
  readonly matrix: () => SparseMatrix;
} {
  const starts = new Int32Array(rows + 1);
  const at = new Int32Array(most);
  const values = new Float64Array(most);
  let [row, count] = [0, 0];
  return {
    add: (column, value) => {
      at[count] = column;
      values[count++] = value;
    },
    endRow: () => void (starts[++row] = count),
    matrix: () => ({
      kind: 'sparse',
      rows,
      columns,
      starts,
      at: count === most ? at : at.slice(0, count),
      values: count === most ? values : values.slice(0, count),
    }),
  };
}

/** The matrix that copies value `sources[j]` into place j, times a factor; nothing where the source is negative. */
export function selection(
  sources: ArrayLike<number>,
  columns: number,
  factor: (j: number) => number = () => 1,
): SparseMatrix {
  const rows = sparseRows(sources.length, columns, sources.length);
  for (let j = 0; j < sources.length; j++) {
    const source = sources[j] ?? -1;
    if (source >= 0) rows.add(source, factor(j));
    rows.endRow();
  }
  return rows.matrix();
}
