/**
 * How far below the rest of a number the faintest term lies that it was computed from. In log(1 + exp(2000)) the 1 is 869
 * digits below exp(2000): fewer digits do not show it, and the number looks as if it were 2000.
 */
import type { Decimal } from 'decimal.js';
import { functionTable } from '../functions.ts';
import type { FunctionRow, NumericRow } from '../functions/row.ts';
import { EXACT, hasKnownSign, sizeOf, type Bounded } from './bounded.ts';

interface Operand extends Bounded {
  readonly positive: boolean;
  readonly depth: number;
  readonly products: number;
}

/** Digits from the first of `value`, which is `row` of the operands, to the first of the faintest term in it; ∞ if that is below every exponent. */
export function depthOf(row: NumericRow, value: Bounded, operands: readonly Operand[]): number {
  if (value.error === EXACT) return 0;
  const own = sums.has(row) ? depthOfSum(value.value, operands) : depthOfFunction(row, operands);
  return operands.reduce((deepest, { depth }) => Math.max(deepest, depth), own);
}

/**
 * Digits to the first of the faintest product of such terms: t·s in (1 + t)·(1 + s), t² in 1 / (1 + t) = 1 − t + t² − …, which
 * 1 − t does not equal.
 */
export function depthOfProducts(row: NumericRow, depth: number, operands: readonly Operand[]): number {
  const inside = operands.map(({ products }) => products);
  const deepest = Math.max(depth, ...inside);
  const [, exponent] = operands;
  if (linear.has(row)) return deepest;
  if (row === functionTable.multiply)
    return Math.max(
      depth,
      inside.reduce((total, one) => total + one, 0),
    );
  if (row === functionTable.power && exponent?.error === EXACT && exponent.value.isInteger())
    return Math.max(2, Math.abs(exponent.value.toNumber())) * deepest;
  return 2 * deepest;
}

const linear: ReadonlySet<FunctionRow> = new Set<FunctionRow>([
  functionTable.add,
  functionTable.subtract,
  functionTable.negate,
  functionTable.absolute,
  functionTable.minimum,
  functionTable.maximum,
]);

const sums: ReadonlySet<FunctionRow> = new Set<FunctionRow>([functionTable.add, functionTable.subtract]);

function depthOfSum(value: Decimal, operands: readonly Operand[]): number {
  const size = sizeOf(value);
  // The remainder of a cancelled difference is not a term.
  const terms = operands.filter((operand) => operand.positive || hasKnownSign(operand));
  return terms.reduce((deepest, { value: term }) => Math.max(deepest, size - sizeOf(term)), 0);
}

/** The distance of e⁻ˣ, e⁻²ˣ, e^(−x²) and 1/x from 1, by functions that approach their limits so. */
const approaches: ReadonlyMap<FunctionRow, (x: number) => number> = new Map<FunctionRow, (x: number) => number>([
  [functionTable.sigmoid, (x) => x / Math.LN10],
  [functionTable.softplus, (x) => x / Math.LN10 + Math.log10(Math.max(x, 1))],
  [functionTable.tanh, (x) => (2 * x) / Math.LN10],
  [functionTable.sinh, (x) => (2 * x) / Math.LN10],
  [functionTable.cosh, (x) => (2 * x) / Math.LN10],
  [functionTable.erf, (x) => (x * x) / Math.LN10 + Math.log10(Math.max(x, 1))],
  [functionTable.atan, (x) => Math.log10(Math.max(x, 1))],
  [functionTable.expm1, (x) => x / Math.LN10],
]);

/** Functions that are nearly constant, or nearly the identity, near 0. */
const flatAtZero: ReadonlySet<FunctionRow> = new Set<FunctionRow>([
  ...approaches.keys(),
  functionTable.exp,
  functionTable.log1p,
  functionTable.sin,
  functionTable.cos,
  functionTable.tan,
]);

function depthOfFunction(row: NumericRow, [a, b]: readonly Operand[]): number {
  if (!a?.value.isFinite()) return 0;
  if (row === functionTable.power && b) return nearOne(a.value, b.value);
  if (!flatAtZero.has(row)) return 0;
  const x = Math.abs(a.value.toNumber());
  // cos x is 1 − x²/2 there, the others move with x or with x³.
  return Math.max(a.value.isZero() ? 0 : -2 * sizeOf(a.value), approaches.get(row)?.(x) ?? 0);
}

/** xʸ is 1 + y log x where y is small. */
function nearOne(x: Decimal, y: Decimal): number {
  const exponent = sizeOf(y) + Math.log10(Math.max(Math.abs(sizeOf(x)) * Math.LN10, Number.MIN_VALUE));
  return Number.isFinite(exponent) ? Math.max(0, -exponent) : 0;
}
