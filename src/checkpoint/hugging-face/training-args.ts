/** `training_args.bin`: the `TrainingArguments` of a run, or a class derived from it, as a pickle that is never executed. */
import { isPickled, itemsOf, nameOf, type Pickled } from '../../pickle/pickled.ts';
import type { Setting } from '../checkpoint.ts';

/** Its scalar settings by name; enumerations by their value, such as `cosine`. Empty if the pickle is not an object. */
export function trainingArguments(value: Pickled): ReadonlyMap<string, Setting> {
  const state = isPickled(value, 'call') && isPickled(value.state, 'dict') ? value.state.entries : new Map();
  const settings = new Map<string, Setting>();
  for (const [key, item] of state) {
    if (typeof key !== 'string') continue;
    const setting = settingOf(item);
    if (setting !== undefined) settings.set(key, setting);
    // The settings of a schedule, such as `lr_scheduler_kwargs.num_cycles`.
    for (const [name, inner] of isPickled(item, 'dict') ? item.entries : [])
      settings.set(`${key}.${typeof name === 'string' ? name : '?'}`, settingOf(inner) ?? null);
  }
  return settings;
}

function settingOf(value: Pickled): Setting | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (!isPickled(value, 'call')) return undefined;
  const given = itemsOf(value.arguments) ?? [];
  const callable = nameOf(value.callable);
  // An enumeration is a call of its class with its value; in Python 3.11, of getattr with its class and the name of the member.
  if (callable !== null && given.length === 1 && typeof given[0] === 'string') return given[0];
  const [owner, member, ...more] = given;
  const enumeration = nameOf(owner);
  const isMember = /^(?:builtins|__builtin__)\.getattr$/u.test(callable ?? '') && more.length === 0;
  if (!isMember || enumeration?.startsWith('transformers.') !== true || typeof member !== 'string') return undefined;
  return otherwiseCalled.get(member) ?? member.toLowerCase();
}

/**
 * Members of the enumerations of transformers whose value is not their name in lower case.
 *
 * Source: transformers 5.18, trainer_utils.py (`SchedulerType`) and training_args.py (`OptimizerNames`).
 */
const otherwiseCalled: ReadonlyMap<string, string> = new Map([
  ['REDUCE_ON_PLATEAU', 'reduce_lr_on_plateau'],
  ['ADAMW_BNB', 'adamw_bnb_8bit'],
  ['LION', 'lion_32bit'],
  ['PAGED_ADAMW', 'paged_adamw_32bit'],
  ['PAGED_ADEMAMIX', 'paged_ademamix_32bit'],
  ['PAGED_LION', 'paged_lion_32bit'],
  ['RMSPROP_8BIT', 'rmsprop_bnb_8bit'],
  ['RMSPROP_32BIT', 'rmsprop_bnb_32bit'],
]);
