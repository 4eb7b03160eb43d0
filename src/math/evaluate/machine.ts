/**
 * The tree-walking meaning of terms, in any arithmetic: short and slow, the yardstick for everything faster.
 */
import { invariant, PvBug } from '../../base/invariant.ts';
import { functionTable } from '../functions.ts';
import type { FunctionRow } from '../functions/row.ts';
import { isIntegral } from '../term/integral.ts';
import type { IndexBinder, Term } from '../term/term.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Frame, Scalar, TensorValue, Value } from './value.ts';

/** A reduction. */
export type Reduce = Extract<Term, { kind: 'reduce' }>;

/** Terms evaluated in the arithmetic of `T`. */
export interface Machine<T> {
  readonly arithmetic: Arithmetic<T>;
  /** The value of a reduction; given here because it evaluates terms in turn. */
  readonly reduce: (machine: Machine<T>, term: Reduce, frame: Frame<T> | null) => Scalar<T>;
  /** Counted down by one per node visited. */
  steps: number;
}

/** Why a value was not computed that takes long. */
export const tooManySteps = 'evaluation takes more steps than its limit';

/** @throws RangeError when the machine has no steps left. */
export function evaluate<T>(machine: Machine<T>, start: Term, outer: Frame<T> | null): Value<T> {
  let term = start;
  let frame = outer;
  // Sharing makes chains of `let` as long as the formula is large; they do not count as depth.
  for (; term.kind === 'let'; term = term.body)
    frame = { name: term.name, value: evaluate(machine, term.value, frame), outer: frame };
  if (--machine.steps < 0) throw new RangeError(tooManySteps);
  switch (term.kind) {
    case 'number':
      return { kind: 'number', value: machine.arithmetic.constant(term.value, isIntegral(term)) };
    case 'boolean':
      return { kind: 'boolean', value: term.value };
    case 'string':
      return { kind: 'string', value: term.value };
    case 'variable':
      return lookUp(term.name, frame);
    case 'call':
      return call(
        machine,
        functionTable[term.fn],
        term.arguments.map((argument) => scalar(machine, argument, frame)),
        isIntegral(term),
      );
    case 'if':
      return evaluate(machine, isChosen(machine, term.condition, frame) ? term.then : term.otherwise, frame);
    case 'element':
      return element(machine, term, frame);
    case 'tabulate':
      return tabulate(machine, term.binders, term.body, frame);
    case 'recurrence':
      return recurrence(machine, term, frame);
    case 'reduce':
      return machine.reduce(machine, term, frame);
    case 'apply':
      throw new PvBug(`the kernel of ${term.equation} is applied before evaluation, never during it`);
  }
}

function isChosen<T>(machine: Machine<T>, condition: Term, frame: Frame<T> | null): boolean {
  const { aside } = machine.arithmetic;
  return aside ? aside(() => truth(machine, condition, frame)) : truth(machine, condition, frame);
}

function lookUp<T>(name: string, frame: Frame<T> | null): Value<T> {
  for (let at = frame; at; at = at.outer) if (at.name === name) return at.value;
  throw new PvBug(`elaboration declares every variable, but ${name} has no value`);
}

function scalar<T>(machine: Machine<T>, term: Term, frame: Frame<T> | null): Scalar<T> {
  const value = evaluate(machine, term, frame);
  invariant(value.kind !== 'tensor', 'elaboration puts scalars where scalars are needed');
  return value;
}

/** The value of a numeric term. */
export function number<T>(machine: Machine<T>, term: Term, frame: Frame<T> | null): T {
  return numberOf(scalar(machine, term, frame));
}

/** The value of a boolean term. */
export function truth<T>(machine: Machine<T>, term: Term, frame: Frame<T> | null): boolean {
  const value = scalar(machine, term, frame);
  invariant(value.kind === 'boolean', 'elaboration puts truth values where they are needed');
  return value.value;
}

function numberOf<T>(value: Scalar<T>): T {
  invariant(value.kind === 'number', 'elaboration puts numbers where they are needed');
  return value.value;
}

function textOf<T>(value: Scalar<T> | undefined): string {
  invariant(value?.kind === 'string', 'elaboration puts strings where they are needed');
  return value.value;
}

function isTrue<T>(value: Scalar<T> | undefined): boolean {
  return value?.kind === 'boolean' && value.value;
}

