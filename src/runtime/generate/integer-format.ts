import type { FloatFormatTraits } from '../../numeric/float-format.ts';

/** Integers seen as a number format, so that ranges and shrinking treat them like floats with unit steps. */
export const integerFormat: FloatFormatTraits = {
  precision: 53,
  maximum: 2 ** 31 - 1,
  smallestNormal: 1,
  smallestSubnormal: 1,
  round: (x) => Math.round(x) || 0,
  nextUp: (x) => x + 1,
  nextDown: (x) => x - 1,
};
