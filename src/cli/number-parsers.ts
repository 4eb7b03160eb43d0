/** Strict parsers for numbers on the command line: the whole text must be the number. */

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A finite decimal number: `0.5`, `1e-6`. Hexadecimal, `Infinity`, blanks and the empty text are refused. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (!decimal.test(text) || !Number.isFinite(value)) throw new RangeError(`'${text}' is not a number`);
  return value;
}

/** A parser of integers from `minimum` to `maximum`; underscores between digits are allowed (`10_000`). */
export function integerBetween(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+(_\d+)*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw new RangeError(`'${text}' is not an integer`);
    if (value < minimum || value > maximum) throw new RangeError(`${text} is not between ${minimum} and ${maximum}`);
    return value;
  };
}

const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

/** A parser of whole seconds from `minimum` to `maximum`, with or without a unit: `90`, `90s`, `5m`, `2h`. */
export function secondsBetween(minimum: number, maximum: number): (text: string) => number {
  const inRange = integerBetween(minimum, maximum);
  return (text) => {
    const [, digits = '', unit = ''] = /^(\d+)(s|m|h)$/.exec(text) ?? [text, text];
    const seconds = inRange(digits) * (unitSeconds[unit] ?? 1);
    if (seconds > maximum) throw new RangeError(`${text} is more than ${maximum} seconds`);
    return seconds;
  };
}
