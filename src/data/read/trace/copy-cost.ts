/**
 * What each copy costs: the time in which only it ran, and the time in which nothing ran because the host had waited for it.
 *
 * A copy that runs next to kernels costs nothing but bandwidth. One that the host waits for (a call that blocks, or a
 * synchronisation right after it, as in `loss.item()` and `batch.to(device)`) also keeps the host from launching ahead, so the
 * device runs dry until the next kernel. Of that gap, at most the time that the host had waited would have been saved.
 */
import type { OrderedTrace } from './ordered-trace.ts';

/** Microseconds. */
export interface CopyCost {
  /** Of its duration, the time in which no kernel of its device ran. */
  readonly exposed: number;
  /** The gap between it and the next kernel, at most as long as the host had waited for it; 0 if the host did not wait. */
  readonly stall: number;
}

interface Busy {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** One row per copy, in the order of `trace.copies`. */
export function copyCosts(trace: OrderedTrace): readonly CopyCost[] {
  const { copies } = trace;
  const busy = busyTimes(trace);
  const waited = hostWaits(trace);
  const nextStart = new Map<number, number>();
  const costs: CopyCost[] = [];
  for (let i = copies.rows - 1; i >= 0; i--) {
    const [device, start, end] = [copies.at('device', i), copies.at('start', i), copies.at('end', i)];
    const kernels = busy.get(device);
    // A later copy has its own gap.
    const gap = Math.min(nextKernel(kernels, end), nextStart.get(device) ?? Infinity) - end;
    const stall = gap < Infinity ? Math.max(0, Math.min(gap, waited(i))) : 0;
    costs[i] = { exposed: end - start - overlap(kernels, start, end), stall };
    nextStart.set(device, start);
  }
  return costs;
}

/** When some kernel ran, per device, without overlaps and in order. */
function busyTimes({ kernels }: OrderedTrace): ReadonlyMap<number, Busy> {
  const busy = new Map<number, { readonly starts: number[]; readonly ends: number[] }>();
  for (let i = 0; i < kernels.rows; i++) {
    const device = kernels.at('device', i);
    const of = busy.get(device) ?? { starts: [], ends: [] };
    busy.set(device, of);
    const last = of.ends.length - 1;
    const [start, end] = [kernels.at('start', i), kernels.at('end', i)];
    if (last >= 0 && start <= (of.ends[last] ?? 0)) of.ends[last] = Math.max(of.ends[last] ?? 0, end);
    else {
      of.starts.push(start);
      of.ends.push(end);
    }
  }
  return busy;
}

/** The first index whose value is above `time`, in ascending values. */
function firstAbove(values: readonly number[], time: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlap(busy: Busy | undefined, start: number, end: number): number {
  if (!busy) return 0;
  let sum = 0;
  for (let i = firstAbove(busy.ends, start); i < busy.ends.length && (busy.starts[i] ?? 0) < end; i++)
    sum += Math.min(end, busy.ends[i] ?? 0) - Math.max(start, busy.starts[i] ?? 0);
  return sum;
}

/** When a kernel runs from `time` on: at once if one is running; never after the last one. */
function nextKernel(busy: Busy | undefined, time: number): number {
  const i = firstAbove(busy?.ends ?? [], time);
  return Math.max(time, busy?.starts[i] ?? Infinity);
}

/** How long the host waited for a copy: in its call, and in a synchronisation before anything else was launched. */
function hostWaits({ copies, kernels, events }: OrderedTrace): (copy: number) => number {
  const syncs = events.syncs.sortedBy('start');
  const syncStarts = Array.from({ length: syncs.rows }, (_, i) => syncs.at('start', i));
  const launches = Array.from({ length: kernels.rows }, (_, i) => events.callOf(kernels.at('correlation', i))?.start)
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b);
  return (copy) => {
    const call = events.callOf(copies.at('correlation', copy));
    if (!call) return 0;
    const end = copies.at('end', copy);
    const blocks = (call.blocking || copies.at('pageable', copy) === 1) && call.end >= end;
    const next = firstAbove(syncStarts, call.start);
    const isNext = (syncStarts[next] ?? Infinity) < (launches[firstAbove(launches, call.start)] ?? Infinity);
    const isFor = isNext && next < syncs.rows && syncs.at('end', next) >= end;
    return (
      (blocks ? call.end - call.start : 0) +
      (isFor ? syncs.at('end', next) - Math.max(call.end, syncs.at('start', next)) : 0)
    );
  };
}
