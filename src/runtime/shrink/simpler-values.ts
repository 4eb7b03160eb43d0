/**
 * Which numbers people find simpler, and the ones worth trying in place of a given number.
 */
import { floatFormats } from '../../numeric/float-format.ts';
import { shortestText } from '../../numeric/shortest-text.ts';
import { holds, settle, type ElementRange } from '../generate/element-range.ts';

/** The length of its shortest text; a power of ten counts as written out, so that 1e-45 is not simpler than 0.001. */
function textLength(x: number, range: ElementRange): number {
  if (!Number.isFinite(x)) return 1000;
  const text = shortestText(Math.abs(x), range.format === floatFormats.f64 || range.integer ? 'f64' : 'f32');
  const [digits = '', exponent = '0'] = text.split('e');
  return digits.length + Math.abs(Number(exponent));
}

/** A well-order: shorter text first, then smaller magnitude, then the positive one. Infinities and NaN come last. */
function isSimpler(a: number, b: number, range: ElementRange): boolean {
  if (Object.is(a, b)) return false;
  const lengths = textLength(a, range) - textLength(b, range);
  if (lengths !== 0) return lengths < 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return !Number.isNaN(a);
  if (Math.abs(a) !== Math.abs(b)) return Math.abs(a) < Math.abs(b);
  return !Object.is(a, -0) && (a > b || Object.is(b, -0));
}

function precise(x: number, digits: number): number {
  return Number(x.toPrecision(digits));
}

/** Powers of ten in growing steps: a threshold is bracketed in a dozen tries. */
const tens = [
  1e-30, 1e-20, 1e-10, 1e-6, 1e-4, 0.001, 0.01, 0.1, 10, 100, 1000, 1e4, 1e6, 1e8, 1e10, 1e15, 1e20, 1e30, 1e40, 1e60,
  1e100, 1e200,
] as const;

const simplestOf = new WeakMap<ElementRange, number>();

/** The simplest number of the range, by trying the usual ones and rounding its ends. */
export function simplestValue(range: ElementRange): number {
  const known = simplestOf.get(range);
  if (known !== undefined) return known;
  const simplest = findSimplest(range);
  simplestOf.set(range, simplest);
  return simplest;
}

function findSimplest(range: ElementRange): number {
  const { low, high } = range;
  const middle = low / 2 + high / 2;
  const candidates = [
    0,
    1,
    -1,
    0.5,
    ...tens,
    low,
    high,
    Math.ceil(low),
    Math.floor(high),
    ...[1, 2, 3, 4, 5].flatMap((d) => [precise(low, d), precise(high, d), precise(middle, d)]),
  ];
  let best = low;
  for (const candidate of candidates) {
    const value = range.format.round(candidate);
    if (holds(range, value) && isSimpler(value, best, range)) best = value;
  }
  return best;
}

function attempts(x: number, simplest: number): number[] {
  const general = [simplest, 0, 1, -1, 2];
  if (!Number.isFinite(x)) return [...general, Number.isNaN(x) ? Infinity : -x];
  const magnitudes = [
    ...tens.filter((ten) => ten < Math.abs(x)).map((ten) => (x < 0 ? -ten : ten)),
    x / 2,
    precise(x / 2, 1),
  ];
  const rounded = [-x, Math.trunc(x), Math.trunc(x / 2), ...[1, 2, 3, 4, 5, 6].map((digits) => precise(x, digits))];
  return [...general, ...magnitudes, ...rounded, ...(Math.abs(x) <= 128 ? [x - Math.sign(x)] : [])];
}

/** Values of the range that are strictly simpler than `x`, most wanted first. */
export function simplerValues(range: ElementRange, x: number): readonly number[] {
  const unique = new Set(
    attempts(x, simplestValue(range)).map((value) => settle({ ...range, nonFinite: false }, value)),
  );
  return [...unique].filter((value) => holds(range, value) && isSimpler(value, x, range));
}
