/** Products of names and integers: what sizes of buffers are made of. */

export interface Monomial {
  readonly factor: number;
  /** Sorted, with repetitions. */
  readonly names: readonly string[];
}

export const one: Monomial = { factor: 1, names: [] };

export const constant = (factor: number): Monomial => ({ factor, names: [] });
export const named = (name: string): Monomial => ({ factor: 1, names: [name] });

export function times(a: Monomial, b: Monomial): Monomial {
  return { factor: a.factor * b.factor, names: [...a.names, ...b.names].toSorted() };
}

/** Whether a factor is the length of something, such as `xs.length`: arrays of different names may be equally long. */
export const isOwned = ({ names }: Monomial): boolean => names.some((name) => name.includes('.'));

/** What is left of `names` after each of `divisor` was taken out once; null if one is not there. */
function without(names: readonly string[], divisor: readonly string[]): readonly string[] | null {
  const rest = [...names];
  for (const name of divisor) {
    const at = rest.indexOf(name);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

/**
 * Whether a buffer of `given` elements certainly does not match `required`, where sizes are positive integers about which
 * nothing else is known.
 *
 * It is too small when `required` is `given` times more names; it is another size when both have equally many names and
 * they differ. Products of different length may still be equal (hidden = heads · head size), so those are left alone.
 */
export function differs(given: Monomial, required: Monomial): boolean {
  const missing = without(required.names, given.names);
  if (missing !== null) return missing.length > 0 ? given.factor <= required.factor : given.factor < required.factor;
  if (without(given.names, required.names) !== null) return false;
  return given.names.length === required.names.length;
}

/** `seq × hidden`. */
export function spoken({ factor, names }: Monomial): string {
  const factors = factor === 1 && names.length > 0 ? names : [String(factor), ...names];
  return factors.join(' × ');
}
