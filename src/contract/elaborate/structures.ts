/** Structures that generators build: points of the simplex, increasing sequences. */
import { integer } from '../../math/build.ts';
import type { Expression } from '../../math/notation/syntax.ts';
import type { DomainDraft } from './domain-draft.ts';
import { resolveName } from './names.ts';
import { freeIndices } from './syntax-parts.ts';
import { targetOf, type Link } from './targets.ts';

/** `Σ_j p_j = 1` over the last axis; the elements are then not negative. */
export function simplexOf(draft: DomainDraft, link: Link): boolean {
  const { left, right } = link;
  if (
    link.operator !== '=' ||
    left.kind !== 'big' ||
    left.operator !== 'sum' ||
    right.kind !== 'number' ||
    Number(right.value) !== 1
  )
    return false;
  const over = left.binders[0]?.name ?? freeIndices(left.body, draft.scope)[0];
  const target = targetOf(draft, left.body);
  if (
    !target ||
    target.absolute ||
    target.input.shape.length === 0 ||
    (over !== undefined && lastIndex(draft, left.body) !== over)
  )
    return false;
  target.input.structure = 'simplex';
  target.input.lower ??= { value: integer(0), open: false };
  return true;
}

function lastIndex(draft: DomainDraft, side: Expression): string | undefined {
  if (side.kind === 'index') {
    const item = side.items.at(-1);
    return item?.kind === 'at' && item.value.kind === 'name' ? item.value.text : undefined;
  }
  const resolved = side.kind === 'name' ? resolveName(side, draft.scope) : null;
  const last = resolved?.kind === 'indexed' ? resolved.indices.at(-1) : undefined;
  return last?.kind === 'name' ? last.text : undefined;
}

/** `x_i < x_{i+1}` along the last axis. */
export function increasingOf(draft: DomainDraft, link: Link): boolean {
  const { left, right } = link;
  if (link.operator !== '<' || right.kind !== 'index' || right.base.kind !== 'name' || right.items.length !== 1)
    return false;
  const [next] = right.items;
  const target = targetOf(draft, left);
  if (
    !target ||
    target.absolute ||
    target.input.name !== right.base.text ||
    target.input.shape.length !== 1 ||
    next?.kind !== 'at'
  )
    return false;
  const index = lastIndex(draft, left);
  const step = next.value;
  const successor =
    step.kind === 'binary' &&
    step.operator === '+' &&
    step.left.kind === 'name' &&
    step.left.text === index &&
    step.right.kind === 'number' &&
    step.right.value === '1';
  if (successor) target.input.structure = 'increasing';
  return successor;
}
