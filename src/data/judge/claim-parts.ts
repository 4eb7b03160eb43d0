/** A claim as parts that are judged one by one: what must hold for every row, and what must hold overall. */
import { present } from '../../base/invariant.ts';
import { call, letIn } from '../../math/term/build.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';

/** One implication of a claim: its premise, if any, and its conclusion. */
export interface ClaimPart {
  /** Shared values, outermost first; each may mention the earlier ones. */
  readonly lets: readonly { readonly name: string; readonly value: Term }[];
  /** The row that the part is about; null if it is about the whole. */
  readonly row: IndexBinder | null;
  /** What must hold for the part to say anything; null if it always does. */
  readonly premise: Term | null;
  readonly conclusion: Term;
}

/** The two sides of `p ⟹ q`; null for any other term. */
export function implicationOf(term: Term): { readonly premise: Term; readonly conclusion: Term } | null {
  if (term.kind !== 'call' || term.fn !== 'implies') return null;
  const [premise, conclusion] = term.arguments;
  return { premise: present(premise, twoSides), conclusion: present(conclusion, twoSides) };
}

const twoSides = 'an implication has two sides';

/** The parts of a predicate; together they hold exactly when it does. */
export function partsOfClaim(predicate: Term): readonly ClaimPart[] {
  return split(predicate, { lets: [], row: null, premise: null });
}

type Around = Omit<ClaimPart, 'conclusion'>;

function split(start: Term, around: Around): readonly ClaimPart[] {
  let term = start;
  const lets = [...around.lets];
  // A value that is shared within a row is kept with the row, below.
  while (term.kind === 'let' && around.row === null) {
    lets.push({ name: term.name, value: term.value });
    term = term.body;
  }
  const here: Around = { ...around, lets };
  if (term.kind === 'let') {
    const shared = term;
    return split(term.body, { ...here, premise: null }).map((part) => ({
      ...part,
      premise: joined(here.premise, part.premise && within(shared, part.premise)),
      conclusion: within(shared, part.conclusion),
    }));
  }
  if (term.kind === 'call' && here.row === null && here.premise === null && term.fn === 'and')
    return term.arguments.flatMap((part) => split(part, here));
  if (term.kind === 'reduce' && term.operator === 'all' && here.row === null && term.binders.length === 1) {
    const [row] = term.binders;
    if (row) return split(term.body, { ...here, row, premise: joined(here.premise, term.condition) });
  }
  const implication = implicationOf(term);
  if (implication)
    return split(implication.conclusion, { ...here, premise: joined(here.premise, implication.premise) });
  return [{ ...here, conclusion: term }];
}

/** `term` below a shared value that it may mention. */
function within(shared: Extract<Term, { kind: 'let' }>, term: Term): Term {
  return { ...shared, body: term, type: term.type };
}

function joined(a: Term | null, b: Term | null): Term | null {
  return a && b ? call('and', a, b) : (a ?? b);
}

/** `term` with the shared values of the part around it. */
export function withLets({ lets }: ClaimPart, term: Term): Term {
  return lets.reduceRight((body, { name, value }) => letIn(name, value, body), term);
}
