/** A claim about a network: no input in a region has an output in an unsafe set. */
import { addRational, fromFloat, multiplyRational, negateRational, type Rational } from '../../numeric/rational.ts';
import type { Box } from './bounds.ts';
import type { InputRange } from './input-range.ts';

/** inputs · x + outputs · y ≤ bound; < where strict. Coefficients that are all zero are null. */
export interface LinearConstraint {
  readonly inputs: Float64Array | null;
  readonly outputs: Float64Array | null;
  readonly bound: number;
  readonly isStrict: boolean;
  /**
   * The constraint as stated, if float64 does not hold its numbers: then the coefficients above are the nearest ones, and the bound is
   * rounded up.
   */
  readonly exact?: ExactForm;
}

/** The coefficients that are not zero, by their index, and the bound. */
export interface ExactForm {
  readonly inputs: readonly Term[];
  readonly outputs: readonly Term[];
  readonly bound: Rational;
}

type Term = readonly [index: number, coefficient: Rational];

/** Inputs in the box for which every constraint holds are unsafe. */
export interface UnsafeCase {
  readonly box: Box;
  readonly constraints: readonly LinearConstraint[];
  /** The box as stated, if float64 does not hold its ends or they are open: then the box above is the smallest closed one around it. */
  readonly ranges?: readonly InputRange[];
}

/** Holds if no input is unsafe in any case. */
export interface Property {
  readonly inputSize: number;
  readonly outputSize: number;
  readonly cases: readonly UnsafeCase[];
  /** Cases of the file that are left out, because no input and output satisfy them. */
  readonly emptyCases?: number;
  /** Cases that may be empty: telling takes too much arithmetic. Absent if no case was examined. */
  readonly unexaminedCases?: number;
}

/** inputs · x + outputs · y − bound, rounded: unsafe where it is 0 or less. */
export function excess(
  { inputs, outputs, bound }: LinearConstraint,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): number {
  // Comparing two values, or one with a number, needs no rounded sum.
  let sum = -bound;
  if (inputs) for (let i = 0; i < inputs.length; i++) if (inputs[i] !== 0) sum += (inputs[i] ?? 0) * (x[i] ?? 0);
  if (outputs) for (let i = 0; i < outputs.length; i++) if (outputs[i] !== 0) sum += (outputs[i] ?? 0) * (y[i] ?? 0);
  return sum;
}

/** A constraint with all its numbers exact. */
export const exactForm = ({ exact, inputs, outputs, bound }: LinearConstraint): ExactForm =>
  exact ?? { inputs: exactTerms(inputs), outputs: exactTerms(outputs), bound: fromFloat(bound) };

const exactTerms = (coefficients: Float64Array | null): readonly Term[] =>
  [...(coefficients ?? [])].flatMap((value, i) => (value === 0 ? [] : [[i, fromFloat(value)] as const]));

/** The excess of a point in exact arithmetic; null if a value that counts is not finite. */
export function exactExcess(
  constraint: LinearConstraint,
  x: ArrayLike<number | Rational>,
  y: ArrayLike<number | Rational>,
): Rational | null {
  const { inputs, outputs, bound } = exactForm(constraint);
  let sum = negateRational(bound);
  for (const [terms, values] of [
    [inputs, x],
    [outputs, y],
  ] as const)
    for (const [i, coefficient] of terms) {
      const value = values[i] ?? NaN;
      if (typeof value === 'number' && !Number.isFinite(value)) return null;
      sum = addRational(sum, multiplyRational(coefficient, typeof value === 'number' ? fromFloat(value) : value));
    }
  return sum;
}

/** Whether the point satisfies every constraint of an unsafe case, in exact arithmetic. */
export const isExactlyUnsafe = (
  constraints: readonly LinearConstraint[],
  x: ArrayLike<number | Rational>,
  y: ArrayLike<number | Rational>,
): boolean =>
  constraints.every((constraint) => {
    const value = exactExcess(constraint, x, y);
    return value !== null && (constraint.isStrict ? value.numerator < 0n : value.numerator <= 0n);
  });

/** Whether the point satisfies every constraint of an unsafe case, as far as rounded sums tell. */
export const isUnsafe = (
  constraints: readonly LinearConstraint[],
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): boolean =>
  constraints.every((constraint) => {
    const value = excess(constraint, x, y);
    return constraint.isStrict ? value < 0 : value <= 0;
  });
