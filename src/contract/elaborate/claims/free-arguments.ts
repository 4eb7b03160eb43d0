/** `x ≥ y ⟹ f(x) ≥ f(y)`: a second argument of f that nothing declares ranges over what the first one does. */
import { freeVariables } from '../../../math/term/traverse.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { callsIn, childrenOf, freeIndices, namesOf } from '../context/syntax-parts.ts';
import { resolveName } from '../context/names.ts';
import { lookup } from '../context/scope.ts';
import { addTwin, type DomainDraft } from '../inputs/domain-draft.ts';
import { builtinNames } from '../operators/builtins.ts';

/**
 * Declares the undeclared names in `formal` that are arguments of equations, if they occur outside of one call too: a name that occurs
 * once may be misspelt. An input that a precondition ties to others has no free second value.
 */
export function declareFreeArguments(draft: DomainDraft, formal: FormalText): void {
  const parts = formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
  const binders = [...parts.flatMap(bindersIn), ...formal.notation.statements.flatMap((one) => one.binders)];
  // `f(z) ≥ 0 for all z` says of z what `f(x) ≥ 0` says of x.
  const indices = new Set(parts.flatMap((part) => freeIndices(part, draft.scope)));
  const isForAll = ({ name, bound: range }: Binder): boolean => range === null && !indices.has(name);
  const bound = new Set(binders.filter((binder) => !isForAll(binder)).map(({ name }) => name));
  const names = [...parts.flatMap(namesOf), ...binders.filter(isForAll).map(({ name }) => name)];
  for (const { callee, arguments: written } of parts.flatMap(callsIn)) {
    const entry = callee.kind === 'name' ? lookup(draft.scope, callee.text) : null;
    const model = entry?.kind === 'equation' && !entry.rivals ? entry.model() : null;
    written.forEach(({ value, label }, i) => {
      const isPartial = model?.bare === true && written.length < model.parameters.length;
      const others = isPartial ? model.parameters.slice(written.length) : [];
      const named = others.find(({ name }) => name === stemOf(value));
      const parameter = named ?? model?.parameters[i];
      if (!parameter || label !== null || value.kind !== 'name' || bound.has(value.text)) return;
      const isNew = resolveName(value, draft.scope) === null && !builtinNames.has(value.text);
      const isRepeated = names.filter((name) => name === value.text).length > 1;
      if (isNew && isRepeated && !isTied(draft, parameter.name)) addTwin(draft, value.text, parameter.name);
    });
  }
}

/** n of `n_1`, `n1`, `n'`. */
const stemOf = (value: Expression): string | null =>
  value.kind === 'name' ? value.text.replace(/_?\d+$|['′]+$/u, '') : null;

function isTied({ preconditions }: DomainDraft, name: string): boolean {
  return preconditions.some((precondition) => freeVariables(precondition).has(name));
}

function bindersIn(part: Expression): readonly Binder[] {
  const own = part.kind === 'big' || part.kind === 'quantified' ? part.binders : [];
  const inner = childrenOf(part).flatMap(bindersIn);
  // A sum has a range in any case.
  return part.kind === 'big'
    ? [...own.map((binder) => ({ ...binder, bound: binder.bound ?? part })), ...inner]
    : [...own, ...inner];
}
