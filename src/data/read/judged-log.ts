/** The table that contracts on a training log judge, where the log writes the values that they need in other words. */
import { listOf } from '../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { DataColumn, DataTable } from './data-set.ts';
import { countedThrough, rowsAsSteps } from './epoch-steps.ts';
import { normalKey } from './log-names.ts';

type Tables = ReadonlyMap<string, DataTable>;

/**
 * Adds `log.step_or_row` (steps, or rows where the log names epochs only), counts steps through that start again in each
 * epoch, and gives a log without a training loss the total of its parts, or its held-out loss. Each is reported.
 */
export function withJudgedLog(path: string, read: Tables): Staged<Tables> {
  const losses = withLoss(read);
  const steps = countThrough(losses.value);
  const progress = withProgress(steps.value);
  const said = [losses, steps, progress].flatMap(({ note }) => note ?? []);
  return { value: progress.value, diagnostics: said.map((note) => derived(path, note)) };
}

interface Note {
  readonly message: string;
  readonly hint: string;
}

interface Derived {
  readonly value: Tables;
  readonly note?: Note;
}

function derived(path: string, { message, hint }: Note): Diagnostic {
  return diagnostic('PV-7046', null, message, { subject: path, hint });
}

function withLoss(tables: Tables): Derived {
  if ([...tables.values()].some(({ name, columns }) => name !== 'summary' && columns.has('loss')))
    return { value: tables };
  for (const table of tables.values()) {
    const parts = partsOf(table);
    if (parts.length === 0) continue;
    const log: DataTable = { ...table, name: 'log', columns: new Map([...table.columns, ['loss', sumOf(parts)]]) };
    return {
      value: new Map([...tables, ['log', log]]),
      note: {
        message: `The loss is the sum of ${listOf(
          parts.map(({ key }) => key),
          6,
        )}`,
        hint: 'The detector logs the parts with their weights. --map loss=KEY to judge another column.',
      },
    };
  }
  return withHeldOutLoss(tables);
}

/** Ultralytics' YOLO and RT-DETR log the parts of their loss, weighted, and not the total. */
const detectorParts: ReadonlySet<string> = new Set(
  'box cls dfl obj seg sem pose kobj rle angle giou l1'.split(' ').map((part) => `train_${part}_loss`),
);

function partsOf({ columns }: DataTable): readonly DataColumn[] {
  const parts = [...columns].filter(([name]) => detectorParts.has(normalKey(name))).map(([, column]) => column);
  return parts.length >= 2 && parts.every((column) => column.present === null) ? parts : [];
}

function sumOf(parts: readonly DataColumn[]): DataColumn {
  const values = Float64Array.from(parts[0]?.values ?? [], (_, row) =>
    parts.reduce((sum, part) => sum + (part.values[row] ?? NaN), 0),
  );
  return { values, present: null, key: parts.map(({ key }) => key).join(' + ') };
}

/** A log of evaluations only: its losses are those that there are. */
function withHeldOutLoss(tables: Tables): Derived {
  const table = tables.get('eval');
  const loss = table?.columns.get('eval_loss');
  if (!table || !loss || tables.has('log')) return { value: tables };
  const log: DataTable = { ...table, name: 'log', columns: new Map([...table.columns, ['loss', loss]]) };
  return {
    value: new Map([...tables, ['log', log]]),
    note: {
      message: `The log has no training loss: what is claimed of it is judged of ${loss.key}`,
      hint: 'Held-out losses are measured less often, so short spikes are not seen. --map loss=KEY to judge another column.',
    },
  };
}

function countThrough(tables: Tables): Derived {
  const log = tables.get('log');
  const through = log && countedThrough(log);
  if (!through) return { value: tables };
  return {
    value: new Map([...tables, ['log', through]]),
    note: {
      message: `${through.columns.get('batch')?.key ?? 'step'} starts again in each epoch: steps are counted through`,
      hint: 'An epoch is taken to end with its last row. Log the number of optimizer steps.',
    },
  };
}

function withProgress(tables: Tables): Derived {
  const log = tables.get('log');
  const step = log?.columns.get('step');
  const counted = step ?? (log?.columns.has('loss') ? rowsAsSteps(log) : null);
  if (!log || !counted) return { value: tables };
  const value = new Map([...tables, ['log', { ...log, columns: new Map([...log.columns, ['step_or_row', counted]]) }]]);
  if (step) return { value };
  return {
    value,
    note: {
      message: 'The log has epochs and no steps: each row counts as one step',
      hint: 'Settings in steps, such as rise_steps, count rows. Log the number of optimizer steps, or give its column with --map step=KEY.',
    },
  };
}
