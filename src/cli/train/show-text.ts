/** A run on one page: the course of the loss, the values of every comparison, and each refusal. */
import { count, visible } from '../../base/text.ts';
import { holds } from '../../training/invariants/invariant.ts';
import type { LedgerFile } from '../../training/ledger/read-ledger.ts';
import type { StepRecord } from '../../training/ledger/step-record.ts';
import { short } from '../html/chart.ts';
import { rangeOf, seriesOf } from './series.ts';
import { number, violationText } from './summary.ts';

const bars = '▁▂▃▄▅▆▇█';

/** The page of a ledger; `sealed` says whether the run has a certificate. */
export function showText(folder: string, { records, torn }: LedgerFile, sealed: boolean): string {
  const of = (verdict: StepRecord['verdict']): number => records.filter((record) => record.verdict === verdict).length;
  const verdicts = [`${of('committed')} committed`, `${of('refused')} refused`, `${of('overridden')} overridden`];
  const lines = [`${visible(folder)}: ${count(records.length, 'step')}: ${verdicts.join(', ')}`];
  if (torn > 0) lines.push(`  the last line is truncated: ${count(torn, 'byte')} after the last complete step`);
  lines.push(
    sealed
      ? `  from the ledger alone, which was not verified: pv certificate verify ${visible(folder)}`
      : '  no certificate: the run did not finish',
  );
  const changed = records.filter(({ verdict }) => verdict !== 'refused');
  const [first, last] = [changed[0], changed.at(-1)];
  if (first !== undefined && last !== undefined) {
    lines.push(
      '',
      `  loss  ${number(first.loss)} ${sparkline(
        changed.map(({ loss }) => loss),
        48,
      )} ${number(last.loss)}`,
    );
    lines.push('', ...table(changed));
  }
  const failures = records.flatMap((record) =>
    record.measured.filter((one) => !holds(one)).map((one) => ({ record, one })),
  );
  if (failures.length > 0) lines.push('');
  for (const { record, one } of failures.slice(0, 20))
    lines.push(
      `  step ${record.step} ${record.warmup ? 'committed in the warm-up' : record.verdict}: ${violationText({ ...one, measured: one.value })}`,
    );
  if (failures.length > 20) lines.push(`  … and ${count(failures.length - 20, 'failed comparison')} more`);
  return `${lines.join('\n')}\n`;
}

/** Bars of eight heights, on a log scale if all values are positive; each column is the mean of its steps. */
function sparkline(values: readonly number[], columns: number): string {
  const width = Math.min(columns, values.length);
  const means = Array.from({ length: width }, (_, i) => {
    const part = values.slice(Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
  const heights = means.every((mean) => mean > 0) ? means.map((mean) => Math.log(mean)) : means;
  const [least, largest] = [Math.min(...heights), Math.max(...heights)];
  const range = largest - least || 1;
  return heights.map((height) => bars[Math.round(((height - least) / range) * (bars.length - 1))]).join('');
}

/** A row for each quantity compared in the steps that changed the weights. */
function table(records: readonly StepRecord[]): readonly string[] {
  const rows = seriesOf(records).map((series) => {
    const { name, sign, points, failed } = series;
    const [first, last] = [points[0], points.at(-1)];
    return [
      visible(name),
      ...[first?.value ?? NaN, ...rangeOf(series), last?.value ?? NaN].map(short),
      `${sign} ${short(last?.bound ?? NaN)}`,
      failed === 0 ? '' : `failed ${failed} times`,
    ];
  });
  return aligned([['measured at committed steps', 'first', 'least', 'largest', 'last', 'bound', ''], ...rows]);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd(),
  );
}
