/**
 * The learning rate, recomputed from the configuration or from the scheduler's own settings: that of the scheduler, of the optimizer's
 * groups and of the log must be the same. The Trainer logs the rate before it steps the scheduler, so the log may lag by one step.
 */
import { ok } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { ownScheduleIn, scheduleIn, type Schedule } from '../learning-rates.ts';
import { critical, notChecked, pass, type Check, type Finding } from './check.ts';
import { ownLearningRate } from './own-learning-rate.ts';

const name = 'learning rate';

/** Python's and V8's cosine may differ in the last bit, which the sum and the product carry on. */
const tolerance = 2 ** -50;

/** Some trainers round what they log. */
const logTolerance = 1e-3;

export const learningRate: Check = (checkpoint) => {
  const own = ownScheduleIn(checkpoint);
  return ok(own === null ? judge(checkpoint) : (disagreement(checkpoint) ?? ownLearningRate(name, own, checkpoint)));
};

interface Found {
  /** `the scheduler`. */
  readonly of: string;
  readonly rate: number;
  /** The peak of its group, if that has its own. */
  readonly peak?: number | undefined;
}

function judge(checkpoint: Checkpoint): Finding {
  const { position, settings, log, scheduler } = checkpoint;
  if (position === null) return notChecked(name, 'the checkpoint does not say how many steps were taken');
  const schedule = scheduleIn(checkpoint);
  if ('missing' in schedule) return disagreement(checkpoint) ?? notChecked(name, schedule.missing);
  const { globalStep } = position;
  const conflict = conflictOf(checkpoint, schedule);
  if (conflict !== null) return conflict;
  // With fp16, the scheduler skips the steps that the optimizer skips.
  const step = settings.get('fp16') === true ? Math.min(globalStep, scheduler?.lastEpoch ?? globalStep) : globalStep;
  const stored = ratesOf(checkpoint, schedule);
  const logged = log.findLast((line) => line.step === globalStep && line.learningRate !== null)?.learningRate;
  const [first] = stored;
  if (first === undefined && typeof logged !== 'number')
    return notChecked(name, 'neither a scheduler, nor an optimizer, nor a log of this step was saved');
  const wrong = stored.find(({ rate, peak }) => !isClose(rate, schedule.at(step, peak)));
  if (wrong) return faulty(schedule, wrong, step);
  const peaks = [undefined, ...stored.map(({ peak }) => peak)];
  const isLogged = (rate: number): boolean =>
    [step, Math.max(0, step - 1)].some((at) =>
      peaks.some((peak) => isClose(rate, schedule.at(at, peak), logTolerance)),
    );
  if (typeof logged === 'number' && !isLogged(logged)) return faulty(schedule, { of: 'the log', rate: logged }, step);
  const expected = schedule.at(step, first?.peak);
  const actual = first?.rate ?? logged ?? NaN;
  return pass(name, {
    expected: String(expected),
    actual: String(actual),
    variance: percent(actual, expected),
    why: `${schedule.kind} after ${step} of ${schedule.total} steps, ${schedule.warmup} of them warm-up${peaks.some((peak) => peak !== schedule.peak && peak !== undefined) ? '; groups have peaks of their own, as the scheduler saved them' : ''}`,
  });
}

/** Whatever the schedule: its scheduler wrote the rates of the optimizer when it was stepped. */
function disagreement({ scheduler, optimizer }: Checkpoint): Finding | null {
  const [scheduled, groups] = [scheduler?.learningRates ?? [], optimizer?.groups ?? []];
  const at = groups.findIndex(({ learningRate: rate }, i) => rate !== null && !isClose(rate, scheduled[i] ?? rate));
  if (scheduled.length !== groups.length || at < 0) return null;
  return critical(name, {
    expected: `${scheduled[at]} (scheduler)`,
    actual: `${groups[at]?.learningRate} in group ${at} of the optimizer`,
    why: 'scheduler and optimizer disagree: one of them was saved at another step, or changed afterwards',
    fix: 'Restore both from one checkpoint.',
  });
}

/** What the next steps would start from, if it contradicts the configuration although the present rate does not. */
function conflictOf({ settings, position, scheduler, optimizer }: Checkpoint, { peak }: Schedule): Finding | null {
  const differ = (expected: string, actual: string): Finding =>
    critical(name, {
      expected,
      actual,
      why: 'the parts of the checkpoint disagree, so the learning rate changes with the next step',
      fix: 'Restore all of them from one checkpoint, with the configuration of the run.',
    });
  const steps = settings.get('max_steps');
  if (typeof steps === 'number' && steps > 0 && steps !== position?.maxSteps)
    return differ(`max_steps ${steps} (training_args.bin)`, `max_steps ${position?.maxSteps} (trainer_state.json)`);
  const bases = scheduler?.baseLearningRates ?? [];
  const [base] = bases;
  if (base !== undefined && bases.every((one) => one === base) && !isClose(base, peak))
    return differ(`a peak of ${peak}`, `${base} in the scheduler`);
  const group = (optimizer?.groups ?? []).findIndex(
    ({ initialRate }, i) => initialRate !== null && !isClose(initialRate, bases[i] ?? peak),
  );
  return group < 0
    ? null
    : differ(
        `a peak of ${bases[group] ?? peak}`,
        `${optimizer?.groups[group]?.initialRate} in group ${group} of the optimizer`,
      );
}

/** What scheduler and optimizer stored. Groups with rates of their own have peaks of their own, which the scheduler knows. */
function ratesOf({ scheduler, optimizer }: Checkpoint, { peak }: Schedule): readonly Found[] {
  const bases = scheduler?.baseLearningRates ?? [];
  const peakOf = bases.some((base) => base !== bases[0]) ? (i: number) => bases[i] ?? peak : () => peak;
  return [
    ...(scheduler?.learningRates ?? []).map((rate, i) => ({ of: 'the scheduler', rate, peak: peakOf(i) })),
    ...(optimizer?.groups ?? []).flatMap(({ learningRate: rate }, i) =>
      rate === null ? [] : [{ of: `group ${i} of the optimizer`, rate, peak: peakOf(i) }],
    ),
  ];
}

const isClose = (rate: number, expected: number, relative = tolerance): boolean =>
  rate === expected || Math.abs(rate - expected) <= relative * Math.abs(expected);

const percent = (rate: number, expected: number): string | null =>
  expected === 0 ? null : `${((100 * Math.abs(rate - expected)) / Math.abs(expected)).toFixed(1)} %`;

function faulty(schedule: Schedule, { of, rate, peak }: Found, step: number): Finding {
  const expected = schedule.at(step, peak);
  const same = stepWith(schedule, rate, peak);
  const cause =
    same === null
      ? 'no step of this schedule has this rate, so the checkpoint comes from another configuration'
      : `it is the rate of step ${same}, so the scheduler has taken another number of steps than the trainer`;
  return critical(name, {
    expected: String(expected),
    actual: String(rate),
    variance: percent(rate, expected),
    why: `${of} has another rate than ${schedule.kind} gives after ${step} of ${schedule.total} steps: ${cause}`,
    fix: 'Resume with the configuration of the run, and restore the scheduler with the optimizer.',
  });
}

/** The first step with this rate; null if there is none among the first ten million. */
function stepWith(schedule: Schedule, rate: number, peak?: number): number | null {
  for (let step = 0; step <= Math.min(schedule.total, 10_000_000); step++)
    if (isClose(rate, schedule.at(step, peak))) return step;
  return null;
}
