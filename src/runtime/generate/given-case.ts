import { err, ok, type Result } from '../../base/result.ts';
import type { Case } from '../../math/compile/compiled.ts';
import type { GivenInput } from '../testable-goal.ts';
import type { DomainPlan, VariablePlan } from './domain-plan.ts';
import { rangeSource } from './element-range.ts';
import { allocateCase } from './generator.ts';
import { affordable, elementsOf, shapesAt, sizesAllowed } from './sizes.ts';

type Lookup = (name: string) => number;

/**
 * How numbers as written become numbers of the format. `0.1` satisfies `η ≤ 0.1`, but the float32 nearest to it does not:
 * a number that the format cannot distinguish from a bound becomes the nearest one inside.
 */
function rounder(variable: VariablePlan, lookup: Lookup): (x: number) => number {
  const { lower, upper, choices } = variable;
  const { round } = variable.format;
  const range = choices ? null : rangeSource(variable)(lookup);
  const [low, high] = [lower?.value(lookup) ?? -Infinity, upper?.value(lookup) ?? Infinity];
  return (x) => {
    const rounded = round(x);
    // A whole number of more than 32 bits is not another one.
    if (variable.integer) return rounded;
    if (range && rounded < range.low && (x > low || isUnrepresentable(low, rounded, round))) return range.low;
    if (range && rounded > range.high && (x < high || isUnrepresentable(high, rounded, round))) return range.high;
    return rounded;
  };
}

/** Whether `rounded` is a bound that the format cannot represent, rounded to it. */
function isUnrepresentable(bound: number, rounded: number, round: (x: number) => number): boolean {
  return round(bound) === rounded && bound !== rounded;
}

/** Elements of a written input: what is written has been made, and costs what it did. */
const mostWritten = 2 ** 20;

/** Whether each element at these sizes is given, so that nothing larger is allocated. */
function isWritten(plan: DomainPlan, { sizes, values }: GivenInput): boolean {
  const elements = shapesAt(plan, sizes)?.map(elementsOf) ?? [];
  return (
    elements.reduce((sum, one) => sum + one, 0) <= mostWritten &&
    elements.every((wanted, i) => wanted === lengthOf(values[i]))
  );
}

const lengthOf = (value: GivenInput['values'][number] | undefined): number =>
  typeof value === 'object' ? value.length : 1;

/** An explicit input as a case in the formats of the domain; the error says why it does not fit. Bounds are left to `violation`. */
export function givenCase(plan: DomainPlan, input: GivenInput): Result<Case, string> {
  if (input.sizes.length !== plan.sizes.length || !sizesAllowed(plan, input.sizes))
    return err('the sizes are not allowed');
  if (!affordable(plan, input.sizes) && !isWritten(plan, input)) return err('it is too large');
  const built = allocateCase(plan, input.sizes);
  const names = new Map(plan.sizes.map((size, i) => [size.name, input.sizes[i] ?? NaN]));
  const lookup: Lookup = (name) => names.get(name) ?? NaN;
  for (const [i, variable] of plan.variables.entries()) {
    const given = input.values[i];
    const target = built.values[i];
    if (given === undefined || target === undefined) return err(`${variable.name} has no value`);
    if (typeof given === 'string' || typeof target === 'string') {
      if (typeof given !== 'string' || typeof target !== 'string')
        return err(`${variable.name} is ${typeof target === 'string' ? 'a' : 'no'} string`);
      built.values[i] = given;
      continue;
    }
    const numbers = (typeof given === 'number' ? [given] : given).map(rounder(variable, lookup));
    const wanted = typeof target === 'number' ? 1 : target.length;
    if (numbers.length !== wanted) return err(`${variable.name} has ${numbers.length} elements instead of ${wanted}`);
    if (typeof target === 'object') {
      target.set(numbers);
      const changed = numbers.find((x, k) => !Object.is(x, target[k]) && x !== target[k]);
      if (changed !== undefined)
        return err(`${variable.name} has no room for ${changed}: kernels receive whole numbers of 32 bits`);
    } else names.set(variable.name, (built.values[i] = numbers[0] ?? 0));
  }
  return ok(built);
}
