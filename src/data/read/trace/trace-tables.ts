/**
 * The tables of a profile: `steps`, `transfers`, `kernels`, `syncs`. Times are microseconds, as in the file.
 *
 * A transfer belongs to the step in which the host asked for it, a kernel to the step in which it was launched: the
 * device runs behind the host. What orders a copy after the kernels before it is worked out in `order-copies.ts`.
 */
import type { DataColumn, DataTable } from '../data-set.ts';
import { createTable, setCell, type TableBuilder } from '../stream/table-builder.ts';
import type { Collected } from './collect.ts';
import { copyCosts, type CopyCost } from './copy-cost.ts';
import { directions } from './kineto-event.ts';
import { orderCopies, type CopyOrder } from './order-copies.ts';
import { orderedTrace, type OrderedTrace } from './ordered-trace.ts';

/** Columns of the tables: meaning and unit. */
const traceColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  steps: {
    step: 'number of the step, as the profiler counts',
    start: 'start of the step on the host, µs',
    end: 'its end, µs',
    duration: 'its length, µs',
    transfers: 'copies between host and device that the step requested',
    transfers_h2d: 'of them, host to device',
    transfers_d2h: 'of them, device to host',
    transfers_d2d: 'copies within or between devices',
    bytes_h2d: 'bytes copied to the device',
    bytes_d2h: 'bytes copied to the host',
    bytes_d2d: 'bytes copied within or between devices',
    bytes_pageable: 'bytes copied between device and pageable memory of the host',
    copy_pageable: 'time that these copies took on the device, µs',
    copy_exposed: 'time in which copies between host and device ran and no kernel did, µs',
    copy_across: 'of it, time of copies that had waited for a kernel of another stream, µs',
    copy_stall:
      'time until the next kernel after copies that the host had waited for, at most as long as it waited, µs',
    kernels: 'kernels that the step launched',
    kernel_time: 'sum of their durations, µs; streams that overlap count twice',
    busy: 'time within the step in which some kernel or copy ran, µs',
    idle: 'time within the step in which none ran, µs',
    syncs: 'synchronisations that the host waited for in the step',
  },
  transfers: {
    direction: '0 host to device, 1 device to host, 2 device to device, 3 other',
    bytes: 'bytes copied',
    start: 'start on the device, µs',
    end: 'end on the device, µs',
    duration: 'length on the device, µs',
    stream: 'stream of the copy',
    device: 'device of the copy',
    step: 'step in which the host requested it',
    pageable: '1 when the host memory is pageable: the call returns only when the copy is done',
    blocking: '1 when the call was not asynchronous, or the memory pageable',
    call_start: 'when the host requested it, µs',
    call_end: 'when that call returned, µs',
    last_kernel_launch: 'the latest launch of a kernel on the device before the call, µs',
    last_kernel_end: 'the latest end of a kernel that was launched before the call, µs',
    last_other_kernel_launch:
      'the same among kernels of other streams, which the order of the stream does not cover, µs',
    last_other_kernel_end: 'the latest end of a kernel of another stream that was launched before the call, µs',
    last_sync_end: 'the latest end of a synchronisation before the call, µs',
    next_sync_end: 'the earliest end of a synchronisation that began after the call: from then the host may read, µs',
    unsynchronised: 'other streams whose latest kernel before the call nothing had waited for',
    overlapping: 'of them, streams whose kernel was still running when the copy began: what it read was not finished',
    own_kernels: 'kernels on the stream of the copy that were launched before the call',
    across: '1 when the copy had waited for a kernel of another stream: it began right after that kernel',
    exposed: 'time in which the copy ran and no kernel of its device did, µs',
    stall: 'time until the next kernel if the host had waited for the copy, at most as long as it waited, µs',
  },
  kernels: {
    name: 'index of the name in the labels of the table',
    start: 'start on the device, µs',
    end: 'end on the device, µs',
    duration: 'length, µs',
    stream: 'stream of the kernel',
    device: 'device of the kernel',
    step: 'step in which it was launched',
    launch: 'when the host launched it, µs',
  },
  syncs: {
    kind: '0 stream, 1 device, 2 event',
    start: 'when the host began to wait, µs',
    end: 'when it went on, µs',
    step: 'step in which it waited',
  },
};

