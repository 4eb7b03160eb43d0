/** What the tables of a log show beyond their values: steps that go back or are missing, and values that are not there. */
import { count, quoted } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DataColumn, DataTable, ValueGap } from './data-set.ts';

/** Findings about the tables of a log, whatever its format. */
export function logFindings(path: string, tables: ReadonlyMap<string, DataTable>): readonly Diagnostic[] {
  const judged = ['log', 'eval'].flatMap((name) => tables.get(name) ?? []);
  const training = tables.get('log');
  return [
    ...judged.flatMap((table) => [...stepFindings(path, table), ...gapFindings(path, table)]),
    ...(training
      ? [
          ...holeFindings(path, training, tables.get('eval')),
          ...countedFindings(path, training),
          ...runFindings(path, tables),
        ]
      : []),
  ];
}

/** Rows are kept unchanged; the user decides whether they may be read as one run. */
function stepFindings(path: string, table: DataTable): readonly Diagnostic[] {
  const { name, stepOrder } = table;
  if (!stepOrder || stepOrder.firstRow < 0 || !isOfTraining(table)) return [];
  const { decreasing, firstRow } = stepOrder;
  // Several evaluations of one step are normal with several held-out sets.
  const repeated = name === 'eval' ? 0 : stepOrder.repeated;
  if (repeated + decreasing === 0) return [];
  const parts = [
    ...(repeated > 0 ? [`${count(repeated, 'row')} ${repeated === 1 ? 'repeats' : 'repeat'} the step before`] : []),
    ...(decreasing > 0 ? [`${count(decreasing, 'row')} ${decreasing === 1 ? 'goes' : 'go'} back`] : []),
  ];
  return [
    diagnostic('PV-7024', null, `In the table ${name} ${parts.join(' and ')}`, {
      subject: placeOf(path, table, firstRow),
      hint: 'A run that was started again, or two runs in one file? All rows are kept, in the order of the file. --allow-restarts if it is meant to be so.',
    }),
  ];
}

/** `loss is missing in 3 rows (line 4 to 9), where similar rows have it` */
export function gapSentence(
  name: string,
  { rows, first, last, disputedBy }: ValueGap,
  position: DataTable['position'],
): string {
  const where = `${count(rows, 'row')} (${position} ${first}${first === last ? '' : ` to ${last}`})`;
  return disputedBy === undefined
    ? `${name} is missing in ${where}, where similar rows have it`
    : `${name} has a value in ${where} where ${quoted(disputedBy)}, another key for it, is not a number`;
}

function gapFindings(path: string, { columns, position }: DataTable): readonly Diagnostic[] {
  // A column may have two names.
  const seen = new Set<DataColumn>();
  return [...columns].flatMap(([name, column]) => {
    if (!column.gap || seen.has(column)) return [];
    seen.add(column);
    const { first } = column.gap;
    const hint =
      column.gap.disputedBy === undefined
        ? 'Claims about it are undetermined, unless they are violated: many programs leave a NaN out, or write null or a dash for it. Log NaN where it is one.'
        : `Claims about it are undetermined, unless they are violated: one of the two is wrong. --map ${name}=${column.key} if that key counts.`;
    const message = gapSentence(name, column.gap, position);
    const subject = position === 'line' ? `${path}:${first}` : `${path}: ${position} ${first}`;
    return [diagnostic('PV-7037', null, message, { subject, hint })];
  });
}

/** Steps missing between two stretches of even strides; a log that only changes its stride has no such gap. */
function holeFindings(path: string, table: DataTable, evaluations: DataTable | undefined): readonly Diagnostic[] {
  const step = table.columns.get('step');
  if (!step || !isOfTraining(table)) return [];
  const holes: { readonly row: number; readonly from: number; readonly to: number }[] = [];
  const steps: number[] = [];
  const rows: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (step.present?.[row] === 0) continue;
    steps.push(step.values[row] ?? 0);
    rows.push(row);
  }
  const evaluated = new Set(evaluations?.columns.get('step')?.values);
  for (let at = 2; at + 1 < steps.length; at++)
    if (isHole(steps, at) && !isEvaluated(steps, at, evaluated))
      holes.push({ row: rows[at] ?? 0, from: steps[at - 1] ?? 0, to: steps[at] ?? 0 });
  const [first] = holes;
  if (!first) return [];
  const more = holes.length > 1 ? `, and at ${count(holes.length - 1, 'other place')}` : '';
  return [
    diagnostic('PV-7044', null, `No row has a step between ${first.from} and ${first.to}${more}`, {
      subject: placeOf(path, table, first.row),
      hint: 'Verdicts are about the rows of the log: what happened in the steps between is not known. Check the whole log.',
    }),
  ];
}

/** Whether steps are missing before the row `at`: two strides or more, where the stride is the same on both sides or even on each. */
function isHole(steps: readonly number[], at: number): boolean {
  const stride = (to: number): number => (steps[to] ?? NaN) - (steps[to - 1] ?? NaN);
  const [before, after] = [stride(at - 1), stride(at + 1)];
  if (!(before > 0 && after > 0 && stride(at) >= 2 * Math.max(before, after))) return false;
  return before === after || (stride(at - 2) === before && stride(at + 2) === after);
}

