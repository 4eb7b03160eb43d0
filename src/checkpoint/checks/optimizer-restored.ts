/**
 * The optimizer in memory is the one that was saved: the same parameters by name, shape and order, the same steps and moments, and
 * rates that its scheduler sets.
 */
import { parameterShape } from '../parameter-shape.ts';
import type { Probe } from '../probe/probe.ts';
import { ok } from '../../base/result.ts';
import { critical, notChecked, pass, type Check, type Finding } from './check.ts';
import { otherMoments } from './moments-restored.ts';
import { otherOptimizer } from './optimizer-kind.ts';
import { ofEachRank, someOf, type Probed } from './probe-check.ts';

const name = 'optimizer restored';

const matchedSet = 'Restore optimizer, scheduler and scaler from one checkpoint, or reset all of them.';

export const optimizerRestored: Check = async (checkpoint, evidence) => {
  const finding = await ofProbes(checkpoint, evidence);
  const [live] = evidence.live ?? [];
  if (!finding.ok || finding.value?.status !== 'PASS' || evidence.saved?.[0]?.optimizer || live === undefined)
    return finding;
  const moments = await otherMoments(name, checkpoint, live);
  return moments.ok ? ok(moments.value ?? finding.value) : moments;
};

const ofProbes = ofEachRank((probed) => {
  const { live } = probed;
  if (live.optimizer === undefined) return notChecked(name, 'the probe has no optimizer: pass it to write_probe');
  if (!probed.saved?.optimizer && probed.checkpoint.optimizer?.optimizers !== undefined)
    return notChecked(
      name,
      'the checkpoint has several optimizers, and the probe has one: write a probe at the save too',
    );
  return (
    order(live.optimizer, probed) ??
    strangers(live.optimizer) ??
    otherOptimizer(name, probed) ??
    states(live.optimizer, probed)
  );
});

type Optimizer = NonNullable<Probe['optimizer']>;

const labelOf = ({ name: parameter, shape }: Optimizer['parameters'][number]): string =>
  `${parameter ?? 'no name'} [${shape.join(', ')}]`;

/** By name and shape with a probe of the save; by shape with the checkpoint alone, which has no names. */
function order(now: Optimizer, { saved, checkpoint }: Probed): Finding | null {
  const before = saved?.optimizer?.parameters.map(labelOf) ?? null;
  const after = now.parameters.map(labelOf);
  if (before !== null) {
    const at = Math.max(before.length, after.length) === 0 ? -1 : firstDifference(before, after);
    return at < 0 ? null : reordered(before, after, at);
  }
  for (const state of checkpoint.optimizer?.states ?? []) {
    const { index } = state;
    const shape = parameterShape(state)?.join(', ');
    const parameter = now.parameters[index];
    if (shape === undefined || shape === parameter?.shape.join(', ')) continue;
    return critical(name, {
      expected: `parameter ${index} of shape [${shape}]`,
      actual: parameter === undefined ? 'no such parameter' : labelOf(parameter),
      why: 'PyTorch assigns states by position: the parameters are in another order, or are others, than at the save',
      fix: 'Build the model and the optimizer as in the run that was saved.',
    });
  }
  return null;
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i;
  return -1;
}

function reordered(before: readonly string[], after: readonly string[], at: number): Finding {
  const isOrder = before.length === after.length && before.toSorted().join('\n') === after.toSorted().join('\n');
  return critical(name, {
    expected: `parameter ${at}: ${before[at] ?? 'none'}`,
    actual: after[at] ?? 'none',
    why: isOrder
      ? 'the parameters are in another order than at the save, and PyTorch assigns states by position: moments go to other weights'
      : `the optimizer has ${after.length} parameters, and had ${before.length}: it was built for another model, or before the model was complete`,
    fix: 'Build the model and the optimizer as in the run that was saved, in the same order.',
  });
}

/** Parameters that the model does not have: the optimizer updates tensors that nothing uses. */
function strangers({ parameters }: Optimizer): Finding | null {
  const unnamed = parameters.flatMap((parameter, i) => (parameter.name === null ? [`parameter ${i}`] : []));
  if (unnamed.length < parameters.length || unnamed.length === 0) return null;
  return critical(name, {
    expected: 'parameters of the model',
    actual: `none of ${parameters.length} is one`,
    why: 'the model was replaced or rebuilt after the optimizer was: updates go to tensors that nobody uses',
    fix: 'Build the optimizer after the model was loaded and wrapped; float32 copies are passed as masters.',
  });
}

function states(now: Optimizer, { saved, checkpoint }: Probed): Finding {
  const total = now.parameters.length;
  const expectedSteps = new Map(
    saved?.optimizer
      ? saved.optimizer.parameters.map(({ step }, i) => [i, step])
      : checkpoint.optimizer?.states.map(({ index, step }) => [index, step]),
  );
  if (saved?.optimizer === undefined && checkpoint.optimizer === null)
    return notChecked(name, 'the checkpoint has no optimizer state');
  const wrong = now.parameters.findIndex(
    ({ step }, i) => expectedSteps.has(i) && step !== (expectedSteps.get(i) ?? null),
  );
  if (wrong >= 0) {
    const actual = now.parameters[wrong]?.step ?? null;
    return critical(name, {
      expected: `${expectedSteps.get(wrong) ?? 'no'} steps of ${now.parameters[wrong]?.name ?? `parameter ${wrong}`}`,
      actual: actual === null ? 'no state' : `${actual} steps`,
      why: actual === null ? 'the state was not loaded: all moments start at zero' : 'the state is of another step',
      fix: matchedSet,
    });
  }
  const before = saved?.optimizer?.parameters ?? [];
  const changed = before.flatMap((parameter, i) =>
    Object.entries(parameter.state).some(([key, digest]) => now.parameters[i]?.state[key] !== digest)
      ? [labelOf(parameter)]
      : [],
  );
  if (changed.length > 0)
    return critical(name, {
      expected: 'moments as saved',
      actual: `different: ${someOf(changed, total)}`,
      why: 'the moments are not those of the checkpoint, although the steps are',
      fix: matchedSet,
    });
  return pass(name, {
    expected: `${total} parameters, in order, with steps${before.length > 0 ? ' and moments' : ''} as saved`,
    actual: 'the same',
  });
}