/** `isWhole`: nothing that happened while the profiler ran is missing from the events. */
export function traceTables(events: Collected, isWhole: boolean): ReadonlyMap<string, DataTable> {
  const trace = orderedTrace(events);
  // If the device was not recorded, the absence of copies does not mean that nothing was transferred.
  const isKnown = isWhole && events.kernels.rows() + events.copies.rows() > 0;
  const whole = (table: DataTable, isComplete: boolean): DataTable => ({ ...table, isWhole: isComplete });
  const [order, costs] = [orderCopies(trace), copyCosts(trace)];
  // An empty table `steps` only shows that the profiler did not record where steps end.
  const tables = [
    stepTable(trace, { order, costs }, isKnown),
    // The host may have asked for copies that the device did not report.
    whole(transferTable(trace, { order, costs }, isWhole), isKnown && events.openCopies().length === 0),
    whole(kernelTable(trace), isKnown),
    syncTable(trace),
  ];
  return new Map(tables.map((table) => [table.name, table]));
}

/** What is worked out about each copy, in the order of `trace.copies`. */
interface AboutCopies {
  readonly order: readonly CopyOrder[];
  readonly costs: readonly CopyCost[];
}

type SetCell = (name: string, value: number | null) => void;

/** Fills one row; a value of null leaves the cell absent. */
function addRow(table: TableBuilder, place: number): SetCell {
  const row = table.addRow(place);
  return (name, value) => {
    if (value !== null) setCell(table.column(name, name), row, value);
  };
}

function stepNumber(trace: OrderedTrace, time: number): number | null {
  const row = trace.stepAt(time);
  return row < 0 ? null : trace.steps.at('index', row);
}

/** When the host asked for work of the device: the call's start, or the work's own start where the file has no call. */
function askedAt(trace: OrderedTrace, correlation: number, start: number): number {
  return trace.events.callOf(correlation)?.start ?? start;
}

function transferTable(trace: OrderedTrace, { order, costs }: AboutCopies, isWhole: boolean): DataTable {
  const table = createTable('transfers');
  const { copies, events } = trace;
  for (let i = 0; i < copies.rows; i++) {
    const set = addRow(table, copies.at('event', i));
    const call = events.callOf(copies.at('correlation', i));
    const [start, end, pageable] = [copies.at('start', i), copies.at('end', i), copies.at('pageable', i)];
    for (const key of ['direction', 'bytes', 'start', 'end', 'stream', 'device', 'pageable'] as const)
      set(key, copies.at(key, i));
    set('duration', end - start);
    set('step', stepNumber(trace, call?.start ?? start));
    set('call_start', call?.start ?? null);
    set('call_end', call?.end ?? null);
    set('blocking', pageable === 1 || call?.blocking === true ? 1 : 0);
    // A missing kernel may be one that nothing waited for, or one that ran next to the copy.
    if (isWhole) for (const [name, value] of Object.entries({ ...order[i], ...costs[i] })) set(name, value);
  }
  return finish(table, 'transfers');
}

function kernelTable(trace: OrderedTrace): DataTable {
  const table = createTable('kernels');
  const { kernels, events } = trace;
  for (let i = 0; i < kernels.rows; i++) {
    const set = addRow(table, kernels.at('event', i));
    const call = events.callOf(kernels.at('correlation', i));
    for (const key of ['name', 'start', 'end', 'stream', 'device'] as const) set(key, kernels.at(key, i));
    set('duration', kernels.at('end', i) - kernels.at('start', i));
    set('launch', call?.start ?? null);
    set('step', stepNumber(trace, call?.start ?? kernels.at('start', i)));
  }
  return { ...finish(table, 'kernels'), labels: events.kernelNames() };
}

function syncTable(trace: OrderedTrace): DataTable {
  const table = createTable('syncs');
  const syncs = trace.events.syncs.sortedBy('start');
  for (let i = 0; i < syncs.rows; i++) {
    const set = addRow(table, syncs.at('event', i));
    for (const key of ['kind', 'start', 'end'] as const) set(key, syncs.at(key, i));
    set('step', stepNumber(trace, syncs.at('start', i)));
  }
  return finish(table, 'syncs');
}

