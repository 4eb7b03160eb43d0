/**
 * What orders each copy after the kernels before it.
 *
 * Work on one stream runs in the order in which the host gave it, so a copy on the kernel's own stream reads what the
 * kernel wrote. Kernels of another stream are only done for certain when the host waited for them (cudaStreamSynchronize,
 * cudaDeviceSynchronize, cudaEventSynchronize) or told the copy's stream to wait (cudaStreamWaitEvent) in between. A copy
 * to pageable memory makes the host wait for the copy, and for nothing on streams created with cudaStreamNonBlocking,
 * as PyTorch's side streams are; an asynchronous copy to pinned memory does not wait.
 *
 * Which stream a synchronisation waited for is not in the file. It cannot have waited for a kernel that ended after it
 * returned; one that returned later than the kernel ended is taken to have waited for it. On each stream the latest
 * kernel represents those before it.
 */
import { ascending } from './collect.ts';
import type { OrderedTrace } from './ordered-trace.ts';

/** Columns of `transfers`; null if there is nothing of the kind before (or after) the copy. */
export interface CopyOrder {
  readonly last_kernel_launch: number | null;
  readonly last_kernel_end: number | null;
  readonly last_other_kernel_launch: number | null;
  readonly last_other_kernel_end: number | null;
  readonly last_sync_end: number | null;
  readonly next_sync_end: number | null;
  readonly unsynchronised: number;
  readonly overlapping: number;
  readonly own_kernels: number;
  readonly across: number;
}

/** A copy or kernel begins within so many microseconds of what it had waited for; a launch on an idle device takes less. */
const LATENCY = 20;

/** The work of one stream as far as the host has given it. */
interface StreamTail {
  readonly device: number;
  readonly stream: number;
  launch: number;
  /** Latest end so far; kernels of one stream end in order. */
  end: number;
  /** How many kernels. */
  kernels: number;
  /** Nothing has waited for its latest kernel. */
  open: boolean;
}

interface Walk {
  readonly trace: OrderedTrace;
  readonly tails: Map<number, StreamTail>;
  /** The end of the latest copy of each stream. */
  readonly copied: Map<number, number>;
  lastSyncEnd: number | null;
}

/** Something that happens on the host: at one time all launches come before waits, and waits before copies. */
interface Lane {
  readonly times: Float64Array;
  readonly act: (row: number) => void;
}

/** One row per copy, in the order of `trace.copies`. */
export function orderCopies(trace: OrderedTrace): readonly CopyOrder[] {
  const result: CopyOrder[] = [];
  const walk: Walk = { trace, tails: new Map(), copied: new Map(), lastSyncEnd: null };
  const ends = endsAfter(trace);
  const asked = times(trace.copies.rows, (i) =>
    callStart(trace, trace.copies.at('correlation', i), trace.copies.at('start', i)),
  );
  const copying: Lane = {
    times: asked,
    act: (i) => void (result[i] = orderOf(walk, i, nextEnd(ends, asked[i] ?? 0))),
  };
  inOrder([launching(walk), ...waiting(walk), copying]);
  return result;
}

function times(rows: number, timeOf: (row: number) => number): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => timeOf(i));
}

function callStart(trace: OrderedTrace, correlation: number, start: number): number {
  return trace.events.callOf(correlation)?.start ?? start;
}

/** Acts on the rows of all lanes by time; at one time an earlier lane goes first. */
function inOrder(lanes: readonly Lane[]): void {
  const orders = lanes.map((lane) => ascending(lane.times));
  const at = lanes.map(() => 0);
  const timeOf = (lane: number): number => lanes[lane]?.times[orders[lane]?.[at[lane] ?? 0] ?? -1] ?? Infinity;
  const left = lanes.reduce((sum, lane) => sum + lane.times.length, 0);
  for (let n = 0; n < left; n++) {
    let next = -1;
    for (let lane = 0; lane < lanes.length; lane++)
      if ((at[lane] ?? 0) < (lanes[lane]?.times.length ?? 0) && (next < 0 || timeOf(lane) < timeOf(next))) next = lane;
    lanes[next]?.act(orders[next]?.[at[next] ?? 0] ?? 0);
    at[next] = (at[next] ?? 0) + 1;
  }
}

