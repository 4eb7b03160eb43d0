/** The least and the most steps of the states of one optimizer. */
export interface Steps {
  readonly least: number;
  readonly most: number;
}

/** Null if there are none. */
export function stepsOf(steps: readonly number[]): Steps | null {
  let [least, most] = [Infinity, -Infinity];
  for (const step of steps) [least, most] = [Math.min(least, step), Math.max(most, step)];
  return steps.length === 0 ? null : { least, most };
}
