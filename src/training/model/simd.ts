/**
 * Dense products in WebAssembly SIMD, with the bits of the plain loops: only results that do not depend on each other share a
 * vector, and every sum keeps its order.
 *
 * Matrices are copied into a small memory piece by piece. A sum over several pieces goes on where the piece before left it.
 */
import { webAssembly, type WebAssemblyApi } from '../../host/web-assembly.ts';
import { littleEndianHost } from '../../tensors/float32-bytes.ts';
import { addBlockProduct, groupVectors } from '../../wasm/block-product.ts';
import { encodeModule } from '../../wasm/encode.ts';
import { columnBytes, tileRows } from '../../wasm/matrix-product.ts';

/** A matrix in an array: element (r, c) is at `r·row + c·column`. */
interface Strided {
  readonly data: Float32Array;
  readonly row: number;
  readonly column: number;
}

/** out (m×n, row-major, filled in) ← out + A (m×k) · B (k×n), each sum from left to right. */
export type AddProduct = (out: Float32Array, a: Strided, b: Strided, m: number, k: number, n: number) => void;

/** The largest piece, in rows of A, columns of A and columns of B: all three matrices then fit into a processor's cache. */
const most = { m: 64, k: 256, n: 512 } as const;

/** Floats from one row of A, or of the result, to the next. No power of two, so that rows do not compete for places in the cache. */
const rowFloats = most.n + tileRows;

/** Where the pieces begin, in floats. */
const places = { b: 0, a: most.k * most.n, out: most.k * most.n + most.m * rowFloats } as const;
const pageFloats = 2 ** 14;
const pages = Math.ceil((places.out + most.m * rowFloats) / pageFloats);

const moduleBytes = encodeModule([addBlockProduct]);

/** The products; null where `api` is missing or has no SIMD. */
export function createSimdProduct(api: WebAssemblyApi | null = webAssembly): AddProduct | null {
  // Its memory is little-endian everywhere, and typed arrays are as the processor is.
  if (!api || !littleEndianHost || !api.validate(moduleBytes)) return null;
  const memory = new api.Memory({ initial: pages, maximum: pages });
  const floats = new Float32Array(memory.buffer);
  const { exports } = new api.Instance(new api.Module(moduleBytes), { host: { memory } });
  const kernel = exports[addBlockProduct.name] as (...numbers: number[]) => void;

  return (out, a, b, m, k, n) => {
    for (let n0 = 0; n0 < n; n0 += most.n) {
      const columns = Math.min(most.n, n - n0);
      const tiles = Math.ceil(columns / tileRows);
      for (let k0 = 0; k0 < k; k0 += most.k) {
        const terms = Math.min(most.k, k - k0);
        for (let tile = 0; tile < tiles; tile++) {
          const first = tile * tileRows;
          const part = { at: places.b + first * terms, stride: tileRows, rows: terms };
          load(floats, { ...part, columns: Math.min(tileRows, columns - first) }, b, k0, n0 + first);
        }
        for (let m0 = 0; m0 < m; m0 += most.m) {
          const rows = Math.min(most.m, m - m0);
          const sums = { at: places.out, stride: rowFloats, rows, columns };
          load(floats, { at: places.a, stride: rowFloats, rows, columns: terms }, a, m0, k0);
          load(floats, sums, { data: out, row: n, column: 1 }, m0, n0);
          const groups = Math.ceil(rows / groupVectors);
          const tileBytes = columnBytes * terms;
          kernel(4 * places.out, 4 * places.b, tileBytes, 4 * places.a, tiles, terms, 4 * rowFloats, groups);
          store(floats, sums, out, m0 * n + n0, n);
        }
      }
    }
  };
}

/** A piece of a matrix in the memory, in floats. */
interface Piece {
  readonly at: number;
  /** From one row to the next. */
  readonly stride: number;
  readonly rows: number;
  readonly columns: number;
}

/** Copies the piece of `from` whose first element is (row, column). */
function load(
  floats: Float32Array,
  { at, stride, rows, columns }: Piece,
  from: Strided,
  row: number,
  column: number,
): void {
  const { data } = from;
  for (let r = 0; r < rows; r++) {
    let source = (row + r) * from.row + column * from.column;
    const end = at + r * stride + columns;
    for (let to = end - columns; to < end; to++, source += from.column) floats[to] = data[source] ?? NaN;
  }
}

/** Copies a piece back into an array, whose rows are `width` apart. */
function store(
  floats: Float32Array,
  { at, stride, rows, columns }: Piece,
  out: Float32Array,
  to: number,
  width: number,
): void {
  for (let r = 0; r < rows; r++) {
    const start = at + r * stride;
    for (let c = 0; c < columns; c++) out[to + r * width + c] = floats[start + c] ?? NaN;
  }
}