function launching({ trace, tails }: Walk): Lane {
  const { kernels } = trace;
  const launches = times(kernels.rows, (i) => callStart(trace, kernels.at('correlation', i), kernels.at('start', i)));
  const act = (i: number): void => {
    const [device, stream, end, launch] = [
      kernels.at('device', i),
      kernels.at('stream', i),
      kernels.at('end', i),
      launches[i] ?? 0,
    ];
    const tail = tails.get(keyOf(device, stream));
    if (!tail) {
      tails.set(keyOf(device, stream), { device, stream, launch, end, kernels: 1, open: true });
      return;
    }
    tail.launch = launch;
    tail.kernels += 1;
    tail.end = Math.max(tail.end, end);
    tail.open = true;
  };
  return { times: launches, act };
}

/** Streams of one process are few and their numbers small. */
function keyOf(device: number, stream: number): number {
  return device * 1e9 + stream;
}

/** Waits of the host close what had ended when they returned, waits between streams what was launched before them. */
function waiting(walk: Walk): readonly Lane[] {
  const { trace, tails } = walk;
  const { events, copies } = trace;
  const syncs = events.syncs.sortedBy('end');
  const waits = events.waits.sortedBy('start');
  const waited = (end: number): void => void (walk.lastSyncEnd = Math.max(walk.lastSyncEnd ?? -Infinity, end));
  const hostWait = (i: number): void => {
    const [start, end] = [syncs.at('start', i), syncs.at('end', i)];
    waited(end);
    for (const tail of tails.values()) if (tail.launch <= start && tail.end <= end) tail.open = false;
  };
  const streamWait = (): void => {
    for (const tail of tails.values()) tail.open = false;
  };
  const returns = times(copies.rows, (i) => {
    const call = events.callOf(copies.at('correlation', i));
    return call && (call.blocking || copies.at('pageable', i) === 1) && call.end >= copies.at('end', i)
      ? call.end
      : Infinity;
  });
  const blockingCopy = (i: number): void => {
    const end = returns[i] ?? Infinity;
    if (end === Infinity) return;
    waited(end);
    const tail = tails.get(keyOf(copies.at('device', i), copies.at('stream', i)));
    if (tail && tail.end <= end) tail.open = false;
  };
  return [
    { times: times(syncs.rows, (i) => syncs.at('end', i)), act: hostWait },
    { times: times(waits.rows, (i) => waits.at('start', i)), act: streamWait },
    { times: returns, act: blockingCopy },
  ];
}

function orderOf({ trace, tails, copied, lastSyncEnd }: Walk, copy: number, nextSyncEnd: number | null): CopyOrder {
  const { copies } = trace;
  const [device, stream, start] = [copies.at('device', copy), copies.at('stream', copy), copies.at('start', copy)];
  const key = keyOf(device, stream);
  const asked = callStart(trace, copies.at('correlation', copy), start);
  const own = tails.get(key);
  const free = Math.max(asked, own?.end ?? -Infinity, copied.get(key) ?? -Infinity);
  copied.set(key, copies.at('end', copy));
  const all = [...tails.values()].filter((tail) => tail.device === device);
  const others = all.filter((tail) => tail.stream !== stream);
  const open = others.filter((tail) => tail.open);
  return {
    last_kernel_launch: latest(all, 'launch'),
    last_kernel_end: latest(all, 'end'),
    last_other_kernel_launch: latest(others, 'launch'),
    last_other_kernel_end: latest(others, 'end'),
    last_sync_end: lastSyncEnd,
    next_sync_end: nextSyncEnd,
    unsynchronised: open.length,
    overlapping: open.filter((tail) => tail.end > start).length,
    own_kernels: own?.kernels ?? 0,
    across: others.some(({ end }) => end <= start && start - end <= LATENCY && end - free > LATENCY) ? 1 : 0,
  };
}

function latest(tails: readonly StreamTail[], key: 'launch' | 'end'): number | null {
  return tails.length === 0 ? null : Math.max(...tails.map((tail) => tail[key]));
}

interface Ends {
  readonly starts: readonly number[];
  /** The earliest end of the synchronisations from here on. */
  readonly earliest: readonly number[];
}

function endsAfter(trace: OrderedTrace): Ends {
  const syncs = trace.events.syncs.sortedBy('start');
  const starts = Array.from({ length: syncs.rows }, (_, i) => syncs.at('start', i));
  const earliest: number[] = [];
  let best = Infinity;
  for (let i = syncs.rows - 1; i >= 0; i--) earliest[i] = best = Math.min(best, syncs.at('end', i));
  return { starts, earliest };
}

function nextEnd({ starts, earliest }: Ends, time: number): number | null {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return earliest[low] ?? null;
}
