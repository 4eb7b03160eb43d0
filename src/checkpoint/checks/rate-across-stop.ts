/**
 * The learning rate in a log around the stop: as the configuration gives it, or, where the schedule is unknown, without a jump and
 * without standing still. A trainer may log the rate before or after it steps the scheduler, so one step of lag is allowed.
 */
import { ok } from '../../base/result.ts';
import { aroundStop, type AroundStop } from '../across-the-stop.ts';
import type { Checkpoint, LoggedStep } from '../checkpoint.ts';
import { scheduleIn, type Schedule } from '../learning-rates.ts';
import { critical, notChecked, pass, type Check, type Finding } from './check.ts';

const name = 'learning rate across the stop';

/** Some trainers round what they log. */
const tolerance = 1e-3;

const fix =
  'Restore the scheduler with the optimizer, with the configuration of the run, and bind it to that optimizer.';

export const rateAcrossStop: Check = (checkpoint, { log }) => ok(log === null ? null : judge(checkpoint, log));

interface Rate {
  readonly step: number;
  readonly rate: number;
}

function judge(checkpoint: Checkpoint, log: readonly LoggedStep[]): Finding {
  const { position, log: earlier } = checkpoint;
  if (position === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const around = aroundStop(position.globalStep, log, earlier);
  const [before, after] = [ratesIn(around.before), ratesIn(around.after)];
  const [first] = after;
  if (first === undefined) return notChecked(name, 'the log has no learning rate after the stop');
  const broken = after.find(({ rate }) => !(rate >= 0 && rate < Infinity));
  if (broken !== undefined)
    return critical(name, {
      expected: 'finite rates that are not negative',
      actual: `${broken.rate} at step ${broken.step}`,
      why: 'the next updates make every weight NaN, or climb',
      fix,
    });
  const schedule = scheduleIn(checkpoint);
  return 'missing' in schedule
    ? byContinuation(around, before, after, first)
    : bySchedule(schedule, after, first, checkpoint);
}

const ratesIn = (rows: readonly LoggedStep[]): readonly Rate[] =>
  rows.flatMap(({ step, learningRate: rate }) => (rate === null ? [] : [{ step, rate }]));

/** Steps that a run with fp16 may skip after its stop: each halves the loss scale, and so many take even 2⁶⁴ to 1. */
const mostSkipped = 64;

function bySchedule(schedule: Schedule, after: readonly Rate[], first: Rate, checkpoint: Checkpoint): Finding {
  const { optimizer, scheduler, position, settings } = checkpoint;
  const { globalStep = 0 } = position ?? {};
  const saved = settings.get('fp16') === true ? Math.min(scheduler?.lastEpoch ?? globalStep, globalStep) : globalStep;
  const skipped = settings.get('fp16') === true ? globalStep - saved + mostSkipped : 0;
  const isClose = (rate: number, expected: number): boolean =>
    Math.abs(rate - expected) <= tolerance * Math.abs(expected);
  const isScheduled = ({ step, rate }: Rate, peak: number): boolean => {
    // Whatever is skipped, the scheduler goes on from where it was saved.
    const least = Math.max(step - 1 - skipped, Math.min(saved, step) - 1);
    for (let at = step + 1; at >= least; at--) if (isClose(rate, schedule.at(Math.max(0, at), peak))) return true;
    return false;
  };
  // A log has the rate of one group, and each may have a peak of its own.
  const groups = optimizer?.groups.flatMap(({ initialRate }) => initialRate ?? []) ?? [];
  const peaks = new Set([schedule.peak, ...(scheduler?.baseLearningRates ?? []), ...groups]);
  const faults = [...peaks].map((peak) => ({ peak, at: after.findIndex((one) => !isScheduled(one, peak)) }));
  const right = faults.find(({ at }) => at < 0);
  if (right !== undefined)
    return pass(name, {
      expected: `${schedule.kind}: ${short(schedule.at(first.step, right.peak))} at step ${first.step}`,
      actual: `${short(first.rate)}, and ${after.length - 1} more as scheduled`,
    });
  const { peak, at } = faults.reduce((a, b) => (b.at > a.at ? b : a));
  const wrong = after[at] ?? first;
  const expected = schedule.at(wrong.step, peak);
  return critical(name, {
    expected: `${short(expected)} at step ${wrong.step} (${schedule.kind}, ${schedule.total} steps, peak ${peak})`,
    actual: short(wrong.rate),
    variance: expected === 0 ? null : `${((100 * Math.abs(wrong.rate - expected)) / expected).toFixed(1)} %`,
    why: 'the resumed run follows another schedule, or the same from another step',
    fix,
  });
}

/** How many rates of a row show that it does not change. */
const enough = 3;

function byContinuation({ stop }: AroundStop, before: readonly Rate[], after: readonly Rate[], first: Rate): Finding {
  const last = before.at(-1);
  if (last === undefined || before.length < enough)
    return notChecked(name, 'the schedule is unknown, and fewer than three rates were logged before the stop');
  const slopes = before.slice(-30).flatMap((one, i, all) => {
    const next = all[i + 1];
    return next === undefined || next.step === one.step
      ? []
      : [Math.abs(next.rate - one.rate) / (next.step - one.step)];
  });
  const steepest = Math.max(0, ...slopes);
  // Two steps more: the log may lag on either side.
  const allowed = 2 * steepest * (first.step - last.step + 2) + tolerance * Math.abs(last.rate);
  const details = {
    expected: `${short(last.rate)} at step ${last.step}, changing by at most ${short(steepest)} a step`,
    actual: `${short(first.rate)} at step ${first.step}`,
    variance: last.rate === 0 ? null : `${((100 * Math.abs(first.rate - last.rate)) / last.rate).toFixed(1)} %`,
  };
  if (Math.abs(first.rate - last.rate) > allowed)
    return critical(name, { ...details, why: `the rate jumps at step ${stop}: the scheduler was not restored`, fix });
  const wasMoving = slopes.slice(-enough).length === enough && slopes.slice(-enough).every((slope) => slope > 0);
  if (wasMoving && after.length > enough && after.every(({ rate }) => rate === first.rate))
    return critical(name, {
      ...details,
      actual: `${short(first.rate)} at all ${after.length} steps that were logged`,
      why: 'the rate changed at every step before the stop and never after: the scheduler does not drive this optimizer',
      fix,
    });
  return pass(name, details);
}

const short = (value: number): string => String(Number(value.toPrecision(6)));
