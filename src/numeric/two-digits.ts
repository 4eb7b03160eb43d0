/** The next number with two significant digits, for a limit that a value must stay below. */
export function twoDigitsUp(value: number): number {
  const near = Number(value.toPrecision(2));
  return near >= value ? near : Number((near + 10 ** (Math.floor(Math.log10(value)) - 1)).toPrecision(2));
}
