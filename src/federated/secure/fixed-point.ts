/** Weighted deltas as whole numbers modulo 2³², so that masks cancel bit for bit and the order of a sum does not matter. */
import { err, ok, type Result } from '../../base/result.ts';

/** What decides the whole numbers of a round. */
export interface FixedPoint {
  /** Largest |x_i| of a delta. */
  readonly bound: number;
  /** Weights are whole numbers from 1 to this, and public. */
  readonly maxWeight: number;
  /** Bits behind the binary point. */
  readonly fractionBits: number;
}

/** Sums are read as signed numbers of 32 bits: their magnitude must be below this. */
export const ringHalf = 2 ** 31;
/** With a float32 of 24 bits, products stay exact in float64. */
const mostWeight = 2 ** 29;
/** More would leave no room for a delta of 1. */
const mostFractionBits = 30;

/** Adding and subtracting it rounds a float64 below 2⁵¹ to the nearest whole number, halves to even. */
const shifter = 1.5 * 2 ** 52;
const nearest = (value: number): number => value + shifter - shifter;

/** The largest |q| that a weight allows. */
export const largestEntry = ({ bound, fractionBits }: FixedPoint, weight: number): number =>
  nearest(bound * weight * 2 ** fractionBits);

/** Why the sum of `participants` might wrap around, as a sentence without its full stop; null if it cannot. */
export function overflowFault(participants: number, format: FixedPoint): string | null {
  const { bound, maxWeight, fractionBits } = format;
  if (!(bound > 0 && bound < ringHalf)) return `bound must be above 0 and below 2^31, not ${bound}`;
  if (!Number.isInteger(maxWeight) || maxWeight < 1 || maxWeight > mostWeight)
    return `maxWeight must be a whole number from 1 to 2^29, not ${maxWeight}`;
  if (!Number.isInteger(fractionBits) || fractionBits < 0 || fractionBits > mostFractionBits)
    return `fractionBits must be a whole number from 0 to ${mostFractionBits}, not ${fractionBits}`;
  const sum = participants * largestEntry(format, maxWeight);
  if (sum < ringHalf) return null;
  return `participants × bound × maxWeight × 2^fractionBits is ${sum}, which must be below 2^31: sums could wrap around. Take fewer fractionBits`;
}

/**
 * q_i = round(x_i·w·2^s), halves to even, so that q_i / 2^s differs from x_i·w by at most 2^-(s+1). An error, as a sentence without its
 * full stop, if an entry is not finite or beyond the bound, or the weight is not one of the round.
 */
export function toFixedPoint(delta: Float32Array, weight: number, format: FixedPoint): Result<Int32Array, string> {
  const { bound, maxWeight, fractionBits } = format;
  if (!Number.isInteger(weight) || weight < 1 || weight > maxWeight)
    return err(`the weight must be a whole number from 1 to ${maxWeight}, not ${weight}`);
  const scale = weight * 2 ** fractionBits;
  const entries = new Int32Array(delta.length);
  for (let i = 0; i < delta.length; i++) {
    const x = delta[i] ?? NaN;
    if (!(Math.abs(x) <= bound)) return err(`entry ${i} is ${x}; its magnitude must be at most ${bound}: clip it`);
    entries[i] = nearest(x * scale);
  }
  return ok(entries);
}

/** The mean of a sum: each entry divided by the total weight and by 2^s, rounded once to float64 and then to float32. */
export function weightedMean(sum: Int32Array, totalWeight: number, fractionBits: number): Float32Array {
  const divisor = totalWeight * 2 ** fractionBits;
  return Float32Array.from(sum, (entry) => entry / divisor);
}
