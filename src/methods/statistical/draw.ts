import { err, ok, type Result } from '../../base/result.ts';
import { uniformInteger, unitDouble, type Xoshiro } from '../../numeric/xoshiro.ts';
import type { CaseBuffer } from '../../runtime/generate/generator.ts';
import type { DomainPlan, VariablePlan } from '../../runtime/generate/domain-plan.ts';

/** Fills the random inputs of a case whose other inputs are set. */
export type Draw = (into: CaseBuffer, stream: Xoshiro) => void;

type Lookup = (name: string) => number;

/** How often a value on an excluded end is redrawn. */
const REDRAWS = 64;

/**
 * Independent uniform draws of the named inputs: over the integers, the choices, or the interval of the domain; the latter are
 * rounded to the input's format, never onto an excluded end. The error says which input has no finite range.
 */
export function uniformDraw(plan: DomainPlan, random: readonly string[]): Result<Draw, string> {
  const drawn = plan.variables.flatMap((variable, index) =>
    random.includes(variable.name) ? [{ variable, index }] : [],
  );
  for (const { variable } of drawn) {
    const { name, choices, lower, upper, storage, structure } = variable;
    if (storage === 'string' || structure !== 'none' || (choices === null && (lower === null || upper === null)))
      return err(`${name} is drawn uniformly, and its domain gives it no finite range: e.g. 0 ≤ ${name}_i < 1`);
  }
  return ok((into, stream) => {
    const lookup = lookupIn(plan, into);
    for (const { variable, index } of drawn) {
      const value = into.values[index];
      const next = sourceOf(variable, lookup, stream);
      if (typeof value === 'object') for (let i = 0; i < value.length; i++) value[i] = next();
      else into.values[index] = next();
    }
  });
}

function lookupIn(plan: DomainPlan, { sizes, values }: CaseBuffer): Lookup {
  return (name) => {
    const size = plan.sizes.findIndex((one) => one.name === name);
    if (size >= 0) return sizes[size] ?? Number.NaN;
    const value = values[plan.variables.findIndex((one) => one.name === name)];
    return typeof value === 'number' ? value : Number.NaN;
  };
}

function sourceOf(variable: VariablePlan, lookup: Lookup, stream: Xoshiro): () => number {
  const { choices, format, lower, upper, integer } = variable;
  if (choices) {
    const values = choices.map((choice) => format.round(choice(lookup)));
    return () => values[uniformInteger(stream, 0, values.length - 1)] ?? Number.NaN;
  }
  const [low, high] = [lower?.value(lookup) ?? Number.NaN, upper?.value(lookup) ?? Number.NaN];
  const isInside = (x: number): boolean => (lower?.open ? x > low : x >= low) && (upper?.open ? x < high : x <= high);
  if (integer) {
    const from = Math.ceil(low) + (isInside(Math.ceil(low)) ? 0 : 1);
    const to = Math.floor(high) - (isInside(Math.floor(high)) ? 0 : 1);
    return () => (from <= to ? uniformInteger(stream, from, to) : Number.NaN);
  }
  return () => {
    let x = Number.NaN;
    for (let tries = 0; tries < REDRAWS && !isInside(x); tries++)
      x = format.round(low + (high - low) * unitDouble(stream));
    return isInside(x) ? x : Number.NaN;
  };
}
