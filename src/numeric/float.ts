/**
 * Float32 as a set of points on the real line: neighbours, spacing, order.
 *
 * Every function takes any float64 and speaks of the float32 nearest to it (ties to even).
 */
const buffer = new DataView(new ArrayBuffer(8));

/** The IEEE 754 bit pattern of the float32 nearest to `value`, as an unsigned 32-bit integer. NaN gives the canonical 0x7fc00000. */
export function float32Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc00000;
  buffer.setFloat32(0, value);
  return buffer.getUint32(0);
}

/** The float32 with the given bit pattern (unsigned or signed 32-bit integer). */
export function float32FromBits(bits: number): number {
  buffer.setUint32(0, bits >>> 0);
  return buffer.getFloat32(0);
}

/** The largest finite float32, (2 − 2⁻²³)·2¹²⁷. */
export const MAX_FLOAT32 = float32FromBits(0x7f7fffff);
/** The smallest positive normal float32, 2⁻¹²⁶. */
export const MIN_NORMAL_FLOAT32 = 2 ** -126;
/** The smallest positive float32, 2⁻¹⁴⁹. */
export const MIN_FLOAT32 = 2 ** -149;

/** A computed number as kernels receive it: whole numbers are counts and stay whole, reals have float32's precision. */
export function asArgument(value: number): number {
  return Number.isInteger(value) ? value : Math.fround(value);
}

/**
 * The position of a float32 in the order of all float32: 0 for both zeros, 1 for 2⁻¹⁴⁹, −1 for −2⁻¹⁴⁹,
 * ±2139095040 for ±∞. NaN gives NaN.
 */
export function float32Ordinal(value: number): number {
  if (Number.isNaN(value)) return Number.NaN;
  const bits = float32Bits(value);
  return bits < 0x80000000 ? bits : 0x80000000 - bits;
}

/** The inverse of {@link float32Ordinal} on integers from −2139095040 to 2139095040; −0 is never returned. */
export function float32FromOrdinal(ordinal: number): number {
  return ordinal >= 0 ? float32FromBits(ordinal) : float32FromBits(0x80000000 - ordinal);
}

/** The least float32 above the float32 nearest to `value`; ∞ and NaN are their own. */
export function nextUp32(value: number): number {
  const nearest = Math.fround(value);
  if (Number.isNaN(nearest) || nearest === Infinity) return nearest;
  // From below zero the step ends at -0 (IEEE 754-2019, section 5.3.1).
  return float32FromOrdinal(float32Ordinal(nearest) + 1) || (nearest < 0 ? -0 : 0);
}

/** The greatest float32 below the float32 nearest to `value`; −∞ and NaN are their own. */
export function nextDown32(value: number): number {
  return -nextUp32(-value);
}

/**
 * The unit in the last place of the float32 nearest to `value`: the distance from it to the next float32
 * away from zero. 2⁻¹⁴⁹ for zero and subnormals, 2¹⁰⁴ for the largest finite and for every finite number beyond it
 * (or any number at all would be near to one that overflows), ∞ for ±∞, NaN for NaN.
 */
export function ulp32(value: number): number {
  if (!(Math.abs(value) < Infinity)) return Math.abs(value);
  const magnitude = Math.min(Math.abs(Math.fround(value)), MAX_FLOAT32);
  const exponent = Math.max(float32Bits(magnitude) >>> 23, 1) - 127;
  return 2 ** (exponent - 23);
}

/**
 * |a − b| in units of {@link ulp32} of b; a real number, not a count of float32 between them.
 * 0 when a and b are the same infinity; ∞ when only one is infinite; NaN when either is NaN.
 */
export function ulpDistance(a: number, b: number): number {
  if (a === b) return 0;
  const unit = ulp32(b);
  return unit === Infinity ? (Number.isNaN(a) ? Number.NaN : Infinity) : Math.abs(a - b) / unit;
}

/** The number of float32 steps from `a` to `b` (each rounded to float32 first); NaN when either is NaN. */
export function float32Steps(a: number, b: number): number {
  return Math.abs(float32Ordinal(a) - float32Ordinal(b));
}

/** Whether `value` is NaN or exactly a float32. */
export function isFloat32(value: number): boolean {
  return Number.isNaN(value) || Math.fround(value) === value;
}

/** The least float64 above `value`; ∞ and NaN are their own. */
export function nextUp64(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  buffer.setFloat64(0, value);
  // Two halves instead of one bigint: interval arithmetic asks this of every number.
  const away = value > 0;
  const low = buffer.getUint32(4);
  buffer.setUint32(4, away ? low + 1 : low - 1);
  if (low === (away ? 0xffff_ffff : 0)) buffer.setUint32(0, buffer.getUint32(0) + (away ? 1 : -1));
  return buffer.getFloat64(0);
}

/** The greatest float64 below `value`; −∞ and NaN are their own. */
export function nextDown64(value: number): number {
  return -nextUp64(-value);
}

/** The distance from |value| to the next float64 away from zero; ∞ for ±∞, NaN for NaN. */
export function ulp64(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < Infinity)) return magnitude;
  if (magnitude === Number.MAX_VALUE) return 2 ** 971;
  return nextUp64(magnitude) - magnitude;
}
