/** What the optimizer in memory is, besides its parameters and moments: its class and its hyperparameters. */
import type { Setting } from '../checkpoint.ts';
import { critical, type Finding } from './check.ts';
import type { Probed } from './probe-check.ts';

/** How a step is computed, not what; and the rate, which has a check of its own. */
const others = new Set(['lr', 'initial_lr', 'foreach', 'fused', 'capturable', 'differentiable']);

/** Null if both are as saved, or not known. */
export function otherOptimizer(name: string, { live, saved, checkpoint }: Probed): Finding | null {
  const [now, before] = [live.optimizer, saved?.optimizer];
  if (now === undefined) return null;
  const fix = 'Build the optimizer as in the run that was saved, load its state last, and change nothing afterwards.';
  if (before !== undefined && before.kind !== now.kind)
    return critical(name, {
      expected: before.kind,
      actual: now.kind,
      why: 'the resumed run has an optimizer of another class, which makes other updates of the same moments',
      fix,
    });
  const groups =
    before?.groups.map(({ settings }) => settings && new Map<string, Setting>(Object.entries(settings))) ??
    checkpoint.optimizer?.groups.map(({ settings }) => settings) ??
    [];
  for (const [i, settings] of groups.entries())
    for (const [key, value] of Object.entries(now.groups[i]?.settings ?? {})) {
      const expected = settings?.get(key);
      if (others.has(key) || expected === undefined || expected === null || expected === value) continue;
      return critical(name, {
        expected: `${key} ${expected} in group ${i}`,
        actual: `${key} ${value}`,
        why: 'loading an optimizer restores its hyperparameters, so it was not loaded, or they were changed afterwards',
        fix,
      });
    }
  return null;
}
