/** From an assignment over the reals to an input that refutes a statement, confirmed by evaluating the graph. */
import { ulp32 } from '../../../numeric/float.ts';
import { toFloat, type Rational } from '../../../numeric/rational.ts';
import type { BooleanExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Model } from '../engine.ts';
import { candidatesNear } from './candidates.ts';
import { evaluateAt } from './point.ts';

/** An input near the assignment on which all premises hold and the statement does not; null if no candidate is one. */
export function counterexampleTo(
  problem: ProofProblem,
  statement: BooleanExpression,
  values: ReadonlyMap<string, Rational>,
): Model | null {
  for (const candidate of candidatesNear(problem.variables, values)) {
    const model = completed(problem, candidate);
    const point = evaluateAt(model);
    if (problem.premises.every((premise) => point.truth(premise) === true) && point.truth(statement) === false)
      return model;
  }
  return null;
}

/** The assignment, with the values that auxiliary variables represent in place of those that the solver chose. */
function completed({ variables }: ProofProblem, candidate: Model): Model {
  const model = new Map(candidate);
  for (const { name, standsFor } of variables) {
    if (standsFor?.kind !== 'ulp32') continue;
    const value = evaluateAt(model).number(standsFor.of);
    if (value) model.set(name, ulp32(toFloat(value)));
  }
  return model;
}
