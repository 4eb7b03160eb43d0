/**
 * Where a formula changes its course: comparisons, rounding to whole numbers, minima and maxima, absolute values. Each is made a
 * scalar of its own over the formula's parameters, sizes and the indices around it, so that inputs on both sides can be found.
 */
import { call, integer } from './term/build.ts';
import { INTEGER, type IndexBinder, type Term } from './term/term.ts';
import { freeVariables, partsOf } from './term/traverse.ts';

/** A number or truth value that jumps somewhere among the inputs. */
export interface Switch {
  readonly value: Term;
  /** The indices that `value` mentions, outer ones first. */
  readonly indices: readonly IndexBinder[];
}

/** Formulas of models have hundreds, of which the first are enough for a search that is bounded anyway. */
const MOST_SWITCHES = 24;

interface Surroundings {
  readonly lets: readonly { readonly name: string; readonly value: Term }[];
  readonly indices: readonly IndexBinder[];
}

const comparisons: ReadonlySet<string> = new Set([
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
]);
const roundings: ReadonlySet<string> = new Set(['floor', 'ceiling', 'round', 'floor-divide', 'modulo', 'sign']);

/** What jumps in `term` itself, its parts aside; null if nothing does. */
function jumpIn(term: Term): Term | null {
  return term.kind === 'reduce' ? jumpInReduction(term) : term.kind === 'call' ? jumpInCall(term) : null;
}

/** The place of the largest or smallest element. */
function jumpInReduction(term: Term & { readonly kind: 'reduce' }): Term | null {
  const { operator, binders, condition } = term;
  if (binders.length !== 1 || condition !== null) return null;
  if (operator === 'argmax' || operator === 'argmin') return term;
  if (operator !== 'max' && operator !== 'min') return null;
  return { ...term, operator: operator === 'max' ? 'argmax' : 'argmin', type: INTEGER };
}

function jumpInCall(term: Term & { readonly kind: 'call' }): Term | null {
  const [a, b] = term.arguments;
  if (!a) return null;
  if (comparisons.has(term.fn)) return a.type.kind === 'string' ? null : term;
  if (term.fn === 'modulo') return b ? { ...term, fn: 'floor-divide', type: INTEGER } : null;
  if (roundings.has(term.fn)) return term;
  if (term.fn === 'absolute') return call('greater-equal', a, integer(0));
  if (term.fn === 'minimum' || term.fn === 'maximum' || term.fn === 'clamp') return b ? call('less', a, b) : null;
  return null;
}

/** The jump with what is around it, or null if it depends on nothing that a search can choose. */
function switchFrom(jump: Term, { lets, indices }: Surroundings): Switch | null {
  const value = lets.reduceRight<Term>(
    (body, one) =>
      freeVariables(body).has(one.name) ? { kind: 'let', ...one, body, type: body.type, origin: null } : body,
    jump,
  );
  const free = freeVariables(value);
  const used = indices.filter(({ name }) => free.has(name));
  const names = new Set(used.map(({ name }) => name));
  return names.size === used.length ? { value, indices: used } : null;
}

/** The switches of `formula` in the order in which they are written, at most {@link MOST_SWITCHES}; those of recurrences left out. */
export function switchesOf(formula: Term): readonly Switch[] {
  const found: Switch[] = [];
  const visit = (term: Term, around: Surroundings): void => {
    if (found.length >= MOST_SWITCHES || term.kind === 'recurrence') return;
    const jump = jumpIn(term);
    const one = jump && switchFrom(jump, around);
    if (one) found.push(one);
    if (term.kind === 'let') {
      visit(term.value, around);
      visit(term.body, { ...around, lets: [...around.lets, { name: term.name, value: term.value }] });
    } else if (term.kind === 'tabulate' || term.kind === 'reduce') {
      const inside = { ...around, indices: [...around.indices, ...term.binders] };
      if (term.kind === 'reduce' && term.condition) visit(term.condition, inside);
      visit(term.body, inside);
    } else {
      for (const part of partsOf(term)) visit(part, around);
    }
  };
  visit(formula, { lets: [], indices: [] });
  return found;
}
