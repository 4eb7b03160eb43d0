/** A log around the stop of a run: what was logged before, what after, and the band in which losses should continue. */
import type { LoggedStep } from './checkpoint.ts';

/** Rows on both sides, in the order of their steps. */
export interface AroundStop {
  readonly stop: number;
  readonly before: readonly LoggedStep[];
  readonly after: readonly LoggedStep[];
}

/**
 * Splits the log at step `stop`. A log may hold the steps that the first run took after its checkpoint: the resumed run starts at the
 * last row whose step goes back. `earlier` is the log in the checkpoint, for steps that `log` does not have.
 */
export function aroundStop(stop: number, log: readonly LoggedStep[], earlier: readonly LoggedStep[]): AroundStop {
  let resumed = 0;
  for (let i = 1; i < log.length; i++) if ((log[i]?.step ?? 0) < (log[i - 1]?.step ?? 0)) resumed = i;
  const after = log.slice(resumed).filter(({ step }) => step > stop);
  const own = log.filter(({ step }, i) => step <= stop && (resumed === 0 || i < resumed));
  const before = own.length > 0 ? own : earlier.filter(({ step }) => step <= stop);
  return { stop, before, after };
}

/** A straight line through losses, and how far they are from it. */
interface Line {
  /** The loss that is expected at a step. */
  readonly at: (step: number) => number;
  /** Standard deviation of one loss at a step, with the uncertainty of the line. */
  readonly deviation: (step: number) => number;
}

/** The line through the last losses before the stop. */
export interface Band extends Line {
  /** The line through the last ten alone, which follows a loss that falls faster and faster. */
  readonly end: Line;
  readonly losses: number;
  /** The least and the largest of the last ten losses. */
  readonly recent: readonly [least: number, largest: number];
  /** Mean of the last five losses. */
  readonly level: number;
  /**
   * The largest rise (or fall, for sign −1) in the log so far, of one loss and of the mean of five over the mean of the five before:
   * losses with heavy tails jump without any stop.
   */
  readonly largestChange: (sign: 1 | -1) => { readonly one: number; readonly five: number };
}

/** Losses after the stop that are compared. */
export const comparedLosses = 5;

/** Enough for a variance, and few enough that a line fits the curve. */
const [fewest, most] = [8, 30];

/** How far back jumps are looked for. */
const longest = 1000;

/** The share of its level within which a loss that hardly varies may continue. */
const least = 0.02;

/** Null if fewer than eight finite losses were logged before the stop. */
export function bandBefore(before: readonly LoggedStep[]): Band | null {
  const all = before
    .flatMap(({ step, loss }) => (loss !== null && Number.isFinite(loss) ? [{ x: step, y: loss }] : []))
    .slice(-longest);
  const points = all.slice(-most);
  if (points.length < fewest) return null;
  const values = all.map((point) => point.y);
  const lastTen = values.slice(-10);
  return {
    ...lineThrough(points),
    end: lineThrough(points.slice(-10)),
    losses: points.length,
    recent: [Math.min(...lastTen), Math.max(...lastTen)],
    level: mean(values.slice(-comparedLosses)),
    largestChange: (sign) => largestChange(values, sign),
  };
}

function lineThrough(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const slope = spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
  const at = (step: number): number => y + slope * (step - x);
  const residual = Math.sqrt(
    points.reduce((sum, point) => sum + (point.y - at(point.x)) ** 2, 0) / (points.length - 2),
  );
  const one = Math.max(residual, (least / 4) * Math.abs(y));
  return {
    at,
    deviation: (step) => one * Math.sqrt(1 + 1 / points.length + (spread === 0 ? 0 : (step - x) ** 2 / spread)),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function largestChange(values: readonly number[], sign: 1 | -1): { readonly one: number; readonly five: number } {
  const smallest = least * Math.abs(values.at(-1) ?? 0);
  let [one, five] = [smallest, smallest];
  for (let i = comparedLosses; i < values.length; i++) {
    const level = mean(values.slice(i - comparedLosses, i));
    one = Math.max(one, sign * ((values[i] ?? level) - level));
    if (i + comparedLosses <= values.length)
      five = Math.max(five, sign * (mean(values.slice(i, i + comparedLosses)) - level));
  }
  return { one, five };
}

/** A loss outside these many deviations is a warning; outside the second, an error. */
export const deviations = { warn: 4, critical: 8 } as const;
