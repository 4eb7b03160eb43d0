/** Which of a trace's steps are compared. */
import { err, ok, type Result } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { streamFor, uniformInteger } from '../../numeric/xoshiro.ts';
import { positionsOf } from '../format/entry.ts';
import type { Entry } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';

/**
 * `sample` is a random challenge: anyone who knows the `seed` (an integer of magnitude below 2⁵³) in advance knows which steps
 * will be checked, so it is drawn after the trace was handed over, and stated in the verdict so that others can repeat it.
 */
export type Selection =
  | { readonly kind: 'all' }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'sample'; readonly count: number; readonly seed: number };

/**
 * The positions of the steps to compare, upwards: PV-8068 where the trace does not hold them, PV-8069 where none is requested.
 */
export function selectPositions(entries: readonly Entry[], which: Selection): Result<readonly number[], Problem> {
  const steps = entries.filter((entry) => entry.kind === 'step').map(({ position }) => position);
  if (which.kind === 'position') return onePosition(entries, which.position);
  if (steps.length === 0) {
    const message = 'The trace holds no step, so there is nothing to replay.';
    return err({ code: 'PV-8068', check: 'steps', message, expected: '1 or more', actual: '0' });
  }
  if (which.kind === 'all') return ok(steps);
  if (!Number.isSafeInteger(which.count) || which.count < 1 || !Number.isSafeInteger(which.seed)) {
    const message = 'A challenge is of at least one step, drawn by a whole number.';
    return err({ code: 'PV-8069', check: 'challenge', message, expected: '1 or more', actual: String(which.count) });
  }
  return ok(drawn(steps, Math.min(which.count, steps.length), which.seed));
}

function onePosition(entries: readonly Entry[], position: number): Result<readonly number[], Problem> {
  const entry = entries.find((one) => one.position <= position && position < one.position + positionsOf(one));
  if (entry?.kind === 'step' && entry.position === position) return ok([position]);
  const end = entries.reduce((reached, one) => Math.max(reached, one.position + positionsOf(one)), 0);
  const message =
    entry?.kind === 'gap'
      ? `Position ${position} lies in a gap of ${count(entry.count, 'position')} from ${entry.position} on: it was not recorded.`
      : `The trace holds no position ${position}.`;
  const expected = end === 0 ? 'no position' : `0 to ${end - 1}`;
  return err({ code: 'PV-8068', check: 'position', message, expected, actual: String(position) });
}

/** `wanted` of `positions`, all choices equally likely: the first steps of a Fisher–Yates shuffle. */
function drawn(positions: readonly number[], wanted: number, seed: number): readonly number[] {
  const stream = streamFor(seed, 'trace challenge');
  const left = [...positions];
  const chosen: number[] = [];
  while (chosen.length < wanted) {
    const at = uniformInteger(stream, 0, left.length - 1);
    const last = left.pop();
    const taken = at === left.length ? last : left[at];
    if (at < left.length && last !== undefined) left[at] = last;
    if (taken !== undefined) chosen.push(taken);
  }
  return chosen.toSorted((a, b) => a - b);
}
