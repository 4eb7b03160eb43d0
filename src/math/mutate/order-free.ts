import { integerValue } from '../fold.ts';
import { sameSize } from '../sizes.ts';
import type { ReduceOperator } from '../term.ts';
import { occurrences } from '../traverse.ts';
import { extentOf } from './extent.ts';
import type { Site } from './site.ts';

/** Reductions whose value does not depend on the order of their elements; of ties argmax and argmin take the first. */
const orderFree: ReadonlySet<ReduceOperator> = new Set<ReduceOperator>([
  'sum',
  'product',
  'max',
  'min',
  'all',
  'any',
  'count',
]);

/**
 * Whether moving the index of `axis` of the element at `site` by one, around the end of the axis, only reorders a
 * reduction: the index runs over the whole axis and selects nothing else, so that the same elements are met once each.
 */
export function isOrderFree({ term, parent }: Site, axis: number): boolean {
  if (term.kind !== 'element') return false;
  const index = term.indices[axis];
  const extent = extentOf(term.tensor, axis);
  if (index?.kind !== 'variable' || !extent) return false;
  for (let at = parent; at; at = at.parent) {
    const around = at.term;
    if (around.kind === 'let' && around.name === index.name) return false;
    if (around.kind !== 'reduce' && around.kind !== 'tabulate') continue;
    const binder = around.binders.findLast(({ name }) => name === index.name);
    if (!binder) continue;
    if (around.kind !== 'reduce' || !orderFree.has(around.operator)) return false;
    return (
      integerValue(binder.from) === 0 && sameSize(binder.to, extent) && occurrences(around, index.name).count === 1
    );
  }
  return false;
}
