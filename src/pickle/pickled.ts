/**
 * What a pickle describes, as inert data. A pickle is a program that builds Python objects by calling functions; here a function
 * is only its name, and a call is a record of what would have been called.
 */

/** A value of a pickle. Integers beyond 2^53 are bigints. */
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PickledList
  | PickledDict
  | PickledGlobal
  | PickledCall
  | PickledPersistent;

/** A list, tuple or set. Empty ones may share their array. */
interface PickledList {
  readonly kind: 'list' | 'tuple' | 'set';
  items: readonly Pickled[];
}

/** A dict, in the order of its insertions. Empty ones may share their map. */
interface PickledDict {
  readonly kind: 'dict';
  entries: ReadonlyMap<Pickled, Pickled>;
}

/** A class or function by its name, such as `collections.OrderedDict`. It is never imported. */
interface PickledGlobal {
  readonly kind: 'global';
  /** Module and name, with a dot between them. */
  readonly name: string;
}

/** An object that Python would have made by calling `callable`; nothing was called. */
interface PickledCall {
  readonly kind: 'call';
  readonly callable: Pickled;
  readonly arguments: Pickled;
  /** Its state (`BUILD`), or null. */
  state: Pickled;
  /** What was appended to it, as to a list. */
  items: readonly Pickled[];
  /** What was set in it, as in a dict. */
  entries: ReadonlyMap<Pickled, Pickled>;
}

/** An object kept outside the pickle, such as the storage of a tensor. */
interface PickledPersistent {
  readonly kind: 'persistent';
  readonly id: Pickled;
}

type Kinds = { list: PickledList; tuple: PickledList; set: PickledList; dict: PickledDict } & {
  global: PickledGlobal;
  call: PickledCall;
  persistent: PickledPersistent;
};

/** Whether `value` is of this kind. */
export function isPickled<K extends keyof Kinds>(value: Pickled | undefined, kind: K): value is Kinds[K] {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

/** The entries of a dict, or of an object that behaves like one (`collections.OrderedDict`); null for anything else. */
export function entriesOf(value: Pickled | undefined): ReadonlyMap<Pickled, Pickled> | null {
  if (isPickled(value, 'dict')) return value.entries;
  return isPickled(value, 'call') && nameOf(value.callable) === 'collections.OrderedDict' ? value.entries : null;
}

/** The name of a global; null for anything else. */
export const nameOf = (value: Pickled | undefined): string | null => (isPickled(value, 'global') ? value.name : null);

/** The items of a list or tuple; null for anything else. */
export const itemsOf = (value: Pickled | undefined): readonly Pickled[] | null =>
  isPickled(value, 'list') || isPickled(value, 'tuple') ? value.items : null;
