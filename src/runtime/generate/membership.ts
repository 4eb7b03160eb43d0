/**
 * Whether a case belongs to its domain: what construction promises, checked from the terms rather than from prepared ranges.
 *
 * Guards inputs that no generator made: stored failures, shrunk cases, cases from a library.
 */
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import type { DomainPlan, VariablePlan } from './domain-plan.ts';
import type { ScalarFunction } from './scalar-function.ts';
import { elementsOf, shapesAt, sizesAllowed } from './sizes.ts';
import { textProblem } from './texts.ts';

type Lookup = (name: string) => number;

/** Why `candidate` is outside the domain, or null if it is inside. Preconditions over values are not checked. */
export function violation(plan: DomainPlan, candidate: Case): string | null {
  if (!sizesAllowed(plan, candidate.sizes)) return 'the sizes are not allowed';
  const names = new Map(plan.sizes.map((size, i) => [size.name, candidate.sizes[i] ?? NaN]));
  const lookup: Lookup = (name) => names.get(name) ?? NaN;
  const shapes = shapesAt(plan, candidate.sizes) ?? [];
  for (const [i, variable] of plan.variables.entries()) {
    const value = candidate.values[i];
    if (value === undefined) return `${variable.name} is missing`;
    const why = violationOf(variable, value, shapes[i] ?? [], lookup);
    if (why) return `${variable.name}: ${why}`;
    if (typeof value === 'number') names.set(variable.name, value);
  }
  return null;
}

function violationOf(
  variable: VariablePlan,
  value: CaseValue,
  shape: readonly number[],
  lookup: Lookup,
): string | null {
  if (variable.storage === 'string') {
    return typeof value === 'string' ? textProblem(variable, value, lookup) : 'is not a string';
  }
  if (typeof value === 'string') return 'is a string';
  if (typeof value === 'number') return shape.length === 0 ? outside(variable, [value], lookup) : 'is a scalar';
  if (shape.length === 0) return 'is a tensor';
  if (value.length !== elementsOf(shape)) return `has ${value.length} elements instead of ${elementsOf(shape)}`;
  return outside(variable, value, lookup) ?? brokenStructure(variable, value, shape.at(-1) ?? 0);
}

function outside(variable: VariablePlan, values: ArrayLike<number>, lookup: Lookup): string | null {
  if (variable.choices) return unlisted(variable, variable.choices, values, lookup);
  const { lower, upper, format, nonFinite } = variable;
  const low = lower?.value(lookup) ?? -Infinity;
  const high = upper?.value(lookup) ?? Infinity;
  const excluded = variable.excluded.map((term) => term(lookup));
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (!Number.isFinite(x)) {
      if (nonFinite) continue;
      return `${x} is not finite`;
    }
    if (format.round(x) !== x) return `${x} is not representable`;
    if (lower?.open ? !(x > low) : !(x >= low)) return `${x} is below the lower bound ${low}`;
    if (upper?.open ? !(x < high) : !(x <= high)) return `${x} is above the upper bound ${high}`;
    if (excluded.includes(x)) return `${x} is excluded`;
  }
  return null;
}

function unlisted(
  { format, nonFinite }: VariablePlan,
  choices: readonly ScalarFunction[],
  values: ArrayLike<number>,
  lookup: Lookup,
): string | null {
  const listed = choices.map((choice) => format.round(choice(lookup)));
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? NaN;
    if (!nonFinite && !Number.isFinite(x)) return `${x} is not finite`;
    if (!listed.includes(x)) return `${x} is not one of its values`;
  }
  return null;
}

function brokenStructure(variable: VariablePlan, values: ArrayLike<number>, rowLength: number): string | null {
  if (variable.structure === 'none') return null;
  for (let from = 0; from < values.length; from += rowLength) {
    let sum = 0;
    for (let i = from; i < from + rowLength; i++) {
      sum += values[i] ?? NaN;
      if (variable.structure === 'increasing' && i > from && !((values[i] ?? NaN) > (values[i - 1] ?? NaN)))
        return 'a row does not increase strictly';
    }
    if (variable.structure === 'simplex' && sum !== 1) return `a row sums to ${sum}`;
  }
  return null;
}
