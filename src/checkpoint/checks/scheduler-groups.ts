import { ok } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { critical, pass, type Check, type Finding } from './check.ts';

const name = 'scheduler groups';

/** The scheduler has a rate and a peak for each group of the optimizer: `zip` would silently leave the others as they are. */
export const schedulerGroups: Check = ({ scheduler, optimizer, several }) => {
  const pairs = several?.optimizers.map((one, i) => judge(several.schedulers[i] ?? null, one)) ?? [];
  const isPaired = several?.optimizers.length === several?.schedulers.length;
  const found = several === undefined ? judge(scheduler, optimizer) : isPaired ? gravest(pairs) : null;
  return ok(found);
};

const gravest = (findings: readonly (Finding | null)[]): Finding | null =>
  findings.find((finding) => finding?.status === 'CRITICAL') ?? findings.find((finding) => finding !== null) ?? null;

function judge(scheduler: Checkpoint['scheduler'], optimizer: Checkpoint['optimizer']): Finding | null {
  if (scheduler === null || optimizer === null || scheduler.learningRates.length === 0) return null;
  const [groups, rates, peaks] = [
    optimizer.groups.length,
    scheduler.learningRates.length,
    scheduler.baseLearningRates.length,
  ];
  const details = {
    expected: `one rate and one peak for each of ${count(groups, 'group')}`,
    actual: `${count(rates, 'rate')} (_last_lr), ${count(peaks, 'peak')} (base_lrs)`,
  };
  if (rates === groups && (peaks === groups || peaks === 0)) return pass(name, details);
  return critical(name, {
    ...details,
    why: 'the scheduler was built for an optimizer with another number of groups: some groups would keep their rate for good',
    fix: 'Resume scheduler and optimizer from the same checkpoint.',
  });
}
