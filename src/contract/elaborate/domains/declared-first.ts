/** The order in which the relations of a domain are read: `0 ≤ t ≤ T, T ≥ 1` declares T after it is used. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { isBuiltinWord } from '../operators/builtins.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';

/**
 * The same sentences, where those that compare a single new name with numbers come before one that uses that name next to another
 * new one: a comparison of two names that nothing declares says the type of neither.
 */
export function declaredFirst<T extends { readonly statement: Statement }>(
  sentences: readonly T[],
  scope: Scope,
): readonly T[] {
  const newIn = ({ statement: { body } }: T): readonly string[] => [
    ...new Set(namesOf(body).filter((name) => lookup(scope, name) === null && !isBuiltinWord(name))),
  ];
  const left = [...sentences];
  const out: T[] = [];
  const known = new Set<string>();
  while (left.length > 0) {
    const [first] = left;
    if (!first) break;
    const open = newIn(first).filter((name) => !known.has(name));
    const at = open.length < 2 ? 0 : left.findIndex((one) => declaresOneOf(one.statement, newIn(one), open));
    const [taken] = left.splice(Math.max(at, 0), 1);
    if (!taken) break;
    for (const name of newIn(taken)) known.add(name);
    out.push(taken);
  }
  return out;
}

/** Those that compare a single new name with numbers, where the interval of another input has that name: `t ∈ [0, T], T > 0`. */
export function endsOfIntervals<T extends { readonly statement: Statement }>(
  sentences: readonly T[],
  scope: Scope,
): ReadonlySet<T> {
  const ends = sentences.flatMap(({ statement: { body } }) => {
    const [, within, more] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    return within?.kind === 'interval' && more === undefined ? namesOf(within) : [];
  });
  const open = ends.filter((name) => lookup(scope, name) === null && !isBuiltinWord(name));
  return new Set(
    sentences.filter((one) => declaresOneOf(one.statement, [...new Set(namesOf(one.statement.body))], open)),
  );
}

/** The same sentences, where `n ∈ {0, …, N-1}` comes after the `N ∈ ℕ` that declares its end. */
export function endsFirst<T extends { readonly statement: Statement }>(
  sentences: readonly T[],
  scope: Scope,
): readonly T[] {
  const declared = sentences.map(({ statement: { body } }) => {
    const [name, set, more] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    return name?.kind === 'name' && set?.kind === 'name' && !more && lookup(scope, name.text) === null
      ? name.text
      : null;
  });
  const waits = sentences.map(({ statement: { body } }, i) => {
    const [, set] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
    const ends = set?.kind === 'set' && set.ellipsis ? namesOf(set) : [];
    return ends.some((name) => declared.lastIndexOf(name) > i);
  });
  return [...sentences.filter((_, i) => waits[i] !== true), ...sentences.filter((_, i) => waits[i] === true)];
}

function declaresOneOf(
  { body, conditions, binders }: Statement,
  names: readonly string[],
  open: readonly string[],
): boolean {
  const [name, more] = names;
  const isPlain = conditions.length + binders.length === 0 && body.kind === 'relation' && more === undefined;
  const isOrder = body.kind === 'relation' && body.operators.every((operator) => '<>≤≥'.includes(operator));
  return isPlain && isOrder && name !== undefined && open.includes(name) && body.operands.every(isNameOrNumber);
}

const isNameOrNumber = ({ kind }: Expression): boolean => kind === 'name' || kind === 'number' || kind === 'infinity';
