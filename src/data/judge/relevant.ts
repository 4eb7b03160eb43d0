/**
 * A claim without the parts that its inputs switch off, so that only what its value depends on has to be known: of `{ a if p; b
 * otherwise }` the branch taken, of `p ⟹ q` only `p` if `p` is false.
 */
import { boolean } from '../../math/term/build.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables, mapParts } from '../../math/term/traverse.ts';
import { implicationOf } from './claim-parts.ts';

/** Whether a condition holds; null if it cannot be known from what is given. */
export type TruthOf = (condition: Term) => boolean | null;

interface Let {
  readonly name: string;
  readonly value: Term;
}

interface Around {
  readonly truthOf: TruthOf;
  /** Shared values, outermost first. */
  readonly lets: readonly Let[];
  /** Index variables: what mentions them differs from row to row. */
  readonly bound: ReadonlySet<string>;
}

/** The conditions of a term in the order of evaluation, each with what follows from its value. */
type Decisions =
  | { readonly condition: Term; readonly next: Map<boolean | null, Decisions> }
  | { readonly condition: null; readonly part: Term };

const decided = new WeakMap<Term, Decisions>();

/**
 * `term` with the same value, and with fewer free variables where conditions are known.
 * The same answers give the same object, so that what is known about it need not be recomputed.
 */
export function relevantPart(term: Term, truthOf: TruthOf): Term {
  const answers: (boolean | null)[] = [];
  let at = decided.get(term);
  while (at && at.condition !== null) {
    const truth = truthOf(at.condition);
    answers.push(truth);
    at = at.next.get(truth);
  }
  return at ? at.part : decide(term, answers, truthOf);
}

/** Decides `term`, whose first conditions have these answers, and records the path. */
function decide(term: Term, answers: readonly (boolean | null)[], truthOf: TruthOf): Term {
  const way: Answered[] = [];
  const noting: TruthOf = (condition) => {
    const answer = answers[way.length];
    const truth = answer === undefined ? truthOf(condition) : answer;
    way.push({ condition, truth });
    return truth;
  };
  const part = visit(term, { truthOf: noting, lets: [], bound: new Set() });
  note(term, way, part);
  return part;
}

interface Answered {
  readonly condition: Term;
  readonly truth: boolean | null;
}

function note(term: Term, way: readonly Answered[], part: Term): void {
  let put = (decisions: Decisions): void => void decided.set(term, decisions);
  let shared = 0;
  for (let at = decided.get(term); at && at.condition !== null; shared++) {
    const { next } = at;
    const truth = way[shared]?.truth ?? null;
    put = (decisions) => void next.set(truth, decisions);
    at = next.get(truth);
  }
  const rest = way
    .slice(shared)
    .reduceRight<Decisions>((next, { condition, truth }) => ({ condition, next: new Map([[truth, next]]) }), {
      condition: null,
      part,
    });
  put(rest);
}

function visit(term: Term, around: Around): Term {
  switch (term.kind) {
    case 'let':
      return visitLets(term, around);
    case 'if': {
      const condition = visit(term.condition, around);
      const truth = known(condition, around);
      if (truth !== null) return visit(truth ? term.then : term.otherwise, around);
      return { ...term, condition, then: visit(term.then, around), otherwise: visit(term.otherwise, around) };
    }
    case 'call': {
      const implication = implicationOf(term);
      if (!implication) return mapParts(term, same(around));
      const premise = visit(implication.premise, around);
      const silent = known(premise, around) === false;
      return { ...term, arguments: [premise, silent ? boolean(true) : visit(implication.conclusion, around)] };
    }
    case 'reduce': {
      const inside = { ...around, bound: new Set([...around.bound, ...term.binders.map(({ name }) => name)]) };
      const relevant = mapParts(term, same(inside));
      const body = relevant.kind === 'reduce' && term.operator === 'all' ? relevant.body : null;
      // A claim about every row whose premise mentions no row is not about rows.
      return body && isSilent(body, inside) ? body : relevant;
    }
    case 'tabulate':
    case 'recurrence': {
      const names = [...term.binders.map(({ name }) => name), ...(term.kind === 'recurrence' ? [term.name] : [])];
      return mapParts(term, same({ ...around, bound: new Set([...around.bound, ...names]) }));
    }
    default:
      return mapParts(term, same(around));
  }
}

const same =
  (around: Around) =>
  (part: Term): Term =>
    visit(part, around);

/** Chains of shared values are long, so they are walked in a loop; unused ones are dropped. */
function visitLets(start: Term, around: Around): Term {
  const lets: (Let & { readonly node: Extract<Term, { kind: 'let' }> })[] = [];
  let term = start;
  while (term.kind === 'let') {
    const inside = { ...around, lets: [...around.lets, ...lets] };
    lets.push({ name: term.name, value: visit(term.value, inside), node: term });
    term = term.body;
  }
  let result = visit(term, { ...around, lets: [...around.lets, ...lets] });
  for (const { name, value, node } of lets.toReversed())
    if (freeVariables(result).has(name)) result = { ...node, value, body: result };
  return result;
}

function known(condition: Term, { truthOf, lets, bound }: Around): boolean | null {
  let whole = condition;
  for (const { name, value } of lets.toReversed())
    if (freeVariables(whole).has(name))
      whole = { kind: 'let', name, value, body: whole, type: whole.type, origin: null };
  return [...freeVariables(whole)].some((name) => bound.has(name)) ? null : truthOf(whole);
}

function isSilent(term: Term, around: Around): boolean {
  const implication = implicationOf(term);
  return implication?.conclusion.kind === 'boolean' && known(implication.premise, around) === false;
}
