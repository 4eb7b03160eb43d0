/**
 * Trainer, scheduler and optimizer are one matched set: they have taken the same number of steps. Catches a scheduler that was not
 * restored or was stepped once per process, and an optimizer that started afresh.
 */
import { ok } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { judgeSeveral } from './several-optimizers.ts';
import { stepsOf, type Steps } from './steps.ts';
import { critical, notChecked, pass, warn, type Check, type Details, type Finding } from './check.ts';

const name = 'matched set';

export const matchedSet: Check = (checkpoint) => ok(judgeSteps(checkpoint));

/** The finding of this check. */
export function judgeSteps({
  position,
  scheduler: saved,
  optimizer,
  settings,
  several,
  name: folder,
}: Pick<Checkpoint, 'position' | 'scheduler' | 'optimizer' | 'settings' | 'several' | 'name'>): Finding {
  const scheduler = saved?.countsEpochs === true ? null : saved;
  if (position === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const { globalStep, maxSteps } = position;
  if (maxSteps !== null && globalStep > maxSteps)
    return critical(name, {
      expected: `at most ${maxSteps} steps`,
      actual: `${globalStep} steps`,
      why: 'the run has taken more steps than it has',
      fix: 'Check which run trainer_state.json comes from.',
    });
  if (several !== undefined) return judgeSeveral(name, globalStep, several);
  const steps = stepsOf(optimizer?.states.flatMap(({ step }) => step ?? []) ?? []);
  if (scheduler === null && steps === null)
    return notChecked(name, 'neither a scheduler nor an optimizer with step counts was saved');
  const expected = `${globalStep} steps`;
  const actual = countsText(scheduler, steps);
  const counts = [scheduler?.lastEpoch, steps?.least, steps?.most].filter((count) => count !== undefined);
  if (counts.every((count) => count === globalStep)) return matched(folder, globalStep, { expected, actual });
  const [first = 0] = counts;
  const isScaled = settings.get('fp16') === true;
  if (isScaled && first < globalStep && counts.every((count) => count === first))
    return warn(name, {
      expected,
      actual,
      why: `with fp16, a step whose gradients overflow is skipped: ${globalStep - first} steps seem to have been`,
      fix: 'Check that the log shows as many skipped steps.',
    });
  return critical(name, { expected, actual, ...causeOf(globalStep, scheduler?.lastEpoch, steps) });
}

const countsText = (scheduler: Checkpoint['scheduler'], steps: Steps | null): string =>
  [
    ...(scheduler ? [`scheduler ${scheduler.lastEpoch}`] : []),
    ...(steps ? [`optimizer ${steps.least === steps.most ? steps.most : `${steps.least} to ${steps.most}`}`] : []),
  ].join(', ');

/** All counts agree; so should the folder's name, `checkpoint-1000`. */
function matched(folder: string, globalStep: number, details: Details): Finding {
  const named = /^checkpoint-(\d+)$/u.exec(folder)?.[1];
  if (named === undefined || Number(named) === globalStep) return pass(name, details);
  return warn(name, {
    ...details,
    expected: `${named} steps, as the folder's name says`,
    why: 'the folder was renamed, or its files come from another checkpoint',
    fix: 'Check which checkpoint this is.',
  });
}

function causeOf(
  globalStep: number,
  lastEpoch: number | undefined,
  steps: Steps | null,
): { readonly why: string; readonly fix: string } {
  if (lastEpoch !== undefined && lastEpoch > globalStep && lastEpoch % globalStep === 0)
    return {
      why: `the scheduler was stepped ${lastEpoch / globalStep} times per optimizer step, as when every process or micro-batch steps it`,
      fix: 'Step the scheduler once per optimizer step, and rebuild its state for this step.',
    };
  if (steps !== null && steps.most < globalStep)
    return {
      why: 'the optimizer has taken fewer steps than the trainer: its state was not saved with this step, or not restored before',
      fix: 'Resume from a checkpoint whose optimizer is of the same step, or reset optimizer, scheduler and scaler together.',
    };
  return {
    why: 'trainer, scheduler and optimizer are of different steps: fresh and stale states are mixed',
    fix: 'Restore all of them from one checkpoint, or reset all of them.',
  };
}
