import { argumentsOf } from '../../arguments-of.ts';
import type { Expression, NumberExpression } from '../../expression.ts';

/** Visits the numbers below a node that are not in `done` yet, arguments first. */
export function forEachNew(
  root: NumberExpression,
  done: ReadonlyMap<number, unknown>,
  visit: (node: NumberExpression) => void,
): void {
  const stack: Expression[] = [root];
  const opened = new Set<number>();
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    if (done.has(node.id) || (opened.has(node.id) && node.sort === 'boolean')) {
      stack.pop();
    } else if (opened.has(node.id)) {
      stack.pop();
      if (node.sort === 'number') visit(node);
    } else {
      opened.add(node.id);
      for (const argument of argumentsOf(node)) if (!done.has(argument.id)) stack.push(argument);
    }
  }
}
