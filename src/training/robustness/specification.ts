/** Lower bounds of what keeps an input safe: `inputs · x + outputs · y − bound` over the box that an analysis holds. */
import { stateOf, type Analysis } from './analysis.ts';
import { addCoefficient, lowerBound, type Through } from './back-substitution.ts';
import type { LinearConstraint } from './property.ts';
import { tiny } from './rounding.ts';

/** The lower bound of the excess of a constraint as stated; `gradient` receives the coefficients of the inputs in it. */
export function excessBound(
  analysis: Analysis,
  { inputs, outputs, bound, exact }: LinearConstraint,
  through: Through,
  gradient?: Float64Array,
): number {
  const { output } = analysis.network;
  add(analysis, 0, inputs);
  add(analysis, output, outputs);
  const lower = lowerBound(analysis, output, -bound, through, gradient);
  return exact === undefined ? lower : lower - roundingOf(analysis, 0, inputs) - roundingOf(analysis, output, outputs);
}

/** More than what rounding the coefficients to the nearest float64 changes: half a unit in the last place, or in that of 0. */
function roundingOf(analysis: Analysis, node: number, coefficients: Float64Array | null): number {
  const { magnitude } = stateOf(analysis, node);
  let sum = 0;
  for (const [j, a] of (coefficients ?? []).entries())
    sum += (Math.abs(a) * 2 ** -52 + tiny) * (magnitude[j] ?? Infinity);
  return sum;
}

function add(analysis: Analysis, node: number, coefficients: Float64Array | null): void {
  if (coefficients === null) return;
  for (let j = 0; j < coefficients.length; j++) {
    const a = coefficients[j] ?? 0;
    if (a !== 0) addCoefficient(analysis, node, j, a);
  }
}

/** Whether an excess that is at least `lower` keeps the constraint from holding. */
export const excludes = ({ isStrict }: LinearConstraint, lower: number): boolean => (isStrict ? lower >= 0 : lower > 0);
