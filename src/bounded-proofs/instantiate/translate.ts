/**
 * Terms as expressions over the reals, at concrete sizes: ranges unrolled, names resolved, nothing rounded. Where a
 * function has no value becomes a demand beside the expression.
 */
import { invariant, present } from '../../base/invariant.ts';
import { fromDecimal } from '../../numeric/bounded-rational.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { isWhole, toFloat } from '../../numeric/rational.ts';
import type { BooleanExpression, Graph, NumberExpression } from '../expression.ts';
import { reduce } from './reduction.ts';
import { chooseValue, type ScalarExpression, type SymbolicValue, type TensorValue } from './symbolic-value.ts';
import { translateCall } from './translate-call.ts';
import { bindName, demandDefined, lookUp, refuse, type Demand, type Frame, type Translation } from './translation.ts';

/** What `start` is worth; `under` says where its value matters. */
export function translate(
  translation: Translation,
  start: Term,
  outer: Frame | null,
  under: BooleanExpression,
): SymbolicValue {
  let term = start;
  let frame = outer;
  for (; term.kind === 'let'; term = term.body)
    frame = bindName(term.name, translate(translation, term.value, frame, under), frame);
  if (translation.problem) return translation.graph.integer(0);
  switch (term.kind) {
    case 'number':
      return numberOf(translation, term);
    case 'boolean':
      return translation.graph.truth(term.value);
    case 'variable':
      return (
        lookUp(translation, term.name, frame) ?? refuse(translation, `${term.name} has no value at these sizes`, term)
      );
    case 'call':
      return translateCall(translation, term, (part, where) => scalar(translation, part, frame, where), under);
    case 'if':
      return choice(translation, term, under, (part, where) => translate(translation, part, frame, where));
    case 'element':
      return element(translation, term, frame, under);
    case 'tabulate':
    case 'recurrence':
    case 'reduce':
      return kept(translation, term, frame, under);
    case 'string':
      return refuse(translation, 'proofs are about numbers, and this is a string', term);
    case 'apply':
      return refuse(translation, `the kernel of ${term.equation} is applied inside a term`, term);
  }
}

function scalar(translation: Translation, term: Term, frame: Frame | null, under: BooleanExpression): ScalarExpression {
  const value = translate(translation, term, frame, under);
  return value.sort === 'tensor' ? refuse(translation, 'a tensor where a number is needed', term) : value;
}

/** The term as a number; `under` is the condition under which its value is used. */
export function number(
  translation: Translation,
  term: Term,
  frame: Frame | null,
  under: BooleanExpression,
): NumberExpression {
  const value = scalar(translation, term, frame, under);
  return value.sort === 'number' ? value : refuse(translation, 'a truth value where a number is needed', term);
}

/** The term as a statement; `under` is the condition under which its value is used. */
export function truth(
  translation: Translation,
  term: Term,
  frame: Frame | null,
  under: BooleanExpression,
): BooleanExpression {
  const value = scalar(translation, term, frame, under);
  if (value.sort === 'boolean') return value;
  refuse(translation, 'a number where a truth value is needed', term);
  return translation.graph.true;
}

/** The whole number that a term is whatever the input; where it depends on the input the translation is refused, and the number is 0. */
export function wholeNumber(translation: Translation, term: Term, frame: Frame | null): number {
  const value = number(translation, term, frame, translation.graph.true);
  if (translation.problem) return 0;
  const known = value.kind === 'constant' && isWhole(value.value) ? toFloat(value.value) : Number.NaN;
  if (Number.isSafeInteger(known)) return known;
  refuse(translation, 'a range or a shape depends on the input', term);
  return 0;
}

function numberOf(translation: Translation, term: Extract<Term, { kind: 'number' }>): NumberExpression {
  const exact = fromDecimal(term.value);
  if (exact === null) {
    const isNumber = Number.isFinite(Number(term.value));
    const why = isNumber ? 'is out of reach of exact arithmetic' : 'is not a number, and proofs are about numbers';
    return refuse(translation, `${term.value} ${why}`, term);
  }
  return translation.graph.constant(exact);
}

