/** Inputs to try, from an assignment over the reals: the numbers of the variables' formats near it. */
import { floatFormats } from '../../../numeric/float-format.ts';
import {
  compareRational,
  floorRational,
  fromFloat,
  subtractRational,
  toFloat,
  ZERO,
  type Rational,
} from '../../../numeric/rational.ts';
import type { ProofVariable } from '../../problem.ts';
import type { Model } from '../engine.ts';

/**
 * The nearest numbers first, then all variables one step down or up, then other values for variables that the assignment
 * leaves open. A variable without a value gets the value of its range that is nearest to zero.
 */
export function candidatesNear(
  variables: readonly ProofVariable[],
  values: ReadonlyMap<string, Rational>,
): readonly Model[] {
  const models = ([0, -1, 1] as const).map(
    (steps) =>
      new Map(
        variables.map((variable) => [variable.name, numberNear(variable, values.get(variable.name) ?? ZERO, steps)]),
      ),
  );
  const isOpen = variables.some(({ name }) => !values.has(name));
  const elsewhere = isOpen
    ? (['low', 'high'] as const).map(
        (end) =>
          new Map(
            variables.map((variable) => [
              variable.name,
              numberNear(variable, values.get(variable.name) ?? variable[end] ?? ZERO, 0),
            ]),
          ),
      )
    : [];
  return [...models, ...elsewhere];
}

/** A number that the variable may have, `steps` neighbours from the one nearest to `value`. */
export function numberNear(variable: ProofVariable, value: Rational, steps: -1 | 0 | 1): number {
  const { choices, format } = variable;
  const inside = within(variable, value);
  if (choices) {
    const distance = (choice: Rational): Rational => magnitude(subtractRational(choice, inside));
    const nearest = choices.toSorted((a, b) => compareRational(distance(a), distance(b)))[0];
    return toFloat(nearest ?? inside);
  }
  if (format === 'integer') return clamped(variable, Number(floorRational(inside)) + steps);
  const { round, nextUp, nextDown } = floatFormats[format === 'real' ? 'f64' : format];
  const near = round(toFloat(inside));
  return clamped(variable, steps === 0 ? near : steps > 0 ? nextUp(near) : nextDown(near));
}

function within({ low, high }: ProofVariable, value: Rational): Rational {
  if (low && compareRational(value, low) < 0) return low;
  return high && compareRational(value, high) > 0 ? high : value;
}

function clamped(variable: ProofVariable, value: number): number {
  const finite = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
  const exact = fromFloat(finite);
  const inside = within(variable, exact);
  return inside === exact ? finite : toFloat(inside);
}

function magnitude(value: Rational): Rational {
  return value.numerator < 0n ? { ...value, numerator: -value.numerator } : value;
}
