import { float64 } from '../../math/evaluate/floats.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import type { Term } from '../../math/term.ts';
import { freeVariables } from '../../math/traverse.ts';

/** The value of a scalar term, given the values of the names in it; booleans are 0 and 1. NaN when it has no numeric value. */
export type ScalarFunction = (lookup: (name: string) => number) => number;

function valueOf(term: Term, environment: ReadonlyMap<string, number>): number {
  const result = interpret(term, environment, float64);
  if (!result.ok) return NaN;
  if (typeof result.value === 'boolean') return result.value ? 1 : 0;
  return typeof result.value === 'number' ? result.value : NaN;
}

/** Bounds and shapes are nearly always a number, a name or a small term; the first two must cost nothing per case. */
export function scalarFunction(term: Term): ScalarFunction {
  if (term.kind === 'variable') return (lookup) => lookup(term.name);
  const names = [...freeVariables(term)];
  if (names.length > 0) return (lookup) => valueOf(term, new Map(names.map((name) => [name, lookup(name)])));
  const constant = valueOf(term, new Map());
  return () => constant;
}
