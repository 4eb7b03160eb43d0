import type { KernelExpression, KernelStatement } from '../../subject/kernel-syntax.ts';
import { partsOf, replacePart } from '../../subject/visit-kernel.ts';

/** An expression with `change` applied to every part, the innermost first. */
export function mapExpression(
  expression: KernelExpression,
  change: (expression: KernelExpression) => KernelExpression,
): KernelExpression {
  const parts = partsOf(expression);
  return change(parts.reduce((whole, part, i) => replacePart(whole, i, mapExpression(part, change)), expression));
}

/** A statement with every expression in it changed, and every name that it sets. */
export function mapStatement(
  statement: KernelStatement,
  change: (expression: KernelExpression) => KernelExpression,
  rename: (name: string) => string,
): KernelStatement {
  const inside = (inner: KernelStatement): KernelStatement => mapStatement(inner, change, rename);
  const value = (expression: KernelExpression): KernelExpression => mapExpression(expression, change);
  switch (statement.kind) {
    case 'declare':
    case 'assign':
      return { ...statement, name: rename(statement.name), value: value(statement.value) };
    case 'step':
      return { ...statement, name: rename(statement.name) };
    case 'return':
      return { ...statement, value: value(statement.value) };
    case 'if':
      return {
        ...statement,
        condition: value(statement.condition),
        then: statement.then.map(inside),
        otherwise: statement.otherwise && statement.otherwise.map(inside),
      };
    case 'for':
      return {
        ...statement,
        initial: inside(statement.initial),
        condition: value(statement.condition),
        update: inside(statement.update),
        body: statement.body.map(inside),
      };
    case 'while':
      return { ...statement, condition: value(statement.condition), body: statement.body.map(inside) };
    default:
      return statement;
  }
}

/** A statement that reads and sets other names. */
export function renamed(statement: KernelStatement, names: ReadonlyMap<string, string>): KernelStatement {
  if (names.size === 0) return statement;
  return mapStatement(
    statement,
    (expression) =>
      expression.kind === 'name' ? { ...expression, name: names.get(expression.name) ?? expression.name } : expression,
    (name) => names.get(name) ?? name,
  );
}
