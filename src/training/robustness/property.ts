/** A claim about a network: no input in a region has an output in an unsafe set. */
import { addRational, fromFloat, multiplyRational, negateRational } from '../../numeric/rational.ts';
import type { Box } from './bounds.ts';

/** inputs · x + outputs · y ≤ bound; < where strict. Coefficients that are all zero are null. */
export interface LinearConstraint {
  readonly inputs: Float64Array | null;
  readonly outputs: Float64Array | null;
  readonly bound: number;
  readonly isStrict: boolean;
}

/** Inputs in the box for which every constraint holds are unsafe. */
export interface UnsafeCase {
  readonly box: Box;
  readonly constraints: readonly LinearConstraint[];
}

/** Holds if no input is unsafe in any case. */
export interface Property {
  readonly inputSize: number;
  readonly outputSize: number;
  readonly cases: readonly UnsafeCase[];
  /** Cases of the file that are left out, because no input and output satisfy them. */
  readonly emptyCases?: number;
}

/** inputs · x + outputs · y − bound: unsafe where it is 0 or less. */
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

/** Whether the point satisfies every constraint of an unsafe case, in exact arithmetic. */
export function isExactlyUnsafe(
  constraints: readonly LinearConstraint[],
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): boolean {
  return constraints.every(({ inputs, outputs, bound, isStrict }) => {
    let sum = negateRational(fromFloat(bound));
    for (const [coefficients, values] of [
      [inputs, x],
      [outputs, y],
    ] as const)
      for (const [i, coefficient] of coefficients?.entries() ?? []) {
        const value = values[i] ?? NaN;
        if (coefficient === 0) continue;
        if (!Number.isFinite(value)) return false;
        sum = addRational(sum, multiplyRational(fromFloat(coefficient), fromFloat(value)));
      }
    return isStrict ? sum.numerator < 0n : sum.numerator <= 0n;
  });
}

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
