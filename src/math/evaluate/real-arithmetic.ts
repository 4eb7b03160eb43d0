import type { Decimal } from 'decimal.js';
import { functionTable } from '../functions.ts';
import { arithmetic } from '../functions/arithmetic.ts';
import { exactOf } from '../functions/exact-comparison.ts';
import type { FunctionRow } from '../functions/row.ts';
import { depthOf, depthOfProducts } from './absorbed.ts';
import type { Arithmetic } from './arithmetic.ts';
import { EXACT, sizeOf, sum, UNKNOWN, type Bounded } from './bounded.ts';
import { besideJumps, errorOf, isPositive } from './error-exponents.ts';
import { createPrecision, type Precision } from './precision.ts';

/** What is known about a real number. */
export interface Real extends Bounded {
  /** Known to be positive, however small. */
  readonly positive: boolean;
  /** Digits that the faintest term in it lies below the rest. */
  readonly depth: number;
  /** The same of products of such terms. */
  readonly products: number;
  /** The number as it was given, if it was not computed. */
  readonly given?: number;
}

/** A comparison that did not hold. */
export interface FailedComparison {
  readonly left: Decimal;
  /** `=`, `≤`, `≈`, … */
  readonly symbol: string;
  readonly right: Decimal;
}

/** Arithmetic that records where its digits did not suffice. */
export interface RealArithmetic extends Arithmetic<Real> {
  /** Whether some comparison so far could not be decided: then nothing follows from the result. */
  readonly isDoubtful: () => boolean;
  /** Whether a strict order failed between numbers that are equal in these digits; more digits may separate them. */
  readonly isTied: () => boolean;
  /** Whether some numbers were treated as equal because these digits do not separate them. */
  readonly isNear: () => boolean;
  /**
   * For numbers treated as equal: digits at which terms too small for the current digits would show; 0 if there are none.
   */
  readonly hiddenUntil: () => number;
  /** The same of products of such terms, which are fainter. */
  readonly productsUntil: () => number;
  /** Whether these digits compared numbers that are not exact, with no term too faint for them. */
  readonly isTelling: () => boolean;
  /** The outcomes of orders that these digits decided: which branches were taken. */
  readonly branches: () => ReadonlySet<string>;
  /** The last comparison that did not hold, an equality before any other; null if all held. */
  readonly lastFailed: () => FailedComparison | null;
}

/** log₁₀ of a difference that counts as 0 if it cannot be distinguished from 0: far below the smallest float32, 1.4e-45. */
const NEGLIGIBLE = -60;
/** log₁₀ of errors of numbers that are too small for every exponent, or nearly. */
const BELOW_ALL = -1e15;
/** Digits of a term that have to be computed for it to show. */
const SHOWN = 20;

/**
 * Arithmetic over the reals with error bounds: every number is computed with `digits` significant decimal digits and has a
 * bound of its error. Two numbers are different if their difference exceeds their errors. They are equal if it does not and
 * the errors leave at least half of the digits (or, among inputs that are float32 numbers, are below 10 to the power `negligible`);
 * otherwise the comparison is doubtful, and more digits are needed. A difference that cancels to 0 keeps the errors of its operands, and is not taken for 0.
 */
