/** Step, epoch and batch: those of the save, and consistent among themselves. */
import { ok } from '../../base/result.ts';
import type { Position, Setting } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';
import { startsWithNewVocabulary } from './new-vocabulary.ts';
import { ofEachRank } from './probe-check.ts';

const name = 'position';

export const livePosition = ofEachRank(({ live, saved, checkpoint, evidence }) => {
  const step = live.step ?? null;
  if (step === null) return notChecked(name, 'the probe has no step: pass it to write_probe');
  const before = saved?.step ?? checkpoint.position?.globalStep ?? null;
  if (before === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const known = [['step', before, step] as const, ...inTheData(saved, live)].filter(
    ([, was, now]) => was !== null && now !== null,
  );
  const details = {
    expected: known.map(([what, was]) => `${what} ${was}`).join(', '),
    actual: known.map(([what, , now]) => `${what} ${now}`).join(', '),
  };
  const moved = known.filter(([, was, now]) => was !== now);
  if (moved.length === 0) return pass(name, details);
  if (startsWithNewVocabulary(evidence))
    return warn(name, {
      ...details,
      why: 'the vocabulary changed, and the run starts again from the weights: with a fresh optimizer and scheduler, at step 0',
      fix: 'Nothing, if that was meant. Expect a high loss until the new rows are trained.',
    });
  return critical(name, {
    ...details,
    why:
      moved.length < known.length
        ? 'the position is inconsistent: some of step, epoch and batch were reset or shifted and others were not'
        : 'the run is at another position than the checkpoint',
    fix: 'Restore step, epoch and batch together, or set all of them to 0 with a fresh optimizer.',
  });
});

type Part = readonly [what: string, was: number | null, now: number | null];

/** Epoch and batch; or the samples taken of the epoch, if a batch is not what it was at the save. */
function inTheData(saved: Probe | null, live: Probe): readonly Part[] {
  const length = saved?.dataset?.length ?? live.dataset?.length ?? null;
  const [was, now] = [saved === null ? null : placeOf(saved, length), placeOf(live, length)];
  const [before, after] = [was?.perBatch ?? null, now.perBatch];
  const isCut = before !== null && after !== null && before !== after;
  return [
    ['epoch', was?.epoch ?? null, now.epoch],
    isCut ? ['sample', was && samplesOf(was), samplesOf(now)] : ['batch', was?.batch ?? null, now.batch],
  ];
}

interface Place {
  readonly epoch: number | null;
  readonly batch: number | null;
  /** Samples of one batch on all processes. */
  readonly perBatch: number | null;
}

/** The end of an epoch is the start of the next one, whichever of the two a trainer says. */
function placeOf({ epoch = null, batch_in_epoch: batch = null, ...probe }: Probe, length: number | null): Place {
  const perBatch = typeof probe.batch_size === 'number' ? probe.batch_size * probe.world_size : null;
  const isKnown = batch !== null && batch > 0 && epoch !== null && Number.isInteger(epoch);
  const isAtEnd =
    length === null || perBatch === null ? probe.next_samples?.length === 0 : (batch ?? 0) * perBatch >= length;
  return isKnown && isAtEnd ? { epoch: epoch + 1, batch: 0, perBatch } : { epoch, batch, perBatch };
}

const samplesOf = ({ batch, perBatch }: Place): number | null =>
  batch === null || perBatch === null ? null : batch * perBatch;

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
