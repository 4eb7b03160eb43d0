/** Every random generator of every rank continues where it was. A state that could not be loaded is often ignored in silence. */
import type { ProbedRandom } from '../probe/probe.ts';
import { critical, noSavedProbe, notChecked, pass, warn, type Evidence } from './check.ts';
import { brief, ofEachRank } from './probe-check.ts';

const name = 'random state';

export const randomState = ofEachRank(({ live, saved, evidence }) => {
  if (live.random === undefined) return notChecked(name, 'the probe has no random');
  if (saved?.random === undefined)
    return notChecked(
      name,
      saved === null && evidence.saved ? `no probe of rank ${live.rank} was saved` : noSavedProbe,
    );
  const [before, now] = [states(saved.random), states(live.random)];
  const differing = [...before.keys()].filter((of) => before.get(of) !== now.get(of));
  const textOf = (from: ReadonlyMap<string, string>, of: readonly string[]): string =>
    of.map((one) => `${one} ${brief(from.get(one) ?? 'none')}`).join(', ');
  if (differing.length === 0) return pass(name, { expected: textOf(before, [...before.keys()]), actual: 'the same' });
  const details = { expected: textOf(before, differing), actual: textOf(now, differing) };
  const other = rankWith(live.random.torch, live.rank, evidence);
  if (other !== null)
    return critical(name, {
      ...details,
      why: `the generators are those of rank ${other}`,
      fix: 'Load the state of the own rank: rng_state_{rank}.pth.',
    });
  // A device more or less is reported by the device count.
  if (differing.every((of) => of.startsWith('cuda')) && saved.random.cuda.length !== live.random.cuda.length)
    return warn(name, {
      ...details,
      why: 'another number of devices: some have no saved state',
      fix: 'Resume on as many devices, if the run is to be the same.',
    });
  return critical(name, {
    ...details,
    why: 'these generators were not restored, or something drew from them after they were: dropout, shuffling and augmentation differ from now on',
    fix: 'Restore all generators last, right before the first batch, and do not catch the error of loading them.',
  });
});

const states = ({ python, numpy, torch, cuda }: ProbedRandom): ReadonlyMap<string, string> =>
  new Map(
    Object.entries({
      python,
      numpy,
      torch,
      ...Object.fromEntries(cuda.map((state, i) => [`cuda:${i}`, state])),
    }).flatMap(([of, state]) => (state === null ? [] : [[of, state] as const])),
  );

/** Another rank that had this state at the save; null if there is none. */
function rankWith(state: string | null, rank: number, { saved }: Evidence): number | null {
  return saved?.find((probe) => probe.rank !== rank && state !== null && probe.random?.torch === state)?.rank ?? null;
}
