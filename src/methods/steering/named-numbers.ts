/** The numbers that a claim and its formulas are written with. */
import type { Term } from '../../math/term/term.ts';
import { partsOf } from '../../math/term/traverse.ts';

/** Formulas of models have more, and then no single one is telling. */
const mostNumbers = 24;

/** The distinct finite numbers in `terms`, in their order, as they are written. */
export function namedNumbers(terms: readonly Term[]): readonly string[] {
  const found = new Map<number, string>();
  const seen = new Set<Term>();
  const pending = terms.toReversed();
  for (let term = pending.pop(); term && found.size < mostNumbers; term = pending.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if (term.kind === 'number' && Number.isFinite(Number(term.value)) && !found.has(Number(term.value)))
      found.set(Number(term.value), term.value);
    pending.push(...partsOf(term).toReversed());
  }
  return [...found.values()];
}
