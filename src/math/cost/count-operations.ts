/**
 * How many operations on real numbers a term takes, as polynomials of its sizes.
 *
 * Each value is computed once for each combination of the indices that it depends on: the maximum of a row once per row, however
 * often its elements mention it. Equal parts that are written twice count twice. Whole numbers (sizes, indices) cost nothing; of the
 * branches of a choice the dearer counts, and conditions of sums are taken to hold always: both are upper bounds.
 */
import type { FunctionName } from '../functions.ts';
import { printTerm } from '../term/print-term.ts';
import type { IndexBinder, ReduceOperator, Term } from '../term/term.ts';
import { freeVariables } from '../term/traverse.ts';
import {
  add,
  constant,
  evaluate,
  multiply,
  nothing,
  scale,
  size,
  subtract,
  sumOver,
  type SizePolynomial,
} from './size-polynomial.ts';
import { fraction } from '../../numeric/rational.ts';

/** Arithmetic by kind; every other function under its own name. */
export type OperationKind = 'add' | 'multiply' | 'divide' | 'compare' | 'root' | 'round' | FunctionName;

/** Operations by kind; incomplete if there is a `problem`. */
export interface OperationCounts {
  readonly counts: ReadonlyMap<OperationKind, SizePolynomial>;
  /** Integer expressions of sizes that are not polynomials, by the names that represent them. */
  readonly atoms: ReadonlyMap<string, Term>;
  /** Why something is not counted; null if everything is. */
  readonly problem: string | null;
}

interface State {
  readonly sizes: ReadonlySet<string>;
  readonly atoms: Map<string, Term>;
  problem: string | null;
}

interface Index {
  readonly name: string;
  readonly from: SizePolynomial;
  readonly to: SizePolynomial;
  /** The indices that its range depends on, and itself. */
  readonly needs: ReadonlySet<string>;
}

interface Place {
  readonly state: State;
  /** From the outermost in. */
  readonly indices: readonly Index[];
  /** The indices that the value of a name depends on. */
  readonly dependence: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tally: Map<OperationKind, SizePolynomial>;
}

const none: ReadonlySet<string> = new Set();

/** `sizes`: the names that polynomials may mention. */
export function countOperations(term: Term, sizes: readonly string[]): OperationCounts {
  const state: State = { sizes: new Set(sizes), atoms: new Map(), problem: null };
  const tally = new Map<OperationKind, SizePolynomial>();
  walk(term, { state, indices: [], dependence: new Map(), tally });
  return { counts: tally, atoms: state.atoms, problem: state.problem };
}

function walk(term: Term, place: Place): void {
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
    case 'variable':
      return;
    case 'apply':
      place.state.problem ??= `${term.equation} is declared and has no formula`;
      return;
    case 'call':
      term.arguments.forEach((part) => walk(part, place));
      return noteCall(term, place);
    case 'if':
      return walkChoice(term, place);
    case 'element':
      walk(term.tensor, place);
      return term.indices.forEach((index) => walk(index, place));
    case 'tabulate':
      return walk(term.body, inside(place, term.binders));
    case 'recurrence':
      return walk(term.body, inside(place, term.binders));
    case 'reduce':
      return walkReduction(term, place);
    case 'let':
      return walkLets(term, place);
  }
}

/** Chains of names are long. */
function walkLets(term: Term, place: Place): void {
  let at = term;
  let dependence = place.dependence;
  while (at.kind === 'let') {
    const here = { ...place, dependence };
    walk(at.value, here);
    dependence = new Map([...dependence, [at.name, dependenceOf(at.value, here)]]);
    at = at.body;
  }
  walk(at, { ...place, dependence });
}

/** The branches are tried at sizes of 64, and the dearer counts. */
function walkChoice({ condition, then, otherwise }: Extract<Term, { kind: 'if' }>, place: Place): void {
  walk(condition, place);
  const [first, second] = [then, otherwise].map((branch) => {
    const tally: Place['tally'] = new Map();
    walk(branch, { ...place, tally });
    const total = add(...tally.values());
    return { tally, worth: evaluate(total, () => 64) };
  });
  const dearer = first && second && second.worth > first.worth ? second : first;
  for (const [kind, count] of dearer?.tally ?? []) note(place, kind, count);
}

function walkReduction({ operator, binders, condition, body }: Extract<Term, { kind: 'reduce' }>, place: Place): void {
  const inner = inside(place, binders);
  if (condition) walk(condition, inner);
  walk(body, inner);
  const kind = kindOfReduction(operator);
  // As many operations as terms: the first is added to 0.
  if (kind && body.type.kind !== 'integer')
    note(place, kind, timesOf(new Set([...dependenceOf(body, inner), ...binders.map(({ name }) => name)]), inner));
}

function kindOfReduction(operator: ReduceOperator): OperationKind | null {
  switch (operator) {
    case 'sum':
      return 'add';
    case 'product':
      return 'multiply';
    case 'max':
    case 'min':
    case 'argmax':
    case 'argmin':
      return 'compare';
    default:
      return null;
  }
}

