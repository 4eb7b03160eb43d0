/** Which inputs took a default, and the value it had. */
import type { DataModel } from '../../contract/goal.ts';
import type { ObligationOnData } from './data-check.ts';
import { gatherInputs } from './gather.ts';
import type { BoundInputs } from './inputs.ts';
import type { Judgement } from './judge.ts';

/** The defaults that a judgement rests on, including those that decide which parts of the claim apply. */
export function assumedIn(
  model: DataModel,
  { environment, decided }: Pick<Judgement, 'environment' | 'decided'>,
  bound: BoundInputs,
): ObligationOnData['assumed'] {
  if (environment === null) return [];
  const deciding = gatherInputs(model, bound, decided);
  const assumed = new Set([...deciding.assumed, ...environment.assumed]);
  const scalars = new Map([...deciding.scalars, ...environment.scalars]);
  return model.inputs.flatMap(({ name, meaning }) => {
    const found = bound.given.get(name);
    const defaultOf = (found?.kind === 'scalar' ? found.byDefault?.of : undefined) ?? null;
    const value = defaultOf !== null || assumed.has(name) ? scalars.get(name) : undefined;
    return value === undefined ? [] : [{ name, value, meaning, defaultOf }];
  });
}
