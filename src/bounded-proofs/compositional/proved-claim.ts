/** What is proved about a kernel, in the form in which it can replace the kernel's code. */
import type { Application, Goal } from '../../contract/goal.ts';

/** A claim of a sub-contract that may replace the code of its kernel. */
export interface ProvedClaim {
  /** About one run of the kernel at the claim's own inputs: see {@link ownRunOf}. */
  readonly goal: Pick<Goal, 'id' | 'domain' | 'applications' | 'predicate'>;
  /** The sizes at which it is proved, in the order of its domain's. */
  readonly sizes: readonly (readonly number[])[];
}

/**
 * The single run that a claim is about, if it is about one, at exactly the claim's own inputs; else null. A claim that relates
 * two runs (σ(x + c) ≈ σ(x)) says nothing about a single one.
 */
export function ownRunOf({ applications, domain }: Pick<Goal, 'applications' | 'domain'>): Application | null {
  const [only] = applications;
  if (only === undefined || applications.length > 1 || only.each) return null;
  const names = only.arguments.map((term) => (term.kind === 'variable' ? term.name : null));
  const taken = new Set(names);
  return !taken.has(null) && taken.size === names.length && domain.variables.every(({ name }) => taken.has(name))
    ? only
    : null;
}
