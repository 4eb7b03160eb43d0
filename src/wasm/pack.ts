/**
 * Matrices as matrix-product.ts reads them: tiles of sixteen rows, within a tile column after column. The last tile is padded
 * with rows of zeros, whose products are not read.
 */
import { tileRows } from './matrix-product.ts';

/** A packed matrix in a WebAssembly memory; `floats` below is all of that memory. */
export interface Matrix {
  /** Its address in bytes. */
  readonly at: number;
  readonly rows: number;
  readonly columns: number;
}

/** `count` rounded up to whole tiles. */
export const wholeTiles = (count: number): number => Math.ceil(count / tileRows) * tileRows;

/** The index of the element at (row, column); the next column is {@link tileRows} further. */
const indexOf = ({ at, columns }: Matrix, row: number, column: number): number =>
  at / 4 + (row - (row % tileRows)) * columns + (row % tileRows) + column * tileRows;

/** Writes the row-major `numbers` into `matrix`. */
export function packRows(floats: Float32Array, matrix: Matrix, numbers: Float32Array): void {
  for (let row = 0; row < matrix.rows; row++) {
    const from = row * matrix.columns;
    let to = indexOf(matrix, row, 0);
    for (let column = 0; column < matrix.columns; column++, to += tileRows) floats[to] = numbers[from + column] ?? 0;
  }
}

/** Copies the vector at the address `from` to row `row`. */
export function storeRow(floats: Float32Array, matrix: Matrix, row: number, from: number): void {
  const start = indexOf(matrix, row, 0);
  for (let i = 0; i < matrix.columns; i++) floats[start + i * tileRows] = floats[from / 4 + i] ?? 0;
}

/** Copies the vector at the address `from` to column `column`. */
export function storeColumn(floats: Float32Array, matrix: Matrix, column: number, from: number): void {
  for (let i = 0; i < matrix.rows; i++) floats[indexOf(matrix, i, column)] = floats[from / 4 + i] ?? 0;
}

/** Copies row `row` to the vector at the address `to`. */
export function loadRow(floats: Float32Array, matrix: Matrix, row: number, to: number): void {
  const start = indexOf(matrix, row, 0);
  for (let i = 0; i < matrix.columns; i++) floats[to / 4 + i] = floats[start + i * tileRows] ?? 0;
}
