/** The ranges over the whole domain of a problem, made once for all of its statements: they share most of their nodes. */
import type { ProofProblem } from '../../problem.ts';
import { boxOf, createRanges, type Ranges } from './ranges.ts';

const known = new WeakMap<ProofProblem['premises'], Map<ProofProblem['variables'], Ranges>>();

/** Its axioms are those of every range that was requested, for this statement or another of the same problem. */
export function wholeRanges(problem: ProofProblem): Ranges {
  const { premises, variables } = problem;
  const byVariables = known.get(premises) ?? new Map<ProofProblem['variables'], Ranges>();
  known.set(premises, byVariables);
  const ranges = byVariables.get(variables) ?? createRanges(boxOf(problem), premises);
  byVariables.set(variables, ranges);
  return ranges;
}
