import type { KernelExpression, KernelStatement } from './kernel-syntax.ts';
import { assignedNames, statementsIn } from './visit-kernel.ts';

/** Loop variables that start at an integer and only count: their arithmetic is that of integers. */
export function countersOf(body: readonly KernelStatement[]): ReadonlySet<string> {
  const counters = new Set<string>();
  const visit = (statement: KernelStatement): void => {
    if (statement.kind === 'for') {
      const { initial, update } = statement;
      const counts =
        initial.kind === 'declare' &&
        initial.value.kind === 'number' &&
        Number.isInteger(initial.value.value) &&
        update.kind === 'step' &&
        update.name === initial.name;
      if (counts && !assignedNames(statement.body).has(initial.name)) counters.add(initial.name);
    }
    statementsIn(statement).forEach(visit);
  };
  body.forEach(visit);
  return counters;
}

/** Arithmetic of loop variables, thread indices and whole numbers below 2²⁴, which no backend rounds. */
export function isWholeArithmetic(expression: KernelExpression, counters: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'number':
      return Number.isInteger(expression.value) && Math.abs(expression.value) < 2 ** 24;
    case 'name':
      return counters.has(expression.name);
    case 'thread':
    case 'output':
      return true;
    case 'binary':
      return (
        (expression.operator === '+' || expression.operator === '-' || expression.operator === '*') &&
        isWholeArithmetic(expression.left, counters) &&
        isWholeArithmetic(expression.right, counters)
      );
    default:
      return false;
  }
}
