/**
 * The optimizer's state fits the weights: one state for each parameter, and a weight of its shape. PyTorch finds states by position,
 * not by name, so a state that slipped by one would be used for another weight.
 */
import { ok } from '../../base/result.ts';
import type { Checkpoint, ParameterState, StoredTensor } from '../checkpoint.ts';
import { critical, notChecked, pass, type Check, type Finding } from './check.ts';

const name = 'optimizer alignment';

export const optimizerAlignment: Check = (checkpoint) => ok(judge(checkpoint));

function judge({ optimizer, weights }: Checkpoint): Finding {
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
  const missing = optimizer.groups
    .filter(({ isStateless }) => !isStateless)
    .flatMap(({ parameters }) => parameters)
    .filter((index) => !states.has(index));
  if (missing.length > 0)
    return critical(name, {
      expected,
      actual: `${indexes.length - missing.length} states; none for parameter ${missing.slice(0, 5).join(', ')}`,
      why: 'a part of the optimizer state was not saved: these parameters would restart with empty moments',
      fix: 'Resume from a checkpoint with a complete optimizer state, or reset optimizer and scheduler together.',
    });
  const stray = strayState(optimizer.states, weights);
  if (stray !== null)
    return critical(name, {
      expected,
      actual: `state ${stray.index} has ${stray.tensor.name} of shape [${stray.tensor.shape.join(', ')}]`,
      why: 'more states than weights have this shape, so the optimizer is that of another model',
      fix: 'Resume with the optimizer state that was saved with these weights.',
    });
  return pass(name, {
    expected,
    actual: `${states.size} states; ${weights.length} weights and buffers`,
  });
}

/** A state whose shape more states than weights have. */
function strayState(
  states: readonly ParameterState[],
  weights: readonly StoredTensor[],
): { readonly index: number; readonly tensor: StoredTensor } | null {
  const free = new Map<string, number>();
  for (const { shape } of weights) free.set(shape.join(), (free.get(shape.join()) ?? 0) + 1);
  for (const { index, tensors } of states) {
    const tensor = tensors.get('exp_avg') ?? tensors.get('momentum_buffer');
    if (tensor === undefined) continue;
    const left = free.get(tensor.shape.join()) ?? 0;
    if (left === 0) return { index, tensor };
    free.set(tensor.shape.join(), left - 1);
  }
  return null;
}
