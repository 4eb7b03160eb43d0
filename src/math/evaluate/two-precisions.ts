import { Decimal } from 'decimal.js';
import { functionTable } from '../functions.ts';
import { exactOf } from '../functions/exact-comparison.ts';
import type { DecimalContext, FunctionRow } from '../functions/row.ts';
import type { Arithmetic } from './arithmetic.ts';
import { createPrecision, type Precision } from './precision.ts';

/** A number in two precisions: what they disagree about is rounding. */
export interface TwoPrecisions {
  readonly coarse: Decimal;
  readonly fine: Decimal;
  /** Given, not computed: no digits are missing. */
  readonly given?: number;
}

/** A comparison that did not hold. */
export interface FailedComparison {
  readonly left: Decimal;
  /** `=`, `≤`, `≈`, … */
  readonly symbol: string;
  readonly right: Decimal;
}

export interface RealArithmetic extends Arithmetic<TwoPrecisions> {
  /** Whether some comparison so far could be told neither equal nor different: then nothing follows from the result. */
  readonly isDoubtful: () => boolean;
  /** Whether a strict order failed between computed numbers that are equal in these digits: more may tell them apart. */
  readonly isTied: () => boolean;
  /** The last comparison that did not hold, an equality before any other; null when all held. */
  readonly lastFailed: () => FailedComparison | null;
}

/** Decimal digits by which rounding errors of a whole computation may exceed one rounding. */
const SLACK = 8;
/** A difference from zero that counts as none: far below the smallest float32, 1.4e-45. */
const NEGLIGIBLE = new Decimal('1e-60');

/**
 * Arithmetic over the reals that knows what it does not know: every number is computed with `digits` and with
 * 2·`digits` significant decimal digits. Two numbers are equal when their difference shrinks with the precision as
 * rounding errors do and is below the first `digits` digits of them (or 1e-60), and different when both precisions see the
 * same difference; otherwise the comparison is doubtful, and more digits are needed.
 */
export function realArithmetic(digits: number): RealArithmetic {
  const { lower, upper, nothing, slack, numbers, constants } = pairOf(digits);
  const { context: coarse } = lower;
  const { context: fine } = upper;
  const state: { doubtful: boolean; tied: boolean; failed: FailedComparison | null } = {
    doubtful: false,
    tied: false,
    failed: null,
  };

  const magnitude = ({ coarse: a, fine: b }: TwoPrecisions): TwoPrecisions => ({ coarse: a.abs(), fine: b.abs() });
  const difference = (a: TwoPrecisions, b: TwoPrecisions): TwoPrecisions => ({
    coarse: coarse.sub(a.coarse, b.coarse),
    fine: fine.sub(a.fine, b.fine),
  });
  /** −1, 0 or 1; NaN when a side is no number. */
  const order = (a: TwoPrecisions, b: TwoPrecisions): number => {
    if (a.fine.isNaN() || b.fine.isNaN()) return Number.NaN;
    if (!a.fine.isFinite() || !b.fine.isFinite() || a.fine.equals(b.fine)) return a.fine.comparedTo(b.fine);
    const apart = difference(a, b);
    const seen = apart.fine.abs();
    const rounding = apart.coarse.abs().times(slack.coarse);
    const largest = Decimal.max(a.fine.abs(), b.fine.abs());
    if (seen.lessThanOrEqualTo(largest.times(slack.fine))) return 0;
    if (seen.lessThanOrEqualTo(rounding)) {
      // What is left of large numbers that cancelled may hide any difference below it.
      if (seen.greaterThan(Decimal.max(largest.times(slack.last), NEGLIGIBLE))) state.doubtful = true;
      return 0;
    }
    if (apart.coarse.minus(apart.fine).abs().greaterThan(seen.dividedBy(2))) state.doubtful = true;
    return a.fine.comparedTo(b.fine);
  };
  const noted = (holds: boolean, a: TwoPrecisions, symbol: string, b: TwoPrecisions): boolean => {
    const tells = equalities.has(symbol) || state.failed === null || !equalities.has(state.failed.symbol);
    if (!holds && tells) state.failed = { left: a.fine, symbol, right: b.fine };
    return holds;
  };
  /** Whether |a − b| ≤ allowed. */
  const within = (a: TwoPrecisions, b: TwoPrecisions, allowed: TwoPrecisions): boolean =>
    order(a, b) === 0 || order(magnitude(difference(a, b)), allowed) <= 0;

  return {
    name: `reals in ${digits} and ${2 * digits} digits`,
    constant: (text) => kept(constants, text, () => ({ coarse: new coarse(text), fine: new fine(text) })),
    fromNumber: (value) => {
      const make = (): TwoPrecisions => ({ coarse: exactOf(coarse, value), fine: exactOf(fine, value), given: value });
      // To a map, −0 is 0.
      return Object.is(value, -0) ? make() : kept(numbers, value, make);
    },
    toNumber: ({ given, fine: value }) => given ?? value.toNumber(),
    numeric: (row, [a = nothing, b = nothing, c = nothing]) => ({
      coarse: lower.numeric(row, a.coarse, b.coarse, c.coarse),
      fine: upper.numeric(row, a.fine, b.fine, c.fine),
    }),
    predicate: (row, [a = nothing, b = nothing, c = nothing]) => {
      const relation = relations.get(row);
      if (relation) {
        const found = order(a, b);
        if (found === 0 && !relation.holds(0) && (a.given === undefined || b.given === undefined)) state.tied = true;
        return noted(relation.holds(found), a, relation.symbol, b);
      }
      if (row === functionTable.approximately) return noted(within(a, b, c), a, '≈', b);
      return row.exact(fine, a.fine, b.fine, c.fine);
    },
    equal: (a, b) => noted(order(a, b) === 0, a, '=', b),
    isDoubtful: () => state.doubtful,
    isTied: () => state.tied,
    lastFailed: () => state.failed,
  };
}

