/**
 * Steps of a run with several optimizers, such as a GAN. Lightning counts the steps of all of them together (since 1.6), loops count
 * rounds in which each takes one, or fewer.
 *
 * Source: Lightning 2.x, trainer.global_step ("the number of optimizer steps taken"; across all optimizers).
 */
import type { SchedulerState, SeveralOptimizers } from '../checkpoint.ts';
import { critical, pass, type Details, type Finding } from './check.ts';
import { stepsOf, type Steps } from './steps.ts';

/** Whether each optimizer is at one step with its scheduler, and all of them together at that of the trainer. */
export function judgeSeveral(name: string, globalStep: number, { optimizers, schedulers }: SeveralOptimizers): Finding {
  const steps = optimizers.map(({ states }) => stepsOf(states.flatMap(({ step }) => step ?? [])));
  const own = schedulers.length === optimizers.length ? schedulers : [];
  const details = {
    expected: `${globalStep} steps of all optimizers together, or of one of them`,
    actual: steps.map((one, i) => `optimizer ${i}: ${textOf(one)}${schedulerText(own[i])}`).join('; '),
  };
  return faultOf(name, globalStep, steps, own, details) ?? pass(name, details);
}

function faultOf(
  name: string,
  globalStep: number,
  steps: readonly (Steps | null)[],
  schedulers: readonly SchedulerState[],
  details: Details,
): Finding | null {
  const fault = (why: string): Finding =>
    critical(name, {
      ...details,
      why,
      fix: 'Restore every optimizer with its scheduler from one checkpoint, or reset all of them.',
    });
  const mixed = steps.findIndex((one) => one !== null && one.least !== one.most);
  if (mixed >= 0)
    return fault(`the states of optimizer ${mixed} are of different steps: fresh and stale ones are mixed`);
  const apart = schedulers.findIndex(({ lastEpoch, countsEpochs }, i) => {
    const most = steps[i]?.most;
    return !countsEpochs && most !== undefined && most !== lastEpoch;
  });
  if (apart >= 0) return fault(`optimizer ${apart} and its scheduler are of different steps`);
  const counts = steps.flatMap((one) => (one === null ? [] : [one.most]));
  const sum = counts.reduce((total, count) => total + count, 0);
  if (counts.length === 0 || counts.includes(globalStep)) return null;
  // An optimizer whose steps are unknown, such as SGD, may have taken the rest.
  return sum === globalStep || (counts.length < steps.length && sum < globalStep)
    ? null
    : fault('the optimizers have taken another number of steps than the trainer');
}

const textOf = (steps: Steps | null): string =>
  steps === null
    ? 'steps unknown'
    : steps.least === steps.most
      ? String(steps.most)
      : `${steps.least} to ${steps.most}`;

const schedulerText = (scheduler: SchedulerState | undefined): string =>
  scheduler === undefined ? '' : `, scheduler ${scheduler.lastEpoch}${scheduler.countsEpochs ? ' epochs' : ''}`;
