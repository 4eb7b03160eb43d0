import { critical, noSavedProbe, notChecked, pass } from './check.ts';
import { ofFirstRank } from './probe-check.ts';

const name = 'other state';

/** What the run declared as state of its own, such as the counter of early stopping. */
export const otherState = ofFirstRank(({ live, saved }) => {
  const [before, now] = [saved?.other ?? null, live.other ?? null];
  if (before === null && now === null) return null;
  if (before === null)
    return notChecked(name, saved === null ? noSavedProbe : 'the probe of the save has no other state');
  const [expected, actual] = [JSON.stringify(before), JSON.stringify(now)];
  if (sorted(before) === sorted(now)) return pass(name, { expected, actual });
  return critical(name, {
    expected,
    actual,
    why: 'state that the run declared was not restored',
    fix: 'Save and restore it with the checkpoint.',
  });
});

/** The same text for the same value, in whatever order its keys are. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
