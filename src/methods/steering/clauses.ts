/**
 * A claim as implications between comparisons of scalars: what inputs must satisfy for it to say something, and what it then says of
 * them.
 */
import type { FunctionName } from '../../math/functions.ts';
import { conjunction } from '../../math/term/build.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables, partsOf, substitute, termSize } from '../../math/term/traverse.ts';

/** One comparison, `left fn right`. */
export interface Comparison {
  readonly fn: FunctionName;
  readonly left: Term;
  readonly right: Term;
  readonly whole: Term;
}

/** One implication; without a premise a plain statement. */
export interface Clause {
  readonly premises: readonly Comparison[];
  readonly claims: readonly Comparison[];
}

/** Claims say a few things; those that say more are quantified, or generated. */
const mostClauses = 16;
/** Larger terms take long to evaluate as often as a search does. */
const mostNodes = 400;

const comparisons: ReadonlySet<FunctionName> = new Set([
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
  'approximately',
]);

/** The implications of `predicate` as far as they compare scalars among `names`. */
export function clausesOf(predicate: Term, names: ReadonlySet<string>): readonly Clause[] {
  const found: Clause[] = [];
  const visit = (term: Term, premises: readonly Term[]): void => {
    if (found.length >= mostClauses) return;
    const [a, b] = term.kind === 'call' ? term.arguments : [];
    if (term.kind === 'call' && a && b && term.fn === 'implies')
      for (const way of waysOf(a)) visit(b, [...premises, ...way]);
    else if (term.kind === 'call' && a && b && term.fn === 'and') for (const part of [a, b]) visit(part, premises);
    else found.push({ premises: comparisonsIn(premises, names), claims: comparisonsIn([term], names) });
  };
  visit(withoutLets(predicate), []);
  return found;
}

/** The alternatives of a premise, each as a conjunction. */
function waysOf(premise: Term): readonly (readonly Term[])[] {
  const [a, b] = premise.kind === 'call' ? premise.arguments : [];
  if (premise.kind !== 'call' || !a || !b) return [[premise]];
  if (premise.fn === 'or') return [...waysOf(a), ...waysOf(b)].slice(0, mostClauses);
  if (premise.fn !== 'and') return [[premise]];
  return waysOf(a)
    .flatMap((left) => waysOf(b).map((right) => [...left, ...right]))
    .slice(0, mostClauses);
}

function comparisonsIn(terms: readonly Term[], names: ReadonlySet<string>): readonly Comparison[] {
  return terms.flatMap((whole) => {
    const [left, right] = whole.kind === 'call' ? whole.arguments : [];
    if (whole.kind !== 'call' || !left || !right || !comparisons.has(whole.fn)) return [];
    const isUsable =
      termSize(whole) <= mostNodes && isScalar(whole) && [...freeVariables(whole)].every((name) => names.has(name));
    return isUsable ? [{ fn: whole.fn, left, right, whole }] : [];
  });
}

/** Without tensors, loops and strings. */
function isScalar(term: Term): boolean {
  const isPlain = term.kind === 'call' || term.kind === 'if' || term.kind === 'variable' || term.kind === 'number';
  return isPlain && term.type.kind !== 'tensor' && term.type.kind !== 'string' && partsOf(term).every(isScalar);
}

/** The term with the value of every `let` in place of its name, wherever that does not make it too large. */
function withoutLets(term: Term): Term {
  let fresh = 0;
  const inlined = (part: Term, values: ReadonlyMap<string, Term>): Term => {
    if (part.kind === 'let') {
      const value = inlined(part.value, values);
      return inlined(part.body, new Map(values).set(part.name, value));
    }
    if (part.kind !== 'call') return substitute(part, values, (hint) => `${hint}'${fresh++}`);
    return { ...part, arguments: part.arguments.map((one) => inlined(one, values)) };
  };
  return termSize(term) > 10 * mostNodes ? conjunction([]) : inlined(term, new Map());
}
