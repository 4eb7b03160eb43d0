/**
 * The learning rate in a log around the stop: as the configuration or the scheduler's own settings give it, or, where the schedule is
 * unknown, without a jump and without standing still. A trainer may log the rate before or after it steps the scheduler, so one step of lag is allowed.
 */
import { ok } from '../../base/result.ts';
import { aroundStop, type AroundStop } from '../across-the-stop.ts';
import type { Checkpoint, LoggedStep } from '../checkpoint.ts';
import { ownScheduleIn, scheduleIn } from '../learning-rates.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';

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
  const plan = ownPlan(checkpoint) ?? configuredPlan(checkpoint);
  return plan === null
    ? byContinuation(around, before, after, first)
    : (byPlan(plan, after, first) ?? lagged(plan, before, after, first));
}

/** The rates that the steps of a run should have. */
interface Plan {
  /** In words. */
  readonly kind: string;
  /** One for each group, since a log has the rate of one of them: the rate after as many steps. */
  readonly groups: readonly ((step: number) => number)[];
  /** The largest rate, below a share of which rounding is all that there is. */
  readonly peak: number;
  /** Steps that were skipped until the stop, and the most that may be afterwards. */
  readonly skipped: number;
  readonly saved: number;
}

const ratesIn = (rows: readonly LoggedStep[]): readonly Rate[] =>
  rows.flatMap(({ step, learningRate: rate }) => (rate === null ? [] : [{ step, rate }]));

/** Steps that a run with fp16 may skip after its stop: each halves the loss scale, and so many take even 2⁶⁴ to 1. */
const mostSkipped = 64;

/** From the settings of the run. A log has the rate of one group, and each may have a peak of its own. */
function configuredPlan(checkpoint: Checkpoint): Plan | null {
  const schedule = scheduleIn(checkpoint);
  if ('missing' in schedule) return null;
  const { optimizer, scheduler } = checkpoint;
  const groups = optimizer?.groups.flatMap(({ initialRate }) => initialRate ?? []) ?? [];
  const peaks = [...new Set([schedule.peak, ...(scheduler?.baseLearningRates ?? []), ...groups])];
  return {
    kind: `${schedule.kind}, ${schedule.total} steps, peak ${schedule.peak}`,
    groups: peaks.map((peak) => (step) => schedule.at(step, peak)),
    peak: 0,
    ...skips(checkpoint),
  };
}

/** From the settings that the scheduler itself saved, if it is stepped with the optimizer. */
function ownPlan(checkpoint: Checkpoint): Plan | null {
  const own = ownScheduleIn(checkpoint);
  const { globalStep = 0 } = checkpoint.position ?? {};
  const { saved, skipped } = skips(checkpoint);
  if (own === null || own.count !== (skipped > 0 ? saved : globalStep)) return null;
  const peak = own.groups.reduce((most, rate) => Math.max(most, rate(own.count)), 0);
  return { kind: own.kind, groups: own.groups, peak, saved, skipped };
}

/** With a loss scale, the scheduler skips the steps that the optimizer skips. */
function skips({ settings, scheduler, position, lossScale }: Checkpoint): Pick<Plan, 'saved' | 'skipped'> {
  const { globalStep = 0 } = position ?? {};
  if (settings.get('fp16') !== true && lossScale === null) return { saved: globalStep, skipped: 0 };
  const saved = Math.min(scheduler?.lastEpoch ?? globalStep, globalStep);
  return { saved, skipped: globalStep - saved + mostSkipped };
}

type Group = Plan['groups'][number];

/** Whether the rate is that of `step + lag`. */
const isAt = ({ peak }: Plan, at: Group, { step, rate }: Rate, lag: number): boolean => {
  const expected = at(Math.max(0, step + lag));
  return Math.abs(rate - expected) <= tolerance * Math.abs(expected) + 1e-9 * peak;
};

/** Null if all rates are as planned. */
function byPlan(plan: Plan, after: readonly Rate[], first: Rate): Finding | null {
  const isPlanned = (at: Group, one: Rate): boolean => {
    // Whatever is skipped, the scheduler goes on from where it was saved.
    const least = Math.max(-1 - plan.skipped, Math.min(plan.saved, one.step) - 1 - one.step);
    for (let lag = 1; lag >= least; lag--) if (isAt(plan, at, one, lag)) return true;
    return false;
  };
  const faults = plan.groups.map((group) => ({ group, at: after.findIndex((one) => !isPlanned(group, one)) }));
  if (faults.some(({ at }) => at < 0)) return null;
  const { group, at } = faults.reduce((a, b) => (b.at > a.at ? b : a));
  const wrong = after[at] ?? first;
  const expected = group(wrong.step);
  return critical(name, {
    expected: `${short(expected)} at step ${wrong.step} (${plan.kind})`,
    actual: short(wrong.rate),
    variance: expected === 0 ? null : `${((100 * Math.abs(wrong.rate - expected)) / expected).toFixed(1)} %`,
    why: 'the resumed run follows another schedule, or the same from another step',
    fix,
  });
}

/** A log that lagged by one step before the stop does so afterwards. */
function lagged(plan: Plan, before: readonly Rate[], after: readonly Rate[], first: Rate): Finding {
  const lags = (rows: readonly Rate[]): readonly number[] =>
    [0, -1, 1].filter((lag) => plan.groups.some((group) => rows.every((one) => isAt(plan, group, one, lag))));
  const [earlier, later] = [lags(before.slice(-10)), lags(after)];
  const [expected] = plan.groups.map((group) => group(first.step + (earlier[0] ?? 0)));
  const details = {
    expected: `${short(expected ?? NaN)} at step ${first.step} (${plan.kind})`,
    actual: `${short(first.rate)}, and ${after.length - 1} more as scheduled`,
  };
  const isShifted = earlier.length > 0 && later.length > 0 && !later.some((lag) => earlier.includes(lag));
  if (plan.skipped > 0 || !isShifted) return pass(name, details);
  return warn(name, {
    ...details,
    actual: short(first.rate),
    why: `the log is ${inWords(earlier[0] ?? 0)} the schedule before the stop and ${inWords(later[0] ?? 0)} it afterwards: the scheduler was stepped once too often, or once too little`,
    fix: 'Restore the scheduler after it was built, and step it once per optimizer step.',
  });
}

const inWords = (lag: number): string => (lag === 0 ? 'in step with' : lag < 0 ? 'a step behind' : 'a step ahead of');

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
