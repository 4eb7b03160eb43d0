/** Which tolerances a claim is held to: that of every backend that its verdict rests on, each once. */
import type { Goal } from '../contract/goal.ts';
import type { Check, HeldTo } from './check.ts';

/** What adds to a verdict that other methods decide. A bounded proof decides too, by the tolerance of the reference. */
const besides: ReadonlySet<Check['method']> = new Set(['types', 'soundness', 'adequacy']);

/** The backends of the checks that decide a claim. */
export function backendsInForce(checks: readonly Pick<Check, 'method' | 'backend'>[]): readonly string[] {
  return [...new Set(checks.filter(({ method }) => !besides.has(method)).map(({ backend }) => backend))];
}

/** The claim with the tolerance of each of `backends`; where there are none, with that of the reference. */
export function heldTo(goal: Goal, backends: readonly string[]): HeldTo {
  const [first = 'ref32', ...others] = backends;
  const on = (backend: string): Goal => goal.onBackends[backend] ?? goal;
  const distinct = new Map(others.map((backend) => [on(backend).digest, on(backend)]));
  distinct.delete(on(first).digest);
  return [on(first), ...distinct.values()];
}
