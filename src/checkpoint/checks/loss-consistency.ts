/**
 * The loss continues. On the batches of the save it is the same; a log or other batches are judged against the variance before the
 * stop, since a single loss says nothing without it.
 */
import { ok } from '../../base/result.ts';
import { aroundStop, bandBefore, type AroundStop, comparedLosses, deviations, type Band } from '../across-the-stop.ts';
import type { Checkpoint, LoggedStep } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { critical, notChecked, pass, warn, type Check, type Evidence, type Finding } from './check.ts';

const name = 'loss consistency';

const fix =
  'Do not go on: see which check names another cause (weights, adapters, optimizer, random state, data), and mend that first.';

export const lossConsistency: Check = (checkpoint, evidence) => ok(judge(checkpoint, evidence));

function judge(checkpoint: Checkpoint, { live: probes, saved: before, log }: Evidence): Finding {
  const live = probes?.[0] ?? null;
  const same = onSameBatches(live, before?.[0] ?? null);
  if (same?.status === 'CRITICAL') return same;
  const stop = checkpoint.position?.globalStep ?? live?.step ?? null;
  const logged = stop === null ? null : onLog(aroundStop(stop, log ?? probedLosses(live, stop), checkpoint.log));
  if (logged === null || (logged.status === 'NOT CHECKED' && same !== null)) return same ?? notChecked(name, noLosses);
  return same !== null && log === null ? same : logged;
}

const noLosses = 'there are no losses after the stop: pass --log, or batches and loss_of to write_probe';

/** On other batches than at the save, as the log would show them. */
const probedLosses = (live: Probe | null, stop: number): readonly LoggedStep[] =>
  (live?.losses ?? []).map((loss) => ({ step: stop + 1, loss, learningRate: null }));

/** Null if the probes have no batch in common. */
function onSameBatches(live: Probe | null, saved: Probe | null): Finding | null {
  if (live === null || saved === null) return null;
  const pairs = (saved.batches ?? []).flatMap((batch, i) => {
    const at = live.batches?.indexOf(batch) ?? -1;
    const [before, now] = [saved.losses?.[i], live.losses?.[at]];
    return before === undefined || now === undefined ? [] : [{ before, now }];
  });
  if (pairs.length === 0) return null;
  const variance = ({ before, now }: { readonly before: number; readonly now: number }): number =>
    before === now || (Number.isNaN(before) && Number.isNaN(now)) ? 0 : Math.abs(now - before) / Math.abs(before);
  // A NaN is as far apart as can be.
  const size = (pair: (typeof pairs)[number]): number => (Number.isNaN(variance(pair)) ? Infinity : variance(pair));
  const worst = pairs.reduce((a, b) => (size(b) > size(a) ? b : a));
  // With the same weights and random numbers only rounding differs; with other random numbers, dropout.
  const isSeeded = live.random?.torch !== undefined && live.random.torch === saved.random?.torch;
  const [quiet, loud] = isSeeded ? [0.01, 0.05] : [0.3, 0.5];
  const details = {
    expected: String(worst.before),
    actual: String(worst.now),
    variance: `${(100 * size(worst)).toFixed(1)} % on the same batch`,
  };
  if (size(worst) <= quiet) return pass(name, details);
  return (size(worst) <= loud ? warn : critical)(name, {
    ...details,
    why: 'the model does not compute what it computed at the save, on the same batch and before any update',
    fix,
  });
}

