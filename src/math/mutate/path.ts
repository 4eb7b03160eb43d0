import { invariant, PvBug } from '../../base/invariant.ts';
import type { IndexBinder, Term } from '../term/term.ts';
import { partsOf } from '../term/traverse.ts';

/** The place of a subterm: positions in `partsOf`, from the root. */
export type Path = readonly number[];

/** `term` with the part at `position` (in the order of `partsOf`) replaced. */
function withPart(term: Term, position: number, part: Term): Term {
  const swap = (terms: readonly Term[], first: number): Term[] =>
    terms.map((old, k) => (first + k === position ? part : old));
  switch (term.kind) {
    case 'call':
      return { ...term, arguments: swap(term.arguments, 0) };
    case 'apply':
      return { ...term, arguments: swap(term.arguments, 0), sizes: swap(term.sizes, term.arguments.length) };
    case 'if': {
      const [condition = term.condition, then = term.then, otherwise = term.otherwise] = swap(
        [term.condition, term.then, term.otherwise],
        0,
      );
      return { ...term, condition, then, otherwise };
    }
    case 'element':
      return { ...term, tensor: position === 0 ? part : term.tensor, indices: swap(term.indices, 1) };
    case 'let':
      return position === 0 ? { ...term, value: part } : { ...term, body: part };
    case 'tabulate':
    case 'recurrence':
    case 'reduce':
      return withBoundPart(term, position, part);
    default:
      throw new PvBug('a leaf has no parts');
  }
}

function withBoundPart(
  term: Extract<Term, { kind: 'tabulate' | 'recurrence' | 'reduce' }>,
  position: number,
  part: Term,
): Term {
  const ranges = 2 * term.binders.length;
  if (position >= ranges) {
    const condition = term.kind === 'reduce' && term.condition !== null && position === ranges;
    return condition ? { ...term, condition: part } : { ...term, body: part };
  }
  const binders = term.binders.map((binder, k): IndexBinder => {
    if (position === 2 * k) return { ...binder, from: part };
    return position === 2 * k + 1 ? { ...binder, to: part } : binder;
  });
  return { ...term, binders };
}

/** `root` with the subterm at `path` replaced. A loop, since chains of `let` make paths long. */
export function replaceAt(root: Term, path: Path, replacement: Term): Term {
  const ancestors: Term[] = [];
  let at = root;
  for (const position of path) {
    ancestors.push(at);
    const next = partsOf(at)[position];
    invariant(next, 'a path leads to a subterm');
    at = next;
  }
  let result = replacement;
  for (let k = ancestors.length - 1; k >= 0; k--) {
    const ancestor = ancestors[k];
    const position = path[k];
    if (ancestor && position !== undefined) result = withPart(ancestor, position, result);
  }
  return result;
}
