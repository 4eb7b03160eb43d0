import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { expressionsIn, partsOf } from '../../subject/visit-kernel.ts';
import { statementsOf } from '../stages/slice.ts';

/**
 * Whether every variable counted with `++` could be an integer without a visible difference: it starts as an integer, nothing
 * else is assigned to it, and it is used only as an index and in comparisons. As an integer, -0 would be 0, and a fraction
 * would be lost.
 */
export function countersAreWhole(body: readonly KernelStatement[]): boolean {
  const counted = new Set<string>();
  const other = new Set<string>();
  for (const statement of statementsOf(body)) {
    if (statement.kind === 'step') counted.add(statement.name);
    if (statement.kind === 'assign') other.add(statement.name);
    if (statement.kind === 'declare' && !isWhole(statement.value)) other.add(statement.name);
    for (const expression of expressionsIn(statement)) for (const name of seen(expression)) other.add(name);
  }
  return [...counted].every((name) => !other.has(name));
}

const isWhole = (value: KernelExpression): boolean => value.kind === 'number' && Number.isInteger(value.value);

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!==']);

/** Names whose value becomes part of a number; those in indices and comparisons do not. */
function seen(expression: KernelExpression): readonly string[] {
  if (expression.kind === 'element') return [];
  if (expression.kind === 'name') return [expression.name];
  const compares = expression.kind === 'binary' && comparisons.has(expression.operator);
  return partsOf(expression).flatMap((part) => (compares && part.kind === 'name' ? [] : seen(part)));
}
