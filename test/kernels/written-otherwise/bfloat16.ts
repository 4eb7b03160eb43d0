/** Conversion to bfloat16 and back through the bits of a float32. */

function bitsOf(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0);
}

function valueOf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, bits >>> 0);
  return view.getFloat32(0);
}

const QUIET_NAN = 0x7fc0;

/** The upper half, rounded to the nearest; of two as near to the even one. */
const rounded = (bits: number): number => (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;

export function bfloat16BitsOfView(x: Float32Array): Int32Array {
  return Int32Array.from(x, (value) => (Number.isNaN(value) ? QUIET_NAN : rounded(bitsOf(value))));
}

/** Wrong: cuts the lower half off. */
export function bfloat16BitsTruncated(x: Float32Array): Int32Array {
  return Int32Array.from(x, (value) => (Number.isNaN(value) ? QUIET_NAN : bitsOf(value) >>> 16));
}

/** Wrong: of two as near it takes the larger. */
export function bfloat16BitsHalfUp(x: Float32Array): Int32Array {
  return Int32Array.from(x, (value) => (Number.isNaN(value) ? QUIET_NAN : ((bitsOf(value) + 0x8000) >>> 16) & 0xffff));
}

/** Wrong: a NaN is rounded like a number. */
export function bfloat16BitsOfNan(x: Float32Array): Int32Array {
  return Int32Array.from(x, (value) => rounded(bitsOf(value)));
}

/** Wrong: subnormal numbers become 0. */
export function bfloat16BitsFlushed(x: Float32Array): Int32Array {
  return Int32Array.from(x, (value) => {
    if (Number.isNaN(value)) return QUIET_NAN;
    return rounded(Math.abs(value) < 2 ** -126 ? bitsOf(value) & 0x80000000 : bitsOf(value));
  });
}

export function bfloat16ValueOfView(h: Int32Array): Float32Array {
  return Float32Array.from(h, (bits) => valueOf(bits << 16));
}

/** Wrong: subnormal numbers become 0. */
export function bfloat16ValueFlushed(h: Int32Array): Float32Array {
  return Float32Array.from(h, (bits) => valueOf(((bits & 0x7f80) === 0 ? bits & 0x8000 : bits) << 16));
}
