import { ok } from '../../base/result.ts';
import { count } from '../../base/text.ts';
import { critical, pass, type Check } from './check.ts';

const name = 'scheduler groups';

/** The scheduler has a rate and a peak for each group of the optimizer: `zip` would silently leave the others as they are. */
export const schedulerGroups: Check = ({ scheduler, optimizer }) => {
  if (scheduler === null || optimizer === null || scheduler.learningRates.length === 0) return ok(null);
  const [groups, rates, peaks] = [
    optimizer.groups.length,
    scheduler.learningRates.length,
    scheduler.baseLearningRates.length,
  ];
  // One scheduler among several optimizers is that of one of them.
  if (optimizer.optimizers !== undefined && rates < groups && (peaks === rates || peaks === 0)) return ok(null);
  const details = {
    expected: `one rate and one peak for each of ${count(groups, 'group')}`,
    actual: `${count(rates, 'rate')} (_last_lr), ${peaks === 0 ? 'no peaks, since it has none' : `${count(peaks, 'peak')} (base_lrs)`}`,
  };
  if (rates === groups && (peaks === groups || peaks === 0)) return ok(pass(name, details));
  return ok(
    critical(name, {
      ...details,
      why: 'the scheduler was built for an optimizer with another number of groups: some groups would keep their rate for good',
      fix: 'Resume scheduler and optimizer from the same checkpoint.',
    }),
  );
};
