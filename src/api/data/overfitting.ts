/** Advice about a run whose last evaluations are worse than its best one: training-evaluation-v1 makes it a claim. */
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { shellWord } from '../../base/shell-word.ts';
import { placeOf } from '../../data/read/log-findings.ts';
import type { DataSet } from '../../data/read/data-set.ts';

/** As in training-evaluation-v1: each evaluation of the last part is worse than the best by more than this share. */
const [LATE_SHARE, WORSE, FEWEST] = [0.34, 0.05, 5] as const;

/** A warning (PV-7048) that names the best evaluation; none if evaluations are few, or go through several data sets in turn. */
export function overfitting({ path, tables }: DataSet): readonly Diagnostic[] {
  const table = tables.get('eval');
  const [losses, steps] = [table?.columns.get('eval_loss'), table?.columns.get('step')];
  if (!table || !losses || !steps || table.stepOrder?.firstRow !== -1) return [];
  const rows = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => losses.present?.[row] !== 0 && steps.present?.[row] !== 0 && Number.isFinite(losses.values[row]),
  );
  const lossOf = (row: number): number => losses.values[row] ?? 0;
  const lowest = (some: readonly number[]): number =>
    some.reduce((a, b) => (lossOf(b) < lossOf(a) ? b : a), some[0] ?? 0);
  const last = rows.at(-1);
  if (last === undefined || rows.length < FEWEST) return [];
  const best = lowest(rows);
  const late = lossOf(lowest(rows.slice(-Math.max(1, Math.floor(LATE_SHARE * rows.length)))));
  if (late - lossOf(best) <= WORSE * Math.abs(lossOf(best))) return [];
  const at = (row: number): string => `${lossOf(row)} at step ${steps.values[row] ?? 0}`;
  return [
    diagnostic('PV-7048', null, `The best evaluation is ${at(best)}, the last one ${at(last)}`, {
      subject: placeOf(path, table, best),
      hint: `Keep the checkpoint of the best evaluation, or stop earlier. To make it a failure: pv check training-evaluation --data ${shellWord(path)}`,
    }),
  ];
}
