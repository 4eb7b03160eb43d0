import type { Term } from '../term/term.ts';
import { partsOf } from '../term/traverse.ts';

const known = new WeakMap<Term, number>();

/** How many loops are nested at most inside `term`, itself included. Equal for terms that differ in bound names only. */
export function heightOfTerm(start: Term): number {
  const cached = known.get(start);
  if (cached !== undefined) return cached;
  let highest = 0;
  let term = start;
  for (; term.kind === 'let'; term = term.body) highest = Math.max(highest, heightOfTerm(term.value));
  for (const part of partsOf(term)) highest = Math.max(highest, heightOfTerm(part));
  // One more for tensors: storing a conditional tensor takes loops that the term does not show.
  const own =
    term.kind === 'reduce' || term.kind === 'tabulate' || term.kind === 'recurrence'
      ? 1
      : term.type.kind === 'tensor' && term.kind === 'if'
        ? 1
        : 0;
  const height = highest + own;
  known.set(start, height);
  return height;
}
