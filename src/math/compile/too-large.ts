import { termProblem } from '../evaluate/limits.ts';
import type { Term } from '../term/term.ts';
import type { EquationMathematics, GoalMathematics } from './model.ts';

/** Why an equation is too large to compile, or null. */
export function equationProblem(model: EquationMathematics): string | null {
  return firstProblem([model.body]);
}

/** Why a goal is too large to compile, or null. */
export function goalProblem(goal: GoalMathematics): string | null {
  const applied = goal.applications.flatMap((application) => [...application.arguments, ...application.sizes]);
  return firstProblem([goal.predicate, ...goal.domain.preconditions, ...applied]);
}

function firstProblem(terms: readonly Term[]): string | null {
  for (const term of terms) {
    const problem = termProblem(term);
    if (problem !== null) return problem;
  }
  return null;
}

/** @throws RangeError with the problem, if there is one. */
export function refuse(problem: string | null): void {
  if (problem !== null) throw new RangeError(problem);
}
