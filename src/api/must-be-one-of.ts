/** Throws a RangeError for an option with an unknown value, since a program may not have been type-checked. */
export function mustBeOneOf(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RangeError(`${name} is '${value}'; one of ${known.join(', ')} is expected`);
}
