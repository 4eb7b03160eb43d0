import { functionTable } from '../functions.ts';
import { isIntegral } from '../term/integral.ts';
import { forEachIndex, number, truth, type Machine, type Reduce } from './machine.ts';
import type { Frame, Scalar } from './value.ts';

/** The value of a reduction; see `Term` for empty ranges and ties. */
export function reduce<T>(machine: Machine<T>, term: Reduce, frame: Frame<T> | null): Scalar<T> {
  switch (term.operator) {
    case 'sum':
      return fold(machine, term, frame, 'add', 0);
    case 'product':
      return fold(machine, term, frame, 'multiply', 1);
    case 'max':
      return fold(machine, term, frame, 'maximum', -Infinity);
    case 'min':
      return fold(machine, term, frame, 'minimum', Infinity);
    case 'all':
    case 'any':
      return { kind: 'boolean', value: decide(machine, term, frame, term.operator === 'any') };
    case 'count':
      return { kind: 'number', value: machine.arithmetic.fromNumber(count(machine, term, frame)) };
    case 'argmax':
    case 'argmin':
      return { kind: 'number', value: machine.arithmetic.fromNumber(extremalIndex(machine, term, frame)) };
  }
}

/** Calls `visit` for each index that the condition lets through, until it returns false. */
function forEachSelected<T>(
  machine: Machine<T>,
  term: Reduce,
  frame: Frame<T> | null,
  visit: (frame: Frame<T> | null, index: number) => boolean,
): void {
  let position = 0;
  forEachIndex(machine, term.binders, frame, (inner, indices) => {
    const index = indices.length === 1 ? (indices[0] ?? 0) : position;
    position += 1;
    return term.condition && !truth(machine, term.condition, inner) ? true : visit(inner, index);
  });
}

function fold<T>(
  machine: Machine<T>,
  term: Reduce,
  frame: Frame<T> | null,
  fn: 'add' | 'multiply' | 'maximum' | 'minimum',
  start: number,
): Scalar<T> {
  const row = functionTable[fn];
  const integral = isIntegral(term);
  let accumulator = machine.arithmetic.fromNumber(start);
  forEachSelected(machine, term, frame, (inner) => {
    const next = number(machine, term.body, inner);
    if (row.kind === 'numeric') accumulator = machine.arithmetic.numeric(row, [accumulator, next], integral);
    return true;
  });
  return { kind: 'number', value: accumulator };
}

function decide<T>(machine: Machine<T>, term: Reduce, frame: Frame<T> | null, until: boolean): boolean {
  let answer = !until;
  forEachSelected(machine, term, frame, (inner) => {
    answer = truth(machine, term.body, inner);
    return answer !== until;
  });
  return answer;
}

function count<T>(machine: Machine<T>, term: Reduce, frame: Frame<T> | null): number {
  let found = 0;
  forEachSelected(machine, term, frame, (inner) => {
    if (truth(machine, term.body, inner)) found += 1;
    return true;
  });
  return found;
}

/** NaN counts as the most extreme value, so that the maximum is where argmax points; for an empty range the index is NaN. */
function extremalIndex<T>(machine: Machine<T>, term: Reduce, frame: Frame<T> | null): number {
  const beats = functionTable[term.operator === 'argmax' ? 'greater' : 'less'];
  const isNan = functionTable['is-nan'];
  const { arithmetic } = machine;
  let best: { index: number; value: T } | null = null;
  forEachSelected(machine, term, frame, (inner, index) => {
    const value = number(machine, term.body, inner);
    if (beats.kind !== 'predicate' || isNan.kind !== 'predicate') return false;
    const first = best === null;
    const better =
      best !== null &&
      !arithmetic.predicate(isNan, [best.value]) &&
      (arithmetic.predicate(isNan, [value]) || arithmetic.predicate(beats, [value, best.value]));
    if (first || better) best = { index, value };
    return true;
  });
  return (best as { index: number } | null)?.index ?? Number.NaN;
}
