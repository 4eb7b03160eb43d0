/** The rates that the next update uses are those that were saved, and a scheduler that drives this optimizer sets them. */
import type { Probe } from '../probe/probe.ts';
import { critical, notChecked, pass, type Finding } from './check.ts';
import { ofEachRank, type Probed } from './probe-check.ts';

const name = 'learning rate in the run';

const fix = 'Restore optimizer, scheduler and scaler from one checkpoint, or reset all of them.';

export const liveRate = ofEachRank((probed) => {
  const { optimizer, scheduler } = probed.live;
  if (optimizer === undefined) return notChecked(name, 'the probe has no optimizer: pass it to write_probe');
  if (scheduler?.drives_optimizer === false)
    return critical(name, {
      expected: 'a scheduler that sets the rates of this optimizer',
      actual: 'a scheduler of another optimizer',
      why: 'the optimizer was built again after the scheduler, so its rate never changes from now on',
      fix: 'Build the scheduler on the optimizer that takes the steps.',
    });
  const rates = optimizer.groups.map((group) => group.learning_rate);
  const expected = savedRates(probed);
  if (expected !== null && list(expected) !== list(rates))
    return differ(
      expected,
      rates,
      'the groups of the optimizer do not have the rate that was saved: it was loaded before something that resets it, or not at all',
    );
  const scheduled = scheduler?.learning_rates ?? null;
  if (scheduled !== null && list(scheduled) !== list(rates))
    return differ(
      scheduled,
      rates,
      'scheduler and optimizer disagree: one of them was loaded before the other was built',
    );
  const moved = movedScheduler(probed) ?? otherPeaks(probed) ?? otherSettings(probed);
  if (moved !== null) return moved;
  return expected === null
    ? notChecked(name, 'the checkpoint has no rates of this optimizer')
    : pass(name, { expected: list(expected), actual: list(rates) });
});

type Rates = readonly (number | null)[];

const list = (rates: Rates): string => rates.map((rate) => rate ?? 'none').join(', ');

/** A probe has one optimizer: it is not known which of several in a checkpoint. */
const savedRates = ({ saved, checkpoint: { optimizer } }: Probed): Rates | null =>
  saved?.optimizer?.groups.map((group) => group.learning_rate) ??
  (optimizer?.optimizers === undefined ? optimizer?.groups.map(({ learningRate }) => learningRate) : undefined) ??
  null;

function differ(expected: Rates, actual: Rates, why: string): Finding {
  const [before, now] = [expected[0] ?? 0, actual[0] ?? 0];
  const variance = before === 0 ? null : `${((100 * Math.abs(now - before)) / before).toFixed(1)} %`;
  return critical(name, { expected: list(expected), actual: list(actual), variance, why, fix });
}

/** Every later rate is a share of its group's peak. */
function otherPeaks({ live, saved, checkpoint }: Probed): Finding | null {
  const before = saved?.scheduler?.base_rates ?? checkpoint.scheduler?.baseLearningRates ?? [];
  const now = live.scheduler?.base_rates ?? [];
  if (before.length === 0 || now.length === 0 || list(before) === list(now)) return null;
  return critical(name, {
    expected: `peaks of ${list(before)}`,
    actual: `peaks of ${list(now)}`,
    why: 'the present rate is as saved, but the next step of the scheduler sets another: its base_lrs are not those of the save',
    fix,
  });
}

/** Such as another length, which shows only in later rates. */
function otherSettings({ live, saved }: Probed): Finding | null {
  const [before, now] = [saved?.scheduler?.settings ?? {}, live.scheduler?.settings ?? {}];
  // A newer version of PyTorch may have others.
  const changed = Object.keys(before).filter((key) => Object.hasOwn(now, key) && !Object.is(before[key], now[key]));
  if (changed.length === 0) return null;
  const some = (settings: typeof before): string =>
    changed
      .slice(0, 5)
      .map((key) => `${key.replace(/^0\./u, '')} ${settings[key]}`)
      .join(', ');
  return critical(name, {
    expected: `a scheduler with ${some(before)}`,
    actual: some(now),
    why: 'the present rate is as saved, but the scheduler follows another schedule from here on',
    fix: 'Build the scheduler with the settings of the run, and restore its state; for another schedule, start a new run.',
  });
}

function movedScheduler({ live, saved, checkpoint }: Probed): Finding | null {
  const before: Probe['step'] = checkpoint.scheduler?.lastEpoch ?? saved?.scheduler?.last_epoch ?? null;
  const now = live.scheduler?.last_epoch ?? null;
  if (before === null || now === null || before === now) return null;
  return critical(name, {
    expected: `a scheduler after ${before} steps`,
    actual: `after ${now} steps`,
    why: 'the scheduler was not restored, or was stepped while resuming',
    fix,
  });
}