function onLog({ before, after }: AroundStop): Finding {
  const all = after.flatMap(({ step, loss }) => (loss === null ? [] : [{ step, loss }]));
  const losses = all.slice(0, comparedLosses);
  const [first] = losses;
  if (first === undefined) return notChecked(name, noLosses);
  if (all.length >= lasting && all.every(({ step }) => step === first.step))
    return notChecked(
      name,
      `all ${all.length} losses after the stop are of step ${first.step}, so that none can be compared`,
    );
  const band = bandBefore(before);
  const broken = losses.find(({ loss }) => !Number.isFinite(loss));
  if (broken !== undefined)
    return critical(name, {
      expected: 'a finite loss',
      actual: `${broken.loss} at step ${broken.step}`,
      why: 'the run diverged right after the stop: a loss scale that was not restored, or damaged weights',
      fix,
    });
  if (band === null)
    return notChecked(name, 'fewer than eight losses were logged before the stop, so their variance is unknown');
  const z = gravest(band, first, losses);
  const expected = band.at(first.step);
  const margin = deviations.warn * band.deviation(first.step);
  const details = {
    expected: `${short(expected)} ± ${short(margin)} (from ${band.losses} losses before the stop)`,
    actual: losses.map(({ loss }) => short(loss)).join(', '),
    variance: `${((100 * Math.abs(first.loss - expected)) / Math.abs(expected)).toFixed(1)} %, ${Math.abs(z).toFixed(1)} deviations`,
  };
  const jump = jumpOf(band, losses, z < 0 ? -1 : 1);
  if (Math.abs(z) <= deviations.warn || jump <= 1.2) return divergedLater(before, all) ?? pass(name, details);
  if (z < 0)
    return warn(name, {
      ...details,
      why: 'the loss is far lower than before the stop: samples may come twice, or the loss is divided by another number',
      fix: 'Check the data order, the dataset and the accumulation.',
    });
  return (z <= deviations.critical || jump <= 2 ? warn : critical)(name, {
    ...details,
    why: 'the loss jumped at the stop by more than it varied before: something was not restored',
    fix,
  });
}

/** As many losses in a row are no spike. */
const lasting = 3;

/** The largest loss so far was that of an early model: ten times that is no noise. */
const factor = 10;

/** A loss that goes on for some rows and then grows beyond all that was logged before the stop. */
function divergedLater(before: readonly LoggedStep[], after: readonly Loss[]): Finding | null {
  const largest = before.reduce((most, { loss }) => Math.max(most, loss ?? -Infinity), -Infinity);
  const at = after.findIndex((_, i) => {
    const row = after.slice(i, i + lasting);
    return row.length === lasting && row.every(({ loss }) => loss > factor * largest);
  });
  if (!(largest > 0) || at < 0) return null;
  return critical(name, {
    expected: `losses like ${short(largest)}, the largest before the stop`,
    actual: `${short(after[at]?.loss ?? NaN)} at step ${after[at]?.step}, and more after it`,
    why: 'the run diverged some steps after the stop: its moments, its rate or its loss scale may be others',
    fix,
  });
}

/** How often the largest change before the stop goes into the one at the stop; 0 if the losses are among the last ten. */
function jumpOf(
  { recent: [least, largest], level, largestChange }: Band,
  losses: readonly Loss[],
  sign: 1 | -1,
): number {
  const change = largestChange(sign);
  const [first, mean] = [losses[0]?.loss ?? level, losses.reduce((sum, { loss }) => sum + loss, 0) / losses.length];
  if ([first, mean].every((loss) => loss >= least && loss <= largest)) return 0;
  const share = (now: number, before: number): number => (now <= 0 ? 0 : now / before);
  return Math.max(
    share(sign * (first - level), change.one),
    losses.length < comparedLosses ? 0 : share(sign * (mean - level), change.five),
  );
}

type Loss = { readonly step: number; readonly loss: number };

/** A loss that fell faster and faster goes on below the line through all of them, but not below that of the last ones. */
function gravest(band: Band, first: Loss, losses: readonly Loss[]): number {
  const all = deviationsFrom(band, first, losses);
  const end = deviationsFrom(band.end, first, losses);
  return all < 0 && Math.abs(end) < Math.abs(all) ? end : all;
}

/** Of the first loss, and of the mean of the first few: a jump that lasts, or one that recovers. */
function deviationsFrom(band: Pick<Band, 'at' | 'deviation'>, first: Loss, losses: readonly Loss[]): number {
  const one = (first.loss - band.at(first.step)) / band.deviation(first.step);
  const apart = losses.reduce((sum, { step, loss }) => sum + (loss - band.at(step)) / band.deviation(step), 0);
  const all = apart / Math.sqrt(losses.length);
  return Math.abs(all) > Math.abs(one) ? all : one;
}

const short = (value: number): string => String(Number(value.toPrecision(5)));
