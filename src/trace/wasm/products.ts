/** The matrix products of a step, of one position or of several. */
import { invariant } from '../../base/invariant.ts';
import { groupVectors } from '../../wasm/block-product.ts';
import type { Kernels } from './kernels.ts';
import { tileRows } from '../../wasm/matrix-product.ts';
import type { Matrix } from '../../wasm/pack.ts';
import type { Plan, Vectors } from './plan.ts';

/** Matrix products by addresses. */
export interface Products {
  /** out ← the first `rows` and `columns` of `matrix` times x, all by their addresses. */
  readonly part: (out: number, matrix: Matrix, x: number, rows: number, columns: number) => void;
  /** out ← matrix · x for the vectors of these names, of the first `count` positions of a block. */
  readonly each: (out: keyof Vectors, matrix: Matrix, x: keyof Vectors, count: number) => void;
}

/** The products of an engine that is laid out as planned. */
export function bindProducts(kernels: Kernels, { vectors, stride }: Plan): Products {
  const [first] = vectors;
  invariant(first !== undefined, 'a block has a position');
  const part: Products['part'] = (out, matrix, x, rows, columns) =>
    kernels.matrixProduct(out, matrix.at, 4 * tileRows * matrix.columns, x, Math.ceil(rows / tileRows), columns);
  return {
    part,
    each: (out, matrix, x, count) => {
      const { at, rows, columns } = matrix;
      if (count === 1) return part(first[out], matrix, first[x], rows, columns);
      // The last group may process unused vectors, whose results are not read.
      const [tiles, groups] = [Math.ceil(rows / tileRows), Math.ceil(count / groupVectors)];
      kernels.blockProduct(first[out], at, 4 * tileRows * columns, first[x], tiles, columns, stride, groups);
    },
  };
}
