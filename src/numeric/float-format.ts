/**
 * The four float formats of the mathematics, as rounding and neighbours, computed in doubles.
 *
 * Source: IEEE 754-2019 §3 (binary16, binary32, binary64); bfloat16 as binary32 with an 8-bit significand.
 */
import { invariant } from '../base/invariant.ts';
import { nextDown64, nextUp64 } from './float.ts';

/** What rounding to a binary float format needs to know about it. */
export interface FloatFormatTraits {
  /** Significand bits including the hidden one. */
  readonly precision: number;
  readonly maximum: number;
  readonly smallestNormal: number;
  readonly smallestSubnormal: number;
  /** To nearest, ties to even; overflow gives an infinity, NaN stays NaN. */
  readonly round: (x: number) => number;
  /** The next larger number of the format; of its largest finite number: +∞. `x` must belong to the format. */
  readonly nextUp: (x: number) => number;
  readonly nextDown: (x: number) => number;
}

const view = new DataView(new ArrayBuffer(8));

/** ⌊log₂|x|⌋ of a finite, non-zero double. */
export function exponentOf(x: number): number {
  const magnitude = Math.abs(x);
  invariant(magnitude > 0 && magnitude < Infinity, 'only a finite, non-zero number has an exponent');
  if (magnitude < 2 ** -1022) return exponentOf(magnitude * 2 ** 64) - 64;
  view.setFloat64(0, magnitude);
  return (view.getUint32(0) >>> 20) - 1023;
}

/** Formats narrower than binary64, where every step between neighbours is exact in doubles. */
function narrowFormat(precision: number, minimumExponent: number, round: (x: number) => number): FloatFormatTraits {
  const step = (x: number): number => 2 ** (Math.max(exponentOf(x), minimumExponent) - precision + 1);
  const smallestSubnormal = 2 ** (minimumExponent - precision + 1);
  const maximum = (2 - 2 ** (1 - precision)) * 2 ** (1 - minimumExponent);
  const nextUp = (x: number): number => {
    if (x === 0) return smallestSubnormal;
    if (!(x < Infinity)) return x;
    if (x === -Infinity) return -maximum;
    if (x === maximum) return Infinity;
    const below = x < 0 && -x > 2 ** minimumExponent && -x === 2 ** exponentOf(x);
    return x + (below ? step(x) / 2 : step(x)) || -0;
  };
  return {
    precision,
    maximum,
    smallestNormal: 2 ** minimumExponent,
    smallestSubnormal,
    round,
    nextUp,
    nextDown: (x) => -nextUp(-x),
  };
}

/** Adding and subtracting 1.5·2⁵² rounds a double of magnitude below 2⁵¹ to an integer, ties to even. */
const INTEGER_ROUNDER = 1.5 * 2 ** 52;

function roundTo(precision: number, minimumExponent: number, x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const step = 2 ** (Math.max(exponentOf(x), minimumExponent) - precision + 1);
  const rounded = (x / step + INTEGER_ROUNDER - INTEGER_ROUNDER) * step;
  if (Math.abs(rounded) >= 2 ** (2 - minimumExponent)) return x > 0 ? Infinity : -Infinity;
  return rounded === 0 && x < 0 ? -0 : rounded;
}

/** By name: binary16, bfloat16, binary32 and binary64. */
export const floatFormats = {
  f16: narrowFormat(11, -14, (x) => roundTo(11, -14, x)),
  bf16: narrowFormat(8, -126, (x) => roundTo(8, -126, x)),
  f32: narrowFormat(24, -126, Math.fround),
  f64: {
    precision: 53,
    maximum: Number.MAX_VALUE,
    smallestNormal: 2 ** -1022,
    smallestSubnormal: Number.MIN_VALUE,
    round: (x: number) => x,
    nextUp: nextUp64,
    nextDown: nextDown64,
  },
} as const satisfies Record<'f16' | 'bf16' | 'f32' | 'f64', FloatFormatTraits>;
