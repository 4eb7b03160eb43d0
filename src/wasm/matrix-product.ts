/**
 * A matrix times a vector, in WebAssembly: out_i = ((0 + w_i0·x_0) + w_i1·x_1) + …, every operation rounded to float32.
 *
 * Sixteen rows run side by side, one in each lane of four vectors, so that every sum keeps the order of a plain loop;
 * one vector alone would wait for each addition. The matrix is packed accordingly (pack.ts): of sixteen rows first
 * column 0, then column 1 and so on.
 */
import type { Code, WasmFunction } from './encode.ts';
import { wasmFunction } from './function.ts';
import { f32x4, i32, set, upTo, v128 } from './instructions.ts';

/** Rows of a tile. */
export const tileRows = 16;

/** Bytes of one column of a tile. */
export const columnBytes = 4 * tileRows;

/** Columns of one turn of the inner loop: with 1, 4 and 8 it took longer (bench/trace, 2026-11). */
const unrolled = 2;

/**
 * `matrixProduct(out, weights, stride, x, tiles, columns)`: pointers to `tiles` · 16 results, to the first tile, bytes
 * from one tile to the next, a pointer to `columns` numbers, and counts.
 */
export const matrixProduct: WasmFunction = wasmFunction('matrixProduct', {
  parameters: { out: 'i32', weights: 'i32', stride: 'i32', x: 'i32', tiles: 'i32', columns: 'i32' },
  locals: {
    outEnd: 'i32',
    xEnd: 'i32',
    unrolledEnd: 'i32',
    at: 'i32',
    w: 'i32',
    input: 'v128',
    sum0: 'v128',
    sum1: 'v128',
    sum2: 'v128',
    sum3: 'v128',
  },
  body: (v) => {
    const sums = [v.sum0, v.sum1, v.sum2, v.sum3];
    const column = (i: number): Code => [
      ...set(v.input, v128.load32Splat(v.at, 4 * i)),
      ...sums.flatMap((sum, k) =>
        set(sum, f32x4.add(sum, f32x4.mul(v128.load(v.w, i * columnBytes + 16 * k), v.input))),
      ),
    ];
    const columns = (count: number): Code => [
      ...Array.from({ length: count }, (_, i) => column(i)).flat(),
      ...set(v.w, i32.add(v.w, i32.const(count * columnBytes))),
    ];
    return [
      set(v.outEnd, i32.add(v.out, i32.mul(v.tiles, i32.const(columnBytes)))),
      set(v.xEnd, i32.add(v.x, i32.shl(v.columns, i32.const(2)))),
      set(v.unrolledEnd, i32.add(v.x, i32.shl(i32.and(v.columns, i32.const(-unrolled)), i32.const(2)))),
      upTo(
        v.out,
        v.outEnd,
        columnBytes,
        ...sums.map((sum) => set(sum, f32x4.const(0))),
        set(v.w, v.weights),
        set(v.at, v.x),
        upTo(v.at, v.unrolledEnd, 4 * unrolled, columns(unrolled)),
        upTo(v.at, v.xEnd, 4, columns(1)),
        ...sums.map((sum, k) => v128.store(v.out, sum, 16 * k)),
        set(v.weights, i32.add(v.weights, v.stride)),
      ),
    ];
  },
});
