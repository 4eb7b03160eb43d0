import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { expressionsOf } from '../../subject/visit-kernel.ts';
import { statementsOf } from '../stages/slice.ts';
import { countersAreWhole } from './whole-counters.ts';

/**
 * Whether four threads at once read four rows: the loops of a kernel then gather each lane by itself, and one thread after the
 * other, each along its row, is faster. Only with integer counters, which gpu.js has in the code for one thread.
 */
export function readsAcrossRows(body: readonly KernelStatement[]): boolean {
  let across = false;
  for (const statement of statementsOf(body)) {
    if (statement.kind !== 'for') continue;
    for (const expression of expressionsOf(statement.body)) {
      if (expression.kind !== 'element') continue;
      if (expression.indices.slice(-1).some(mentionsLane)) return false;
      across ||= expression.indices.slice(0, -1).some(mentionsLane);
    }
  }
  return across && countersAreWhole(body);
}

function mentionsLane(index: KernelExpression): boolean {
  const whole: KernelStatement = { kind: 'return', value: index, place: index.place };
  return [...expressionsOf([whole])].some((part) => part.kind === 'thread' && part.axis === 'x');
}
