/**
 * Reads outside an array. An element such as `x_{i+j-p}` has a meaning only inside of x, so a formula that reads outside
 * says less than it seems to. Such reads are searched for at small sizes and reported with the values at which they
 * happen. So every finding is real. An index that is an input is taken at its bounds; any other that depends on data is left to the
 * run.
 */
import type { Range } from '../../../diagnostics/source.ts';
import type { Domain } from '../../../math/domain.ts';
import { printTerm } from '../../../math/term/print-term.ts';
import { shapeOf } from '../../../math/term/types.ts';
import type { IndexBinder, Term } from '../../../math/term/term.ts';
import { freeVariables, partsOf } from '../../../math/term/traverse.ts';
import type { Context } from '../context/context.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';
import { evaluateTruth } from '../context/evaluate-truth.ts';
import { sizeCases } from './size-cases.ts';

/** Nodes visited before the search ends, per formula: a few milliseconds. */
const maximumVisits = 10_000;
/** Longer ranges are walked at both ends only. */
const walked = { whole: 12, end: 4 } as const;

type Element = Extract<Term, { kind: 'element' }>;

interface Stray {
  readonly origin: Range | null;
  readonly axis: number;
  readonly size: Term;
  readonly place: number;
  readonly length: number;
  /** What the index and the size are made of. */
  readonly values: readonly (readonly [name: string, value: number])[];
}

interface Search {
  readonly domain: Domain;
  readonly wanted: (element: Element) => boolean;
  readonly watched: Map<Term, boolean>;
  readonly values: Map<string, number>;
  visits: number;
  found: Stray | null;
}

/** Records a problem when an element that `terms` read at an index of ctx.reads can lie outside its array. */
export function checkReads(ctx: Context, terms: readonly Term[], domain: Domain): void {
  if (ctx.problem || ctx.reads.size === 0) return;
  const found = strayIn(terms, domain, ({ origin }) => origin !== null && ctx.reads.has(origin));
  if (found) report(ctx, found);
}

/** Whether any element that `term` reads can lie outside its array, which PV-4025 refuses in a contract. */
export function readsOutside(term: Term, domain: Domain): boolean {
  return strayIn([term], domain, () => true) !== null;
}

function strayIn(terms: readonly Term[], domain: Domain, wanted: Search['wanted']): Stray | null {
  const watched = new Map<Term, boolean>();
  let visits = 0;
  for (const sizes of sizeCases(domain)) {
    const search: Search = { domain, wanted, watched, values: new Map(sizes), visits, found: null };
    for (const term of terms) walk(search, term);
    if (search.found) return search.found;
    visits = search.visits;
    if (visits > maximumVisits) return null;
  }
  return null;
}

/** Whether a read of interest occurs in `term`. */
function isWatched(search: Search, term: Term): boolean {
  const known = search.watched.get(term);
  if (known !== undefined) return known;
  const own = term.kind === 'element' && search.wanted(term);
  const watched = own || partsOf(term).some((part) => isWatched(search, part));
  search.watched.set(term, watched);
  return watched;
}

function walk(search: Search, term: Term): void {
  if (search.found || ++search.visits > maximumVisits || !isWatched(search, term)) return;
  switch (term.kind) {
    case 'let':
      walk(search, term.value);
      withValue(search, term.name, evaluateNumber(term.value, search.values), () => walk(search, term.body));
      return;
    case 'if':
      walk(search, term.condition);
      walkBranch(search, term);
      return;
    case 'call':
      walkCall(search, term);
      return;
    case 'tabulate':
    case 'recurrence':
    case 'reduce':
      walkLoops(search, term, term.binders);
      return;
    case 'element':
      for (const part of partsOf(term)) walk(search, part);
      checkElement(search, term);
      return;
    default:
      for (const part of partsOf(term)) walk(search, part);
  }
}

/** A condition that depends on data guards both of its branches. */
function walkBranch(search: Search, { condition, then, otherwise }: Extract<Term, { kind: 'if' }>): void {
  const truth = evaluateTruth(condition, search.values);
  if (truth !== null) walk(search, truth ? then : otherwise);
}

