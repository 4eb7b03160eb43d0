/** The states that `torch.optim` optimizers and schedulers save, in their pickles. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { entriesOf, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import type {
  OptimizerState,
  ParameterGroup,
  ParameterState,
  SchedulerState,
  Setting,
  StoredTensor,
} from '../checkpoint.ts';
import { kindOf, ownRate } from './schedules.ts';

/** A scheduler's `state_dict()`; null if neither it nor the first that it chains has a `last_epoch`. */
export function schedulerState(value: Pickled): SchedulerState | null {
  const entries = entriesOf(value);
  // A ChainedScheduler steps all of its schedulers together, and keeps no count of its own.
  const [chained = null] = itemsOf(entries?.get('_schedulers')) ?? [];
  const lastEpoch = entries?.get('last_epoch') ?? entriesOf(chained)?.get('last_epoch');
  if (!Number.isSafeInteger(lastEpoch)) return null;
  const [kind, own] = [kindOf(entries), ownRate(entries)];
  return {
    lastEpoch: Number(lastEpoch),
    learningRates: numbersOf(entries?.get('_last_lr')),
    baseLearningRates: numbersOf(entries?.get('base_lrs')),
    countsEpochs: false,
    ...(kind !== null && { kind }),
    ...(own !== null && { own }),
  };
}

const numbersOf = (value: Pickled | undefined): readonly number[] =>
  (itemsOf(value) ?? []).filter((item) => typeof item === 'number');

/** Finds a tensor that a pickle describes. `name` is what reports call it. */
export type FindTensor = (value: Pickled, name: string) => Result<StoredTensor | null, Problem>;

/** Reads a scalar tensor. */
export type ReadScalar = (tensor: StoredTensor) => Promise<Result<number | null, Problem>>;

/** An optimizer's `state_dict()`, its parameters counted from `first`; PV-8504 if it has no `state` and `param_groups`. */
export async function optimizerState(
  value: Pickled,
  find: FindTensor,
  readScalar: ReadScalar,
  first = 0,
): Promise<Result<OptimizerState, Problem>> {
  const entries = entriesOf(value);
  const [states, groups] = [entriesOf(entries?.get('state')), itemsOf(entries?.get('param_groups'))];
  if (states === null || groups === null)
    return wrong(
      'PV-8504',
      'optimizer',
      'The optimizer state has no "state" and "param_groups", as state_dict() gives.',
    );
  const found: ParameterState[] = [];
  for (const [index, state] of states) {
    if (typeof index !== 'number') continue;
    const read = await parameterState(first + index, state, find, readScalar);
    if (!read.ok) return read;
    found.push(read.value);
  }
  return ok({
    groups: groups.map((group) => parameterGroup(group, first)),
    states: found.toSorted((a, b) => a.index - b.index),
  });
}

function parameterGroup(value: Pickled, first: number): ParameterGroup {
  const entries = entriesOf(value);
  const rate = entries?.get('lr');
  return {
    learningRate: numberIn(rate),
    parameters: numbersOf(entries?.get('params')).map((index) => first + index),
    initialRate: numberIn(entries?.get('initial_lr')),
    isStateless: (entries?.get('momentum') === 0 && !entries.has('betas')) || entries?.has('tolerance_grad') === true,
    isAdam: entries?.has('amsgrad') === true,
    unusable: unusable(entries),
    settings: settingsOf(entries),
  };
}

const isSetting = (value: Pickled): value is Setting =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function settingsOf(entries: ReadonlyMap<Pickled, Pickled> | null): ReadonlyMap<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const [key, value] of entries ?? []) {
    if (typeof key !== 'string' || key === 'params') continue;
    if (isSetting(value)) settings.set(key, value);
    for (const [i, item] of itemsOf(value)?.entries() ?? []) if (isSetting(item)) settings.set(`${key}.${i}`, item);
  }
  return settings;
}

const numberIn = (value: Pickled | undefined): number | null => (typeof value === 'number' ? value : null);

/** Betas are shares, the others are finite and not negative. A text is not a number, even if it looks like one; a tensor may be. */
function unusable(entries: ReadonlyMap<Pickled, Pickled> | null): readonly string[] {
  const betas = numbersOf(entries?.get('betas')).filter((beta) => !(beta >= 0 && beta < 1));
  const others = ['lr', 'eps', 'weight_decay', 'momentum'].filter((key) => {
    const value = entries?.get(key);
    return typeof value === 'string' || (typeof value === 'number' && !(value >= 0 && value < Infinity));
  });
  return [
    ...betas.map((beta) => `betas ${beta}`),
    ...others.map((key) => {
      const value = entries?.get(key);
      return typeof value === 'string' ? `${key} as the text ${quoted(value)}` : `${key} ${String(numberIn(value))}`;
    }),
  ];
}

async function parameterState(
  index: number,
  value: Pickled,
  find: FindTensor,
  readScalar: ReadScalar,
): Promise<Result<ParameterState, Problem>> {
  const tensors = new Map<string, StoredTensor>();
  let step: number | null = null;
  for (const [key, item] of entriesOf(value) ?? []) {
    if (typeof key !== 'string') continue;
    if (key === 'step' && typeof item === 'number') step = item;
    const tensor = find(item, `state[${index}].${key}`);
    if (!tensor.ok) return tensor;
    if (tensor.value === null) continue;
    if (key !== 'step') tensors.set(key, tensor.value);
    else {
      const scalar = await readScalar(tensor.value);
      if (!scalar.ok) return scalar;
      step = scalar.value;
    }
  }
  return ok({ index, step, tensors });
}
