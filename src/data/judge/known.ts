/**
 * What has been computed about bound inputs: which conditions hold, the values of defaults. Inputs that differ in one value
 * share everything that does not depend on it, so that a search for a fix computes only the rest.
 */
import type { DataModel } from '../../contract/goal.ts';
import type { Term } from '../../math/term/term.ts';
import type { BoundScalar } from './bound-input.ts';
import { restingOn } from './dependence.ts';
import type { Default } from './gathered.ts';
import type { BoundInputs } from './inputs.ts';

/** Indexed by the defaults being computed, which count as not given. */
export interface Known {
  readonly truths: Map<string, Map<Term, boolean | null>>;
  /** By input. */
  readonly defaults: Map<string, Map<string, Default>>;
}

interface Changed {
  readonly base: BoundInputs;
  /** The input with another value, and the inputs that rest on it. */
  readonly inputs: ReadonlySet<string>;
}

const known = new WeakMap<BoundInputs, Known>();
const changes = new WeakMap<BoundInputs, Changed>();

/** `bound` with another value of one input. */
export function withValue(model: DataModel, bound: BoundInputs, name: string, found: BoundScalar): BoundInputs {
  const changed = { ...bound, given: new Map(bound.given).set(name, found) };
  changes.set(changed, { base: bound, inputs: restingOn(model, name) });
  return changed;
}

/** What is known about `bound` concerning anything that mentions `names`; added to. */
export function knownOf(bound: BoundInputs, names: Iterable<string>): Known {
  const change = changes.get(bound);
  if (change && ![...names].some((name) => change.inputs.has(name))) return knownOf(change.base, names);
  let found = known.get(bound);
  if (!found) known.set(bound, (found = { truths: new Map(), defaults: new Map() }));
  return found;
}

/** The map under `key`, created on demand. */
export function under<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let found = maps.get(key);
  if (!found) maps.set(key, (found = new Map()));
  return found;
}
