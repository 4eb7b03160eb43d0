import { MAX_FLOAT32, MIN_NORMAL_FLOAT32 } from '../numeric/float.ts';

/**
 * What float32 has to do with two sides that differ, where it is the likely cause: overflow, results too small for relative
 * accuracy, decimals that no float32 number equals. Null if the difference must come from elsewhere. `tolerated` says that
 * there was a tolerance, which was not enough.
 */
export function floatLimit(left: number, right: number, tolerated: boolean): string | null {
  if (Math.abs(left) === Infinity && Number.isFinite(right) && Math.abs(right) > MAX_FLOAT32)
    return 'the right side is beyond the largest float32 number, 3.4e38: bound the inputs so that it is not, or claim it with semantics: ulp';
  if (tolerated) return tinyDifference(left, right);
  if (left !== right && left === Math.fround(right))
    return 'the left side is the float32 number nearest to the right one: compare with ≈ and a tolerance';
  return null;
}

/** Below the normal numbers float32 keeps fewer digits than relative tolerances ask for. */
function tinyDifference(left: number, right: number): string | null {
  const difference = Math.abs(left - right);
  const tiny = Math.abs(right) < MIN_NORMAL_FLOAT32 && difference > 0 && difference < MIN_NORMAL_FLOAT32;
  if (!tiny) return null;
  return 'float32 keeps few digits of numbers below 1.2e-38, so a tolerance needs an absolute part here (abs: 1.2e-38, or more)';
}
