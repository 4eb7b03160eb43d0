/** The rates that a scheduler saved are those that its own settings give after as many steps as it counted. */
import type { Checkpoint } from '../checkpoint.ts';
import type { OwnSchedule } from '../learning-rates.ts';
import { critical, pass, warn, type Finding } from './check.ts';

/** Most schedulers compute each rate from the one before, so rounding adds up over millions of steps. */
const tolerance = 1e-7;

/** These set each rate anew, so that a wrong one is replaced at the next step. */
const absolute = new Set(['OneCycleLR', 'CosineAnnealingWarmRestarts', 'CyclicLR']);

/** `name` is that of the check. */
export function ownLearningRate(
  name: string,
  { kind, count, groups }: OwnSchedule,
  { scheduler }: Pick<Checkpoint, 'scheduler'>,
): Finding {
  const [expected, actual] = [groups.map((rate) => rate(count)), scheduler?.learningRates ?? []];
  const largest = [...expected, ...(scheduler?.baseLearningRates ?? [])].reduce((a, b) => Math.max(a, b), 0);
  const differs = (rate: number, i: number): boolean =>
    !(Math.abs(rate - (expected[i] ?? NaN)) <= tolerance * Math.abs(rate) + (tolerance / 100) * largest);
  const group = Math.max(0, actual.findIndex(differs));
  const [right = NaN, found = NaN] = [expected[group], actual[group]];
  const details = {
    expected: String(right),
    actual: `${found}${actual.length > 1 ? ` in group ${group}` : ''}`,
    variance: right === 0 ? null : `${((100 * Math.abs(found - right)) / right).toFixed(1)} %`,
  };
  if (!actual.some(differs))
    return pass(name, { ...details, why: `${kind} after ${count} steps, by its own settings` });
  if (absolute.has(kind))
    return critical(name, {
      ...details,
      why: `${kind} gives another rate after ${count} steps, so that the rate jumps with the next one`,
      fix: 'Restore scheduler and optimizer from one checkpoint, and do not set rates by hand.',
    });
  return warn(name, {
    ...details,
    why: `${kind} gives another rate after ${count} steps, and goes on from this one: the rate was set by hand, or the settings were changed`,
    fix: 'If nobody meant to change the rate, resume from a checkpoint of before.',
  });
}
