/** Everything an update reads and writes besides gradients: weights, optimizer arrays, running powers, schedule. */
import { present } from '../../base/invariant.ts';
import type { Optimizer, Slots, StepNumbers } from '../optimizer/optimizer.ts';
import { freshSchedule, nextState, type Schedule, type ScheduleState } from '../optimizer/schedule.ts';
import type { Parameters } from '../parameters.ts';

/** The state of a run between two steps. */
export interface TrainerState {
  readonly parameters: Parameters;
  readonly slots: (i: number) => Slots;
  /** The learning rate of the next update. */
  readonly rate: () => number;
  /** The numbers of the next update at a given rate. */
  readonly numbers: (rate: number) => StepNumbers;
  /** Records that an update with this loss was committed. */
  readonly advance: (loss: number) => void;
  readonly progress: () => Progress;
  readonly restore: (progress: Progress) => void;
}

/** The numbers that a resumed run needs besides the arrays. */
export interface Progress {
  readonly schedule: ScheduleState;
  /** β^t after the last update. */
  readonly powers: readonly number[];
}

/** The initial state: optimizer arrays of zeros, no update committed. */
export function createState(parameters: Parameters, optimizer: Optimizer, schedule: Schedule): TrainerState {
  const slots = parameters.map(({ data }): Slots => ({
    weights: data,
    state: optimizer.slots.map(() => new Float32Array(data.length)),
  }));
  let progress: Progress = { schedule: freshSchedule, powers: optimizer.decays.map(() => 1) };
  const nextPowers = (): readonly number[] =>
    optimizer.decays.map((decay, i) => decay * present(progress.powers[i], 'every decay has its power'));
  return {
    parameters,
    slots: (i) => present(slots[i], 'a parameter has its arrays'),
    rate: () => schedule.rate(optimizer.learningRate, progress.schedule),
    numbers: (rate) => ({ rate, powers: nextPowers() }),
    advance(loss) {
      progress = { schedule: nextState(schedule, progress.schedule, loss), powers: nextPowers() };
    },
    progress: () => progress,
    restore(kept) {
      progress = kept;
    },
  };
}
