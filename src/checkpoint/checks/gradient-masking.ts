/**
 * One backward pass: rows that must not be trained have a gradient of exactly zero, the others have one, and every gradient is
 * finite. Hooks that mask gradients are not part of a checkpoint and are easily not registered again.
 */
import { critical, notChecked, pass, warn, type Finding } from './check.ts';
import type { Probe, ProbedRows } from '../probe/probe.ts';
import { ofEachRank, someOf } from './probe-check.ts';

const name = 'gradient masking';

export const gradientMasking = ofEachRank(({ live, saved }) => {
  const declared = Object.keys(saved?.rows ?? {});
  const rows = Object.entries(live.rows ?? {});
  const forgotten = declared.filter((weight) => !Object.hasOwn(live.rows ?? {}, weight));
  if (forgotten.length > 0)
    return notChecked(
      name,
      `the probe of the save has frozen_rows of ${forgotten.join(', ')}, the one of the resume has not`,
    );
  for (const [weight, norms] of rows) {
    const fault = faultOf(weight, norms);
    if (fault !== null) return fault;
  }
  const [first] = rows;
  if (first === undefined) return null;
  return pass(name, {
    expected: 'gradient 0 in frozen rows, above 0 in the others',
    actual: rows
      .map(([weight, { frozen_norm: base, trained_norm: more }]) => `${weight}: ${base} and ${more}`)
      .join(', '),
  });
});

function faultOf(weight: string, { frozen, frozen_norm: base, trained_norm: trained }: ProbedRows): Finding | null {
  if (base === null || trained === null)
    return critical(name, {
      expected: `a gradient of ${weight}`,
      actual: 'none',
      why: 'the loss does not depend on this weight, or it does not require a gradient',
      fix: 'Set requires_grad after loading, and register the hook again.',
    });
  if (base !== 0)
    return critical(name, {
      expected: `a gradient of norm 0 in the first ${frozen} rows of ${weight}`,
      actual: String(base),
      why: 'the hook that masks the gradient is missing or broken: rows that must stay as they are would be trained',
      fix: 'Register the hook after loading the checkpoint, on the parameter that the model uses now.',
    });
  if (!(trained > 0 && trained < Infinity))
    return critical(name, {
      expected: `a finite gradient above 0 in the rows of ${weight} after ${frozen}`,
      actual: String(trained),
      why: 'the mask covers too much, or these rows are not used by the batch',
      fix: 'Check the mask against the size of the vocabulary, with a batch that has new tokens.',
    });
  return null;
}

/** Parameters with a gradient now that had none at the save. */
const addedTo = (before: NonNullable<Probe['gradients']>, live: Probe): readonly string[] =>
  Object.entries(live.gradients ?? {}).flatMap(([weight, norm]) =>
    norm !== null && typeof before[weight] !== 'number' ? [weight] : [],
  );

const flowName = 'gradients';

/** Every parameter that is trained has a finite gradient, as at the save. */
export const gradients = ofEachRank(({ live, saved }) => {
  const found = Object.entries(live.gradients ?? {});
  if (found.length === 0)
    return notChecked(flowName, 'the probe has no gradients: pass batches and loss_of to write_probe');
  const bad = found.flatMap(([weight, norm]) => (norm !== null && !Number.isFinite(norm) ? [`${weight} ${norm}`] : []));
  const expected = `finite gradients of ${found.length} parameters`;
  if (bad.length > 0)
    return critical(flowName, {
      expected,
      actual: someOf(bad, found.length),
      why: 'the first update would destroy the weights: a loss scale that is too large, or weights that were loaded wrongly',
      fix: 'Restore the scaler with the optimizer, and compare the weights.',
    });
  const without = found.flatMap(([weight, norm]) => (norm === null ? [weight] : []));
  const before = saved?.gradients;
  const lost =
    before === undefined
      ? []
      : Object.entries(before).flatMap(([weight, norm]) =>
          norm !== null && typeof live.gradients?.[weight] !== 'number' ? [weight] : [],
        );
  if (lost.length > 0 || without.length === found.length)
    return critical(flowName, {
      expected,
      actual: `none for ${someOf(lost.length > 0 ? lost : without, found.length)}`,
      why: 'these parameters were trained before and no longer are: requires_grad or the graph changed while resuming',
      fix: 'Set requires_grad as before, after loading.',
    });
  const added = before === undefined ? [] : addedTo(before, live);
  if (added.length > 0)
    return (live.batches?.[0] === saved?.batches?.[0] ? critical : warn)(flowName, {
      expected,
      actual: `new ones for ${someOf(added, found.length)}`,
      why: 'these parameters had no gradient at the save: they were frozen, or tied to another parameter, and no longer are',
      fix: 'Freeze and tie the parameters as before, after loading.',
    });
  if (without.length > 0 && before === undefined)
    return warn(flowName, {
      expected,
      actual: `none for ${someOf(without, found.length)}`,
      why: 'the first batch does not reach these parameters, or they were cut off from the loss',
      fix: 'Write a probe at the save too, which shows whether it was so before.',
    });
  return pass(flowName, { expected, actual: `${found.length - without.length} finite` });
});
