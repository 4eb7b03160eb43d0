/**
 * Inputs that a kernel fitted to the usual ones has not seen: heavy tails, Zipf's law, clustered maxima, subnormals, everything that
 * matters at the end of the vector. They are settled into the range afterwards, as all are.
 */
import { nextUint32, uniformInteger, unitDouble, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { ElementRange } from './element-range.ts';
import type { Fill } from './fillings.ts';

const widthOf = ({ typicalLow, typicalHigh }: ElementRange): number => (typicalHigh - typicalLow) / 2 || 1;
const middleOf = ({ typicalLow, typicalHigh }: ElementRange): number => (typicalLow + typicalHigh) / 2;

/** A standard normal number: the sum of twelve uniform ones, without their mean (Irwin–Hall). */
function normal(s: Xoshiro): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += unitDouble(s);
  return sum;
}

function each(draw: (range: ElementRange, s: Xoshiro, i: number, count: number) => number): Fill {
  return (range, s, out, count) => {
    for (let i = 0; i < count; i++) out[i] = draw(range, s, i, count);
  };
}

const within = (range: ElementRange, s: Xoshiro): number =>
  range.integer ? uniformInteger(s, range.low, range.high) : middleOf(range) + widthOf(range) * (2 * unitDouble(s) - 1);

/** Cauchy: neither mean nor variance exist. A ratio of normal numbers. */
const cauchy = each((range, s) => middleOf(range) + (widthOf(range) * normal(s)) / (normal(s) || 1));

const logNormal: Fill = (range, s, out, count) => {
  const spread = 1 + 3 * unitDouble(s);
  each(() => middleOf(range) + (nextUint32(s) & 1 ? -1 : 1) * widthOf(range) * Math.exp(spread * normal(s)))(
    range,
    s,
    out,
    count,
  );
};

/** Frequencies of words: one element of rank 1, and a long tail, in random order. */
const zipf: Fill = (range, s, out, count) => {
  const exponent = 0.8 + unitDouble(s);
  for (let i = 0; i < count; i++) out[i] = range.low <= 0 ? 1e3 / (i + 1) ** exponent : range.low * (i + 1) ** exponent;
  for (let i = count - 1; i > 0; i--) {
    const j = nextUint32(s) % (i + 1);
    [out[i], out[j]] = [out[j] ?? 0, out[i] ?? 0];
  }
};

/** Many elements within a few units in the last place of the largest, the rest far below. */
const clusteredMaxima: Fill = (range, s, out, count) => {
  const top = within(range, s);
  for (let i = 0; i < count; i++)
    out[i] =
      nextUint32(s) % 3 > 0 ? top * (1 - (nextUint32(s) % 4) * 2 ** -23) : top - widthOf(range) * 30 * unitDouble(s);
};

const subnormal = each(
  (_, s) => (nextUint32(s) & 1 ? -1 : 1) * (nextUint32(s) % 2 ** (1 + (nextUint32(s) % 24))) * 2 ** -149,
);

/** All 24 bits of every number count: fewer bits in an input or in a sum show. */
const fullMantissas = each(
  (range, s) => middleOf(range) + widthOf(range) * (unitDouble(s) + unitDouble(s) * 2 ** -16 - 0.5),
);

const nearlyEqual: Fill = (range, s, out, count) => {
  const base = within(range, s);
  for (let i = 0; i < count; i++) out[i] = base * (1 + ((nextUint32(s) % 17) - 8) * 2 ** -23);
};

/** Zeros, and then the numbers that decide the result: a kernel that stops early is wrong. */
const atTheEnd: Fill = (range, s, out, count) => {
  const from = count - 1 - (nextUint32(s) % Math.max(1, Math.ceil(count / 8)));
  for (let i = 0; i < count; i++) out[i] = i < from ? 0 : within(range, s) * 3;
};

const scattered = each((range, s) =>
  range.integer ? uniformInteger(s, range.low, range.high) : range.low + (range.high - range.low) * unitDouble(s),
);

/** The ways, in no order that matters. */
export const hostileFillings: readonly Fill[] = [
  cauchy,
  logNormal,
  zipf,
  clusteredMaxima,
  subnormal,
  fullMantissas,
  fullMantissas,
  nearlyEqual,
  atTheEnd,
  scattered,
];
