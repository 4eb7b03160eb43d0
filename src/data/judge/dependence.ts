/** What a term or an input depends on: the inputs that it mentions, and those that their defaults mention. */
import type { DataModel } from '../../contract/goal.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';

const named = new WeakMap<Term, ReadonlySet<string>>();
const dependents = new WeakMap<DataModel, Map<string, ReadonlySet<string>>>();

/** The free variables of a term, cached. */
export function namesOf(term: Term): ReadonlySet<string> {
  let names = named.get(term);
  if (!names) named.set(term, (names = freeVariables(term)));
  return names;
}

/** The input itself, and every input whose default depends on it, directly or through other defaults. */
export function restingOn(model: DataModel, input: string): ReadonlySet<string> {
  let known = dependents.get(model);
  if (!known) dependents.set(model, (known = new Map()));
  let found = known.get(input);
  if (!found) known.set(input, (found = closure(model, input)));
  return found;
}

function closure({ inputs }: DataModel, input: string): ReadonlySet<string> {
  const found = new Set([input]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { name, fallback } of inputs)
      if (fallback && !found.has(name) && mentionsAny(fallback, found)) found.add(name);
  }
  return found;
}

/** Whether `term` mentions one of `inputs`. */
export function mentionsAny(term: Term, inputs: ReadonlySet<string>): boolean {
  for (const name of namesOf(term)) if (inputs.has(name)) return true;
  return false;
}
