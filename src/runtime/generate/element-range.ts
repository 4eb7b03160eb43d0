/**
 * The values that elements of one variable may take, for given sizes and scalars: closed, representable bounds.
 */
import { exponentOf, floatFormats, type FloatFormatTraits } from '../../numeric/float-format.ts';
import type { BoundPlan, VariablePlan } from './domain-plan.ts';

/** The range of one variable at given sizes. */
export interface ElementRange {
  readonly format: FloatFormatTraits;
  readonly integer: boolean;
  /** The smallest and the largest finite value; both representable and not excluded. */
  readonly low: number;
  readonly high: number;
  /** Where ordinary values lie: the part of the bounds within [−4, 4] when that has an inside, else the bounds. */
  readonly typicalLow: number;
  readonly typicalHigh: number;
  /** Exponents of the smallest and the largest non-zero magnitude. */
  readonly lowExponent: number;
  readonly highExponent: number;
  /** Values worth trying one by one; all inside. */
  readonly specials: readonly number[];
  readonly excluded: readonly number[];
  readonly nonFinite: boolean;
}

type Lookup = (name: string) => number;

/** The value nearest to `x` that the range holds. NaN becomes the lower end unless the range has NaN. */
export function settle(range: ElementRange, x: number): number {
  if (range.nonFinite && !Number.isFinite(x)) return x;
  const rounded = range.format.round(x);
  const inside = !(rounded >= range.low) ? range.low : rounded > range.high ? range.high : rounded;
  return range.excluded.length === 0 ? inside : avoidExcluded(range, inside);
}

/** Ends at `high` at the latest, which is never excluded. */
function avoidExcluded(range: ElementRange, x: number): number {
  let value = x;
  while (range.excluded.includes(value)) value = range.format.nextUp(value);
  return value;
}

/** Whether `x` is one of the range's values. */
export function holds(range: ElementRange, x: number): boolean {
  if (!Number.isFinite(x)) return range.nonFinite;
  return x >= range.low && x <= range.high && range.format.round(x) === x && !range.excluded.includes(x);
}

/** The smallest representable value that satisfies the bound. */
export function closedLower(format: FloatFormatTraits, open: boolean, value: number): number {
  if (value < -format.maximum) return -format.maximum;
  const rounded = format.round(value);
  return rounded < value || (open && rounded === value) ? format.nextUp(rounded) : rounded;
}

/** The largest representable value that satisfies the bound. */
export function closedUpper(format: FloatFormatTraits, open: boolean, value: number): number {
  if (value > format.maximum) return format.maximum;
  const rounded = format.round(value);
  return rounded > value || (open && rounded === value) ? format.nextDown(rounded) : rounded;
}

/** exp overflows at 88.72 and vanishes at −103.97, squares at 1.8e19 and 1e-19; 2²⁴ + 1 is the first integer without a float32. */
const thresholds = [
  0.5, 2, 3, 10, 88.72284, 88.72283, 87.33655, 103.97208, 1e-19, 1.0842022e-19, 1.8446744e19, 16777216, 16777217,
];

function specialCandidates(format: FloatFormatTraits, integer: boolean): number[] {
  const { smallestSubnormal, smallestNormal, maximum } = format;
  const magnitudes = integer
    ? [0, 1, 2, 3, 7, 8, 2 ** 15, 2 ** 24, 2 ** 24 + 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, maximum]
    : [
        0,
        smallestSubnormal,
        2 * smallestSubnormal,
        format.nextDown(smallestNormal),
        smallestNormal,
        1,
        format.nextUp(1),
        format.nextDown(1),
        ...thresholds,
        maximum,
      ];
  return magnitudes.flatMap((m) => (integer && m === 0 ? [0] : [m, -m])).map(format.round);
}

const candidatesByFormat = new Map<FloatFormatTraits, { integer?: readonly number[]; any?: readonly number[] }>();

/** The same for all ranges of a format; some domains have another range for every case. */
function knownCandidates(format: FloatFormatTraits, integer: boolean): readonly number[] {
  let known = candidatesByFormat.get(format);
  if (!known) candidatesByFormat.set(format, (known = {}));
  return (known[integer ? 'integer' : 'any'] ??= specialCandidates(format, integer));
}

function specialsOf(range: Omit<ElementRange, 'specials'>): readonly number[] {
  const { format, low, high } = range;
  const candidates = [low, high, format.nextUp(low), format.nextDown(high), ...knownCandidates(format, range.integer)];
  const full: ElementRange = { ...range, specials: [] };
  const inside = candidates.filter((x) => Number.isFinite(x) && holds(full, x));
  // Set compares like Object.is except that it takes −0 for 0, so −0 is put back by hand.
  const unique = [...new Set(inside)];
  if (inside.some((x) => Object.is(x, -0))) unique.push(-0);
  return range.nonFinite ? [...unique, NaN, Infinity, -Infinity] : unique;
}

function exponents(low: number, high: number, format: FloatFormatTraits): readonly [number, number] {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const smallest = low > 0 ? low : high < 0 ? -high : format.smallestSubnormal;
  return largest === 0 ? [0, 0] : [exponentOf(Math.min(smallest, largest)), exponentOf(largest)];
}

function buildRange(
  variable: VariablePlan,
  lower: number,
  upper: number,
  excluded: readonly number[],
): ElementRange | null {
  const { format, integer, nonFinite } = variable;
  const excludes = (bound: BoundPlan | null, end: number): boolean =>
    bound !== null && (bound.open || (variable.wide && !Number.isSafeInteger(end)));
  let low = closedLower(format, excludes(variable.lower, lower), lower);
  let high = closedUpper(format, excludes(variable.upper, upper), upper);
  for (let tries = 0; tries <= excluded.length && excluded.includes(low); tries++) low = format.nextUp(low);
  for (let tries = 0; tries <= excluded.length && excluded.includes(high); tries++) high = format.nextDown(high);
  if (!(low <= high) || !Number.isFinite(low) || !Number.isFinite(high)) return null;
  const typicalLow = Math.max(low, -4);
  const typicalHigh = Math.min(high, 4);
  const [from, to] = typicalLow < typicalHigh ? [typicalLow, typicalHigh] : [low, high];
  const [lowExponent, highExponent] = exponents(low, high, format);
  const range = {
    format,
    integer,
    low,
    high,
    typicalLow: from,
    typicalHigh: to,
    lowExponent,
    highExponent,
    excluded,
    nonFinite,
  };
  let specials: readonly number[] | null = null;
  // Most fillings draw none.
  return {
    ...range,
    get specials() {
      return (specials ??= specialsOf(range));
    },
  };
}

/**
 * The range of `variable` as a function of sizes and scalars; null if nothing is inside the bounds.
 * The last range is kept, because in most domains every case has the same.
 */
export function rangeSource(variable: VariablePlan): (lookup: Lookup) => ElementRange | null {
  let key: readonly number[] = [];
  let last: ElementRange | null = null;
  return (lookup) => {
    const lower = variable.lower?.value(lookup) ?? -Infinity;
    const upper = variable.upper?.value(lookup) ?? Infinity;
    const excluded = variable.excluded.map((term) => term(lookup));
    const next = [lower, upper, ...excluded];
    if (key.length !== next.length || next.some((x, i) => x !== key[i])) {
      key = next;
      last = buildRange(variable, lower, upper, excluded);
    }
    return last;
  };
}

/** Whether plain `Math.fround` and a clamp settle the range, which is worth a fast loop. */
export function isPlainFloat32(range: ElementRange): boolean {
  return range.format === floatFormats.f32 && range.excluded.length === 0 && !range.nonFinite;
}
