import type { KernelExpression, KernelStatement } from './kernel-syntax.ts';

/** The parts of an expression, in the order of the text. */
export function partsOf(expression: KernelExpression): readonly KernelExpression[] {
  switch (expression.kind) {
    case 'element':
      return expression.indices;
    case 'call':
      return expression.arguments;
    case 'unary':
      return [expression.operand];
    case 'binary':
    case 'logical':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise];
    default:
      return [];
  }
}

/** The expression with its part number `at` (in the order of {@link partsOf}) replaced. */
export function replacePart(expression: KernelExpression, at: number, part: KernelExpression): KernelExpression {
  switch (expression.kind) {
    case 'element':
      return { ...expression, indices: expression.indices.with(at, part) };
    case 'call':
      return { ...expression, arguments: expression.arguments.with(at, part) };
    case 'unary':
      return { ...expression, operand: part };
    case 'binary':
    case 'logical':
      return at === 0 ? { ...expression, left: part } : { ...expression, right: part };
    case 'conditional':
      return at === 0
        ? { ...expression, condition: part }
        : at === 1
          ? { ...expression, then: part }
          : { ...expression, otherwise: part };
    default:
      return expression;
  }
}

/** The statements directly inside a statement, in the order of the text. */
export function statementsIn(statement: KernelStatement): readonly KernelStatement[] {
  switch (statement.kind) {
    case 'if':
      return [...statement.then, ...(statement.otherwise ?? [])];
    case 'for':
      return [statement.initial, statement.update, ...statement.body];
    case 'while':
      return statement.body;
    default:
      return [];
  }
}

/** The expressions directly inside a statement. */
export function expressionsIn(statement: KernelStatement): readonly KernelExpression[] {
  switch (statement.kind) {
    case 'declare':
    case 'assign':
    case 'return':
      return [statement.value];
    case 'if':
    case 'for':
    case 'while':
      return [statement.condition];
    default:
      return [];
  }
}

/** Every expression of the statements at any depth, parents before parts. */
export function* expressionsOf(statements: readonly KernelStatement[]): Generator<KernelExpression> {
  for (const statement of statements) {
    for (const expression of expressionsIn(statement)) yield* withParts(expression);
    yield* expressionsOf(statementsIn(statement));
  }
}

function* withParts(expression: KernelExpression): Generator<KernelExpression> {
  yield expression;
  for (const part of partsOf(expression)) yield* withParts(part);
}

/** Names that the statements assign at any depth, declarations aside. */
export function assignedNames(statements: readonly KernelStatement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (statement: KernelStatement): void => {
    if (statement.kind === 'assign' || statement.kind === 'step') names.add(statement.name);
    statementsIn(statement).forEach(visit);
  };
  statements.forEach(visit);
  return names;
}
