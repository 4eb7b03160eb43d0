import { call, integer } from '../term/build.ts';
import { integerValue } from '../term/fold.ts';
import { sameSize } from '../term/sizes.ts';
import type { ReduceOperator, Term } from '../term/term.ts';
import { occurrences } from '../term/traverse.ts';
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
  const [name, start] = counterOf(index);
  if (name === null || !extent) return false;
  for (let at = parent; at; at = at.parent) {
    const around = at.term;
    if (around.kind === 'let' && around.name === name) return false;
    if (around.kind !== 'reduce' && around.kind !== 'tabulate') continue;
    const binder = around.binders.findLast((one) => one.name === name);
    if (!binder) continue;
    if (around.kind !== 'reduce' || !orderFree.has(around.operator)) return false;
    return (
      integerValue(binder.from) === start &&
      sameSize(binder.to, call('add', extent, integer(start))) &&
      occurrences(around, name).count === 1
    );
  }
  return false;
}

/** The variable of an index and the value at which the index is 0: `k` from 0, `k - 1` from 1. */
function counterOf(index: Term | undefined): readonly [name: string | null, start: number] {
  if (index?.kind === 'variable') return [index.name, 0];
  const [counter, start] = index?.kind === 'call' && index.fn === 'subtract' ? index.arguments : [];
  const from = start ? integerValue(start) : null;
  return counter?.kind === 'variable' && from !== null ? [counter.name, from] : [null, 0];
}
