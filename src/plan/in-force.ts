/** The tolerances that a claim is held to: that of every backend its verdict rests on, each once. */
import type { Goal } from '../contract/goal.ts';
import { decides } from '../evidence/derive.ts';
import type { Check, HeldTo } from './check.ts';

/** The backends of the checks that decide a claim, and the reference where a bounded proof uses its tolerance. */
export function backendsInForce(checks: readonly Pick<Check, 'method' | 'backend'>[]): readonly string[] {
  const inForce = checks.filter(({ method }) => decides(method) || method === 'bounded');
  return [...new Set(inForce.map(({ backend }) => backend))];
}

/** The claim under the tolerance of each of `backends`, or of the reference where there are none. */
export function heldTo(goal: Goal, backends: readonly string[]): HeldTo {
  const [first = 'ref32', ...others] = backends;
  const on = (backend: string): Goal => goal.onBackends[backend] ?? goal;
  const distinct = new Map(others.map((backend) => [on(backend).digest, on(backend)]));
  distinct.delete(on(first).digest);
  return [on(first), ...distinct.values()];
}
