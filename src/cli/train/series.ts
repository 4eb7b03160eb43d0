/** The course of every measured quantity over a run. */
import { holds } from '../../training/invariants/invariant.ts';
import type { StepRecord } from '../../training/ledger/step-record.ts';

/** One measured quantity with the bound it is compared with. */
export interface Series {
  readonly name: string;
  readonly sign: '≤' | '≥';
  /** In the order of the steps at which it was measured. */
  readonly points: { readonly step: number; readonly value: number; readonly bound: number }[];
  /** Number of comparisons that failed. */
  failed: number;
}

/** The quantities measured in some records, in the order in which they first appear. */
export function seriesOf(records: readonly StepRecord[]): readonly Series[] {
  const all = new Map<string, Series>();
  for (const { step, measured } of records) {
    for (const one of measured) {
      const sign = one.is === 'at most' ? '≤' : '≥';
      // Each step has other permutations, which together are one quantity.
      const what = one.what.replace(/^permutation [0-9a-f]{64}$/, 'permutations');
      const name = `${one.invariant} ${what}`;
      const key = JSON.stringify([name, sign]);
      const series = all.get(key) ?? { name, sign, points: [], failed: 0 };
      all.set(key, series);
      series.points.push({ step, value: one.value, bound: one.bound });
      series.failed += holds(one) ? 0 : 1;
    }
  }
  return [...all.values()];
}

/** The smallest and the largest value; NaN if one is NaN. */
export function rangeOf({ points }: Series): readonly [least: number, largest: number] {
  let [least, largest] = [Infinity, -Infinity];
  for (const { value } of points) {
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  return [least, largest];
}
