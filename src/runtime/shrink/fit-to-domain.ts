import type { CaseBuffer } from '../generate/generator.ts';
import type { DomainPlan, VariablePlan } from '../generate/domain-plan.ts';
import { rangeSource, settle, type ElementRange } from '../generate/element-range.ts';

type Lookup = (name: string) => number;

/** Sizes and scalars of a case by name. */
export function lookupIn(
  plan: DomainPlan,
  candidate: { readonly sizes: readonly number[]; readonly values: readonly unknown[] },
): Lookup {
  return (name) => {
    const size = plan.sizes.findIndex((s) => s.name === name);
    if (size >= 0) return candidate.sizes[size] ?? NaN;
    const value = candidate.values[plan.variables.findIndex((v) => v.name === name)];
    return typeof value === 'number' ? value : NaN;
  };
}

/** The range of variable `index` in a case; null for choices, strings and contradictory bounds. */
export function rangeIn(plan: DomainPlan, candidate: CaseBuffer, index: number): ElementRange | null {
  const variable = plan.variables[index];
  if (!variable || variable.choices || variable.storage === 'string') return null;
  return rangeSource(variable)(lookupIn(plan, candidate));
}

/** Gives what a row lacks after losing elements to its first element. */
function completeRows(variable: VariablePlan, value: Float32Array | Float64Array | Int32Array, lookup: Lookup): void {
  const rowLength = variable.shape.at(-1)?.(lookup) ?? 0;
  for (let from = 0; rowLength > 0 && from < value.length; from += rowLength) {
    let rest = 1;
    for (let i = from + 1; i < from + rowLength; i++) rest -= value[i] ?? 0;
    value[from] = rest;
  }
}

/** Moves elements into bounds that have changed with the sizes, in place; the caller checks the result. */
export function fitToDomain(plan: DomainPlan, candidate: CaseBuffer): void {
  const lookup = lookupIn(plan, candidate);
  for (const [i, variable] of plan.variables.entries()) {
    const value = candidate.values[i];
    const range = rangeIn(plan, candidate, i);
    if (!range || value === undefined || typeof value === 'string') continue;
    if (typeof value === 'number') candidate.values[i] = settle(range, value);
    else if (variable.structure === 'simplex') completeRows(variable, value, lookup);
    else for (let at = 0; at < value.length; at++) value[at] = settle(range, value[at] ?? 0);
  }
}
