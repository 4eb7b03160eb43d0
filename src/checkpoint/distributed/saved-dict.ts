/**
 * The dict that torch.distributed.checkpoint took apart, put together again: by paths of keys, and its optimizers in the form of
 * `Optimizer.state_dict()`.
 *
 * Source: PyTorch 2.x, torch/distributed/checkpoint/state_dict.py (`get_state_dict`, `flatten_optimizer_state_dict`).
 */
import { entriesOf, itemsOf, type Pickled } from '../../pickle/pickled.ts';

/** Puts every value at its path. */
export function nestedDict(
  values: Iterable<readonly [path: readonly string[], value: Pickled]>,
): ReadonlyMap<Pickled, Pickled> {
  const root = new Map<Pickled, Pickled>();
  const made = new Map<Pickled, Map<Pickled, Pickled>>();
  for (const [path, value] of values) {
    let inside = root;
    for (const key of path.slice(0, -1)) {
      const known = made.get(inside.get(key) ?? null);
      const entries = known ?? new Map<Pickled, Pickled>();
      if (known === undefined) {
        const dict: Pickled = { kind: 'dict', entries };
        made.set(dict, entries);
        inside.set(key, dict);
      }
      inside = entries;
    }
    inside.set(path.at(-1) ?? '', value);
  }
  return root;
}

/** The key under which an application has its whole state, as `app` of PyTorch's tutorial; null if there is none. */
export function wrapperKey(paths: readonly (readonly string[])[], known: ReadonlySet<string>): string | null {
  if (paths.some(([key = '']) => known.has(key))) return null;
  const [wrapper = null, ...more] = new Set(paths.flatMap(([key = '', next = '']) => (known.has(next) ? [key] : [])));
  return more.length === 0 ? wrapper : null;
}

type Entries = ReadonlyMap<Pickled, Pickled>;

interface Parts {
  /** By the names or numbers of parameters. */
  readonly states: Entries;
  readonly groups: readonly Pickled[];
}

/** What `Optimizer.state_dict()` would have given, with parameters by number; null if `value` is not the state of an optimizer. */
export function optimizerDict(value: Pickled | undefined): Pickled | null {
  const entries = entriesOf(value);
  const parts = entries && (nested(entries) ?? flattened(entries));
  return parts && numbered(parts);
}

function nested(entries: Entries): Parts | null {
  const saved = entries.get('param_groups');
  const numberedGroups = [...(entriesOf(saved) ?? [])];
  const inOrder = numberedGroups.every(([key]) => typeof key === 'string' && /^\d+$/u.test(key))
    ? numberedGroups.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, group]) => group)
    : [];
  const groups = itemsOf(saved) ?? inOrder;
  // SGD without momentum keeps nothing, and what is empty is not written.
  const states = entriesOf(entries.get('state')) ?? new Map();
  return groups.length > 0 && groups.every((group) => entriesOf(group) !== null) ? { states, groups } : null;
}

/** Of keys such as `state.fc.weight.exp_avg` and `param_groups.fc.weight.lr`. */
function flattened(entries: Entries): Parts | null {
  const [states, settings] = [new Map<string, Map<Pickled, Pickled>>(), new Map<string, Map<Pickled, Pickled>>()];
  for (const [key, value] of entries) {
    const [, part, name = '', field = ''] =
      (typeof key === 'string' && /^(state|param_groups)\.(.+)\.([^.]+)$/su.exec(key)) || [];
    if (part === undefined) return null;
    const all = part === 'state' ? states : settings;
    const own = all.get(name) ?? new Map<Pickled, Pickled>();
    all.set(name, own.set(field, value));
  }
  if (settings.size === 0) return null;
  const groups = new Map<string, { readonly own: Entries; readonly names: string[] }>();
  for (const [name, own] of settings) {
    const form = [...own].map(([field, value]) => `${textOf(field)} ${textOf(value)}`).join('\n');
    const group = groups.get(form) ?? { own, names: [] };
    group.names.push(name);
    groups.set(form, group);
  }
  return {
    states: new Map([...states].map(([name, own]) => [name, { kind: 'dict', entries: own }])),
    groups: [...groups.values()].map(({ own, names }) => ({
      kind: 'dict',
      entries: new Map([...own, ['params', { kind: 'list', items: names }]]),
    })),
  };
}

/** Tells apart settings, which are numbers and short lists of them. */
const textOf = (value: Pickled): string =>
  itemsOf(value)
    ?.map((item) => (typeof item === 'object' ? '?' : String(item)))
    .join() ?? (typeof value === 'object' && value !== null ? '?' : String(value));

const paramsOf = (group: Pickled): readonly Pickled[] => itemsOf(entriesOf(group)?.get('params')) ?? [];

/** Parameters in the order of the groups; those that only have a state follow. */
function numbered({ states, groups }: Parts): Pickled {
  const nameOf = (key: Pickled): string => (typeof key === 'object' ? '?' : String(key));
  const names = new Set([...groups.flatMap(paramsOf), ...states.keys()].map(nameOf));
  const numbers = new Map([...names].map((name, i) => [name, i]));
  const numberOf = (key: Pickled): number => numbers.get(nameOf(key)) ?? 0;
  const renumbered = groups.map((group): Pickled => ({
    kind: 'dict',
    entries: new Map([...(entriesOf(group) ?? []), ['params', { kind: 'list', items: paramsOf(group).map(numberOf) }]]),
  }));
  return {
    kind: 'dict',
    entries: new Map<Pickled, Pickled>([
      ['state', { kind: 'dict', entries: new Map([...states].map(([key, state]) => [numberOf(key), state])) }],
      ['param_groups', { kind: 'list', items: renumbered }],
    ]),
  };
}
