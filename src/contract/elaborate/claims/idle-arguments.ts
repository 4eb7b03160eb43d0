/** `coverage(our_contracts) = 1` of `coverage(set) = verified / total`: an argument that the formula does not use may be anything. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import type { Problem } from '../context/context.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { childrenOf } from '../context/syntax-parts.ts';
import { required } from './assumed-numbers.ts';
import { unknownName, type ClaimReading, type FormalClaim } from './claim-reading.ts';

/** Null unless every place of the name that `problem` says nothing declares is such an argument. */
export function withIdleArgument(claim: FormalClaim, problem: Problem, globals: Scope): ClaimReading | null {
  const name = unknownName(claim, problem);
  if (name === null) return null;
  const parts = claim.formal.notation.statements.flatMap(({ body, conditions }) => [body, ...conditions]);
  const places = parts.flatMap((part) => placesOf(part, name, globals));
  if (places.length === 0 || places.includes('used')) return null;
  const said = `what is computed does not depend on ${name}`;
  return { claim: { ...claim, requires: [...claim.requires, required(claim, `${name} ∈ ℝ`)] }, said, widened: true };
}

function placesOf(part: Expression, name: string, globals: Scope): readonly ('idle' | 'used')[] {
  if (part.kind === 'name') return part.text === name ? ['used'] : [];
  if (part.kind !== 'call' || part.callee.kind !== 'name')
    return childrenOf(part).flatMap((child) => placesOf(child, name, globals));
  const entry = lookup(globals, part.callee.text);
  const model = entry?.kind === 'equation' && !entry.rivals ? entry.model() : null;
  return part.arguments.flatMap(({ value, label }, i) => {
    const inner = placesOf(value, name, globals);
    const parameter = label === null && value.kind === 'name' ? model?.parameters[i] : undefined;
    if (!model || !parameter || inner.length === 0) return inner;
    const used = [model.body, ...model.domain.preconditions].some((term) => freeVariables(term).has(parameter.name));
    return used || parameter.type.kind === 'tensor' ? inner : ['idle' as const];
  });
}
