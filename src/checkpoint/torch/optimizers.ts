/** Several optimizers of one run: a list of states, as Lightning saves them, or a dict with a name for each. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import type { OpenedTorch } from '../checkpoint-files.ts';
import { inFile } from '../checkpoint-files.ts';
import type { OptimizerState } from '../checkpoint.ts';
import { scalarOf } from '../numbers.ts';
import { findTensor } from '../weights.ts';
import { optimizerState } from './training-state.ts';

/** A state, and what reports call it: empty if it is the only one. */
type Labelled = readonly [label: string, state: Pickled];

const isState = (value: Pickled): boolean => {
  const entries = entriesOf(value);
  return entries?.has('state') === true && entries.has('param_groups');
};

/** Empty if the value is neither the state of an optimizer nor several of them. */
function statesIn(key: string, value: Pickled): readonly Labelled[] {
  if (isState(value)) return [['', value]];
  const items = itemsOf(value)?.map((item, i): Labelled => [`${key}[${i}].`, item]);
  const members = [...(entriesOf(value) ?? [])].map(([name, item], i): Labelled => [
    `${key}.${typeof name === 'string' ? name : i}.`,
    item,
  ]);
  const all = items ?? members;
  if (!all.every(([, state]) => isState(state))) return [];
  return all.length === 1 ? all.map(([, state]) => ['', state]) : all;
}

/** The optimizers under `key` of a saved dict, in their order; a problem names the file. */
export async function optimizersIn(
  opened: OpenedTorch,
  file: string,
  key: string,
  value: Pickled,
): Promise<Result<readonly OptimizerState[], Problem>> {
  const found: OptimizerState[] = [];
  for (const [label, state] of statesIn(key, value)) {
    const read = await optimizerState(
      state,
      (item, called) => findTensor(opened, file, item, label + called),
      scalarOf,
    );
    if (!read.ok) return inFile(file, read.error);
    found.push(read.value);
  }
  return ok(found);
}

/** The groups and states of all, whose parameters are numbered on from one to the next; null for none. */
export function together(optimizers: readonly OptimizerState[]): OptimizerState | null {
  if (optimizers.length <= 1) return optimizers[0] ?? null;
  let first = 0;
  const shifted = optimizers.map(({ groups, states }): OptimizerState => {
    const from = first;
    const used = [...groups.flatMap(({ parameters }) => parameters), ...states.map(({ index }) => index)];
    first += used.reduce((most, index) => Math.max(most, index + 1), 0);
    return {
      groups: groups.map((group) => ({ ...group, parameters: group.parameters.map((index) => from + index) })),
      states: states.map((state) => ({ ...state, index: from + state.index })),
    };
  });
  return { groups: shifted.flatMap(({ groups }) => groups), states: shifted.flatMap(({ states }) => states) };
}
