/**
 * Ways to fill a tensor with numbers that find mistakes: each writes doubles that are settled into the range afterwards.
 */
import { nextUint32, uniformInteger, unitDouble, unitFloat, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { ElementRange } from './element-range.ts';

/** Writes the first `count` entries of `out`. */
export type Fill = (range: ElementRange, s: Xoshiro, out: Float64Array, count: number) => void;

/** One way to fill a tensor. */
export interface Filling {
  readonly name: string;
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
  readonly fill: Fill;
}

function below(s: Xoshiro, count: number): number {
  // The bias of a product is below count · 2⁻³², which a choice among a few values can bear.
  return Math.floor(unitFloat(s) * count);
}

/** Powers of two as a table: `Math.pow` may differ between engines. Index 0 is 2⁻¹⁰⁷⁴. */
const powersOfTwo = Float64Array.from({ length: 2098 }, () => 0);
for (let i = 0, power = Number.MIN_VALUE; i < powersOfTwo.length; i++, power *= 2) powersOfTwo[i] = power;

function between(low: number, high: number, u: number): number {
  return low * (1 - u) + high * u;
}

function uniformBetween({ integer, format }: ElementRange, s: Xoshiro, low: number, high: number): number {
  if (integer && high - low < 2 ** 53) return uniformInteger(s, low, high);
  return between(low, high, format.precision > 24 ? unitDouble(s) : unitFloat(s));
}

const uniform = (range: ElementRange, s: Xoshiro): number => uniformBetween(range, s, range.low, range.high);

const typical = (range: ElementRange, s: Xoshiro): number =>
  uniformBetween(range, s, range.typicalLow, range.typicalHigh);

function logarithmic(range: ElementRange, s: Xoshiro): number {
  const exponent = range.lowExponent + below(s, range.highExponent - range.lowExponent + 1);
  const magnitude = (powersOfTwo[exponent + 1074] ?? 0) * (1 + unitFloat(s));
  const negative = range.high <= 0 || (range.low < 0 && (nextUint32(s) & 1) === 1);
  return negative ? -magnitude : magnitude;
}

function special(range: ElementRange, s: Xoshiro): number {
  return range.specials[below(s, range.specials.length)] ?? range.low;
}

const drawers = [typical, uniform, logarithmic, special] as const;

function anything(range: ElementRange, s: Xoshiro): number {
  return (drawers[below(s, drawers.length)] ?? typical)(range, s);
}

const each =
  (draw: (range: ElementRange, s: Xoshiro) => number): Fill =>
  (range, s, out, count) => {
    for (let i = 0; i < count; i++) out[i] = draw(range, s);
  };

const fillTypical: Fill = (range, s, out, count) => {
  if (range.integer || range.format.precision > 24) return each(typical)(range, s, out, count);
  const width = range.typicalHigh - range.typicalLow;
  for (let i = 0; i < count; i++) out[i] = range.typicalLow + width * unitFloat(s);
};

const constant: Fill = (range, s, out, count) => out.fill(anything(range, s), 0, count);

const ties: Fill = (range, s, out, count) => {
  const a = anything(range, s);
  const b = anything(range, s);
  for (let i = 0; i < count; i++) out[i] = nextUint32(s) & 1 ? a : b;
};

const oneHot: Fill = (range, s, out, count) => {
  out.fill(nextUint32(s) & 1 ? 0 : anything(range, s), 0, count);
  if (count > 0) out[below(s, count)] = anything(range, s);
};

/** One value drawn in each of `count` equal steps between two values: sorted, rising or falling. */
const sorted: Fill = (range, s, out, count) => {
  const from = anything(range, s);
  const to = anything(range, s);
  for (let i = 0; i < count; i++) out[i] = between(from, to, (i + unitFloat(s)) / count);
};

/** x, −x, y, −y, … with a remainder of a few units in the last place or a tiny number at the end. */
const cancelling: Fill = (range, s, out, count) => {
  const draw = nextUint32(s) & 1 ? logarithmic : typical;
  for (let i = 0; i + 1 < count; i += 2) {
    const x = draw(range, s);
    out[i] = x;
    out[i + 1] = -x;
  }
  if (count > 0)
    out[count - 1] = (nextUint32(s) & 1 ? -(out[count - 2] ?? 0) * (1 + 2 ** -22) : special(range, s)) || 0;
};

const hugeAndTiny: Fill = (range, s, out, count) => {
  const middle = Math.floor((range.lowExponent + range.highExponent) / 2);
  for (let i = 0; i < count; i++) {
    const huge = (nextUint32(s) & 3) === 0;
    const exponent = huge
      ? range.highExponent - below(s, 4)
      : range.lowExponent + below(s, middle - range.lowExponent + 1);
    const magnitude = (powersOfTwo[Math.max(0, exponent + 1074)] ?? 0) * (1 + unitFloat(s));
    out[i] = nextUint32(s) & 1 ? -magnitude : magnitude;
  }
};

const smallIntegers: Fill = (range, s, out, count) => {
  const base = range.low <= 0 && range.high >= 0 ? 0 : Math.ceil(range.low);
  for (let i = 0; i < count; i++) out[i] = base + below(s, 17) - 8;
};

const sparse: Fill = (range, s, out, count) => {
  for (let i = 0; i < count; i++) out[i] = nextUint32(s) < 2 ** 29 ? typical(range, s) : 0;
};

const sprinkled: Fill = (range, s, out, count) => {
  fillTypical(range, s, out, count);
  for (let i = below(s, 3); i >= 0; i--) out[below(s, count)] = special(range, s);
};

/** The registry; a test requires that each of them appears and stays inside every kind of range. */
export const fillings: readonly Filling[] = [
  { name: 'typical', weight: 6, fill: fillTypical },
  { name: 'uniform', weight: 3, fill: each(uniform) },
  { name: 'logarithmic', weight: 3, fill: each(logarithmic) },
  { name: 'sprinkled', weight: 4, fill: sprinkled },
  { name: 'specials', weight: 2, fill: each(special) },
  { name: 'small integers', weight: 2, fill: smallIntegers },
  { name: 'mixed', weight: 2, fill: each(anything) },
  { name: 'constant', weight: 1, fill: constant },
  { name: 'ties', weight: 1, fill: ties },
  { name: 'one hot', weight: 1, fill: oneHot },
  { name: 'sorted', weight: 1, fill: sorted },
  { name: 'cancelling', weight: 2, fill: cancelling },
  { name: 'huge and tiny', weight: 2, fill: hugeAndTiny },
  { name: 'sparse', weight: 2, fill: sparse },
];

/** Magnitudes beyond which a sum of many or a square may leave the range of float32. */
const usualEnd = 2 ** 60;

const atEnd = (end: number, otherwise: number): number => (Math.abs(end) <= usualEnd ? end : otherwise);

/** Every element at one end of its range: where a sum, or a bound of one, is largest. They are not drawn. */
export const ends: readonly Filling[] = [
  {
    name: 'highest',
    weight: 0,
    fill: ({ high, typicalHigh }, _, out, count) => void out.fill(atEnd(high, typicalHigh), 0, count),
  },
  {
    name: 'lowest',
    weight: 0,
    fill: ({ low, typicalLow }, _, out, count) => void out.fill(atEnd(low, typicalLow), 0, count),
  },
];

/** Filling numbers, each repeated by its weight: one draw chooses. */
export const fillingLottery: Uint8Array = Uint8Array.from(
  fillings.flatMap((filling, index) => Array.from({ length: filling.weight }, () => index)),
);
