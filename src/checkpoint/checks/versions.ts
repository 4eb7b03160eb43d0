/** The libraries that wrote the checkpoint and those that read it. */
import { critical, noSavedProbe, notChecked, pass, warn } from './check.ts';
import { ofFirstRank } from './probe-check.ts';

const name = 'versions';

export const versions = ofFirstRank(({ live, saved, checkpoint }) => {
  const now = live.versions ?? {};
  const before: Readonly<Record<string, string | null>> =
    saved?.versions ?? Object.fromEntries([...checkpoint.versions].filter(([library]) => Object.hasOwn(now, library)));
  const known = Object.entries(before).flatMap(([library, version]) =>
    version === null ? [] : [{ library, version }],
  );
  if (known.length === 0) return notChecked(name, noSavedProbe);
  const list = (from: Readonly<Record<string, string | null>>): string =>
    known.map(({ library }) => `${library} ${from[library] ?? 'none'}`).join(', ');
  const details = { expected: list(before), actual: list(now) };
  const changed = known.filter(({ library, version }) => now[library] !== version);
  if (changed.length === 0)
    return saved === null ? notChecked(name, `${noSavedProbe}; ${list(before)} is the same`) : pass(name, details);
  const torch = changed.find(({ library }) => library === 'torch');
  if (torch !== undefined && major(torch.version) !== major(now['torch'] ?? ''))
    return critical(name, {
      ...details,
      why: 'another major version of PyTorch may read the state of optimizer and scheduler differently',
      fix: 'Resume with the version that wrote the checkpoint, or compare the first losses with care.',
    });
  return warn(name, {
    ...details,
    why: `${changed.map(({ library }) => library).join(', ')} changed: numbers may differ in their last digits, defaults in more`,
    fix: 'Resume with the versions that wrote the checkpoint, if the run is to be the same.',
  });
});

const major = (version: string): string => version.split('.')[0] ?? '';
