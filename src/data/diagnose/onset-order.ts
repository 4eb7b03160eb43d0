/** What shows before what. */
import { granularities, type Violation } from './diagnosis.ts';

/** Whether `a` shows before `b`: by step; what can be known before the run first, what has no step last. */
export function isEarlier(a: Violation, b: Violation): boolean {
  return compareOnset(a, b) < 0;
}

const order = { before: 0, step: 1, unknown: 2 } as const;

/** Orders violations: those known before the run first, then by step, then by how deep their cause lies. */
export function compareOnset(a: Violation, b: Violation): number {
  return order[a.onset.when] - order[b.onset.when] || stepOf(a) - stepOf(b) || depthOf(a) - depthOf(b);
}

const stepOf = ({ onset }: Violation): number => onset.step ?? 0;

/** If two show at the same time, the smaller brick comes first, being closer to a cause. */
export const depthOf = ({ brick }: Violation): number => granularities.indexOf(brick.granularity);

/** Where the run itself shows something first; what could be known before the run is not a symptom if another violation is. */
export function firstSymptomOf(violations: readonly Violation[]): Violation | null {
  const shown = (when: Violation['onset']['when']): readonly Violation[] =>
    violations.filter(({ onset }) => onset.when === when).toSorted(compareOnset);
  return shown('step')[0] ?? shown('unknown')[0] ?? shown('before')[0] ?? null;
}

/**
 * Whether the violation of `cause` was present when `effect` showed. Rows without steps, and those of a profile, which numbers
 * its own steps, are not compared.
 */
export function couldCause(cause: Violation, effect: Violation): boolean {
  if (cause.onset.when === 'before' || cause.onset.when === 'unknown' || effect.onset.when === 'unknown') return true;
  if (effect.onset.when === 'before') return false;
  return stepOf(cause) <= (effect.onset.seenBy ?? stepOf(effect));
}