function call<T>(machine: Machine<T>, row: FunctionRow, operands: readonly Scalar<T>[], integral: boolean): Scalar<T> {
  const { arithmetic } = machine;
  const [first, second] = operands;
  switch (row.kind) {
    case 'numeric':
      return { kind: 'number', value: arithmetic.numeric(row, operands.map(numberOf), integral) };
    case 'predicate':
      return { kind: 'boolean', value: arithmetic.predicate(row, operands.map(numberOf)) };
    case 'equality':
      return { kind: 'boolean', value: areEqual(arithmetic, first, second) !== row.negated };
    case 'logic':
      return { kind: 'boolean', value: row.meaning(isTrue(first), isTrue(second)) };
    case 'length':
      return { kind: 'number', value: arithmetic.fromNumber(row.meaning(textOf(first))) };
    case 'unit': {
      const position = second?.kind === 'number' ? arithmetic.toNumber(second.value) : Number.NaN;
      return { kind: 'number', value: arithmetic.fromNumber(row.meaning(textOf(first), position)) };
    }
    case 'concat':
      return { kind: 'string', value: row.meaning(textOf(first), textOf(second)) };
  }
}

function areEqual<T>(arithmetic: Arithmetic<T>, a: Scalar<T> | undefined, b: Scalar<T> | undefined): boolean {
  if (a?.kind === 'number' && b?.kind === 'number') return arithmetic.equal(a.value, b.value);
  return a?.kind === b?.kind && a?.value === b?.value;
}

/** Outside the tensor there is no element: NaN, or false in a tensor of truth values, never a neighbour in memory. */
function element<T>(machine: Machine<T>, term: Term & { kind: 'element' }, frame: Frame<T> | null): Value<T> {
  const tensor = evaluate(machine, term.tensor, frame);
  invariant(
    tensor.kind === 'tensor' && tensor.shape.length === term.indices.length,
    'elaboration gives every axis an index',
  );
  let offset = 0;
  let inside = true;
  term.indices.forEach((index, axis) => {
    const extent = tensor.shape[axis] ?? 0;
    const at = machine.arithmetic.toNumber(number(machine, index, frame));
    inside &&= at >= 0 && at < extent && Number.isInteger(at);
    offset = offset * extent + at;
  });
  const found = inside ? tensor.data[offset] : undefined;
  if (found) return found;
  return isBooleanTensor(term.tensor)
    ? { kind: 'boolean', value: false }
    : { kind: 'number', value: machine.arithmetic.fromNumber(Number.NaN) };
}

function isBooleanTensor(term: Term): boolean {
  return term.type.kind === 'tensor' && term.type.element.kind === 'boolean';
}

function shapeOf<T>(machine: Machine<T>, binders: readonly IndexBinder[], frame: Frame<T> | null): number[] {
  return binders.map(({ from, to }) => {
    const [low, high] = [from, to].map((end) => machine.arithmetic.toNumber(number(machine, end, frame)));
    return Math.max(0, Math.ceil((high ?? 0) - (low ?? 0)));
  });
}

/** Elements that are not computed yet are not there. */
function recurrence<T>(
  machine: Machine<T>,
  { name, binders, body }: Term & { kind: 'recurrence' },
  frame: Frame<T> | null,
): TensorValue<T> {
  const data: Scalar<T>[] = [];
  const value: TensorValue<T> = { kind: 'tensor', shape: shapeOf(machine, binders, frame), data };
  forEachIndex(machine, binders, { name, value, outer: frame }, (inner) => {
    data.push(scalar(machine, body, inner));
    return true;
  });
  return value;
}

function tabulate<T>(
  machine: Machine<T>,
  binders: readonly IndexBinder[],
  body: Term,
  frame: Frame<T> | null,
): TensorValue<T> {
  const data: Scalar<T>[] = [];
  const shape = shapeOf(machine, binders, frame);
  forEachIndex(machine, binders, frame, (inner) => {
    data.push(scalar(machine, body, inner));
    return true;
  });
  return { kind: 'tensor', shape, data };
}

/**
 * Visits the index values of nested binders in row-major order; later ranges may depend on earlier indices.
 * Stops when `visit` returns false. An unbounded or NaN range is empty from below and limited by the steps from above.
 */
export function forEachIndex<T>(
  machine: Machine<T>,
  binders: readonly IndexBinder[],
  frame: Frame<T> | null,
  visit: (frame: Frame<T> | null, indices: readonly number[]) => boolean,
): void {
  const indices: number[] = [];
  const enter = (level: number, outer: Frame<T> | null): boolean => {
    const binder = binders[level];
    if (!binder) return visit(outer, indices);
    const from = machine.arithmetic.toNumber(number(machine, binder.from, outer));
    const to = machine.arithmetic.toNumber(number(machine, binder.to, outer));
    for (let i = from; i < to; i++) {
      indices[level] = i;
      const value: Value<T> = { kind: 'number', value: machine.arithmetic.fromNumber(i) };
      if (!enter(level + 1, { name: binder.name, value, outer })) return false;
    }
    return true;
  };
  enter(0, frame);
}
