import type { ElaboratedEquation } from '../equations/equation.ts';
import type { Problem } from '../context/context.ts';

/**
 * A claim's `problem`, or that it follows from an equation that could not be read: a name that only that equation declares or
 * defines is missing because of it. The cause is reported there.
 */
export function withoutConsequences(problem: Problem, equations: readonly ElaboratedEquation[]): Problem {
  if (problem.code !== 'PV-4001') return problem;
  const { text, range } = problem;
  const [missing] = wordsOf(text.text.slice(range.start, range.end));
  const cause = equations.find(
    ({ model, problem: own, equation }) =>
      model === null &&
      own !== null &&
      missing !== undefined &&
      [equation.formula, equation.domain].some((part) => part && wordsOf(part.text).includes(missing)),
  );
  if (!cause) return problem;
  const message = `the formula of ${cause.equation.name} cannot be run, so nothing that uses it can`;
  return { ...problem, kind: 'blocked', message, hint: null };
}

/** The words of a text: `x_i` is about x. */
export const wordsOf = (text: string): readonly string[] =>
  text.split(/[^\p{L}\p{N}'′]+/u).filter((word) => word !== '');
