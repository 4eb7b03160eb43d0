/** The optimizers in a saved dict: the dict itself, one under a key, or several under keys of their own or in a list. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import type { OptimizerState } from '../checkpoint.ts';
import { scalarOf } from '../numbers.ts';
import { optimizerState, type FindTensor } from './training-state.ts';

/** What was found. */
interface SavedOptimizers {
  /** Keys of the dict that hold nothing but optimizers. */
  readonly keys: ReadonlySet<Pickled>;
  /** What their `state_dict()` gave. */
  readonly states: readonly Pickled[];
}

function isOptimizer(value: Pickled | undefined): boolean {
  const entries = entriesOf(value);
  return entriesOf(entries?.get('state')) !== null && itemsOf(entries?.get('param_groups')) !== null;
}

/** By their form, whatever their keys: `optimizer`, `optG` and `optD`, or a list. */
export function optimizersIn(root: Pickled): SavedOptimizers {
  const entries = entriesOf(root) ?? new Map<Pickled, Pickled>();
  if (isOptimizer(root)) return { keys: new Set(entries.keys()), states: [root] };
  const keys = new Set<Pickled>();
  const states: Pickled[] = [];
  for (const [key, value] of entries) {
    const inside = itemsOf(value) ?? [...(entriesOf(value)?.values() ?? [])];
    const found = isOptimizer(value) ? [value] : inside.length > 0 && inside.every(isOptimizer) ? inside : [];
    if (found.length > 0) keys.add(key);
    states.push(...found);
  }
  return { keys, states };
}

/** All of them as one: the parameters of each are counted on from those before. Null if there is none. */
export async function mergedOptimizers(
  saved: readonly { readonly value: Pickled; readonly find: FindTensor }[],
): Promise<Result<OptimizerState | null, Problem>> {
  let [groups, states]: [OptimizerState['groups'], OptimizerState['states']] = [[], []];
  let first = 0;
  for (const { value, find } of saved) {
    const read = await optimizerState(value, find, scalarOf, first);
    if (!read.ok) return read;
    groups = [...groups, ...read.value.groups];
    states = [...states, ...read.value.states];
    for (const { parameters } of read.value.groups) for (const index of parameters) first = Math.max(first, index + 1);
    for (const { index } of read.value.states) first = Math.max(first, index + 1);
  }
  return ok(saved.length === 0 ? null : { groups, states, ...(saved.length > 1 && { optimizers: saved.length }) });
}
