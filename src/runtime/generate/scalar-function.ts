import { compileScalar, type CompiledScalar } from '../../math/compile/scalar.ts';
import { termProblem } from '../../math/evaluate/limits.ts';
import type { Term } from '../../math/term.ts';
import { freeVariables } from '../../math/traverse.ts';

/** The value of a scalar term, given the values of the names in it; booleans are 0 and 1. NaN when it cannot be computed. */
export type ScalarFunction = CompiledScalar;

/** Like `compileScalar`, but total, and evaluated once when the term is constant. */
export function scalarFunction(term: Term): ScalarFunction {
  if (termProblem(term) !== null) return () => NaN;
  const compiled = guarded(compileScalar(term));
  if (freeVariables(term).size > 0) return compiled;
  const constant = compiled(() => NaN);
  return () => constant;
}

/** A bound that takes too long to evaluate is no bound that anything can be generated from. */
function guarded(compiled: CompiledScalar): ScalarFunction {
  return (lookup) => {
    try {
      return compiled(lookup);
    } catch (thrown) {
      if (thrown instanceof RangeError) return NaN;
      throw thrown;
    }
  };
}
