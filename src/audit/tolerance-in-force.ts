import type { Goal } from '../contract/goal.ts';
import { decides } from '../evidence/derive.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Check } from '../plan/check.ts';

/**
 * The tolerance that was applied to a claim, which may depend on the backend: that of the run that broke it, or else those of
 * all backends that decide it (`ulp 0.5 on ref32, rel 1e-6 on webgl2` where these differ).
 */
export function toleranceInForce(goal: Goal, checks: readonly Check[], receipts: readonly Receipt[]): string {
  const broke = receipts.find(({ method, counterexample }) => method !== 'adequacy' && counterexample !== null);
  const deciding = broke
    ? [broke.backend.id]
    : checks.filter(({ method }) => decides(method)).map(({ backend }) => backend);
  const texts = new Map(
    deciding.map((backend) => [backend, (goal.onBackends[backend] ?? goal).toleranceText] as const),
  );
  const [first = goal.toleranceText, ...others] = new Set(texts.values());
  return others.length === 0 ? first : [...texts].map(([backend, text]) => `${text} on ${backend}`).join(', ');
}
