/** Tensors of the resumed run that no checkpoint has: they start at random, and nothing says so. */
import type { Checkpoint } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { critical, type Finding } from './check.ts';
import { someOf } from './probe-check.ts';

/**
 * Null if there are none. Without a probe of the save only weights that are trained count, and none that equals one that was saved: files
 * leave out buffers and weights that are tied. `savedName` takes off what wrappers add to names.
 */
export function unsavedWeights(
  name: string,
  now: Probe,
  { weights }: Checkpoint,
  saved: Probe | undefined,
  savedName: (weight: string) => string,
): Finding | null {
  const live = Object.entries(now.weights ?? {});
  const before = saved?.weights;
  const stored = new Set(before === undefined ? weights.map((tensor) => tensor.name) : Object.keys(before));
  const has = (weight: string): boolean => stored.has(weight) || stored.has(savedName(weight));
  const known = new Set(live.flatMap(([weight, { digest }]) => (has(weight) ? [digest] : [])));
  const trained = new Set(now.optimizer?.parameters.flatMap((parameter) => parameter.name ?? []));
  const unsaved = live.flatMap(([weight, { digest }]) =>
    has(weight) || known.has(digest) || (before === undefined && !trained.has(weight)) ? [] : [weight],
  );
  if (known.size === 0 || unsaved.length === 0) return null;
  return critical(name, {
    expected: `no weights besides the ${stored.size} that were saved`,
    actual: `not in the checkpoint: ${someOf(unsaved, live.length)}`,
    why: 'the model of the resumed run has more weights than the one that was saved: they start from what they were made with',
    fix: 'Build the model as it was saved. To add a part on purpose, start a new run from the weights.',
  });
}
