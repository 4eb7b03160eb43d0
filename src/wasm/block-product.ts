/**
 * The product of a matrix with several vectors, in WebAssembly: weights, which a product waits for, are loaded once for
 * all of them. Each result is the sum of matrix-product.ts: from left to right, rounded to float32 at each step.
 *
 * Eight rows of a tile meet four vectors at a time: eight sums, two vectors of weights and an input fill the registers
 * of a processor. The tile is then still in its cache for the next four vectors, and for the other eight rows.
 */
import type { Code, Local, WasmFunction } from './encode.ts';
import { wasmFunction } from './function.ts';
import { f32x4, i32, set, upTo, v128 } from './instructions.ts';
import { columnBytes } from './matrix-product.ts';

/** Vectors that are multiplied at a time. */
export const groupVectors = 4;

/** Bytes of the rows that are summed at a time. */
const rowBytes = columnBytes / 2;

const parameters = {
  out: 'i32',
  weights: 'i32',
  tileStride: 'i32',
  x: 'i32',
  tiles: 'i32',
  columns: 'i32',
  stride: 'i32',
  groups: 'i32',
} as const;

const locals = {
  outEnd: 'i32',
  rows: 'i32',
  rowsEnd: 'i32',
  rowsOut: 'i32',
  group: 'i32',
  groupsEnd: 'i32',
  groupStride: 'i32',
  to: 'i32',
  from: 'i32',
  w: 'i32',
  xEnd: 'i32',
  x0: 'i32',
  x1: 'i32',
  x2: 'i32',
  x3: 'i32',
  input: 'v128',
  weights0: 'v128',
  weights1: 'v128',
  sum00: 'v128',
  sum01: 'v128',
  sum10: 'v128',
  sum11: 'v128',
  sum20: 'v128',
  sum21: 'v128',
  sum30: 'v128',
  sum31: 'v128',
} as const;

type Variables = Readonly<Record<keyof typeof parameters | keyof typeof locals, Local>>;

/** The vectors that are multiplied at a time, with the sums of each. */
const vectorsOf = (v: Variables) =>
  [
    { at: v.x0, sums: [v.sum00, v.sum01] },
    { at: v.x1, sums: [v.sum10, v.sum11] },
    { at: v.x2, sums: [v.sum20, v.sum21] },
    { at: v.x3, sums: [v.sum30, v.sum31] },
  ] as const;

const zeroSums = (v: Variables): Code =>
  vectorsOf(v).flatMap(({ sums }) => sums.flatMap((sum) => set(sum, f32x4.const(0))));

const loadSums = (v: Variables): Code => [
  ...set(v.from, v.to),
  ...vectorsOf(v).flatMap(({ sums: [sum0, sum1] }) => [
    ...set(sum0, v128.load(v.from)),
    ...set(sum1, v128.load(v.from, 16)),
    ...set(v.from, i32.add(v.from, v.stride)),
  ]),
];

/** One group of vectors times the eight rows at `rows`. */
function groupOfRows(v: Variables, start: (v: Variables) => Code): Code {
  const vectors = vectorsOf(v);
  const column: Code = [
    ...set(v.weights0, v128.load(v.w)),
    ...set(v.weights1, v128.load(v.w, 16)),
    ...set(v.w, i32.add(v.w, i32.const(columnBytes))),
    ...vectors.flatMap(({ at, sums: [sum0, sum1] }) => [
      ...set(v.input, v128.load32Splat(at)),
      ...set(sum0, f32x4.add(sum0, f32x4.mul(v.weights0, v.input))),
      ...set(sum1, f32x4.add(sum1, f32x4.mul(v.weights1, v.input))),
    ]),
    ...[v.x1, v.x2, v.x3].flatMap((at) => set(at, i32.add(at, i32.const(4)))),
  ];
  return [
    ...start(v),
    ...set(v.w, v.rows),
    ...set(v.x0, v.group),
    ...set(v.xEnd, i32.add(v.x0, i32.shl(v.columns, i32.const(2)))),
    ...set(v.x1, i32.add(v.x0, v.stride)),
    ...set(v.x2, i32.add(v.x1, v.stride)),
    ...set(v.x3, i32.add(v.x2, v.stride)),
    ...upTo(v.x0, v.xEnd, 4, column),
    ...vectors.flatMap(({ sums: [sum0, sum1] }) => [
      ...v128.store(v.to, sum0),
      ...v128.store(v.to, sum1, 16),
      ...set(v.to, i32.add(v.to, v.stride)),
    ]),
  ];
}

function blockProductFrom(name: string, start: (v: Variables) => Code): WasmFunction {
  return wasmFunction(name, {
    parameters,
    locals,
    body: (v) => [
      set(v.outEnd, i32.add(v.out, i32.mul(v.tiles, i32.const(columnBytes)))),
      set(v.groupStride, i32.mul(v.stride, i32.const(groupVectors))),
      set(v.groupsEnd, i32.add(v.x, i32.mul(v.groups, v.groupStride))),
      upTo(
        v.out,
        v.outEnd,
        columnBytes,
        set(v.rows, v.weights),
        set(v.rowsEnd, i32.add(v.rows, i32.const(columnBytes))),
        set(v.rowsOut, v.out),
        upTo(
          v.rows,
          v.rowsEnd,
          rowBytes,
          set(v.to, v.rowsOut),
          set(v.group, v.x),
          upTo(v.group, v.groupsEnd, v.groupStride, groupOfRows(v, start)),
          set(v.rowsOut, i32.add(v.rowsOut, i32.const(rowBytes))),
        ),
        set(v.weights, i32.add(v.weights, v.tileStride)),
      ),
    ],
  });
}

/**
 * `blockProduct(out, weights, tileStride, x, tiles, columns, stride, groups)`: what `matrixProduct` does, for `groups`
 * times {@link groupVectors} vectors, each `stride` bytes after the one before it, and so are their
 * results.
 */
export const blockProduct: WasmFunction = blockProductFrom('blockProduct', zeroSums);

/** Like {@link blockProduct}, but it goes on with the sums that are in memory: a product in several pieces has the bits of one. */
export const addBlockProduct: WasmFunction = blockProductFrom('addBlockProduct', loadSums);
