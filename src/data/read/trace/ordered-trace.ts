/** The events of a profile in order of time, and the step that each moment belongs to. */
import type { Collected, CopyKey, KernelKey, SortedRows, StepKey } from './collect.ts';

/** What every part of the tables reads: the events in order of time. */
export interface OrderedTrace {
  readonly events: Collected;
  readonly kernels: SortedRows<KernelKey>;
  readonly copies: SortedRows<CopyKey>;
  readonly steps: SortedRows<StepKey>;
  /** The row of the step in which a time lies; −1 outside every step. */
  readonly stepAt: (time: number) => number;
  /** The row of the step after which a time lies, and before the next one; −1 in a step, before the first and after the last. */
  readonly gapAfter: (time: number) => number;
}

/** Sorts the events by time once, so that the step of a moment is found by bisection. */
export function orderedTrace(events: Collected): OrderedTrace {
  const steps = events.steps.sortedBy('start');
  const lastBegun = (time: number): number => {
    let low = 0;
    let high = steps.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps.at('start', middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const isIn = (row: number, time: number): boolean => row >= 0 && time < steps.at('end', row);
  const stepAt = (time: number): number => {
    const row = lastBegun(time);
    return isIn(row, time) ? row : -1;
  };
  const gapAfter = (time: number): number => {
    const row = lastBegun(time);
    return isIn(row, time) || row === steps.rows - 1 ? -1 : row;
  };
  const [kernels, copies] = [events.kernels.sortedBy('start'), events.copies.sortedBy('start')];
  return { events, kernels, copies, steps, stepAt, gapAfter };
}
