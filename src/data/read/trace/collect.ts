/** The events of a profile in columns, as they come; and in order of time, when all are there. */
import { createNumbers, type Numbers } from '../stream/growable.ts';
import type { KinetoEvent } from './kineto-event.ts';

interface Columns<K extends string> {
  readonly add: (values: Readonly<Record<K, number>>) => void;
  readonly rows: () => number;
  /** One column, in the order of another column's values. */
  readonly sortedBy: (key: K) => SortedRows<K>;
}

/** Rows in ascending order of one column. */
export interface SortedRows<K extends string> {
  readonly rows: number;
  readonly at: (key: K, row: number) => number;
}

function createColumns<const K extends string>(keys: readonly K[]): Columns<K> {
  const columns = new Map<K, Numbers>(keys.map((key) => [key, createNumbers()]));
  let rows = 0;
  return {
    add: (values) => {
      for (const [key, column] of columns) column.push(values[key]);
      rows += 1;
    },
    rows: () => rows,
    sortedBy: (by) => {
      const order = ascending(columns.get(by)?.view() ?? new Float64Array(0));
      return { rows, at: (key, row) => columns.get(key)?.at(order[row] ?? 0) ?? 0 };
    },
  };
}

/** The order of indices by value; a profile is nearly sorted already, and stays as it is when it is. */
export function ascending(values: Float64Array): Uint32Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  const isSorted = values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
  return isSorted ? order : order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);
}

/** Columns of kernels. Times are in microseconds. */
export type KernelKey = 'start' | 'end' | 'stream' | 'device' | 'correlation' | 'name' | 'event';
/** Columns of copies; `bytes` is their size. */
export type CopyKey =
  'start' | 'end' | 'stream' | 'device' | 'correlation' | 'direction' | 'bytes' | 'pageable' | 'event';
type SyncKey = 'start' | 'end' | 'kind' | 'event';
/** Columns of the profiler's steps. */
export type StepKey = 'start' | 'end' | 'index' | 'event';

/** A host call that put work on the device. */
interface HostCall {
  readonly start: number;
  readonly end: number;
  readonly blocking: boolean;
}

/** The events of a profile so far, in columns. */
export interface Collected {
  readonly add: (event: KinetoEvent, index: number) => boolean;
  /** Whether the same copy, or the same step, has come before. */
  readonly hasSeen: (event: KinetoEvent) => boolean;
  /** When the host asked for copies that the device did not report. */
  readonly openCopies: () => readonly number[];
  readonly kernels: Columns<KernelKey>;
  readonly copies: Columns<CopyKey>;
  readonly syncs: Columns<SyncKey>;
  readonly waits: Columns<'start' | 'end'>;
  readonly steps: Columns<StepKey>;
  readonly kernelNames: () => readonly string[];
  readonly callOf: (correlation: number) => HostCall | null;
}

/** Kernel names with their template arguments can be kilobytes each. */
const MAX_NAMES = 100_000;

/** Collects at most `maxRows` events of each kind; `add` returns false beyond that. */
export function collectEvents(maxRows: number): Collected {
  const kernels = createColumns<KernelKey>(['start', 'end', 'stream', 'device', 'correlation', 'name', 'event']);
  const copies = createColumns<CopyKey>([
    'start',
    'end',
    'stream',
    'device',
    'correlation',
    'direction',
    'bytes',
    'pageable',
    'event',
  ]);
  const syncs = createColumns<SyncKey>(['start', 'end', 'kind', 'event']);
  const waits = createColumns<'start' | 'end'>(['start', 'end']);
  const steps = createColumns<StepKey>(['start', 'end', 'index', 'event']);
  const names = new Map<string, number>();
  const [callStart, callEnd, callBlocking] = [createNumbers(), createNumbers(), createNumbers()];
  const askedCopies = new Map<number, number>();
  const copied = new Set<number>();
  const seen = new Set<string>();
  const callOfCorrelation = new Map<number, number>();
  const nameIndex = (name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    if (names.size >= MAX_NAMES) return -1;
    names.set(name, names.size);
    return names.size - 1;
  };
  return {
    kernels,
    copies,
    syncs,
    waits,
    steps,
    hasSeen: (event) => {
      const key = identity(event);
      if (key === null) return false;
      const before = seen.size;
      return seen.add(key).size === before;
    },
    openCopies: () => [...askedCopies].filter(([correlation]) => !copied.has(correlation)).map(([, start]) => start),
    kernelNames: () => [...names.keys()],
    callOf: (correlation) => {
      const row = correlation < 0 ? undefined : callOfCorrelation.get(correlation);
      return row === undefined
        ? null
        : { start: callStart.at(row), end: callEnd.at(row), blocking: callBlocking.at(row) === 1 };
    },
    add: (event, index) => {
      const end = event.start + event.duration;
      switch (event.kind) {
        case 'kernel':
          kernels.add({ ...event, end, name: nameIndex(event.name), event: index });
          return kernels.rows() <= maxRows;
        case 'copy':
          copied.add(event.correlation);
          copies.add({ ...event, end, pageable: event.pageable ? 1 : 0, event: index });
          return copies.rows() <= maxRows;
        case 'call':
          if (event.copies && event.correlation >= 0) askedCopies.set(event.correlation, event.start);
          if (event.correlation >= 0) callOfCorrelation.set(event.correlation, callStart.length());
          callStart.push(event.start);
          callEnd.push(end);
          callBlocking.push(event.blocking ? 1 : 0);
          return callStart.length() <= maxRows;
        case 'sync':
          syncs.add({ start: event.start, end, kind: event.sync, event: index });
          return syncs.rows() <= maxRows;
        case 'wait':
          waits.add({ start: event.start, end });
          return waits.rows() <= maxRows;
        case 'step':
          steps.add({ start: event.start, end, index: event.index, event: index });
          return steps.rows() <= maxRows;
      }
    },
  };
}

/** A key that is unique among events of its kind; null for kinds that are not counted one by one. */
function identity(event: KinetoEvent): string | null {
  if (event.kind === 'step') return `step ${event.index} ${event.start}`;
  if (event.kind !== 'copy') return null;
  return `copy ${event.device} ${event.stream} ${event.start} ${event.correlation}`;
}
