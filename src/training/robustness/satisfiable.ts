/**
 * Whether rational numbers satisfy linear constraints, in exact arithmetic: the simplex method for bounds (Dutertre and de Moura, A fast
 * linear-arithmetic solver for DPLL(T), CAV 2006, §3), with Bland's rule, so that it ends. A strict bound b is b ∓ δ for an infinitely
 * small δ (§3.3).
 */
import { invariant } from '../../base/invariant.ts';
import {
  addRational,
  bitLength,
  compareRational,
  divideRational,
  multiplyRational,
  negateRational,
  ONE,
  ZERO,
  type Rational,
} from '../../numeric/rational.ts';
import type { End, InputRange } from './input-range.ts';
import { exactForm, type LinearConstraint } from './property.ts';

/** Arithmetic that is left for several questions; an operation on short numbers counts 1. */
export interface Effort {
  left: number;
}

/** real + infinitesimal · δ. */
interface Value {
  readonly real: Rational;
  readonly infinitesimal: Rational;
}

/** Variables by their number: those that are given, then one for each constraint. `rows` has those that are sums of others. */
interface Tableau {
  readonly rows: Map<number, Map<number, Rational>>;
  readonly lower: readonly (Value | null)[];
  readonly upper: readonly (Value | null)[];
  readonly values: Value[];
}

/**
 * Whether some inputs in the ranges, none of which is empty, and some outputs satisfy all constraints; null if telling takes more effort
 * than is left.
 */
export function isSatisfiable(
  ranges: readonly InputRange[],
  constraints: readonly LinearConstraint[],
  effort: Effort,
): boolean | null {
  effort.left -= constraints.reduce((all, one) => all + 1 + lengthOf(one) / 64, 0);
  if (effort.left < 0) return null;
  const tableau = tableauOf(ranges, constraints);
  if (tableau === null) return false;
  const { rows, lower, upper, values } = tableau;
  for (;;) {
    const leaving = firstOf(rows.keys(), (n) => isBelow(values[n], lower[n]) || isBelow(upper[n], values[n]));
    if (leaving === null) return true;
    const mustGrow = isBelow(values[leaving], lower[leaving]);
    const row = rows.get(leaving) ?? new Map<number, Rational>();
    const entering = firstOf(row.keys(), (n) =>
      (row.get(n) ?? ZERO).numerator > 0n === mustGrow
        ? !upper[n] || isBelow(values[n], upper[n])
        : !lower[n] || isBelow(lower[n], values[n]),
    );
    if (entering === null) return false;
    effort.left -= costOf(rows, row, entering);
    if (effort.left < 0) return null;
    pivot(tableau, leaving, entering, mustGrow);
  }
}

const lengthOf = ({ exact, inputs, outputs }: LinearConstraint): number =>
  exact ? 64 * (exact.inputs.length + exact.outputs.length) : (inputs?.length ?? 0) + (outputs?.length ?? 0);

/** The variables at a bound if they have one; null if a constraint without variables is false. */
function tableauOf(ranges: readonly InputRange[], constraints: readonly LinearConstraint[]): Tableau | null {
  const known = new Map<number, number>();
  const [lower, upper, values]: [(Value | null)[], (Value | null)[], Value[]] = [[], [], []];
  const variable = (key: number, lo: Value | null, hi: Value | null): number => {
    const number = known.get(key) ?? values.push(lo ?? hi ?? { real: ZERO, infinitesimal: ZERO }) - 1;
    known.set(key, number);
    [lower[number], upper[number]] = [lo, hi];
    return number;
  };
  const terms = constraints.map((constraint) => {
    const { inputs, outputs, bound } = exactForm(constraint);
    const row = new Map<number, Rational>();
    for (const [i, coefficient] of inputs) {
      const range = ranges[i];
      row.set(variable(i, range ? ended(range.lo, 1n) : null, range ? ended(range.hi, -1n) : null), coefficient);
    }
    for (const [j, coefficient] of outputs) row.set(variable(-1 - j, null, null), coefficient);
    return { row, most: ended({ value: bound, isOpen: constraint.isStrict }, -1n) };
  });
  const rows = new Map<number, Map<number, Rational>>();
  for (const { row, most } of terms) {
    let sum: Value = { real: ZERO, infinitesimal: ZERO };
    for (const [n, coefficient] of row) sum = plus(sum, coefficient, values[n] ?? sum);
    if (row.size === 0 && isBelow(most, sum)) return null;
    if (row.size > 0) rows.set(values.length, row);
    lower.push(null);
    upper.push(most);
    values.push(sum);
  }
  return { rows, lower, upper, values };
}

/** An end of a range, or just inside it where it is open. */
const ended = ({ value, isOpen }: End, inward: bigint): Value => ({
  real: value,
  infinitesimal: isOpen ? { numerator: inward, denominator: 1n } : ZERO,
});

/** False where a bound is missing. */
const isBelow = (a: Value | null | undefined, b: Value | null | undefined): boolean =>
  !!a && !!b && (compareRational(a.real, b.real) || compareRational(a.infinitesimal, b.infinitesimal)) < 0;

/** a + factor · b. */
const plus = (a: Value, factor: Rational, b: Value): Value => ({
  real: addRational(a.real, multiplyRational(factor, b.real)),
  infinitesimal: addRational(a.infinitesimal, multiplyRational(factor, b.infinitesimal)),
});

/** The least of the numbers that are wanted. */
function firstOf(numbers: Iterable<number>, isWanted: (number: number) => boolean): number | null {
  let first: number | null = null;
  for (const number of numbers) if ((first === null || number < first) && isWanted(number)) first = number;
  return first;
}

/** What a pivot takes: operations on every row that has the variable, more where numbers are long. */
function costOf(rows: Tableau['rows'], row: ReadonlyMap<number, Rational>, entering: number): number {
  let [changed, longest] = [1, 0];
  for (const other of rows.values()) if (other.has(entering)) changed++;
  for (const value of row.values()) longest = Math.max(longest, bitLength(value));
  return rows.size + changed * row.size * (1 + (longest / 256) ** 2);
}

/** Moves the first variable, a sum, to the bound that it violates; it changes places with the second, which is one of its terms. */
function pivot({ rows, lower, upper, values }: Tableau, leaving: number, entering: number, mustGrow: boolean): void {
  const row = rows.get(leaving);
  const factor = row?.get(entering);
  const target = (mustGrow ? lower : upper)[leaving];
  const [from, moved] = [values[leaving], values[entering]];
  invariant(row && factor && target && from && moved, 'a pivot is an entry of the tableau');
  const inverse = divideRational(ONE, factor);
  const step = plus({ real: ZERO, infinitesimal: ZERO }, inverse, plus(target, negateRational(ONE), from));
  values[leaving] = target;
  values[entering] = plus(moved, ONE, step);
  const solved = new Map([[leaving, inverse]]);
  for (const [n, coefficient] of row)
    if (n !== entering) solved.set(n, negateRational(multiplyRational(coefficient, inverse)));
  rows.delete(leaving);
  for (const [number, other] of rows) {
    const share = other.get(entering);
    const value = values[number];
    if (!share || !value) continue;
    values[number] = plus(value, share, step);
    other.delete(entering);
    for (const [n, coefficient] of solved) {
      const sum = addRational(other.get(n) ?? ZERO, multiplyRational(share, coefficient));
      if (sum.numerator === 0n) other.delete(n);
      else other.set(n, sum);
    }
  }
  rows.set(entering, solved);
}
