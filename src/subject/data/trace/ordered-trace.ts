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
}

export function orderedTrace(events: Collected): OrderedTrace {
  const steps = events.steps.sortedBy('start');
  const stepAt = (time: number): number => {
    let low = 0;
    let high = steps.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps.at('start', middle) <= time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time < steps.at('end', low - 1) ? low - 1 : -1;
  };
  return { events, kernels: events.kernels.sortedBy('start'), copies: events.copies.sortedBy('start'), steps, stepAt };
}
