/**
 * Tensors whose last axis must have a form: points of the simplex and strictly increasing rows, built rather than filtered.
 */
import { nextUint32, uniformInteger, unitDouble, unitFloat, type Xoshiro } from '../../numeric/xoshiro.ts';
import { fillingLottery, fillings } from './fillings.ts';
import { holds, settle, type ElementRange } from './element-range.ts';

/** Shares of one row before scaling: equal, spiked, one hot, or skewed over many magnitudes. */
function drawShares(s: Xoshiro, shares: Float64Array, from: number, count: number): number {
  const style = uniformInteger(s, 0, 3);
  const hot = count > 0 ? uniformInteger(s, 0, count - 1) : 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const u = unitFloat(s);
    const share = style === 0 ? 1 : style === 1 ? u : style === 2 ? (i === hot ? 1 : 0) : u ** 8;
    shares[from + i] = share;
    total += share;
  }
  return total;
}

/**
 * Fills one row with multiples of 2⁻ᵖ (p = precision of the format) that sum to exactly 1; among whole numbers, one is 1.
 *
 * Such numbers and all their partial sums are representable, so the row sums to 1 in any order and any format.
 * False when the bounds leave no such row.
 */
function fillSimplexRow(range: ElementRange, s: Xoshiro, out: Float64Array, from: number, count: number): boolean {
  const quanta = range.integer ? 1 : 2 ** range.format.precision;
  const low = Math.ceil(Math.max(0, range.low) * quanta);
  const high = Math.floor(Math.min(1, range.high) * quanta);
  let rest = quanta - low * count;
  if (count === 0 || rest < 0 || high * count < quanta) return false;
  const total = drawShares(s, out, from, count) || 1;
  const spread = rest;
  for (let i = 0; i < count; i++) {
    const extra = Math.min(high - low, rest, Math.floor((spread * (out[from + i] ?? 0)) / total));
    out[from + i] = low + extra;
    rest -= extra;
  }
  const start = uniformInteger(s, 0, count - 1);
  for (let i = 0; i < count && rest > 0; i++) {
    const at = from + ((start + i) % count);
    const extra = Math.min(rest, high - (out[at] ?? 0));
    out[at] = (out[at] ?? 0) + extra;
    rest -= extra;
  }
  let inside = rest === 0;
  for (let i = from; i < from + count; i++) {
    out[i] = (out[i] ?? 0) / quanta;
    inside &&= holds(range, out[i] ?? 0);
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
