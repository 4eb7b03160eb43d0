/** Matrices of a network in float64: dense ones row by row, sparse ones as compressed rows. */

/** Row-major: entry (r, c) is `values[r * columns + c]`. */
interface DenseMatrix {
  readonly kind: 'dense';
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

/** Row r has the entries `starts[r]` to `starts[r + 1]`, each with its column. */
export interface SparseMatrix {
  readonly kind: 'sparse';
  readonly rows: number;
  readonly columns: number;
  readonly starts: Int32Array;
  readonly at: Int32Array;
  readonly values: Float64Array;
}

export type Matrix = DenseMatrix | SparseMatrix;

/** Above this share of entries that are not zero, rows without indices are faster. */
const denseShare = 0.4;

/** The form that is faster to multiply with. */
export function packed(matrix: Matrix): Matrix {
  if (matrix.kind === 'dense') return matrix;
  const { rows, columns, starts, at, values } = matrix;
  if (values.length < denseShare * rows * columns) return matrix;
  const dense = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    const end = starts[r + 1] ?? 0;
    for (let k = starts[r] ?? 0; k < end; k++) {
      const place = r * columns + (at[k] ?? 0);
      dense[place] = (dense[place] ?? 0) + (values[k] ?? 0);
    }
  }
  return { kind: 'dense', rows, columns, values: dense };
}

/** out += factor · row r of the matrix. */
export function addRow(matrix: Matrix, r: number, factor: number, out: Float64Array): void {
  const { values, columns } = matrix;
  if (matrix.kind === 'dense') {
    const start = r * columns;
    for (let c = 0; c < columns; c++) out[c] = (out[c] ?? 0) + factor * (values[start + c] ?? 0);
    return;
  }
  const end = matrix.starts[r + 1] ?? 0;
  for (let k = matrix.starts[r] ?? 0; k < end; k++) {
    const c = matrix.at[k] ?? 0;
    out[c] = (out[c] ?? 0) + factor * (values[k] ?? 0);
  }
}

/** The scalar product of row r with x. */
export function rowTimes(matrix: Matrix, r: number, x: Float64Array): number {
  const { values, columns } = matrix;
  let sum = 0;
  if (matrix.kind === 'dense') {
    const start = r * columns;
    for (let c = 0; c < columns; c++) sum += (values[start + c] ?? 0) * (x[c] ?? 0);
    return sum;
  }
  const end = matrix.starts[r + 1] ?? 0;
  for (let k = matrix.starts[r] ?? 0; k < end; k++) sum += (values[k] ?? 0) * (x[matrix.at[k] ?? 0] ?? 0);
  return sum;
}

/** The scalar product of the magnitudes of row r with x. */
export function rowMagnitudeTimes(matrix: Matrix, r: number, x: Float64Array): number {
  const { values, columns } = matrix;
  let sum = 0;
  if (matrix.kind === 'dense') {
    const start = r * columns;
    for (let c = 0; c < columns; c++) sum += Math.abs(values[start + c] ?? 0) * (x[c] ?? 0);
    return sum;
  }
  const end = matrix.starts[r + 1] ?? 0;
  for (let k = matrix.starts[r] ?? 0; k < end; k++) sum += Math.abs(values[k] ?? 0) * (x[matrix.at[k] ?? 0] ?? 0);
  return sum;
}

/** How many products a row of the matrix sums at most. */
export function longestRow(matrix: Matrix): number {
  if (matrix.kind === 'dense') return matrix.columns;
  let longest = 0;
  for (let r = 0; r < matrix.rows; r++)
    longest = Math.max(longest, (matrix.starts[r + 1] ?? 0) - (matrix.starts[r] ?? 0));
  return longest;
}

/** Calls `visit` for the entries of row r, each with its column. */
export function forEachInRow(matrix: Matrix, r: number, visit: (column: number, value: number) => void): void {
  const [start, end] =
    matrix.kind === 'dense'
      ? [r * matrix.columns, (r + 1) * matrix.columns]
      : [matrix.starts[r] ?? 0, matrix.starts[r + 1] ?? 0];
  for (let k = start; k < end; k++) {
    const value = matrix.values[k] ?? 0;
    if (value !== 0) visit(matrix.kind === 'dense' ? k - start : (matrix.at[k] ?? 0), value);
  }
}
