/** The table that contracts on a training log judge, where the log writes the values that they need in other words. */
import { listOf } from '../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { DataTable } from './data-set.ts';
import { countedThrough, rowsAsSteps, withEpochsBetween } from './epoch-steps.ts';
import { isNamedLoss } from './log-names.ts';
import { lossOfParts, whyFree } from './loss-of-parts.ts';

type Tables = ReadonlyMap<string, DataTable>;

/**
 * Adds `log.step_or_row` (steps, or rows where the log names epochs only), counts steps through that start again in each
 * epoch, gives a log without a training loss the total of its parts, or its held-out loss, and `log.free_loss` where losses
 * need not fall. Each is reported.
 */
export function withJudgedLog(path: string, read: Tables): Staged<Tables> {
  const losses = withLoss(read);
  const steps = countThrough(losses.value);
  const freedom = withFreedom(steps.value);
  const progress = withProgress(freedom.value);
  const said = [losses, steps, freedom, progress].flatMap(({ note }) => note ?? []);
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
    const sum = table.name === 'summary' ? null : lossOfParts(table);
    if (sum === null) continue;
    const { loss, keys, areWeighted } = sum;
    const log: DataTable = { ...table, name: 'log', columns: new Map([...table.columns, ['loss', loss]]) };
    return {
      value: new Map([...tables, ['log', log]]),
      note: {
        message: `The loss is ${keys.length === 1 ? '' : 'the sum of '}${listOf(keys, 6)}`,
        hint: `${areWeighted ? 'The trainer logs the parts with their weights. ' : ''}--map loss=KEY to judge another column.`,
      },
    };
  }
  return withOnlyLoss(tables) ?? withHeldOutLoss(tables);
}

/** A log whose only loss has a name of its own: several could be parts of a total, or beside it. */
function withOnlyLoss(tables: Tables): Derived | null {
  const table = tables.get('log') ?? tables.get('other');
  const named = [...(table?.columns ?? [])].filter(([, { key }]) => isNamedLoss(key));
  const [[, loss] = []] = named;
  if (!table || !loss || named.length > 1 || tables.get('eval')?.columns.has('eval_loss')) return null;
  const log: DataTable = { ...table, name: 'log', columns: new Map([...table.columns, ['loss', loss]]) };
  return {
    value: new Map([...tables, ['log', log]]),
    note: {
      message: `The loss is ${loss.key}, the only one of the log`,
      hint: '--map loss=KEY to judge another column.',
    },
  };
}

/** Marks a log whose losses need not fall, and says why. */
function withFreedom(tables: Tables): Derived {
  const log = tables.get('log');
  const loss = log?.columns.get('loss');
  const why = log && loss ? whyFree(log) : null;
  if (!log || !loss || why === null) return { value: tables };
  return {
    value: new Map([...tables, ['log', { ...log, columns: new Map([...log.columns, ['free_loss', loss]]) }]]),
    note: {
      message: `Whether the losses rise, spike, fall or are zero is not judged: ${why}`,
      hint: 'Losses and norms that are not finite are found, and so are mistakes in steps and learning rates.',
    },
  };
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
  const through = log && (countedThrough(log) ?? throughMarks(log, tables));
  if (!through) return { value: tables };
  return {
    value: new Map([...tables, ['log', through]]),
    note: {
      message: `${through.columns.get('batch')?.key ?? 'step'} starts again in each epoch: steps are counted through`,
      hint: 'An epoch is taken to end with its last row. Log the number of optimizer steps.',
    },
  };
}

/** Steps that start again where a line of its own, a summary or an evaluation, ends an epoch. */
function throughMarks(log: DataTable, tables: Tables): DataTable | null {
  for (const name of ['epochs', 'eval']) {
    const marks = tables.get(name);
    const marked = marks && withEpochsBetween(log, marks);
    const through = marked && countedThrough(marked);
    if (through) return through;
  }
  return null;
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
