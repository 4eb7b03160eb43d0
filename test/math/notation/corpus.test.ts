/** Holds src/math/notation/harmless-remarks.ts, src/math/notation/parse-clauses.ts, src/math/notation/remarks.ts. */
import { describe, expect, it } from 'vitest';
import { corpusStrings, readShare, tally, type Field, type Tally } from './corpus.ts';

/** The least share that reads as mathematics, whole or with its tail cut off, and the least that reads as a whole. */
const thresholds: readonly (readonly [Field, number, number])[] = [
  ['formula', 0.85, 0.65],
  ['formal', 0.77, 0.61],
  ['domain', 0.48, 0.35],
  ['codomain', 0.62, 0.51],
];

type Row = readonly [name: string, tally: Tally, share: number, whole: number];
const corpus = corpusStrings();
const nothing: Tally = { field: 'formula', total: 0, math: 0, partial: 0, prose: 0 };
const rows: readonly Row[] =
  corpus === null
    ? [['shared data absent: the share of real formulas that reads as notation is not measured', nothing, 1, 0]]
    : thresholds.map(([field, share, whole]): Row => [
        `${field}: at least ${share} reads as mathematics, ${whole} as a whole`,
        tally(field, corpus.get(field) ?? []),
        share,
        whole,
      ]);

describe('public contracts', () => {
  it.each(rows)('%s', (_, found, share, whole) => {
    expect(readShare(found)).toBeGreaterThanOrEqual(share);
    expect(found.math).toBeGreaterThanOrEqual(whole * found.total);
  });
});