function inside(place: Place, binders: readonly IndexBinder[]): Place {
  let inner = place;
  for (const { name, from, to } of binders) {
    const needs = new Set([name, ...dependenceOf(from, inner), ...dependenceOf(to, inner)]);
    const index: Index = { name, from: wholeNumber(from, inner), to: wholeNumber(to, inner), needs };
    inner = { ...inner, indices: [...inner.indices, index] };
  }
  return inner;
}

/** The indices in scope on which the value of a term depends. */
function dependenceOf(term: Term, { indices, dependence }: Place): ReadonlySet<string> {
  const free = freeVariables(term);
  if (free.size === 0) return none;
  const found = new Set<string>();
  for (const name of free) {
    for (const one of dependence.get(name) ?? none) found.add(one);
    if (indices.some((index) => index.name === name)) found.add(name);
  }
  return found;
}

/** How many combinations of these indices there are. */
function timesOf(wanted: ReadonlySet<string>, { indices }: Place): SizePolynomial {
  const needed = new Set<string>();
  for (const index of indices.toReversed()) {
    if (!wanted.has(index.name) && !needed.has(index.name)) continue;
    for (const name of index.needs) needed.add(name);
  }
  let times = constant(1);
  for (const { name, from, to } of indices.toReversed()) if (needed.has(name)) times = sumOver(times, name, from, to);
  return times;
}

function noteCall(term: Extract<Term, { kind: 'call' }>, place: Place): void {
  const real = term.type.kind === 'real' || term.type.kind === 'float' || comparesReals(term);
  if (!real) return;
  const [kind, each] = operationOf(term);
  if (each > 0) note(place, kind, scale(timesOf(dependenceOf(term, place), place), fraction(BigInt(each))));
}

const comparisons: ReadonlySet<FunctionName> = new Set([
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
]);

function comparesReals({ fn, arguments: parts }: Extract<Term, { kind: 'call' }>): boolean {
  return comparisons.has(fn) && parts.some(({ type }) => type.kind === 'real' || type.kind === 'float');
}

/** What an operation counts as, and how often. A sign costs nothing. */
function operationOf({ fn, arguments: parts }: Extract<Term, { kind: 'call' }>): readonly [OperationKind, number] {
  if (comparisons.has(fn)) return ['compare', 1];
  switch (fn) {
    case 'subtract':
      return ['add', 1];
    case 'minimum':
    case 'maximum':
      return ['compare', 1];
    case 'clamp':
      return ['compare', 2];
    case 'sqrt':
    case 'reciprocal-sqrt':
      return ['root', 1];
    case 'floor':
    case 'ceiling':
    case 'round':
    case 'modulo':
    case 'floor-divide':
      return ['round', 1];
    case 'negate':
    case 'absolute':
    case 'sign':
    case 'round32':
    case 'pi':
    case 'e':
      return [fn, 0];
    case 'power':
      return powerOf(parts[1]);
    default:
      return [fn, 1];
  }
}

/** A small whole power is as many products. */
function powerOf(exponent: Term | undefined): readonly [OperationKind, number] {
  const value = exponent?.kind === 'number' ? Number(exponent.value) : Number.NaN;
  return Number.isInteger(value) && value >= 0 && value <= 8 ? ['multiply', Math.max(0, value - 1)] : ['power', 1];
}

function note({ tally }: Place, kind: OperationKind, count: SizePolynomial): void {
  tally.set(kind, add(tally.get(kind) ?? nothing, count));
}

/** A whole number of sizes and indices as a polynomial. */
function wholeNumber(term: Term, place: Place): SizePolynomial {
  if (term.kind === 'number') return constant(Number(term.value));
  const { state, indices } = place;
  const isKnown = (name: string): boolean => state.sizes.has(name) || indices.some((index) => index.name === name);
  if (term.kind === 'variable' && isKnown(term.name)) return size(term.name);
  if (term.kind === 'call') {
    const [a, b] = term.arguments;
    if (a && b && term.fn === 'add') return add(wholeNumber(a, place), wholeNumber(b, place));
    if (a && b && term.fn === 'subtract') return subtract(wholeNumber(a, place), wholeNumber(b, place));
    if (a && b && term.fn === 'multiply') return multiply(wholeNumber(a, place), wholeNumber(b, place));
  }
  const name = printTerm(term);
  if ([...freeVariables(term)].some((free) => !state.sizes.has(free)))
    state.problem ??= `an index runs to ${name}, which is not a polynomial of sizes and indices`;
  state.atoms.set(name, term);
  return size(name);
}

/** The elements of a tensor of this shape; whole numbers of sizes alone. */
export function elementsOfShape(
  shape: readonly Term[],
  counts: OperationCounts,
  sizes: readonly string[],
): OperationCounts & { readonly elements: SizePolynomial } {
  const state: State = { sizes: new Set(sizes), atoms: new Map(counts.atoms), problem: null };
  const place: Place = { state, indices: [], dependence: new Map(), tally: new Map() };
  const elements = shape.reduce((product, axis) => multiply(product, wholeNumber(axis, place)), constant(1));
  return { counts: counts.counts, elements, atoms: state.atoms, problem: counts.problem ?? state.problem };
}
