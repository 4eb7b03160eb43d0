/** Rational numbers and the float32 around them. */
import { MAX_FLOAT32, nextDown32, nextUp32 } from '../../../numeric/float.ts';
import { compareRational, fromFloat, toFloat, type Rational } from '../../../numeric/rational.ts';

const largest = fromFloat(MAX_FLOAT32);
const smallest = fromFloat(-MAX_FLOAT32);

/** The greatest float32 that is at most `value`; null below the least finite one. */
export function floorFloat32(value: Rational): number | null {
  if (compareRational(value, smallest) < 0) return null;
  if (compareRational(value, largest) >= 0) return MAX_FLOAT32;
  const near = Math.fround(toFloat(value));
  return compareRational(fromFloat(near), value) <= 0 ? near : nextDown32(near);
}

/** The least float32 that is at least `value`; null above the greatest finite one. */
export function ceilingFloat32(value: Rational): number | null {
  if (compareRational(value, largest) > 0) return null;
  if (compareRational(value, smallest) <= 0) return -MAX_FLOAT32;
  const near = Math.fround(toFloat(value));
  return compareRational(fromFloat(near), value) >= 0 ? near : nextUp32(near);
}

/** Whether `value` is a finite float32. */
export function isFloat32Value(value: Rational): boolean {
  const near = floorFloat32(value);
  return near !== null && compareRational(fromFloat(near), value) === 0;
}