/** The right side of ∧, ∨ and ⟹ matters only where the left side does not decide. */
function walkCall(search: Search, term: Extract<Term, { kind: 'call' }>): void {
  const [left, right] = term.arguments;
  const guards = term.fn === 'and' || term.fn === 'implies' || term.fn === 'or';
  if (!guards || !left || !right) {
    for (const part of term.arguments) walk(search, part);
    return;
  }
  walk(search, left);
  if (evaluateTruth(left, search.values) === (term.fn !== 'or')) walk(search, right);
}

function walkLoops(
  search: Search,
  term: Extract<Term, { kind: 'tabulate' | 'recurrence' | 'reduce' }>,
  binders: readonly IndexBinder[],
): void {
  const [binder, ...inner] = binders;
  if (!binder) {
    const condition = term.kind === 'reduce' ? term.condition : null;
    if (condition) walk(search, condition);
    if (condition === null || evaluateTruth(condition, search.values) === true) walk(search, term.body);
    return;
  }
  walk(search, binder.from);
  walk(search, binder.to);
  const [from, to] = [evaluateNumber(binder.from, search.values), evaluateNumber(binder.to, search.values)];
  if (from === null || to === null) return;
  for (const value of valuesBetween(from, to))
    withValue(search, binder.name, value, () => walkLoops(search, term, inner));
}

function valuesBetween(from: number, to: number): readonly number[] {
  const count = Math.max(0, Math.ceil(to - from));
  if (count <= walked.whole) return Array.from({ length: count }, (_, i) => from + i);
  return Array.from({ length: 2 * walked.end }, (_, i) =>
    i < walked.end ? from + i : from + count - 2 * walked.end + i,
  );
}

/** Runs `inside` with `name` bound to `value`, or to an unknown value if that is null. */
function withValue(search: Search, name: string, value: number | null, inside: () => void): void {
  const before = search.values.get(name);
  if (value === null) search.values.delete(name);
  else search.values.set(name, value);
  inside();
  if (before === undefined) search.values.delete(name);
  else search.values.set(name, before);
}

function checkElement(search: Search, term: Element): void {
  const { origin } = term;
  if (search.found || !search.wanted(term)) return;
  const shape = shapeOf(term.tensor.type);
  term.indices.forEach((index, axis) => {
    const size = shape[axis];
    const length = size ? evaluateNumber(size, search.values) : null;
    const place = placesOf(search, index).find((one) => length !== null && !(one >= 0 && one < length));
    if (!size || place === undefined || length === null) return;
    const names = new Set([...freeVariables(size), ...freeVariables(index)]);
    const values = [...search.values].filter(([name]) => names.has(name));
    search.found ??= { origin, axis, size, place, length, values };
  });
}

/** The values of an index, as far as they are known: those of an input y, or of its elements, are its bounds. */
function placesOf({ domain, values }: Search, index: Term): readonly number[] {
  const place = evaluateNumber(index, values);
  if (place !== null) return [place];
  const base = index.kind === 'element' ? index.tensor : index;
  const name = base.kind === 'variable' ? base.name : null;
  const input = domain.variables.find((one) => one.name === name);
  // What else is required of it may keep it inside.
  if (!input || domain.preconditions.some((one) => freeVariables(one).has(input.name))) return [];
  return [input.lower, input.upper].flatMap((bound) => {
    const value = bound && !bound.open ? evaluateNumber(bound.value, values) : null;
    return value === null ? [] : [value];
  });
}

function report(ctx: Context, { origin, axis, size, place, length, values }: Stray): void {
  const read = origin && ctx.reads.get(origin);
  if (!read) return;
  if (read.problem) {
    ctx.problem ??= read.problem;
    return;
  }
  const { text, range, shown } = read;
  const [written, index] = [range, read.indices[axis] ?? range].map((part) =>
    text.text.slice(part.start, part.end).trim(),
  );
  const at = [...values].map(([name, value]) => `${ctx.indices.get(name)?.written ?? name} = ${value}`).join(', ');
  ctx.problem ??= {
    kind: 'error',
    code: 'PV-4025',
    message: `${written} may be outside ${shown}: at ${at} the index is ${place}, and the axis has the indices 0 to ${length - 1}`,
    hint: `say how far the index runs, or what the value is outside: (${written} if 0 ≤ ${index} < ${printTerm(size)} else 0)`,
    text,
    range,
  };
}
