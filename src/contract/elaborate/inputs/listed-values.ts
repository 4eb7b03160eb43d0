/** Inputs with listed values, `x ∈ {1, 2, 4}`, whose bounds leave only some of them. */
import type { Bound, InputVariable } from '../../../math/domain.ts';
import { factsOf } from '../../../math/domain-facts.ts';
import { termKey } from '../../../math/term/term-key.ts';
import type { Term } from '../../../math/term/term.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { numberOf } from './tighter-bound.ts';

type Choices = readonly Term[] | null;

/** What two lists allow, null being no list; `none` if that is nothing, or not known. */
export function commonChoices(one: Choices, other: Choices): Choices | 'none' {
  if (one === null || other === null) return one ?? other;
  const keys = new Set(other.map(valueKey));
  const common = one.filter((value) => keys.has(valueKey(value)));
  return common.length > 0 ? common : 'none';
}

const valueKey = (value: Term): string => String(numberOf(value) ?? termKey(value));

/**
 * Listed values are drawn as they are. So constant bounds leave out what they exclude, and any other bound of listed values is tested.
 */
export function withinBounds(input: InputVariable): { readonly choices: Choices; readonly tested: readonly Term[] } {
  const { choices, lower, upper, excluded } = input;
  if (choices === null || !isNumeric(input.element)) return { choices, tested: [] };
  const keys = new Set(excluded.map(valueKey));
  const isOutside = (choice: Term): boolean =>
    isBeyond(lower, choice, -1) || isBeyond(upper, choice, 1) || keys.has(valueKey(choice));
  const inside = choices.filter((choice) => !isOutside(choice));
  const ends = [lower, upper].flatMap((bound) => (bound ? [bound.value] : []));
  const isConstant = [...choices, ...ends, ...excluded].every((term) => numberOf(term) !== null);
  if (isConstant && inside.length > 0) return { choices: inside, tested: [] };
  const facts = factsOf({ ...input, choices: null, structure: 'none' });
  return { choices: inside.length > 0 ? inside : choices, tested: facts };
}

/** Whether a number is known to lie beyond a bound; `sign` is 1 for upper bounds. */
function isBeyond(bound: Bound | null, choice: Term, sign: 1 | -1): boolean {
  const [limit, value] = [bound && numberOf(bound.value), numberOf(choice)];
  if (bound === null || limit === null || value === null) return false;
  return bound.open ? (value - limit) * sign >= 0 : (value - limit) * sign > 0;
}
