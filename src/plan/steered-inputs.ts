/** Inputs that a claim itself points to, with the formulas of its equations in place of their names. */
import type { EquationModel, Goal } from '../contract/goal.ts';
import type { Case } from '../math/compile/compiled.ts';
import { realPredicate } from '../methods/reals.ts';
import { steeredCases } from '../methods/steering/steered-cases.ts';

/** How many are tried, each of which costs a thousand times more in arbitrary precision. */
const numbers = {
  decimal: { most: 64, mostInBox: 64, isRounded: false },
  floats: { most: 512, mostInBox: 2 ** 14, isRounded: true },
} as const;

/** Those of a goal about these equations; none where an equation is applied to parts of an input. */
export function steeredInputs(
  goal: Goal,
  models: ReadonlyMap<string, EquationModel>,
  seed: number,
  arithmetic: keyof typeof numbers,
): readonly Case[] {
  if (goal.applications.some(({ each }) => each !== undefined)) return [];
  const predicate = realPredicate(goal, models);
  return steeredCases({ name: goal.id, domain: goal.domain, predicate, seed, ...numbers[arithmetic] });
}
