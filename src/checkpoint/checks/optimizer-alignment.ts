/**
 * The optimizer's state fits the weights: one state for each parameter, and a weight of its shape. PyTorch finds states by position,
 * not by name, so a state that slipped by one would be used for another weight.
 */
import { ok } from '../../base/result.ts';
import type { Checkpoint, OptimizerState, ParameterState, Setting, StoredTensor } from '../checkpoint.ts';
import { settingsApart } from './optimizer-settings.ts';
import { factored, parameterShape } from '../parameter-shape.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';

const name = 'optimizer alignment';

export const optimizerAlignment: Check = (checkpoint) => {
  const finding = judge(checkpoint);
  const apart = finding.status === 'PASS' ? settingsApart(checkpoint) : null;
  return ok(apart === null ? finding : warn(name, apart));
};

function judge({ optimizer: saved, weights, settings }: Checkpoint): Finding {
  const optimizer = saved && ofKind(saved, settings.get('optim'));
  if (optimizer === null) return notChecked(name, 'no optimizer state was saved');
  if (weights.length === 0) return notChecked(name, 'no weights were saved as safetensors');
  const indexes = optimizer.groups.flatMap(({ parameters }) => parameters);
  const states = new Set(optimizer.states.map(({ index }) => index));
  const expected = `${indexes.length} parameters with one state each, of the shapes of weights`;
  const repeated = indexes.find((index, i) => indexes.indexOf(index) !== i);
  if (repeated !== undefined)
    return critical(name, {
      expected,
      actual: `parameter ${repeated} in two groups`,
      why: 'the groups of the optimizer overlap',
      fix: 'Build the optimizer from disjoint groups of parameters.',
    });
  if (indexes.length === 0)
    return critical(name, {
      expected: 'at least one parameter',
      actual: 'none',
      why: 'the optimizer was saved without parameters',
      fix: 'Resume from a checkpoint with a complete optimizer state, or reset optimizer and scheduler together.',
    });
  const unusable = optimizer.groups.flatMap((group) => group.unusable);
  if (unusable.length > 0)
    return critical(name, {
      expected: 'finite hyperparameters in their ranges',
      actual: unusable.join(', '),
      why: 'the next update would be NaN or diverge',
      fix: 'Resume from an earlier checkpoint.',
    });
  const partial = partialState(optimizer);
  if (partial !== null)
    return critical(name, {
      expected,
      actual: partial,
      why: 'a part of the optimizer state was not saved: these moments would restart at zero',
      fix: 'Resume from a checkpoint with a complete optimizer state, or reset optimizer and scheduler together.',
    });
  const missing = optimizer.groups
    .filter(({ isStateless }) => !isStateless)
    .flatMap(({ parameters }) => parameters)
    .filter((index) => !states.has(index));
  const isAll = missing.length === indexes.length;
  if (missing.length > 0)
    return (isAll ? critical : warn)(name, {
      expected,
      actual: `${indexes.length - missing.length} states; none for parameter ${missing.slice(0, 5).join(', ')}`,
      why: isAll
        ? 'the optimizer state was not saved: all parameters would restart with empty moments'
        : 'these parameters never had a gradient, or their state was not saved',
      fix: 'If they are trained, resume from a checkpoint with a complete optimizer state.',
    });
  const stray = strayState(optimizer.states, weights);
  if (stray !== null)
    return critical(name, {
      expected,
      actual: `state ${stray.index} is of a parameter of shape [${stray.shape.join(', ')}]`,
      why: 'more states than weights have this shape, so the optimizer is that of another model',
      fix: 'Resume with the optimizer state that was saved with these weights.',
    });
  return pass(name, {
    expected,
    actual: `${states.size} states; ${weights.length} weights and buffers`,
  });
}

/** Groups whose kind the configuration contradicts: `optim` knows better than the names of their settings. */
function ofKind({ groups, states }: OptimizerState, optim: Setting | undefined): OptimizerState {
  if (typeof optim !== 'string') return { groups, states };
  const isPlainSgd = optim === 'sgd' && states.every(({ tensors }) => tensors.size === 0);
  return {
    groups: groups.map((group) => ({
      ...group,
      isStateless: group.isStateless || isPlainSgd,
      isAdam: group.isAdam && optim.startsWith('adam'),
    })),
    states,
  };
}

/** A state that lacks what the others have, or what Adam needs. */
function partialState({ groups, states }: OptimizerState): string | null {
  const adam = new Set(groups.filter(({ isAdam }) => isAdam).flatMap(({ parameters }) => parameters));
  const stateless = new Set(groups.filter(({ isStateless }) => isStateless).flatMap(({ parameters }) => parameters));
  const common = new Set(states.flatMap(({ tensors }) => [...tensors.keys()]));
  const hasSteps = states.some(({ step }) => step !== null);
  for (const { index, step, tensors } of states) {
    if (stateless.has(index)) continue;
    const wanted = adam.has(index) ? new Set([...common, 'exp_avg', 'exp_avg_sq']) : wantedOf(common, tensors);
    const lacking = [...wanted].filter((key) => !tensors.has(key));
    if (step === null && (hasSteps || adam.has(index))) lacking.push('step');
    if (tensors.size === 0) return `state ${index} is empty`;
    if (lacking.length > 0) return `state ${index} has no ${lacking.join(', ')}`;
  }
  return null;
}

/** Adafactor keeps squares by rows and columns, or whole ones for vectors: no state has both. */
function wantedOf(common: ReadonlySet<string>, tensors: ParameterState['tensors']): ReadonlySet<string> {
  const wanted = new Set(common);
  for (const { rows, columns, whole } of factored) {
    if (!common.has(rows) && !common.has(columns)) continue;
    for (const key of tensors.has(whole) ? [rows, columns] : [whole]) wanted.delete(key);
    if (!tensors.has(whole)) wanted.add(rows).add(columns);
  }
  return wanted;
}

/** A state whose shape more states than weights have. */
function strayState(
  states: readonly ParameterState[],
  weights: readonly StoredTensor[],
): { readonly index: number; readonly shape: readonly number[] } | null {
  const free = new Map<string, number>();
  for (const { shape } of weights) free.set(shape.join(), (free.get(shape.join()) ?? 0) + 1);
  for (const state of states) {
    const shape = parameterShape(state);
    if (shape === null) continue;
    const left = free.get(shape.join()) ?? 0;
    if (left === 0) return { index: state.index, shape };
    free.set(shape.join(), left - 1);
  }
  return null;
}
