/** Bounding every participant's difference from the start of the round before averaging. */
import { ok, type Result } from '../../base/result.ts';
import type { Factor } from '../adapter/layout.ts';
import { scan, type Cohort, type Part } from './cohort.ts';
import { failed, type AggregationFault } from './fault.ts';

/**
 * min(1, bound / ‖x_p − start‖₂) of every member over all `factors`, in float64. Without a start B is compared with 0; a trained A
 * needs one.
 *
 * Source: Sun et al. (2019), Can you really backdoor federated learning?, arXiv:1911.07963, section 5.
 */
export async function normFactors(
  cohort: Cohort,
  factors: readonly Factor[],
  bound: number,
): Promise<Result<readonly number[], AggregationFault>> {
  if (cohort.start === null && factors.some(({ kind }) => kind === 'A'))
    return failed('unsupported', 'norm_bound over a trained A needs the adapter that the round started from.');
  const squares = new Float64Array(cohort.members.length);
  const fault = await scan(cohort, factors, ({ rows, start }) => {
    for (const [p, row] of rows.entries()) {
      let sum = squares[p] ?? NaN;
      for (let i = 0; i < row.length; i++) {
        const difference = (row[i] ?? NaN) - (start[i] ?? NaN);
        sum += difference * difference;
      }
      squares[p] = sum;
    }
    return null;
  });
  if (fault !== null) return { ok: false, error: fault };
  return ok(Array.from(squares, (square) => Math.min(1, bound / Math.sqrt(square))));
}

/** The rows of a part, each moved to start + factor·(row − start): rounded once, and the row itself where the factor is 1. */
export const clippedRows = ({ rows, start }: Part, factors: readonly number[]): readonly Float32Array[] =>
  rows.map((row, p) => {
    const factor = factors[p] ?? NaN;
    if (factor === 1) return row;
    return row.map((x, i) => (start[i] ?? NaN) + factor * (x - (start[i] ?? NaN)));
  });
