/** The resumed run goes on with the samples that come next, of the same data: none twice, none left out. */
import type { Probe } from '../probe/probe.ts';
import { critical, noSavedProbe, notChecked, pass, warn } from './check.ts';
import { brief, ofEachRank, ofFirstRank } from './probe-check.ts';

const name = 'data order';

export const dataOrder = ofEachRank(({ live, saved }) => {
  const [before, now] = [saved?.next_samples ?? null, live.next_samples ?? null];
  if (now === null)
    return notChecked(name, 'the probe has no next_samples: pass the indexes of the next samples to write_probe');
  if (before === null)
    return notChecked(name, saved === null ? noSavedProbe : 'the probe of the save has no next_samples');
  const length = Math.min(before.length, now.length);
  if (length === 0) {
    if (before.length === now.length)
      return pass(name, { expected: 'the end of the data', actual: 'the end of the data' });
    return before.length === 0 && isNextEpoch(saved, live)
      ? notChecked(
          name,
          'the checkpoint was saved at the end of an epoch, and its probe has no samples of the next one',
        )
      : critical(name, {
          expected: before.length > 0 ? textOf(before) : 'the end of the data',
          actual: now.length > 0 ? textOf(now) : 'no sample is left',
          why: 'the resumed run is at another place of the data: skipping went past the end, or did not happen',
          fix: 'Restore the sampler with its epoch, and skip the samples that were consumed in it.',
        });
  }
  const at = before.findIndex((sample, i) => i < length && sample !== now[i]);
  if (at < 0) return pass(name, { expected: textOf(before), actual: textOf(now) });
  return critical(name, { expected: textOf(before), actual: textOf(now), ...causeOf(before, now) });
});

const isNextEpoch = (saved: Probe | null, live: Probe): boolean =>
  typeof saved?.epoch === 'number' && live.epoch === saved.epoch + 1 && live.batch_in_epoch === 0;

const textOf = (samples: readonly number[]): string =>
  `${samples.slice(0, 8).join(', ')}${samples.length > 8 ? ', …' : ''}`;

function causeOf(before: readonly number[], now: readonly number[]): { readonly why: string; readonly fix: string } {
  const ahead = before.indexOf(now[0] ?? NaN);
  const behind = now.indexOf(before[0] ?? NaN);
  if (ahead > 0)
    return {
      why: `${ahead} samples are left out`,
      fix: 'Skip exactly the samples that were consumed: per process, and once.',
    };
  if (behind > 0)
    return {
      why: `${behind} samples come twice`,
      fix: 'Save the position after the batch that was trained on, and skip as many.',
    };
  return {
    why: 'the order is another one: the seed or epoch of the sampler was not restored, or skipping wrapped a loader that forgot it',
    fix: 'Call sampler.set_epoch(epoch), and restore its generator, before skipping.',
  };
}

const datasetName = 'dataset';

/** The same data, and some of it left after the skip. */
export const dataset = ofFirstRank(({ live, saved }) => {
  const now = live.dataset;
  if (now === undefined) return notChecked(datasetName, 'the probe has no dataset: pass it to write_probe');
  const [batches, size] = [live.batch_in_epoch ?? null, live.batch_size ?? null];
  const skipped = batches === null || size === null ? null : batches * size * live.world_size;
  // The last batch of an epoch may be smaller than the others.
  const least = skipped === null || size === null ? 0 : skipped - size * live.world_size;
  const actual = `${now.length} samples, ${brief(now.digest)}`;
  if (now.length === 0 || least >= now.length)
    return critical(datasetName, {
      expected: skipped === null ? 'at least one sample' : `the ${skipped} samples that are skipped`,
      actual,
      why: 'nothing is left of the epoch after the samples that were consumed: the data have shrunk, or the batch has grown',
      fix: 'Resume on the data of the run, or start at the next epoch.',
    });
  const before = saved?.dataset;
  if (before === undefined)
    return notChecked(datasetName, saved === null ? noSavedProbe : 'the probe of the save has no dataset');
  const details = { expected: `${before.length} samples, ${brief(before.digest)}`, actual };
  if (before.length !== now.length)
    return critical(datasetName, {
      ...details,
      why: 'the data have another length, so steps, epochs and the samples to skip mean something else',
      fix: 'Resume on the data of the run. To train on others, start a new run from the weights alone.',
    });
  if (before.digest !== now.digest)
    return warn(datasetName, {
      ...details,
      why: 'some of 64 samples spread over the data differ, or the data are drawn at random whenever they are read',
      fix: 'Compare the files of the data, and their order.',
    });
  return pass(datasetName, details);
});
