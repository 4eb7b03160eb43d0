/**
 * The learning rate in a log around the stop: as the configuration gives it, or, where the schedule is unknown, without a jump and
 * without standing still. A trainer may log the rate before or after it steps the scheduler, so one step of lag is allowed.
 */
import { ok } from '../../base/result.ts';
import { aroundStop, type AroundStop } from '../across-the-stop.ts';
import type { Checkpoint, LoggedStep } from '../checkpoint.ts';
import { scheduleOf, type Schedule } from '../learning-rates.ts';
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

function judge({ position, settings, log: earlier, optimizer }: Checkpoint, log: readonly LoggedStep[]): Finding {
  if (position === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const around = aroundStop(position.globalStep, log, earlier);
  const [before, after] = [ratesIn(around.before), ratesIn(around.after)];
  const [first] = after;
  if (first === undefined) return notChecked(name, 'the log has no learning rate after the stop');
  const schedule = scheduleOf(settings, position.maxSteps);
  const groups = optimizer?.groups.length ?? 1;
  if (!('missing' in schedule) && groups === 1) return bySchedule(schedule, after, first);
  return byContinuation(around, before, after, first);
}

const ratesIn = (rows: readonly LoggedStep[]): readonly Rate[] =>
  rows.flatMap(({ step, learningRate: rate }) => (rate === null ? [] : [{ step, rate }]));

function bySchedule(schedule: Schedule, after: readonly Rate[], first: Rate): Finding {
  const isClose = (rate: number, expected: number): boolean =>
    Math.abs(rate - expected) <= tolerance * Math.abs(expected);
  const wrong = after.find(
    ({ step, rate }) => ![step - 1, step, step + 1].some((at) => isClose(rate, schedule.at(Math.max(0, at)))),
  );
  if (wrong === undefined)
    return pass(name, {
      expected: `${schedule.kind}: ${short(schedule.at(first.step))} at step ${first.step}`,
      actual: `${short(first.rate)}, and ${after.length - 1} more as scheduled`,
    });
  const expected = schedule.at(wrong.step);
  return critical(name, {
    expected: `${short(expected)} at step ${wrong.step} (${schedule.kind}, ${schedule.total} steps, peak ${schedule.peak})`,
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
