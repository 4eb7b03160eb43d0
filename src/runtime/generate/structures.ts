/**
 * Tensors whose last axis must have a form: points of the simplex and strictly increasing rows, built rather than filtered.
 */
import { floatFormats } from '../../numeric/float-format.ts';
import { nextUint32, uniformInteger, unitDouble, unitFloat, type Xoshiro } from '../../numeric/xoshiro.ts';
import { fillingLottery, fillings } from './fillings.ts';
import { holds, settle, type ElementRange } from './element-range.ts';

/** Shares of one row before scaling: equal, spiked, one hot, or skewed over many magnitudes. */
function drawShares(s: Xoshiro, shares: Float64Array): number {
  const count = shares.length;
  const style = uniformInteger(s, 0, 3);
  const hot = count > 0 ? uniformInteger(s, 0, count - 1) : 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const u = unitFloat(s);
    const share = style === 0 ? 1 : style === 1 ? u : style === 2 ? (i === hot ? 1 : 0) : u ** 8;
    shares[i] = share;
    total += share;
  }
  return total;
}

/** The numbers of a row in multiples of the quantum, `1 / quanta`. */
interface Quanta {
  readonly quanta: number;
  readonly low: number;
  readonly high: number;
}

/** Shares of 1: multiples of 2⁻ᵖ (p = precision of the format); among whole numbers, one is 1. */
function shareQuanta({ integer, format, low, high }: ElementRange): Quanta {
  const quanta = integer ? 1 : 2 ** format.precision;
  return { quanta, low: Math.ceil(Math.max(0, low) * quanta), high: Math.floor(Math.min(1, high) * quanta) };
}

/** Binary digits of the sums of a row with negative elements; two less than a float64 has, which counts the quanta. */
function digitsOf({ integer, format }: ElementRange): number {
  return integer ? 31 : Math.min(format.precision, floatFormats.f64.precision - 2);
}

/**
 * Numbers of either sign up to `reach`, which is at least 1: the quantum is as coarse as it takes for no partial sum of
 * `count` of them to need more digits than the format has. Null if that leaves no whole quantum in 1.
 */
function signedQuanta(range: ElementRange, reach: number, count: number): Quanta | null {
  const { integer, low, high } = range;
  const exponent = digitsOf(range) - Math.ceil(Math.log2(count * reach));
  if (exponent < 0) return null;
  const quanta = integer ? 1 : 2 ** exponent;
  return {
    quanta,
    low: Math.ceil(Math.max(-reach, low) * quanta),
    high: Math.floor(Math.min(reach, high) * quanta),
  };
}

/** How far the elements of a row with a negative lower bound go: to the bounds, part of the way, or about as far as 1. */
function drawReach(range: ElementRange, s: Xoshiro, count: number): number {
  const whole = Math.max(1, Math.min(Math.max(-range.low, range.high), 2 ** (digitsOf(range) - 2) / count));
  return [whole, whole, Math.sqrt(whole), 1][nextUint32(s) & 3] ?? 1;
}

/**
 * Fills one row that sums to exactly 1, in any order and any format, because all partial sums are representable.
 *
 * Where the lower bound is negative most rows have negative elements. False when the bounds leave no such row.
 */
function fillSimplexRow(range: ElementRange, s: Xoshiro, out: Float64Array, from: number, count: number): boolean {
  if (count === 0) return false;
  const row = out.subarray(from, from + count);
  const signed = range.low < 0 ? signedQuanta(range, drawReach(range, s, count), count) : null;
  return (signed !== null && fillQuanta(range, s, row, signed)) || fillQuanta(range, s, row, shareQuanta(range));
}

/** Fills the row with numbers from `low` to `high` that sum to `quanta`, then divides them by it. */
function fillQuanta(range: ElementRange, s: Xoshiro, row: Float64Array, { quanta, low, high }: Quanta): boolean {
  const count = row.length;
  let rest = quanta - low * count;
  if (rest < 0 || high * count < quanta) return false;
  const total = drawShares(s, row) || 1;
  const spread = rest;
  for (let i = 0; i < count; i++) {
    const extra = Math.min(high - low, rest, Math.floor((spread * (row[i] ?? 0)) / total));
    row[i] = low + extra;
    rest -= extra;
  }
  const start = uniformInteger(s, 0, count - 1);
  for (let i = 0; i < count && rest > 0; i++) {
    const at = (start + i) % count;
    const extra = Math.min(rest, high - (row[at] ?? 0));
    row[at] = (row[at] ?? 0) + extra;
    rest -= extra;
  }
  let inside = rest === 0;
  for (let i = 0; i < count; i++) {
    row[i] = (row[i] ?? 0) / quanta;
    inside &&= holds(range, row[i] ?? 0);
  }
  return inside;
}

function nextAbove(range: ElementRange, x: number): number {
  return settle(range, range.format.nextUp(x));
}

function nextBelow(range: ElementRange, x: number): number {
  let value = range.format.nextDown(x);
  while (range.excluded.includes(value)) value = range.format.nextDown(value);
  return value;
}

/** Sorts a drawn row, then lifts equal neighbours apart by single steps; what leaves the range at the top is pushed back down. */
function fillIncreasingRow(range: ElementRange, s: Xoshiro, out: Float64Array, from: number, count: number): boolean {
  const row = out.subarray(from, from + count);
  fillings[fillingLottery[nextUint32(s) % fillingLottery.length] ?? 0]?.fill(range, s, row, count);
  const finite: ElementRange = { ...range, nonFinite: false };
  for (let i = 0; i < count; i++) row[i] = settle(finite, row[i] ?? 0);
  row.sort();
  for (let i = 1; i < count; i++) if (!((row[i] ?? 0) > (row[i - 1] ?? 0))) row[i] = nextAbove(finite, row[i - 1] ?? 0);
  for (let i = count - 2; i >= 0; i--)
    if (!((row[i] ?? 0) < (row[i + 1] ?? 0))) row[i] = nextBelow(finite, row[i + 1] ?? 0);
  return count === 0 || (row[0] ?? 0) >= range.low;
}

/** Spreads a value over the whole range often enough that increasing rows are not all bunched at one end. */
function fillSpreadRow(range: ElementRange, s: Xoshiro, out: Float64Array, from: number, count: number): boolean {
  const row = out.subarray(from, from + count);
  const finite: ElementRange = { ...range, nonFinite: false };
  for (let i = 0; i < count; i++) {
    const u = (i + unitDouble(s)) / count;
    row[i] = settle(finite, range.typicalLow * (1 - u) + range.typicalHigh * u);
  }
  for (let i = 1; i < count; i++)
    if (!((row[i] ?? 0) > (row[i - 1] ?? 0))) return fillIncreasingRow(range, s, out, from, count);
  return true;
}

/** Fills `count` elements in rows of `rowLength`; false when the bounds leave no such tensor. */
export function fillStructured(
  structure: 'simplex' | 'increasing',
  range: ElementRange,
  s: Xoshiro,
  target: { readonly out: Float64Array; readonly count: number; readonly rowLength: number },
): boolean {
  const { out, count, rowLength } = target;
  for (let from = 0; from < count; from += rowLength) {
    const fillRow = structure === 'simplex' ? fillSimplexRow : nextUint32(s) & 1 ? fillSpreadRow : fillIncreasingRow;
    if (!fillRow(range, s, out, from, rowLength)) return false;
  }
  return true;
}
