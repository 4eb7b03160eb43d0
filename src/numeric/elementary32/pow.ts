/**
 * Powers of float32 numbers, with the same bits on every engine: + − × on float64 and one rounding at the end.
 *
 * Source: Szabolcs Nagy's `powf` of 2017 (ARM optimized-routines, `math/powf.c` and `powf_log2_data.c`, MIT licence; glibc
 * since 2.27): x^y = 2^(y·log₂ x), with x = 2ᵏ·z, log₂ z = log₂ c + log₂(z/c) from a table of sixteen c near z, and a
 * polynomial of degree five. The error is below 0.52 units in the last place. Bits are those of glibc's code without fused
 * multiply-add.
 */
import { float32Bits, float32FromBits, MIN_NORMAL_FLOAT32 } from '../float.ts';
import { exp2Scaled } from './exp.ts';

/** 1/c and log₂ c for c near the middle of each sixteenth of [0x1.66p-1, 0x1.66p0). */
// prettier-ignore
const nearby: readonly (readonly [inverse: number, logarithm: number])[] = [
  [1.398907162146528, -0.48430022186289673], [1.3403141896637998, -0.42257122959194704],
  [1.286432210124115, -0.3633754347673556], [1.2367150214269895, -0.30651309567405577],
  [1.1906977166711752, -0.25180720160537634], [1.1479821020556429, -0.19910014943794563],
  [1.1082251448272158, -0.14825100623281615], [1.0711297413057381, -0.09913323807318392],
  [1.036437278977283, -0.051632812977629436], [1, 0],
  [0.9492859795739057, 0.07508531937943004], [0.8951049428609004, 0.15987125980713107],
  [0.8476821620351103, 0.2384046664317681], [0.8050314851692001, 0.31288288605863257],
  [0.7664671008843108, 0.38370422656453185], [0.731428603316328, 0.451211048935815],
];

/** The bits of the float32 at which the first sixteenth begins. */
const firstBits = 0x3f330000;
const subnormalScale = 23;

/** log₂ of a positive finite float32, in float64. */
function log2(x: number): number {
  const normal = x < MIN_NORMAL_FLOAT32 ? x * 2 ** subnormalScale : x;
  const bits = float32Bits(normal);
  const above = bits - firstBits;
  const power = above >> 23;
  const [inverse, logarithm] = nearby[(above >> 19) & 15] ?? [1, 0];
  const rest = float32FromBits(bits - (power << 23)) * inverse - 1;
  const square = rest * rest;
  const high = 0.288457581109214 * rest + -0.36092606229713164;
  const middle = 0.480898481472577 * rest + -0.7213474675006291;
  const low = 1.4426950408774342 * rest + (logarithm + (normal === x ? power : power - subnormalScale));
  return high * (square * square) + (middle * square + low);
}

/**
 * x^y for float32 numbers (others are rounded first), as a float32.
 *
 * Special cases as in C (ISO/IEC 9899, annex F.10.4.4): x⁰ = 1 and 1^y = 1 even for NaN, (−1)^±∞ = 1, a negative x with a
 * y that is not an integer gives NaN.
 */
export function pow32(x: number, y: number): number {
  const base = Math.fround(x);
  const exponent = Math.fround(y);
  if (exponent === 0 || base === 1) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent)) return Number.NaN;
  const magnitude = Math.abs(base);
  const odd = Math.abs(exponent % 2) === 1;
  const negative = (base < 0 || Object.is(base, -0)) && odd;
  const signed = (result: number): number => (negative ? -result : result);
  if (magnitude === 1 && !Number.isFinite(exponent)) return 1;
  if (!Number.isFinite(exponent)) return magnitude > 1 === exponent > 0 ? Infinity : 0;
  if (magnitude === 0 || magnitude === Infinity) return signed((magnitude === 0) === exponent > 0 ? 0 : Infinity);
  if (base < 0 && !Number.isInteger(exponent)) return Number.NaN;

  const logarithm = exponent * log2(magnitude);
  // ln of the least number that is rounded to 2¹²⁸, and of the greatest that is rounded to 0.
  if (logarithm > 127.99999995700433) return signed(Infinity);
  if (logarithm <= -150) return signed(0);
  return Math.fround(signed(exp2Scaled(32 * logarithm)));
}
