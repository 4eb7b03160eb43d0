/** The Gallina text for each mathematical name, and what is known about indices. */
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { termKey } from '../../math/term/term-key.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { identifierOf } from './identifiers.ts';
import { atom, type Text } from './text.ts';

/** What is known at one place of the translation. */
export interface Scope {
  /** How Rocq interprets `+`, `<` and digits at this place: as real numbers or integers. */
  readonly reading: 'R' | 'Z';
  readonly texts: ReadonlyMap<string, Text>;
  readonly taken: ReadonlySet<string>;
  /** Indices and the ranges that they run over. */
  readonly ranges: ReadonlyMap<string, IndexBinder>;
  /** The elements of recurrences that may be read: those before the index. */
  readonly before: ReadonlyMap<string, string>;
}

/** Nothing is named, and numbers are real. */
export const emptyScope: Scope = {
  reading: 'R',
  texts: new Map(),
  taken: new Set(),
  ranges: new Map(),
  before: new Map(),
};

/** `name` bound to a new identifier; returns the identifier and the scope in which it is bound. */
export function bind(scope: Scope, name: string): readonly [identifier: string, inner: Scope] {
  const identifier = identifierOf(name.replace(/[~:]\d+$/, ''), scope.taken);
  return [identifier, withText(scope, name, atom(identifier), identifier)];
}

/** A scope in which `name` is written as `text`; ranges that mention the hidden name are forgotten. */
export function withText(scope: Scope, name: string, text: Text, identifier: string | null = null): Scope {
  // A range that speaks of another thing of this name says nothing here.
  const ranges = new Map(
    [...scope.ranges].filter(
      ([index, { from, to }]) => index !== name && !freeVariables(from).has(name) && !freeVariables(to).has(name),
    ),
  );
  const before = new Map(scope.before);
  before.delete(name);
  return {
    reading: scope.reading,
    texts: new Map(scope.texts).set(name, text),
    taken: identifier === null ? scope.taken : new Set(scope.taken).add(identifier),
    ranges,
    before,
  };
}

/** A fresh identifier for the binder's index, and the scope in which it has its range. */
export function bindIndex(scope: Scope, binder: IndexBinder): readonly [identifier: string, inner: Scope] {
  const [identifier, inner] = bind(scope, binder.name);
  return [identifier, { ...inner, ranges: new Map(inner.ranges).set(binder.name, binder) }];
}

/** Whether `index` is seen to lie in [0, size) without a proof. */
export function isPlainlyWithin(scope: Scope, index: Term, size: Term): boolean {
  if (index.kind === 'number' && size.kind === 'number')
    return Number(index.value) >= 0 && Number(index.value) < Number(size.value);
  if (index.kind !== 'variable') return false;
  const binder = scope.ranges.get(index.name);
  return (
    binder !== undefined &&
    binder.from.kind === 'number' &&
    Number(binder.from.value) >= 0 &&
    termKey(binder.to) === termKey(size)
  );
}
