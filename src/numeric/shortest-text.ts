import { floatFormats } from './float-format.ts';

function plain(text: string): string {
  const [digits = '', exponent] = text.split('e');
  const trimmed = digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits;
  return exponent === undefined ? trimmed : `${trimmed}e${exponent.replace('+', '')}`;
}

/** The shortest decimal text that reads back as `x` after rounding to the format; `-0`, `NaN`, `Infinity` by name. */
export function shortestText(x: number, format: keyof typeof floatFormats): string {
  if (Object.is(x, -0)) return '-0';
  if (!Number.isFinite(x) || (Number.isInteger(x) && Math.abs(x) < 1e7)) return String(x);
  const { round } = floatFormats[format];
  for (let digits = 1; digits < 17; digits++) {
    const text = x.toPrecision(digits);
    if (round(Number(text)) === x) return plain(text);
  }
  return plain(String(x));
}