/** Sums over each step; absent if something that belongs to them was not recorded. */
function stepTable(trace: OrderedTrace, { order, costs }: AboutCopies, isKnown: boolean): DataTable {
  const table = createTable('steps');
  const { steps, copies, kernels, events } = trace;
  const sums = Array.from({ length: steps.rows }, () => new Map<string, number>());
  const add = (row: number, name: string, value: number): void => {
    const sum = sums[row];
    sum?.set(name, (sum.get(name) ?? 0) + value);
  };
  // Steps of which copies are not known: one lies between this step and the next, or the device did not report one.
  const between = new Set<number>();
  const suffix = ['h2d', 'd2h', 'd2d'];
  for (let i = 0; i < copies.rows; i++) {
    const asked = askedAt(trace, copies.at('correlation', i), copies.at('start', i));
    const row = trace.stepAt(asked);
    const direction = copies.at('direction', i);
    const name = suffix[direction];
    if (name === undefined) continue;
    const before = trace.gapAfter(asked);
    if (before >= 0 && direction !== directions.d2d) between.add(before);
    add(row, `transfers_${name}`, 1);
    add(row, `bytes_${name}`, copies.at('bytes', i));
    if (direction === directions.d2d) continue;
    add(row, 'transfers', 1);
    addCost(trace, i, { order, costs }, (of, value) => {
      add(row, of, value);
    });
  }
  for (let i = 0; i < kernels.rows; i++) {
    const row = trace.stepAt(askedAt(trace, kernels.at('correlation', i), kernels.at('start', i)));
    add(row, 'kernels', 1);
    add(row, 'kernel_time', kernels.at('end', i) - kernels.at('start', i));
  }
  const syncs = events.syncs.sortedBy('start');
  for (let i = 0; i < syncs.rows; i++) add(trace.stepAt(syncs.at('start', i)), 'syncs', 1);
  addBusy(trace, add);
  const lacking = new Set([...between, ...events.openCopies().map((time) => trace.stepAt(time))]);
  for (let row = 0; row < steps.rows; row++) {
    const set = addRow(table, steps.at('event', row));
    const [start, end] = [steps.at('start', row), steps.at('end', row)];
    set('step', steps.at('index', row));
    set('start', start);
    set('end', end);
    set('duration', end - start);
    const own = sums[row];
    set('syncs', own?.get('syncs') ?? 0);
    if (!isKnown) continue;
    for (const name of Object.keys(traceColumns['steps'] ?? {}).slice(4)) {
      if (isFound(name, lacking.has(row), kernels.rows > 0)) set(name, own?.get(name) ?? 0);
    }
    set('idle', end - start - (own?.get('busy') ?? 0));
  }
  return withGap(finish(table, 'steps'), between);
}

/** What a copy between host and device adds to its step. */
function addCost(
  { copies }: OrderedTrace,
  copy: number,
  { order, costs }: AboutCopies,
  add: (name: string, value: number) => void,
): void {
  const { exposed, stall } = costs[copy] ?? { exposed: 0, stall: 0 };
  add('copy_exposed', exposed);
  add('copy_stall', stall);
  if (order[copy]?.across === 1) add('copy_across', exposed);
  if (copies.at('pageable', copy) === 0) return;
  add('bytes_pageable', copies.at('bytes', copy));
  add('copy_pageable', copies.at('end', copy) - copies.at('start', copy));
}

/** Where copies lie between steps, the other steps do not speak for all. */
function withGap(table: DataTable, rows: ReadonlySet<number>): DataTable {
  const places = [...rows].map(table.lineOf);
  if (places.length === 0) return table;
  const gap = { rows: places.length, first: Math.min(...places), last: Math.max(...places) };
  const columns = [...table.columns].map(([name, column]): [string, DataColumn] => [
    name,
    isOfCopies(name) ? { ...column, gap } : column,
  ]);
  return { ...table, columns: new Map(columns) };
}

/** Without kernels nothing shows what ran next to a copy. */
function isFound(name: string, isLacking: boolean, hasKernels: boolean): boolean {
  return !(isLacking && isOfCopies(name)) && (hasKernels || !beside.has(name));
}

/** Columns that compare copies with kernels. */
const beside = new Set(['copy_exposed', 'copy_across', 'copy_stall']);

function isOfCopies(name: string): boolean {
  return /^(?:transfers|bytes|copy)/.test(name);
}

/** The union of what runs on the device, cut to each step. Kernels and copies come in order of their starts. */
function addBusy(trace: OrderedTrace, add: (row: number, name: string, value: number) => void): void {
  const { steps, kernels, copies } = trace;
  let [kernel, copy, step, busyTo] = [0, 0, 0, -Infinity];
  while (kernel < kernels.rows || copy < copies.rows) {
    const isKernel =
      copy >= copies.rows || (kernel < kernels.rows && kernels.at('start', kernel) <= copies.at('start', copy));
    const start = Math.max(busyTo, isKernel ? kernels.at('start', kernel) : copies.at('start', copy));
    const end = isKernel ? kernels.at('end', kernel) : copies.at('end', copy);
    if (isKernel) kernel += 1;
    else copy += 1;
    if (end <= start) continue;
    busyTo = end;
    while (step < steps.rows && steps.at('end', step) <= start) step += 1;
    for (let row = step; row < steps.rows && steps.at('start', row) < end; row++)
      add(row, 'busy', Math.max(0, Math.min(end, steps.at('end', row)) - Math.max(start, steps.at('start', row))));
  }
}

/** A table without rows still has its columns, so that a contract can ask of none. */
function finish(table: TableBuilder, name: string): DataTable {
  for (const column of Object.keys(traceColumns[name] ?? {})) table.column(column, column);
  return table.finish('event');
}
