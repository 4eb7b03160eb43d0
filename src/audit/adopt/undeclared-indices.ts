/**
 * `0 ≤ i < n` without a type: i is read as a real number, and may be meant as an index. What is false of real numbers alone is left open.
 */
import { canonicalJson } from '../../base/canonical-json.ts';
import type { Goal } from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import type { Domain } from '../../math/domain.ts';
import { INTEGER } from '../../math/term/term.ts';
import { checksOf, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';

/** The goal where these inputs are whole numbers; null if there are none. */
export function withIndices(adopted: AdoptedGoal, options: AdoptionOptions): AdoptedGoal | null {
  const { indices, goal, mathematics, subjects } = adopted;
  if (indices.length === 0) return null;
  const domainOf = (domain: Domain): Domain => ({
    ...domain,
    variables: domain.variables.map((one) => {
      if (!indices.includes(one.name)) return one;
      const { real, ...plain } = one;
      return real === undefined ? { ...one, element: INTEGER } : { ...plain, element: INTEGER };
    }),
  });
  const whole = (one: Goal): Goal => ({
    ...one,
    domain: domainOf(one.domain),
    digest: sha256(canonicalJson(['indices', indices, one.digest])),
  });
  const [about, exact] = [whole(goal), mathematics && whole(mathematics)];
  return { ...adopted, goal: about, mathematics: exact, ...checksOf(about, subjects, exact, options) };
}

/** Said of what is false of real numbers alone. */
export function indicesText(indices: readonly string[]): string {
  const names = indices.join(', ');
  return `it is false with real numbers for ${names}, as it is read here, and not with whole ones: declare ${names} ∈ ℕ, or ∈ ℝ`;
}
