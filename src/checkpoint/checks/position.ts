/** Step, epoch and batch: those of the save, and consistent among themselves. */
import { ok } from '../../base/result.ts';
import type { Position, Setting } from '../checkpoint.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';

import { ofEachRank } from './probe-check.ts';

const name = 'position';

export const livePosition = ofEachRank(({ live, saved, checkpoint }) => {
  const step = live.step ?? null;
  if (step === null) return notChecked(name, 'the probe has no step: pass it to write_probe');
  const before = saved?.step ?? checkpoint.position?.globalStep ?? null;
  if (before === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const parts = [
    ['step', before, step],
    ['epoch', saved?.epoch ?? null, live.epoch ?? null],
    ['batch', saved?.batch_in_epoch ?? null, live.batch_in_epoch ?? null],
  ] as const;
  const known = parts.filter(([, was, now]) => was !== null && now !== null);
  const details = {
    expected: known.map(([what, was]) => `${what} ${was}`).join(', '),
    actual: known.map(([what, , now]) => `${what} ${now}`).join(', '),
  };
  const moved = known.filter(([, was, now]) => was !== now);
  if (moved.length === 0) return pass(name, details);
  return critical(name, {
    ...details,
    why:
      moved.length < known.length
        ? 'the position is inconsistent: some of step, epoch and batch were reset or shifted and others were not'
        : 'the run is at another position than the checkpoint',
    fix: 'Restore step, epoch and batch together, or set all of them to 0 with a fresh optimizer.',
  });
});

const algebraName = 'position in the run';

/** Step and epoch of the checkpoint: both are the same share of the whole run. */
export const positionAlgebra: Check = ({ position, settings }) =>
  ok(algebra(position, settings.get('max_steps'), settings.get('num_train_epochs')));

/** If `max_steps` is set, the Trainer rounds the number of epochs up. */
function algebra(position: Position | null, maximum: Setting | undefined, epochs: Setting | undefined): Finding | null {
  if (typeof maximum !== 'number' || maximum > 0) return null;
  if (
    position === null ||
    position.maxSteps === null ||
    position.epoch === null ||
    typeof epochs !== 'number' ||
    !(epochs > 0)
  )
    return null;
  const { globalStep, maxSteps, epoch } = position;
  const perEpoch = maxSteps / epochs;
  const expected = globalStep / perEpoch;
  const details = { expected: `epoch ${expected.toFixed(4)}`, actual: `epoch ${epoch}` };
  // An epoch whose last update has fewer micro-batches is shorter than the others by up to one update.
  if (Math.abs(epoch - expected) * perEpoch <= 1 + epochs) return pass(algebraName, details);
  return warn(algebraName, {
    ...details,
    why: `step ${globalStep} of ${maxSteps} in ${epochs} epochs is elsewhere: the data, the batch size or the number of devices changed earlier, or steps were counted in micro-batches`,
    fix: 'Check that the log of the run has one step per update, and an epoch that never jumps.',
  });
}