function choice(
  translation: Translation,
  term: Extract<Term, { kind: 'if' }>,
  under: BooleanExpression,
  value: (part: Term, where: BooleanExpression) => SymbolicValue,
): SymbolicValue {
  const { graph } = translation;
  const condition = value(term.condition, under);
  if (condition.sort !== 'boolean') return refuse(translation, 'a number where a truth value is needed', term);
  if (condition.kind === 'truth') return value(condition.value ? term.then : term.otherwise, under);
  const then = value(term.then, graph.and([under, condition]));
  const otherwise = value(term.otherwise, graph.and([under, graph.not(condition)]));
  return (
    chooseValue(graph, condition, then, otherwise) ??
    refuse(translation, 'the two sides of a choice are not of one shape', term)
  );
}

type Loop = Extract<Term, { kind: 'tabulate' | 'recurrence' | 'reduce' }>;

/** Computed once for all values of the names that it does not mention. */
function kept(translation: Translation, term: Loop, frame: Frame | null, under: BooleanExpression): SymbolicValue {
  const { graph } = translation;
  const free = freeVariables(term);
  let home = frame;
  while (home && !free.has(home.name)) home = home.outer;
  const store = home?.kept ?? translation.keptGlobally;
  let known = store.get(term);
  if (!known) {
    const before = translation.demands;
    translation.demands = [];
    const value = unroll(translation, term, home);
    known = { value, demands: eachOnce(graph, translation.demands) };
    translation.demands = before;
    if (translation.problem === null) store.set(term, known);
  }
  for (const demand of known.demands) translation.demands.push({ ...demand, under: graph.and([under, demand.under]) });
  return known.value;
}

function eachOnce(graph: Graph, demands: readonly Demand[]): readonly Demand[] {
  return [...new Map(demands.map((demand) => [graph.implies(demand.under, demand.condition), demand])).values()];
}

function unroll(translation: Translation, term: Loop, frame: Frame | null): SymbolicValue {
  const { graph } = translation;
  if (term.kind === 'reduce')
    return reduce(translation, term, frame, {
      number: (part, inner, where) => number(translation, part, inner, where),
      truth: (part, inner, where) => truth(translation, part, inner, where),
      forEachIndex: (binders, outer, visit) => {
        forEachIndex(translation, binders, outer, visit);
      },
    });
  const elements: ScalarExpression[] = [];
  const value: TensorValue = { sort: 'tensor', shape: shapeOf(translation, term.binders, frame), elements };
  const start = term.kind === 'recurrence' ? bindName(term.name, value, frame) : frame;
  forEachIndex(translation, term.binders, start, (inner) => {
    elements.push(scalar(translation, term.body, inner, graph.true));
  });
  return value;
}

function shapeOf(translation: Translation, binders: readonly IndexBinder[], frame: Frame | null): readonly number[] {
  return binders.map(({ from, to }) =>
    Math.max(0, wholeNumber(translation, to, frame) - wholeNumber(translation, from, frame)),
  );
}

/** More rounds than this in one loop are refused: the expressions would be too many. */
const mostRounds = 1_000_000;

/** Visits the indices of nested binders in row-major order; later ranges may depend on earlier indices. */
function forEachIndex(
  translation: Translation,
  binders: readonly IndexBinder[],
  frame: Frame | null,
  visit: (frame: Frame | null, indices: readonly number[]) => void,
): void {
  const indices: number[] = [];
  const enter = (level: number, outer: Frame | null): void => {
    const binder = binders[level];
    if (!binder) {
      visit(outer, indices);
      return;
    }
    const from = wholeNumber(translation, binder.from, outer);
    const to = wholeNumber(translation, binder.to, outer);
    if (to - from > mostRounds)
      refuse(translation, `a range has ${to - from} elements: choose smaller sizes`, binder.to);
    for (let i = from; i < to && translation.problem === null; i++) {
      indices[level] = i;
      enter(level + 1, bindName(binder.name, translation.graph.integer(i), outer));
    }
  };
  enter(0, frame);
}