/** Some loops write a row of evaluation in place of one of training. */
function isEvaluated(steps: readonly number[], at: number, evaluated: ReadonlySet<number>): boolean {
  const [from = NaN, to = NaN, next = NaN] = steps.slice(at - 1, at + 2);
  return to - from === 2 * (next - to) && evaluated.has((from + to) / 2);
}

/** Megatron averages over the iterations since the last row and leaves out those that it skipped. */
const counted: readonly (readonly [column: string, what: string, hint: string])[] = [
  [
    'nan_iterations',
    'iterations with a loss that is not finite',
    'The loss and the gradient norm of these rows are read as NaN: the log shows averages that leave such iterations out.',
  ],
  [
    'skipped',
    'skipped iterations',
    'Their gradients overflowed and no step was taken, as happens while fp16 looks for its loss scale. The values of these rows leave them out.',
  ],
];

function countedFindings(path: string, table: DataTable): readonly Diagnostic[] {
  return counted.flatMap(([name, what, hint]) => {
    const rows = rowsAboveZero(table.columns.get(name));
    const [first] = rows;
    if (first === undefined) return [];
    return [
      diagnostic(
        'PV-7043',
        null,
        `${count(rows.length, 'row')} of the log ${rows.length === 1 ? 'counts' : 'count'} ${what}`,
        {
          subject: placeOf(path, table, first),
          hint,
        },
      ),
    ];
  });
}

/** A count of the whole run, which does not show in which rows the iterations were; null if the log shows them, or has none. */
function nanCountOfRun(
  tables: ReadonlyMap<string, DataTable>,
): { readonly count: number; readonly row: number } | null {
  const counts = tables.get('summary')?.columns.get('nan_iterations');
  const [row] = rowsAboveZero(counts);
  const log = tables.get('log');
  const shown = rowsAboveZero(log?.columns.get('nan_iterations')).length > 0 || hasNan(log?.columns.get('loss'));
  return row === undefined || shown ? null : { count: counts?.values[row] ?? 0, row };
}

const hasNan = (column: DataColumn | undefined): boolean => column !== undefined && rowsNotFinite(column).length > 0;

/** Rows that have a value, which is NaN or infinite. */
export function rowsNotFinite({ values, present }: DataColumn): readonly number[] {
  const rows: number[] = [];
  values.forEach((value, row) => {
    if (!Number.isFinite(value) && present?.[row] !== 0) rows.push(row);
  });
  return rows;
}

function runFindings(path: string, tables: ReadonlyMap<string, DataTable>): readonly Diagnostic[] {
  const ofRun = nanCountOfRun(tables);
  const summary = tables.get('summary');
  if (!ofRun || !summary) return [];
  const message = `The log counts ${count(ofRun.count, 'iteration')} with a loss that is not finite, and no row shows where`;
  return [
    diagnostic('PV-7043', null, message, {
      subject: placeOf(path, summary, ofRun.row),
      hint: 'The loss and the gradient norm of the last row are read as NaN.',
    }),
  ];
}

const falsified = ['loss', 'perplexity', 'grad_norm', 'grad_norm_before_clip', 'grad_norm_after_clip'] as const;

/**
 * The tables of a log, in which rows that count iterations with NaN have NaN for the results of such an iteration. A
 * count over the whole run is taken as the count so far in its last row.
 */
export function withNanIterations(tables: ReadonlyMap<string, DataTable>): ReadonlyMap<string, DataTable> {
  const table = tables.get('log');
  if (!table) return tables;
  const rows = nanCountOfRun(tables) ? [table.rows - 1] : rowsAboveZero(table.columns.get('nan_iterations'));
  if (rows.length === 0) return tables;
  const columns = new Map(table.columns);
  for (const name of falsified) {
    const column = columns.get(name);
    if (!column) continue;
    const [values, present] = [column.values.slice(), column.present?.slice() ?? null];
    for (const row of rows) {
      values[row] = NaN;
      if (present) present[row] = 1;
    }
    columns.set(name, { ...column, values, present });
  }
  return new Map([...tables, ['log', { ...table, columns }]]);
}

function rowsAboveZero(column: DataColumn | undefined): readonly number[] {
  const rows: number[] = [];
  column?.values.forEach((value, row) => {
    if (value > 0 && column.present?.[row] !== 0) rows.push(row);
  });
  return rows;
}

/** A row of a table as the subject of a finding. */
export function placeOf(path: string, { position, lineOf }: DataTable, row: number): string {
  return position === 'line' ? `${path}:${lineOf(row)}` : `${path}: ${position} ${lineOf(row)}`;
}

/** A step may have several rows about bricks (parameters, calls, copies), which name their brick; those of training do not. */
function isOfTraining({ columns, notNumeric }: DataTable): boolean {
  if (columns.has('loss') || columns.has('eval_loss')) return true;
  return notNumeric.length === 0 && (columns.has('grad_norm') || columns.has('learning_rate'));
}
