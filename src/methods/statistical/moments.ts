import type { Moments } from '../../numeric/confidence.ts';

/** Running sums of one element of a sample, relative to its first value, because a common offset would cancel digits. */
export interface Accumulator {
  count: number;
  origin: number;
  first: number;
  second: number;
  third: number;
  fourth: number;
}

/** Sums over no values. */
export function emptyAccumulator(): Accumulator {
  return { count: 0, origin: 0, first: 0, second: 0, third: 0, fourth: 0 };
}

/** Adds a value. Sums are relative to the first value, so that large means do not cancel. */
export function accumulate(sums: Accumulator, value: number): void {
  if (sums.count === 0) sums.origin = value;
  const x = value - sums.origin;
  const square = x * x;
  sums.count++;
  sums.first += x;
  sums.second += square;
  sums.third += square * x;
  sums.fourth += square * square;
}

/** Mean and central moments. NaN where a draw was NaN or infinite. */
export function momentsOf({ count, origin, first, second, third, fourth }: Accumulator): Moments {
  const m = first / count;
  const about2 = Math.max(0, second / count - m * m);
  const about4 = fourth / count - (4 * m * third) / count + (6 * m * m * second) / count - 3 * m ** 4;
  return {
    count,
    mean: origin + m,
    variance: (about2 * count) / Math.max(1, count - 1),
    // Rounding must not take it below what the variance allows (Jensen).
    fourth: Math.max(about2 * about2, about4),
  };
}
