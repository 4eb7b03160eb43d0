/**
 * The order in which checks begin. What most contracts build on comes first, so that its verdict is known early and a
 * mistake in it shows before its dependents have run; of the rest the longest first, since what is begun last would
 * run alone when everything else is done.
 */
import type { Term } from '../math/term/term.ts';
import { partsOf } from '../math/term/traverse.ts';
import type { Check } from './check.ts';
import type { PlannedContract } from './make-plan.ts';

const rank = {
  bounded: 0,
  adequacy: 1,
  statistical: 2,
  property: 3,
  reals: 4,
  soundness: 5,
  falsify: 6,
  controls: 7,
  types: 8,
} as const;

/** The checks of each contract that others build on, that with the most dependents first; then all others, longest first. */
export function checkOrder(checks: readonly Check[], contracts: readonly PlannedContract[]): readonly Check[] {
  const dependents = dependentsOf(contracts);
  const countOf = ({ contract }: Check): number => dependents.get(contract)?.size ?? 0;
  const position = new Map([...dependents.keys()].map((contract, at) => [contract, at]));
  const positionOf = (check: Check): number => (countOf(check) > 0 ? (position.get(check.contract) ?? 0) : 0);
  return longestFirst(checks).toSorted((a, b) => countOf(b) - countOf(a) || positionOf(a) - positionOf(b));
}

/** Contract → those that build on it, directly or through others. `contracts` come in dependency order. */
function dependentsOf(contracts: readonly PlannedContract[]): ReadonlyMap<string, ReadonlySet<string>> {
  const dependents = new Map<string, Set<string>>(
    contracts.map(({ elaborated }) => [elaborated.contract.id, new Set()]),
  );
  for (const { elaborated } of contracts.toReversed()) {
    const { id, dependsOn } = elaborated.contract;
    const above = [id, ...(dependents.get(id) ?? [])];
    for (const { value } of dependsOn) for (const dependent of above) dependents.get(value)?.add(dependent);
  }
  return dependents;
}

/** By method, those that take longest first; of wrong kernels the largest formulas with the most claims first. */
function longestFirst(checks: readonly Check[]): readonly Check[] {
  const weights = new Map(checks.map((check) => [check, weightOf(check)]));
  return checks.toSorted((a, b) => rank[a.method] - rank[b.method] || (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
}

/** Every wrong kernel is about as large as the formula, and is tried on every claim. 0 if that does not apply. */
function weightOf({ work }: Check): number {
  if (work.kind !== 'equation') return 0;
  const { model } = work.subjects.find(({ equation }) => equation === work.equation) ?? {};
  const claims = work.goals.flat().reduce((sum, { predicate }) => sum + distinctTerms(predicate), 0);
  return claims + (model ? work.goals.length * distinctTerms(model.body) : 0);
}

/** How many terms there are in `root`, a shared one once: written out there may be more than anyone can count. */
function distinctTerms(root: Term): number {
  const seen = new Set<Term>();
  const pending = [root];
  for (let term = pending.pop(); term; term = pending.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    pending.push(...partsOf(term));
  }
  return seen.size;
}
