import { invariant } from '../../base/invariant.ts';
import { evaluateTerm } from '../evaluate/interpret.ts';
import { termProblem } from '../evaluate/limits.ts';
import { functionTable } from '../functions.ts';
import type { Term } from '../term/term.ts';
import { freeVariables } from '../term/traverse.ts';

type Lookup = (name: string) => number;
/** A scalar term as a function of its variables' values. */
export type CompiledScalar = (lookup: Lookup) => number;

/**
 * A numeric term over scalar variables as a closure, for bounds and sizes that generators ask for often.
 *
 * Float64. Truth values count as 1 and 0. Terms with loops or `let` are interpreted at each call.
 *
 * @throws RangeError when the term is too large; at the call, when it takes too long to interpret.
 */
export function compileScalar(term: Term): CompiledScalar {
  const problem = termProblem(term);
  if (problem !== null) throw new RangeError(problem);
  return compile(term);
}

function compile(term: Term): CompiledScalar {
  switch (term.kind) {
    case 'number': {
      const value = Number(term.value);
      return () => value;
    }
    case 'variable': {
      const { name } = term;
      return (lookup) => lookup(name);
    }
    case 'if': {
      const [condition, then, otherwise] = [compile(term.condition), compile(term.then), compile(term.otherwise)];
      return (lookup) => (condition(lookup) !== 0 ? then(lookup) : otherwise(lookup));
    }
    case 'call':
      return compileCall(term) ?? interpreted(term);
    default:
      return interpreted(term);
  }
}

function compileCall(term: Term & { kind: 'call' }): CompiledScalar | null {
  const row = functionTable[term.fn];
  if (row.kind !== 'numeric' && row.kind !== 'predicate') return null;
  const { float64 } = row;
  const [a = zero, b = zero, c = zero] = term.arguments.map(compile);
  return (lookup) => Number(float64(a(lookup), b(lookup), c(lookup)));
}

const zero: CompiledScalar = () => 0;

function interpreted(term: Term): CompiledScalar {
  const names = [...freeVariables(term)];
  return (lookup) => {
    const value = evaluateTerm(term, new Map(names.map((name) => [name, lookup(name)])));
    invariant(typeof value === 'number' || typeof value === 'boolean', 'bounds and sizes are scalars');
    return Number(value);
  };
}
