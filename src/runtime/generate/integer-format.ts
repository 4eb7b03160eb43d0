import { nextDown64, nextUp64 } from '../../numeric/float.ts';
import type { FloatFormatTraits } from '../../numeric/float-format.ts';

/** The whole numbers of 32 bits as a number format, so that ranges and shrinking treat them like floats with unit steps. */
export const integerFormat: FloatFormatTraits = {
  precision: 53,
  maximum: 2 ** 31 - 1,
  smallestNormal: 1,
  smallestSubnormal: 1,
  round: (x) => Math.round(x) || 0,
  nextUp: (x) => x + 1,
  nextDown: (x) => x - 1,
};

/** The whole numbers that are doubles, with gaps beyond 2⁵³. */
export const anyIntegerFormat: FloatFormatTraits = {
  ...integerFormat,
  maximum: Number.MAX_VALUE,
  nextUp: (x) => Math.max(x + 1, nextUp64(x)),
  nextDown: (x) => Math.min(x - 1, nextDown64(x)),
};
