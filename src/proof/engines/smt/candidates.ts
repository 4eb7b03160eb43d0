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
 * The nearest numbers first, then all variables a step down or up, then what the assignment leaves open at other places
 * of its range. A variable without a value is where its range is nearest to zero.
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
              numberNear(variable, values.get(variable.name) ?? variable[end], 0),
            ]),
          ),
      )
    : [];
  return [...models, ...elsewhere];
}

/** A number that the variable may have, `steps` neighbours from the one nearest to `value`. */
export function numberNear(variable: ProofVariable, value: Rational, steps: -1 | 0 | 1): number {
  const { low, high, choices, format } = variable;
  const inside = compareRational(value, low) < 0 ? low : compareRational(value, high) > 0 ? high : value;
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

function clamped({ low, high }: ProofVariable, value: number): number {
  if (!Number.isFinite(value)) return value > 0 ? toFloat(high) : toFloat(low);
  const exact = fromFloat(value);
  if (compareRational(exact, low) < 0) return toFloat(low);
  return compareRational(exact, high) > 0 ? toFloat(high) : value;
}

function magnitude(value: Rational): Rational {
  return value.numerator < 0n ? { ...value, numerator: -value.numerator } : value;
}
