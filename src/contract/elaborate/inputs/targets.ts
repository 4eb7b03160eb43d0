/** What a side of a relation refers to, if it is an input. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import type { DomainDraft, DraftInput } from './domain-draft.ts';
import { resolveName } from '../context/names.ts';
import { freeIndices } from '../context/syntax-parts.ts';

/** One relation of a chain. */
export interface Link {
  readonly left: Expression;
  readonly operator: RelationOperator;
  readonly right: Expression;
  readonly range: Range;
}

/** The input whose elements a side denotes: `x`, `x_i`, `|x_i|`. */
export interface Target {
  readonly input: DraftInput;
  readonly absolute: boolean;
}

/** The target of `side`, or null. An index must run over the whole axis. */
export function targetOf(draft: DomainDraft, side: Expression): Target | null {
  if (side.kind === 'absolute') {
    const inner = targetOf(draft, side.operand);
    return inner && { ...inner, absolute: true };
  }
  if (side.kind === 'index' && side.base.kind === 'name') {
    const input = draft.inputs.get(side.base.text);
    const free = freeIndices(side, draft.scope);
    return input &&
      free.length === side.items.length &&
      side.items.every((item) => item.kind === 'at' && item.value.kind === 'name')
      ? { input, absolute: false }
      : null;
  }
  if (side.kind !== 'name') return null;
  const resolved = resolveName(side, draft.scope);
  if (resolved === null || resolved.kind === 'product') return null;
  const input = draft.inputs.get(resolved.name);
  if (!input || resolved.kind === 'entry') return input ? { input, absolute: false } : null;
  const everywhere =
    freeIndices(side, draft.scope).length === resolved.indices.length && resolved.indices.length === input.shape.length;
  return everywhere ? { input, absolute: false } : null;
}