export function realArithmetic(digits: number, negligible: number = NEGLIGIBLE): RealArithmetic {
  const { precision, nothing, lost, numbers, constants } = known(digits);
  const { context } = precision;
  const state = {
    doubtful: false,
    tied: false,
    near: false,
    compared: false,
    hiddenUntil: 0,
    productsUntil: 0,
    failed: null as FailedComparison | null,
  };
  const branches = new Set<string>();

  /** −1, 0 or 1; NaN if a side is not a number. `tie`: a found 0 may be any of them. */
  const order = (a: Real, b: Real): { readonly found: number; readonly tie: boolean } => {
    if (!a.value.isFinite() || !b.value.isFinite()) {
      // A number that exceeds every exponent is larger than any that does not.
      const both = !a.value.isFinite() && !b.value.isFinite();
      if (isLost(a) || isLost(b) || (both && (a.error === UNKNOWN || b.error === UNKNOWN))) state.doubtful = true;
      return { found: a.value.isNaN() || b.value.isNaN() ? Number.NaN : a.value.comparedTo(b.value), tie: false };
    }
    const error = sum(a.error, b.error);
    const apart = a.value.minus(b.value);
    if (error !== EXACT) state.compared = true;
    if (error === EXACT || sizeOf(apart) > error) return { found: a.value.comparedTo(b.value), tie: false };
    const beside = besideZero(a, b);
    if (beside !== 0) return { found: beside, tie: false };
    const largest = Math.max(sizeOf(a.value), sizeOf(b.value));
    if (error > Math.max(largest - digits / 2, negligible)) state.doubtful = true;
    state.near = true;
    // Numbers below every exponent may differ in any way.
    if (error < BELOW_ALL && error >= largest) state.tied = true;
    const right = largest > error ? largest - error : Math.min(digits, -error);
    state.hiddenUntil = Math.max(state.hiddenUntil, hiddenUntil(Math.max(a.depth, b.depth), right, digits));
    state.productsUntil = Math.max(state.productsUntil, hiddenUntil(Math.max(a.products, b.products), right, digits));
    return { found: 0, tie: true };
  };
  const noted = (holds: boolean, a: Real, symbol: string, b: Real): boolean => {
    // What has no value breaks the claim, whatever equality decided a case of the formula before.
    const hasNoValue = a.value.isNaN() || b.value.isNaN();
    const tells = hasNoValue || equalities.has(symbol) || state.failed === null || !equalities.has(state.failed.symbol);
    if (!holds && tells) state.failed = { left: a.value, symbol, right: b.value };
    return holds;
  };
  const numeric: RealArithmetic['numeric'] = (row, given) => {
    const operands = besideJumps(row, given);
    const [a = nothing, b = nothing, c = nothing] = operands;
    const again = ([x = nothing.value, y = nothing.value, z = nothing.value]: readonly Decimal[]): Decimal =>
      precision.numeric(row, x, y, z);
    const value = unsigned(again([a.value, b.value, c.value]));
    const error = errorOf(row, value, operands, digits, again);
    if (Number.isNaN(error)) return lost;
    const depth = depthOf(row, { value, error }, operands);
    const products = depthOfProducts(row, depth, operands);
    return { value, error, depth, products, positive: isPositive(row, { value, error }, operands) };
  };
  const distance = (a: Real, b: Real): Real =>
    numeric(arithmetic.absolute, [numeric(arithmetic.subtract, [a, b], false)], false);
  /** Whether |a − b| ≤ allowed. */
  const within = (a: Real, b: Real, allowed: Real): boolean =>
    (!allowed.value.isNegative() && a.error === EXACT && b.error === EXACT && a.value.equals(b.value)) ||
    order(distance(a, b), allowed).found <= 0;

  return {
    name: `reals in ${digits} digits`,
    constant: (text) => kept(constants, text, () => exactly(new context(text))),
    fromNumber: (value) => {
      const make = (): Real => ({ ...exactly(unsigned(exactOf(context, value))), given: value });
      // A map does not distinguish −0 from 0.
      return Object.is(value, -0) ? make() : kept(numbers, value, make);
    },
    toNumber: ({ given, value }) => given ?? value.toNumber(),
    numeric,
    predicate: (row, operands) => {
      const [a = nothing, b = nothing, c = nothing] = operands;
      const relation = relations.get(row);
      if (relation) {
        const { found, tie } = order(a, b);
        if (tie && !relation.holds(0)) state.tied = true;
        if (!tie) branches.add(`${relation.symbol} ${relation.holds(found)}`);
        return noted(relation.holds(found), a, relation.symbol, b);
      }
      // Nothing is known about it, or it is a number rather than the infinity that stands for it.
      if (operands.some(({ value, error }) => error === UNKNOWN && !value.isFinite())) state.doubtful = true;
      if (row === functionTable.approximately) return noted(within(a, b, c), a, '≈', b);
      return row.exact(context, a.value, b.value, c.value);
    },
    equal: (a, b) => noted(order(a, b).found === 0, a, '=', b),
    aside: (choose) => {
      const before = state.failed;
      const chosen = choose();
      // What has no value breaks the claim all the same.
      if (state.failed && !state.failed.left.isNaN() && !state.failed.right.isNaN()) state.failed = before;
      return chosen;
    },
    isDoubtful: () => state.doubtful,
    isTied: () => state.tied,
    isNear: () => state.near,
    hiddenUntil: () => state.hiddenUntil,
    productsUntil: () => state.productsUntil,
    isTelling: () => state.compared && state.hiddenUntil === 0,
    branches: () => branches,
    lastFailed: () => state.failed,
  };
}

/** There is one zero among the reals: 1/√v is not −∞ at v = −0. */
const unsigned = (value: Decimal): Decimal => (value.isZero() ? value.abs() : value);

const exactly = (value: Decimal): Real => ({
  value,
  error: EXACT,
  depth: 0,
  products: 0,
  positive: value.isPositive() && !value.isZero() && !value.isNaN(),
});

/**
 * Digits at which a term shows that lies `depth` digits below the rest, if `right` of `digits` digits are correct; 0 if it
 * already shows.
 */
const hiddenUntil = (depth: number, right: number, digits: number): number =>
  depth + 2 > right ? depth + digits - right + SHOWN : 0;

const isZero = ({ value, error }: Real): boolean => value.isZero() && error === EXACT;

/** 1 or −1 if one of the numbers is 0, and the other known to be positive. */
const besideZero = (a: Real, b: Real): number => Number(a.positive && isZero(b)) - Number(b.positive && isZero(a));

const isLost = ({ value, error }: Real): boolean => value.isNaN() && error === UNKNOWN;

/** What computations with the same number of digits share. */
interface Known {
  readonly precision: Precision;
  readonly nothing: Real;
  readonly lost: Real;
  readonly numbers: Map<number, Real>;
  readonly constants: Map<string, Real>;
}

const all = new Map<number, Known>();

function known(digits: number): Known {
  return kept(all, digits, () => {
    const precision = createPrecision(digits);
    const nothing = exactly(new precision.context(Number.NaN));
    const lost = { ...nothing, error: UNKNOWN };
    return { precision, nothing, lost, numbers: new Map(), constants: new Map() };
  });
}

/** Entries that a cache holds at most; a full cache is cleared. */
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
