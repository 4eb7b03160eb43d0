/** Throws a RangeError when an option of a program has none of the known values: it may not have been type-checked. */
export function mustBeOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RangeError(`${name} is '${value}'; one of ${known.join(', ')} is expected`);
}
