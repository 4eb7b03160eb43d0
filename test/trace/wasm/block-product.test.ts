/** Holds src/wasm/block-product.ts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matrixProduct } from '../../../src/trace/engine/operations.ts';
import { groupVectors } from '../../../src/wasm/block-product.ts';
import { tileRows } from '../../../src/wasm/matrix-product.ts';
import { wholeTiles } from '../../../src/wasm/pack.ts';
import { bits, createRoom, draws } from './room.ts';

const room = createRoom();
const floats = new Float32Array(room.memory.buffer);
const sizes = fc.integer({ min: 1, max: 75 });
const marker = 12345;

/** The products with each of `vectors`, which stand `stride` numbers apart, their results behind them; what is between must stay. */
function blockProducts(matrix: Float32Array, vectors: readonly Float32Array[], between: number): Float32Array[] {
  const { at, rows, columns } = room.putMatrix(matrix, vectors[0]?.length ?? 0);
  const resultsAt = wholeTiles(columns);
  const stride = resultsAt + wholeTiles(rows) + between;
  const start = room.empty(stride * vectors.length) / 4;
  floats.fill(marker, start, start + stride * vectors.length);
  vectors.forEach((x, i) => floats.set(x, start + i * stride));
  const [tiles, groups] = [Math.ceil(rows / tileRows), vectors.length / groupVectors];
  const [out, x] = [4 * (start + resultsAt), 4 * start];
  room.kernels.blockProduct(out, at, 4 * tileRows * columns, x, tiles, columns, 4 * stride, groups);
  return vectors.map((x, i) => {
    const own = start + i * stride;
    expect(bits(floats.slice(own, own + columns))).toEqual(bits(x));
    expect(floats.slice(own + stride - between, own + stride).every((number) => number === marker)).toBe(true);
    return floats.slice(own + resultsAt, own + resultsAt + rows);
  });
}

test('any number of rows, columns and vectors gives the bits of the plain loop, and is written where it belongs', () => {
  fc.assert(
    fc.property(draws, sizes, sizes, fc.integer({ min: 1, max: 4 }), fc.nat(20), (draw, rows, columns, groups, gap) => {
      const matrix = draw.numbers('matrix', rows * columns);
      const vectors = Array.from({ length: groups * groupVectors }, (_, i) => draw.numbers(`x${i}`, columns));
      const products = blockProducts(matrix, vectors, 16 * gap);
      expect(products.map(bits)).toEqual(vectors.map((x) => bits(matrixProduct(matrix, x))));
    }),
  );
});

test('a product of nothing but −0 is +0, as a sum that starts at 0 has it', () => {
  const vectors = Array.from({ length: groupVectors }, () => Float32Array.of(1, 1));
  expect(blockProducts(Float32Array.of(-0, -0), vectors, 0).map(bits)).toEqual(vectors.map(() => [0]));
});