/** The element of a tensor; of a tabulation only that element is computed. */
function element(
  translation: Translation,
  term: Extract<Term, { kind: 'element' }>,
  outer: Frame | null,
  under: BooleanExpression,
): SymbolicValue {
  const indices = term.indices.map((index) => number(translation, index, outer, under));
  const known = indices.map(knownIndex);
  let { tensor } = term;
  let frame = outer;
  for (; tensor.kind === 'let'; tensor = tensor.body)
    frame = bindName(tensor.name, translate(translation, tensor.value, frame, under), frame);
  const { binders } = tensor.kind === 'tabulate' ? tensor : { binders: null };
  if (tensor.kind === 'tabulate' && binders && known.every((at) => at !== null))
    return bodyAt(translation, tensor, { frame, indices: known, under });
  const value = translate(translation, tensor, frame, under);
  if (translation.problem) return translation.graph.integer(0);
  invariant(value.sort === 'tensor' && value.shape.length === indices.length, 'elaboration gives every axis an index');
  return pick(translation, value, indices, { term, under });
}

function knownIndex(index: NumberExpression): number | null {
  return index.kind === 'constant' && isWhole(index.value) ? toFloat(index.value) : null;
}

interface At {
  readonly frame: Frame | null;
  readonly indices: readonly number[];
  readonly under: BooleanExpression;
}

function bodyAt(
  translation: Translation,
  tensor: Extract<Term, { kind: 'tabulate' }>,
  { frame, indices, under }: At,
): SymbolicValue {
  const { graph } = translation;
  let inner = frame;
  let inside = true;
  tensor.binders.forEach((binder, axis) => {
    const from = wholeNumber(translation, binder.from, inner);
    const to = wholeNumber(translation, binder.to, inner);
    const at = present(indices[axis], 'an element has an index for each axis');
    inside &&= at >= 0 && at < to - from;
    inner = bindName(binder.name, graph.integer(from + at), inner);
  });
  if (inside) return translate(translation, tensor.body, inner, under);
  return missing(translation, tensor.body, under);
}

/** There is no element: whatever depends on it is not proved. */
function missing(translation: Translation, like: Term, under: BooleanExpression): ScalarExpression {
  const { graph } = translation;
  demandDefined(translation, under, { kind: 'index', condition: graph.false, text: 'the index is inside the tensor' });
  return like.type.kind === 'boolean' ? graph.false : graph.integer(0);
}

const sizeAlong = (shape: readonly number[], axis: number): number =>
  present(shape[axis], 'a tensor has no more indices than axes');

/** An element at indices that may depend on the input: a choice among all. */
function pick(
  translation: Translation,
  { shape, elements }: TensorValue,
  indices: readonly NumberExpression[],
  { term, under }: { readonly term: Term; readonly under: BooleanExpression },
): ScalarExpression {
  const { graph } = translation;
  const isInside = indices.every((index, axis) => demandInside(translation, index, sizeAlong(shape, axis), under));
  if (!isInside) return missing(translation, term, under);
  const from = (axis: number, offset: number): ScalarExpression => {
    const index = indices[axis];
    if (!index) return elements[offset] ?? missing(translation, term, under);
    const size = sizeAlong(shape, axis);
    const at = knownIndex(index);
    if (at !== null) return from(axis + 1, offset * size + at);
    let chosen = from(axis + 1, offset * size + size - 1);
    for (let k = size - 2; k >= 0; k--) {
      const other = from(axis + 1, offset * size + k);
      const either = chooseValue(graph, graph.equal(index, graph.integer(k)), other, chosen);
      chosen = either && either.sort !== 'tensor' ? either : refuse(translation, 'a tensor mixes sorts', term);
    }
    return chosen;
  };
  return from(0, 0);
}

/** False where the index is outside whatever the input. */
function demandInside(
  translation: Translation,
  index: NumberExpression,
  size: number,
  under: BooleanExpression,
): boolean {
  const { graph, isWhole: isWholeExpression } = translation;
  const at = knownIndex(index);
  if (at !== null) return at >= 0 && at < size;
  if (size === 0) return false;
  const whole = isWholeExpression(index) ? graph.true : graph.equal(graph.step('floor', index), index);
  const inside = [graph.lessEqual(graph.integer(0), index), graph.lessEqual(index, graph.integer(size - 1)), whole];
  demandDefined(translation, under, {
    kind: 'index',
    condition: graph.and(inside),
    text: 'the index is inside the tensor',
  });
  return true;
}
