import { err, ok, type Result } from '../../base/result.ts';
import type { Case } from '../../math/compile/compiled.ts';
import type { GivenInput } from '../testable-goal.ts';
import type { DomainPlan } from './domain-plan.ts';
import { allocateCase } from './generator.ts';
import { affordable, sizesAllowed } from './sizes.ts';

/** An explicit input as a case, its numbers rounded to the formats of the domain; the error says why it does not fit. */
export function givenCase(plan: DomainPlan, input: GivenInput): Result<Case, string> {
  if (input.sizes.length !== plan.sizes.length || !sizesAllowed(plan, input.sizes))
    return err('the sizes are not allowed');
  if (!affordable(plan, input.sizes)) return err('it is too large');
  const built = allocateCase(plan, input.sizes);
  for (const [i, variable] of plan.variables.entries()) {
    const given = input.values[i];
    const target = built.values[i];
    if (given === undefined || target === undefined || typeof target === 'string')
      return err(`${variable.name} has no numbers`);
    const numbers = (typeof given === 'number' ? [given] : given).map(variable.format.round);
    const wanted = typeof target === 'number' ? 1 : target.length;
    if (numbers.length !== wanted) return err(`${variable.name} has ${numbers.length} elements instead of ${wanted}`);
    if (typeof target === 'number') built.values[i] = numbers[0] ?? 0;
    else target.set(numbers);
  }
  return ok(built);
}
