/** Exact numbers in messages. */
import { fromDecimal } from '../../numeric/bounded-rational.ts';
import { compareRational, isWhole, negateRational, toFloat, type Rational } from '../../numeric/rational.ts';

/** The number as a person reads it: `62`, `7.5`, `1/3`. */
export function printRational(a: Rational): string {
  if (isWhole(a)) return shorten(String(a.numerator));
  const decimal = toFloat(a);
  const exact = Number.isFinite(decimal) ? fromDecimal(String(Math.abs(decimal))) : null;
  const magnitude = a.numerator < 0n ? negateRational(a) : a;
  return exact && compareRational(exact, magnitude) === 0
    ? String(decimal)
    : Number.isFinite(decimal)
      ? `about ${decimal.toPrecision(6)}`
      : shorten(`${a.numerator}/${a.denominator}`);
}

function shorten(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 12)}… (${text.length} digits)`;
}
