/** Sets of axioms: what a fact rests on. */
import type { AxiomId } from '../../axioms.ts';

/** The axioms that a fact rests on; empty for a fact of exact arithmetic. */
export type AxiomSet = ReadonlySet<AxiomId>;

/** The basis of facts that hold in exact arithmetic. */
export const noAxioms: AxiomSet = new Set();

/** The set of these axioms. */
export function axiomSet(...ids: readonly AxiomId[]): AxiomSet {
  return new Set(ids);
}

/** The union; if one of the sets contains the others, that set itself. */
export function unionOf(...sets: readonly AxiomSet[]): AxiomSet {
  return sets.reduce((a, b) => (a.size >= b.size ? merge(a, b) : merge(b, a)), noAxioms);
}

function merge(larger: AxiomSet, smaller: AxiomSet): AxiomSet {
  for (const id of smaller) if (!larger.has(id)) return new Set([...larger, ...smaller]);
  return larger;
}
