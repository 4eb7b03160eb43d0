import type { Term } from '../term/term.ts';
import { partsOf } from '../term/traverse.ts';

/** The size of one axis of a tensor-valued term. */
export function extentOf(tensor: Term, axis: number): Term | null {
  return tensor.type.kind === 'tensor' ? (tensor.type.shape[axis] ?? null) : null;
}

/** The size of the first axis that the variable `name` indexes directly in `term`, or null. */
export function extentIndexedBy(name: string, term: Term): Term | null {
  const pending: Term[] = [term];
  const seen = new Set<Term>();
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (at.kind === 'element') {
      const axis = at.indices.findIndex((index) => index.kind === 'variable' && index.name === name);
      const extent = axis >= 0 ? extentOf(at.tensor, axis) : null;
      if (extent) return extent;
    }
    pending.push(...partsOf(at));
  }
  return null;
}
