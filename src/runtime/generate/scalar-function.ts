import { compileScalar, type CompiledScalar } from '../../math/compile/scalar.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import { termProblem } from '../../math/evaluate/limits.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables, partsOf } from '../../math/term/traverse.ts';

/** The value of a scalar term, given the values of the names in it; booleans are 0 and 1. NaN when it cannot be computed. */
export type ScalarFunction = CompiledScalar;

/** Bounds and sizes are evaluated for every case or block, so a loop in one of them must be short. */
const LOOP_STEPS = 20_000;

/** Like `compileScalar`, but total, quick whatever the term says, and evaluated once when the term is constant. */
export function scalarFunction(term: Term): ScalarFunction {
  if (termProblem(term) !== null) return () => NaN;
  const names = [...freeVariables(term)];
  const compiled = hasLoop(term) ? interpreted(term, names) : compileScalar(term);
  if (names.length > 0) return compiled;
  const constant = compiled(() => NaN);
  return () => constant;
}

/** Whether evaluating `term` may take longer than reading it. */
export function hasLoop(term: Term): boolean {
  const seen = new Set<Term>();
  const pending: Term[] = [term];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'reduce' || next.kind === 'tabulate' || next.kind === 'recurrence') return true;
    if (seen.has(next)) continue;
    seen.add(next);
    pending.push(...partsOf(next));
  }
  return false;
}

function interpreted(term: Term, names: readonly string[]): ScalarFunction {
  return (lookup) => {
    const environment = new Map(names.map((name) => [name, lookup(name)]));
    const result = interpret(term, environment, float64, { maxSteps: LOOP_STEPS });
    if (!result.ok) return NaN;
    return typeof result.value === 'number' || typeof result.value === 'boolean' ? Number(result.value) : NaN;
  };
}
