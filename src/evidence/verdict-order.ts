import { levels, verdicts, type Level, type Verdict } from './verdict.ts';

/** The lower of two verdicts in the order of `verdicts`: falsified is the weakest, proved the strongest. */
export function weakerVerdict(a: Verdict, b: Verdict): Verdict {
  return verdicts.indexOf(a) <= verdicts.indexOf(b) ? a : b;
}

/** The weaker of two levels. */
export function lowerLevel(a: Level, b: Level): Level {
  return levels.indexOf(a) <= levels.indexOf(b) ? a : b;
}
