/** A defect of pv itself, never of its input. The CLI reports it with exit code 3. */
export class PvBug extends Error {
  override readonly name = 'PvBug';
}

/** Throws {@link PvBug} unless `condition` holds; `why` says why it cannot happen. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new PvBug(why);
}

/** `value`, which is there; `why` says why it cannot be missing. */
export function present<T>(value: T | null | undefined, why: string): T {
  invariant(value !== undefined && value !== null, why);
  return value;
}
