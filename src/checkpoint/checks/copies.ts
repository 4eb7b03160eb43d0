/** Copies of the weights that training keeps: averages (EMA), float32 masters, low-rank adapters. */
import { ok } from '../../base/result.ts';
import { firstFault } from '../numbers.ts';
import { critical, noSavedProbe, notChecked, pass, warn, type Check } from './check.ts';
import { brief, ofEachRank, ofFirstRank, someOf } from './probe-check.ts';

const emaName = 'EMA';

/** The averaged weights were restored with the weights, and not started afresh from them. */
export const ema = ofFirstRank(({ live, saved }) => {
  if (live.ema === undefined)
    return saved?.ema
      ? critical(emaName, {
          expected: `averages of step ${saved.ema.step ?? 'unknown'}, ${brief(saved.ema.digest)}`,
          actual: 'none',
          why: 'the resumed run has no averaged weights',
          fix: 'Restore the averages from the checkpoint.',
        })
      : null;
  if (saved?.ema === undefined) return notChecked(emaName, saved ? 'the probe of the save has no ema' : noSavedProbe);
  const textOf = ({ step, digest }: typeof live.ema): string => `step ${step ?? 'unknown'}, ${brief(digest)}`;
  const details = { expected: textOf(saved.ema), actual: textOf(live.ema) };
  if (saved.ema.digest === live.ema.digest && saved.ema.step === live.ema.step) return pass(emaName, details);
  const isFresh = (live.ema.step ?? 1) === 0;
  return critical(emaName, {
    ...details,
    why: isFresh
      ? 'the averages were started afresh: early steps weigh too much, and evaluations of the averages are of another model'
      : 'the averages are not those of the checkpoint',
    fix: 'Save the averages with their step, and restore both.',
  });
});

const mastersName = 'master weights';

/** A float32 copy differs from its weight by less than rounding: it was not filled at random or from another checkpoint. */
export const masterWeights = ofEachRank(({ live }) => {
  const masters = Object.entries(live.masters ?? {});
  if (masters.length === 0) return null;
  const apart = masters.filter(([, difference]) => !(difference === 0));
  const expected = 'each float32 copy, rounded, is its weight';
  if (apart.length === 0) return pass(mastersName, { expected, actual: `${masters.length} copies agree` });
  return critical(mastersName, {
    expected,
    actual: someOf(
      apart.map(([weight, difference]) => `${weight} differs by ${difference}`),
      masters.length,
    ),
    why: 'the optimizer updates its float32 copies, so the first update replaces the weights by others',
    fix: 'Save the float32 copies and restore them; if they are lost, fill them from the weights.',
  });
});

const adaptersName = 'adapters loaded';

/** The second factor of a low-rank adapter is zero before training: a trained adapter with a zero there was not loaded. */
export const adapters: Check = async ({ weights, position }, { live }) => {
  const stored = weights.filter(({ name }) => /(?:^|\.)lora_(?:embedding_)?B(?:\.|$)/u.test(name));
  const probed = (live ?? []).flatMap(({ adapters: norms = {} }) => Object.entries(norms));
  if (stored.length === 0 && probed.length === 0) return ok(null);
  if (position?.globalStep === 0) return ok(pass(adaptersName, { actual: 'no step was taken yet' }));
  const zero: string[] = [];
  for (const tensor of stored) {
    const found = await firstFault(tensor, (value) => value !== 0);
    if (!found.ok) return found;
    if (found.value === null) zero.push(tensor.name);
  }
  const expected = 'no trained adapter is zero (B ≠ 0)';
  if (stored.length > 0 && zero.length === stored.length)
    return ok(
      critical(adaptersName, {
        expected,
        actual: `zero in the checkpoint: ${someOf(zero, stored.length)}`,
        why: 'fresh adapters were saved instead of the trained ones',
        fix: 'Resume from a checkpoint that holds the trained adapters.',
      }),
    );
  const fresh = probed.flatMap(([name, norm]) =>
    norm === 0 && !zero.includes(name.replace(/\.default/u, '')) ? [name] : [],
  );
  if (live !== null && probed.length === 0)
    return ok(
      critical(adaptersName, {
        expected: `${stored.length} adapters in the model`,
        actual: 'none',
        why: 'the checkpoint holds adapters, and the resumed model has none',
        fix: 'Load the adapter with is_trainable=True before training.',
      }),
    );
  if (fresh.length > 0)
    return ok(
      critical(adaptersName, {
        expected,
        actual: `zero in the run: ${someOf(fresh, probed.length)}`,
        why: 'the adapters of the run are new: a fresh adapter was wrapped over the trained one, or the trained one was not loaded',
        fix: 'Load the adapter of the checkpoint into the model that is trained, instead of adding another.',
      }),
    );
  if (zero.length > 0)
    return ok(
      warn(adaptersName, {
        expected,
        actual: `zero in the checkpoint: ${someOf(zero, stored.length)}`,
        why: 'these adapters have never been updated',
        fix: 'If they are trained, check that their parameters are in the optimizer.',
      }),
    );
  return ok(
    pass(adaptersName, { expected, actual: `${Math.max(stored.length, probed.length)} adapters are not zero` }),
  );
};
