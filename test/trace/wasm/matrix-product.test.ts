/** Holds src/wasm/matrix-product.ts, src/wasm/pack.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matrixProduct } from '../../../src/trace/engine/operations.ts';
import { tileRows } from '../../../src/wasm/matrix-product.ts';
import { loadRow, storeColumn, storeRow } from '../../../src/wasm/pack.ts';
import { bits, createRoom, draws, type Draw } from './room.ts';

const room = createRoom();
const sizes = fc.integer({ min: 1, max: 75 });

/** The product in WebAssembly of a `rows` × `columns` matrix. */
function packedProduct(matrix: Float32Array, x: Float32Array): Float32Array {
  const { at, rows, columns } = room.putMatrix(matrix, x.length);
  const tiles = Math.ceil(rows / tileRows);
  const out = room.empty(rows);
  room.kernels.matrixProduct(out, at, 4 * tileRows * columns, room.put(x), tiles, columns);
  return room.take(out, rows);
}

const matrixAndVector = ({ numbers }: Draw, rows: number, columns: number): readonly [Float32Array, Float32Array] => [
  numbers('matrix', rows * columns),
  numbers('x', columns),
];

test('any number of rows and columns gives the bits of the plain loop', () => {
  fc.assert(
    fc.property(draws, sizes, sizes, (draw, rows, columns) => {
      const [matrix, x] = matrixAndVector(draw, rows, columns);
      expect(bits(packedProduct(matrix, x))).toEqual(bits(matrixProduct(matrix, x)));
    }),
  );
});

test('a product of nothing but −0 is +0, as a sum that starts at 0 has it', () => {
  expect(bits(packedProduct(Float32Array.of(-0, -0), Float32Array.of(1, 1)))).toEqual([0]);
});

/** Loops that someone could mistake for the right one, each over the products of a row. */
const wrongSums: Readonly<Record<string, (row: Float32Array, x: Float32Array) => number>> = {
  'from right to left': (row, x) => row.reduceRight((sum, w, j) => Math.fround(sum + Math.fround(w * (x[j] ?? 0))), 0),
  'in float64': (row, x) => row.reduce((sum, w, j) => sum + w * (x[j] ?? 0), 0),
  'without rounding the products': (row, x) => row.reduce((sum, w, j) => Math.fround(sum + w * (x[j] ?? 0)), 0),
  'in two halves': (row, x) => {
    const half = (odd: number): number =>
      row.reduce((sum, w, j) => (j % 2 === odd ? Math.fround(sum + Math.fround(w * (x[j] ?? 0))) : sum), 0);
    return half(0) + half(1);
  },
};

test.each(Object.entries(wrongSums))('sums %s have other bits', (_, wrong) => {
  const matrix = Float32Array.from({ length: 64 * 64 }, (_, i) => ((i * 7919) % 1000) / 997 - 0.5);
  const x = Float32Array.from({ length: 64 }, (_, i) => ((i * 104_729) % 1000) / 991 - 0.5);
  const others = Float32Array.from({ length: 64 }, (_, row) => wrong(matrix.subarray(64 * row, 64 * (row + 1)), x));
  expect(bits(packedProduct(matrix, x))).not.toEqual(bits(others));
});

test('a product with the first rows and columns of a larger matrix', () => {
  fc.assert(
    fc.property(draws, sizes, sizes, fc.nat(), fc.nat(), ({ numbers }, rows, columns, r, c) => {
      const [someRows, someColumns] = [1 + (r % rows), 1 + (c % columns)];
      const matrix = numbers('matrix', rows * columns);
      const x = numbers('x', someColumns);
      const packed = room.putMatrix(matrix, columns);
      const out = room.empty(rows);
      const tiles = Math.ceil(someRows / tileRows);
      room.kernels.matrixProduct(out, packed.at, 4 * tileRows * columns, room.put(x), tiles, someColumns);
      const part = Float32Array.from(
        { length: someRows * someColumns },
        (_, i) => matrix[Math.floor(i / someColumns) * columns + (i % someColumns)] ?? 0,
      );
      expect(bits(room.take(out, someRows))).toEqual(bits(matrixProduct(part, x)));
    }),
  );
});

test('rows and columns are stored where they are read', () => {
  fc.assert(
    fc.property(sizes, sizes, fc.nat(), fc.nat(), (rows, columns, r, c) => {
      const [row, column] = [r % rows, c % columns];
      const matrix = Float32Array.from({ length: rows * columns }, (_, i) => i);
      const floats = new Float32Array(room.memory.buffer);
      const packed = room.putMatrix(matrix, columns);
      storeRow(floats, packed, row, room.put(new Float32Array(columns).fill(-1)));
      storeColumn(floats, packed, column, room.put(new Float32Array(rows).fill(-2)));
      const out = room.empty(columns);
      for (let i = 0; i < rows; i++) {
        loadRow(floats, packed, i, out);
        const expected = Float32Array.from({ length: columns }, (_, j) =>
          j === column ? -2 : i === row ? -1 : i * columns + j,
        );
        expect(room.take(out, columns)).toEqual(expected);
      }
    }),
  );
});
