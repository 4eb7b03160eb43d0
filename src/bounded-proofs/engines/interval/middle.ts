import type { Interval } from '../../../numeric/interval.ts';

/** Below this, and around 0, the float32 numbers end. */
const smallest = 2 ** -150;

/**
 * Where to halve an interval: at 0 if it is inside, at the geometric mean if the magnitudes of the ends differ, else in the
 * middle. Infinite ends are treated as the largest float32.
 */
export function middle({ low, high }: Interval): number {
  if (low < 0 && high > 0) return 0;
  if (high <= 0) return low === high ? low : 0 - middle({ low: 0 - high, high: 0 - low });
  const top = Math.min(high, 2 ** 128);
  const bottom = Math.max(low, smallest / 2);
  if (top <= smallest) return low + (high - low) / 2;
  const cut = top > 4 * bottom ? Math.sqrt(bottom) * Math.sqrt(top) : bottom + (top - bottom) / 2;
  return Math.min(Math.max(cut, low), high);
}
