/** Elements of arrays at indices that are known, or that depend on the input. */
import { present } from '../../base/invariant.ts';
import { fromFloat } from '../../numeric/rational.ts';
import type { NumberExpression } from '../expression.ts';
import { demand, type Execution } from './execution.ts';
import type { KernelArgument } from './kernel-call.ts';
import type { Site } from './site.ts';
import { settled, type NumberValue } from './value.ts';

type ArrayArgument = Extract<KernelArgument, { kind: 'array' }>;

/**
 * The element, with the condition that every index is whole and inside its axis. At an index that is not known it is a
 * choice among all elements; outside the array it is nothing in particular.
 */
export function readElement(
  execution: Execution,
  array: ArrayArgument,
  indices: readonly NumberValue[],
  site: Site,
): NumberValue {
  const inside = indices.map((index, axis) =>
    demandInside(execution, index, present(array.shape[axis], 'an array has no more indices than axes'), site),
  );
  if (inside.includes(false)) return 0;
  const found = choose(execution, array, indices, 0, 0);
  return found === null ? 0 : settled(execution, found);
}

/** False where the index is outside whatever the input. */
function demandInside(execution: Execution, index: NumberValue, size: number, { path, place, text }: Site): boolean {
  const { graph } = execution;
  const note = (condition = graph.false): void => {
    demand(execution, path, { kind: 'index', place, condition, text: () => `${text()} is inside the array` });
  };
  if (typeof index === 'number') {
    const isInside = Number.isInteger(index) && index >= 0 && index < size;
    if (!isInside) note();
    return isInside;
  }
  if (size === 0) {
    note();
    return false;
  }
  const whole = execution.isWhole(index) ? graph.true : graph.equal(graph.step('floor', index), index);
  note(
    graph.and([
      graph.lessEqual(graph.integer(0), index),
      graph.lessEqual(index, graph.constant(fromFloat(size - 1))),
      whole,
    ]),
  );
  return true;
}

function choose(
  execution: Execution,
  array: ArrayArgument,
  indices: readonly NumberValue[],
  axis: number,
  offset: number,
): NumberExpression | null {
  const index = indices[axis];
  if (index === undefined) return array.elements[offset] ?? null;
  const size = present(array.shape[axis], 'an array has no more indices than axes');
  if (typeof index === 'number') return choose(execution, array, indices, axis + 1, offset * size + index);
  const { graph } = execution;
  let chosen = choose(execution, array, indices, axis + 1, offset * size + size - 1);
  for (let at = size - 2; at >= 0 && chosen !== null; at--) {
    const element = choose(execution, array, indices, axis + 1, offset * size + at);
    if (element !== null) chosen = graph.if(graph.equal(index, graph.integer(at)), element, chosen);
  }
  return chosen;
}
