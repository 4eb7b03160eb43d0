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
  // An enumeration is a call of its class with its value.
  const [only, ...more] = isPickled(value, 'call') ? (itemsOf(value.arguments) ?? []) : [];
  return isPickled(value, 'call') && nameOf(value.callable) !== null && more.length === 0 && typeof only === 'string'
    ? only
    : undefined;
}
