/** The losses that were logged up to a save: whether the run had diverged although its numbers are still finite. */
import type { Checkpoint } from '../checkpoint.ts';
import { critical, warn, type Finding } from './check.ts';

/** One or two losses that are not finite may be steps that a loss scaler has skipped. */
const last = 3;

/** With fewer before them, the largest loss so far says nothing. */
const fewest = 8;

/** A run has its largest losses at its beginning, when its model knows nothing: ten times that is no noise. */
const factor = 10;

/** Null if the losses are as they may be, or too few. */
export function divergence(name: string, { log, position }: Checkpoint): Finding | null {
  const stop = position?.globalStep ?? Infinity;
  const losses = log.flatMap(({ step, loss }) => (loss === null || step > stop ? [] : [{ step, loss }]));
  const end = losses.slice(-last);
  const [first] = end;
  if (first === undefined || end.length < last) return null;
  const why = 'the run had diverged before this checkpoint was saved';
  const fix = 'Resume from a checkpoint before that step, with a lower learning rate or other data.';
  const actual = `${end.map(({ loss }) => String(loss)).join(', ')} from step ${first.step} on`;
  if (end.every(({ loss }) => !Number.isFinite(loss)))
    return critical(name, { expected: 'finite losses in the log of the run', actual, why, fix });
  const earlier = losses.slice(0, -last).flatMap(({ loss }) => (Number.isFinite(loss) ? [loss] : []));
  // The run may have diverged longer ago: the largest of its first half counts.
  const early = earlier.slice(0, Math.ceil(earlier.length / 2)).reduce((a, b) => Math.max(a, b), -Infinity);
  if (earlier.length < fewest || early <= 0 || !end.every(({ loss }) => loss > factor * early)) return null;
  return warn(name, { expected: `losses like ${early}, the largest of the first half of the log`, actual, why, fix });
}
