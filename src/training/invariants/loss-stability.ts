import type { JsonObject } from '../../base/canonical-json.ts';
import { positive, wholeFrom, notNegative } from '../settings.ts';
import type { Attempt, Invariant, Measurement, RecordedNorms } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link lossStabilityBound}. */
export interface LossStabilityOptions {
  /** How far a loss may exceed the average, relative to it: 0.1 allows 10 %. ≥ 0. */
  readonly spikeCap: number;
  /** Window of the moving average in steps, ≥ 1: its smoothing factor is 2/(window + 1). */
  readonly window: number;
  /** The largest allowed ‖g‖₂. */
  readonly maxGradientNorm: number;
  /** The largest allowed η·‖g‖₂. */
  readonly maxStepSize: number;
}

/**
 * loss ≤ average + spikeCap·|average|, ‖g‖ ≤ maxGradientNorm and η·‖g‖ ≤ maxStepSize.
 *
 * The average is an exponential moving average of the losses of earlier committed steps. It excludes the loss under test and the
 * losses of refused steps, or a spike would raise its own bound. It begins anew with each task, since losses of different tasks
 * are not comparable: a task has no average, and its loss no bound, until one of its steps is committed.
 */
export function lossStabilityBound(options: LossStabilityOptions): Invariant {
  const { spikeCap, window, maxGradientNorm, maxStepSize } = options;
  notNegative('spikeCap', spikeCap);
  wholeFrom(1, 'window', window);
  positive('maxGradientNorm', maxGradientNorm);
  positive('maxStepSize', maxStepSize);
  const factor = 2 / (window + 1);
  return {
    name: 'LossStabilityBound',
    settings: { spike_cap: spikeCap, window, max_gradient_norm: maxGradientNorm, max_step_size: maxStepSize },
    tier: tierOf.LossStabilityBound,
    evidence: { class: 'exact' },
    start({ taskOf }) {
      let average: number | null = null;
      let task = 0;
      const known = (step: number): number | null => (taskOf(step) === task ? average : null);
      const measure = ({ step, loss, rate, gradientNorm }: RecordedNorms | Attempt): readonly Measurement[] => {
        const now = known(step);
        const measured: Measurement[] = [
          { what: 'gradient norm', value: gradientNorm, is: 'at most', bound: maxGradientNorm },
          { what: 'step size', value: rate * gradientNorm, is: 'at most', bound: maxStepSize },
        ];
        if (now !== null)
          measured.push({ what: 'loss', value: loss, is: 'at most', bound: now + spikeCap * Math.abs(now) });
        return measured;
      };
      return {
        before: measure,
        recorded: measure,
        committed({ step, loss }) {
          const now = known(step);
          average = now === null ? loss : now + factor * (loss - now);
          task = taskOf(step);
        },
        state: () => ({ average, task }),
        restore(kept: JsonObject) {
          average = typeof kept['average'] === 'number' ? kept['average'] : null;
          task = Number(kept['task'] ?? 0);
        },
      };
    },
  };
}