/** All that does not change from one computation to the next. */
interface Pair {
  readonly lower: Precision;
  readonly upper: Precision;
  readonly nothing: TwoPrecisions;
  /** What rounding may make of a number of size 1: in either precision, and in the first `digits` digits. */
  readonly slack: { readonly coarse: Decimal; readonly fine: Decimal; readonly last: Decimal };
  readonly numbers: Map<number, TwoPrecisions>;
  readonly constants: Map<string, TwoPrecisions>;
}

const pairs = new Map<number, Pair>();

function pairOf(digits: number): Pair {
  return kept(pairs, digits, () => {
    const [lower, upper] = [createPrecision(digits), createPrecision(2 * digits)];
    const fine: DecimalContext = upper.context;
    const power = (exponent: number): Decimal => new fine(10).toPower(exponent);
    return {
      lower,
      upper,
      nothing: { coarse: new lower.context(Number.NaN), fine: new fine(Number.NaN) },
      slack: { coarse: power(SLACK - digits), fine: power(SLACK - 2 * digits), last: power(-digits) },
      numbers: new Map(),
      constants: new Map(),
    };
  });
}

/** Numbers, texts and precisions that are kept; then all are forgotten. */
const mostKept = 4096;

function kept<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostKept) known.clear();
  const value = make();
  known.set(key, value);
  return value;
}

const equalities: ReadonlySet<string> = new Set(['=', '≈']);

interface Relation {
  readonly symbol: string;
  readonly holds: (order: number) => boolean;
}

const relations: ReadonlyMap<FunctionRow, Relation> = new Map<FunctionRow, Relation>([
  [functionTable.less, { symbol: '<', holds: (order) => order < 0 }],
  [functionTable['less-equal'], { symbol: '≤', holds: (order) => order <= 0 }],
  [functionTable.greater, { symbol: '>', holds: (order) => order > 0 }],
  [functionTable['greater-equal'], { symbol: '≥', holds: (order) => order >= 0 }],
]);
