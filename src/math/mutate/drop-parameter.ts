import { integer, tabulate } from '../term/build.ts';
import { INTEGER, type Term } from '../term/term.ts';
import { mapParts } from '../term/traverse.ts';

/**
 * `term` with every use of the free variable `name` replaced by a constant (a tensor by one filled with it).
 * Inside a `let` or binder of the same name nothing is replaced.
 */
export function dropParameter(term: Term, name: string, value: 0 | 1): Term {
  const change = (at: Term): Term => {
    if (at.kind === 'variable') return at.name === name ? constantLike(at, value) : at;
    if (at.kind === 'element' && at.tensor.kind === 'variable' && at.tensor.name === name) return integer(value);
    if (at.kind === 'let') return at.name === name ? { ...at, value: change(at.value) } : mapLets(at, change, name);
    if (at.kind === 'recurrence' && at.name === name) return at;
    if (
      (at.kind === 'tabulate' || at.kind === 'recurrence' || at.kind === 'reduce') &&
      at.binders.some((binder) => binder.name === name)
    )
      return at;
    return mapParts(at, change);
  };
  return change(term);
}

/** A chain of `let` in a loop, since such chains are long. */
function mapLets(start: Extract<Term, { kind: 'let' }>, change: (term: Term) => Term, stop: string): Term {
  const lets: Extract<Term, { kind: 'let' }>[] = [];
  let at: Term = start;
  for (; at.kind === 'let' && at.name !== stop; at = at.body) lets.push({ ...at, value: change(at.value) });
  let body = change(at);
  for (const outer of lets.reverse()) body = { ...outer, body };
  return body;
}

function constantLike(variable: Term, value: 0 | 1): Term {
  const { type } = variable;
  if (type.kind === 'boolean') return { kind: 'boolean', value: value === 1, type, origin: null };
  if (type.kind !== 'tensor') return integer(value);
  const binders = type.shape.map((to, axis) => ({
    name: `dropped:${axis}`,
    from: { ...integer(0), type: INTEGER },
    to,
  }));
  return tabulate(binders, integer(value), type.element);
}
