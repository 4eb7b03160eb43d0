/**
 * Learning rates by update. k is the number of updates committed so far, so the first update has k = 0.
 *
 * A schedule is a pure function of k and of the losses committed so far, so a resumed run gets the same rates as one that never
 * stopped. Powers are repeated products and the cosine is pv's own, so the bits are the same on every engine.
 */
import type { JsonObject } from '../../base/canonical-json.ts';
import { cos32 } from '../../numeric/elementary32/sine.ts';
import { notNegative, refuse, wholeFrom } from '../settings.ts';

/** The state of a schedule. */
export interface ScheduleState {
  /** Updates committed so far. */
  readonly committed: number;
  /** The lowest loss so far, and the updates since; `plateau` reads both. */
  readonly best: number | null;
  readonly sinceBest: number;
  /** How often `plateau` has reduced the rate. */
  readonly reductions: number;
}

export const freshSchedule: ScheduleState = { committed: 0, best: null, sinceBest: 0, reductions: 0 };

/** A rule for learning rates. */
export interface Schedule {
  readonly settings: JsonObject & { readonly kind: string };
  /** The rate of the next update, given the optimizer's base rate. */
  readonly rate: (base: number, state: ScheduleState) => number;
  /** How many updates without a lower loss reduce the rate; null if the schedule ignores losses. */
  readonly patience: number | null;
}

/** The state after an update with this loss. */
export function nextState({ patience }: Schedule, state: ScheduleState, loss: number): ScheduleState {
  const committed = state.committed + 1;
  if (patience === null) return { ...state, committed };
  if (state.best === null || loss < state.best) return { ...state, committed, best: loss, sinceBest: 0 };
  // As in PyTorch's ReduceLROnPlateau, `patience` updates are tolerated; the next one without improvement reduces the rate.
  return state.sinceBest >= patience
    ? { ...state, committed, sinceBest: 0, reductions: state.reductions + 1 }
    : { ...state, committed, sinceBest: state.sinceBest + 1 };
}

/** The base rate throughout. */
export const constant = (): Schedule => ({ settings: { kind: 'constant' }, rate: (base) => base, patience: null });

/** base · γ^⌊k/every⌋. */
export function stepDecay({ every, gamma }: { readonly every: number; readonly gamma: number }): Schedule {
  wholeFrom(1, 'every', every);
  factor('gamma', gamma);
  return {
    settings: { kind: 'step_decay', every, gamma },
    rate: (base, { committed }) => base * power(gamma, Math.floor(committed / every)),
    patience: null,
  };
}

/** base · γ^k. */
export function exponential({ gamma }: { readonly gamma: number }): Schedule {
  factor('gamma', gamma);
  return {
    settings: { kind: 'exponential', gamma },
    rate: (base, { committed }) => base * power(gamma, committed),
    patience: null,
  };
}

/**
 * Half a cosine from the base rate at k = 0 to `floor` at k = steps, where it stays.
 *
 * Source: Loshchilov & Hutter (2017), arXiv:1608.03983, equation 5, one period without a restart.
 */
export function cosineAnnealing({ steps, floor = 0 }: { readonly steps: number; readonly floor?: number }): Schedule {
  wholeFrom(1, 'steps', steps);
  notNegative('floor', floor);
  return {
    settings: { kind: 'cosine_annealing', steps, floor },
    rate(base, { committed }) {
      if (committed >= steps) return floor;
      return floor + (base - floor) * 0.5 * (1 + cos32(Math.fround(Math.PI * (committed / steps))));
    },
    patience: null,
  };
}

/** base · (k + 1)/steps up to k = steps − 1, then the base rate: the first update has a rate above 0, and update `steps` has the base rate. */
export function warmupLinear({ steps }: { readonly steps: number }): Schedule {
  wholeFrom(1, 'steps', steps);
  return {
    settings: { kind: 'warmup_linear', steps },
    rate: (base, { committed }) => (committed + 1 >= steps ? base : base * ((committed + 1) / steps)),
    patience: null,
  };
}

/** base · factorⁿ, at least `floor`, after n plateaus of more than `patience` updates without a lower loss. */
export function reduceOnPlateau(options: {
  readonly factor: number;
  readonly patience: number;
  readonly floor?: number;
}): Schedule {
  const { factor: by, patience, floor = 0 } = options;
  factor('factor', by);
  wholeFrom(0, 'patience', patience);
  notNegative('floor', floor);
  return {
    settings: { kind: 'reduce_on_plateau', factor: by, patience, floor },
    rate: (base, { reductions }) => Math.max(Math.min(base, floor), base * power(by, reductions)),
    patience,
  };
}

/** xⁿ for a whole n ≥ 0, by squaring: the bits of `Math.pow` depend on the engine. */
function power(x: number, n: number): number {
  let [result, base] = [1, x];
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= base;
    base *= base;
  }
  return result;
}

function factor(name: string, value: number): void {
  if (!(value > 0 && value <= 1)) refuse(name, value, 'in (0, 1]');
}
