/** Inputs that are equal, `a = b = c`: one is drawn, and the others are its copies. What is said of any of them then narrows that one. */
import { variable } from '../../../math/term/build.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { isNumeric } from '../../../math/term/types.ts';
import { neededBy, type DomainDraft, type DraftInput } from './domain-draft.ts';
import { commonChoices } from './listed-values.ts';
import { narrowEnd } from './tighter-bound.ts';

/** The input whose copy `input` is, else itself. */
export function originalOf({ inputs }: Pick<DomainDraft, 'inputs'>, input: DraftInput): DraftInput {
  const [only, more] = input.choices ?? [];
  const next = only?.kind === 'variable' && !more && input.shape.length === 0 ? inputs.get(only.name) : undefined;
  return next && next !== input && isNumber(next) ? originalOf({ inputs }, next) : input;
}

const isNumber = ({ shape, element }: DraftInput): boolean => shape.length === 0 && isNumeric(element);

/** Whether `value` depends on the input `name`, if only through what bounds or defines its inputs. */
export function dependsOn({ inputs }: Pick<DomainDraft, 'inputs'>, value: Term, name: string): boolean {
  const seen = new Set<string>();
  const open = [...freeVariables(value)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    const input = seen.has(next) ? undefined : inputs.get(next);
    seen.add(next);
    if (input) open.push(...neededBy(input));
  }
  return false;
}

/** Makes one of two scalars a copy of the other, the earlier or the whole number; false, and nothing changes, if neither can be. */
export function unite(draft: DomainDraft, one: DraftInput, other: DraftInput): boolean {
  if (one === other) return true;
  if (![one, other].every(isNumber)) return false;
  const names = [...draft.inputs.keys()];
  const [first, second] = names.indexOf(one.name) < names.indexOf(other.name) ? [one, other] : [other, one];
  return copies(draft, second, first) || copies(draft, first, second);
}

function copies(draft: DomainDraft, copy: DraftInput, original: DraftInput): boolean {
  const value = variable(original.name, original.element);
  const isFree = (term: Term): boolean => !dependsOn(draft, term, original.name);
  const choices = commonChoices(original.choices, copy.choices);
  const isOfKind = original.element.kind === 'integer' || copy.element.kind !== 'integer';
  if (!isOfKind || choices === 'none' || !(choices ?? []).every(isFree) || dependsOn(draft, value, copy.name))
    return false;
  original.choices = choices;
  original.real &&= copy.real;
  original.nonFinite &&= copy.nonFinite;
  copy.nonFinite = original.nonFinite;
  for (const end of ['lower', 'upper'] as const) {
    const bound = copy[end];
    if (bound === null || !isFree(bound.value)) continue;
    narrowEnd(original, end, bound);
    copy[end] = null;
  }
  original.excluded = [...original.excluded, ...copy.excluded.filter(isFree)];
  copy.excluded = copy.excluded.filter((term) => !isFree(term));
  copy.choices = [value];
  return true;
}
