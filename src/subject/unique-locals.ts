import type { KernelExpression, KernelFunction, KernelStatement } from './kernel-syntax.ts';
import { partsOf, replacePart } from './visit-kernel.ts';

/**
 * The same kernel with every local under a name of its own: `j` of a second loop becomes `j_2`.
 *
 * gpu.js writes loops that end at an argument without a scope around their counters, so that two of one name do not compile
 * to a shader. Returns `kernel` itself where no name is declared twice.
 */
export function uniqueLocals(kernel: KernelFunction): KernelFunction {
  const names = declaredIn(kernel.body);
  const taken = new Set([...names, ...kernel.parameters.map(({ name }) => name)]);
  if (taken.size === names.length + kernel.parameters.length) return kernel;
  const declared = new Set(kernel.parameters.map(({ name }) => name));
  const nameFor = (name: string): string => {
    let unique = name;
    if (declared.has(name)) {
      for (let i = 2; taken.has(unique); i++) unique = `${name}_${i}`;
      taken.add(unique);
    }
    declared.add(unique);
    return unique;
  };
  return { ...kernel, body: renameBlock(kernel.body, new Map(), nameFor) };
}

/** Names that the statements declare at any depth, in order of the text. */
function declaredIn(statements: readonly KernelStatement[]): readonly string[] {
  return statements.flatMap((statement) => {
    switch (statement.kind) {
      case 'declare':
        return [statement.name];
      case 'if':
        return [...declaredIn(statement.then), ...declaredIn(statement.otherwise ?? [])];
      case 'for':
        return [...declaredIn([statement.initial]), ...declaredIn(statement.body)];
      case 'while':
        return declaredIn(statement.body);
      default:
        return [];
    }
  });
}

/** What names of the author's stand for, where that is another name. */
type Scope = Map<string, string>;

type NameFor = (name: string) => string;

function renameBlock(
  statements: readonly KernelStatement[],
  outer: ReadonlyMap<string, string>,
  nameFor: NameFor,
): readonly KernelStatement[] {
  const scope: Scope = new Map(outer);
  return statements.map((statement) => renameStatement(statement, scope, nameFor));
}

/** Declarations are entered into `scope`, for the statements that follow. */
function renameStatement(statement: KernelStatement, scope: Scope, nameFor: NameFor): KernelStatement {
  const expression = (part: KernelExpression): KernelExpression => renameExpression(part, scope);
  const block = (body: readonly KernelStatement[]): readonly KernelStatement[] => renameBlock(body, scope, nameFor);
  switch (statement.kind) {
    case 'declare': {
      const value = expression(statement.value);
      const name = nameFor(statement.name);
      scope.set(statement.name, name);
      return { ...statement, name, value };
    }
    case 'assign':
      return { ...statement, name: nameIn(scope, statement.name), value: expression(statement.value) };
    case 'step':
      return { ...statement, name: nameIn(scope, statement.name) };
    case 'if': {
      const { then, otherwise } = statement;
      const condition = expression(statement.condition);
      return { ...statement, condition, then: block(then), otherwise: otherwise && block(otherwise) };
    }
    case 'for': {
      const inner: Scope = new Map(scope);
      const initial = renameStatement(statement.initial, inner, nameFor);
      const condition = renameExpression(statement.condition, inner);
      const update = renameStatement(statement.update, inner, nameFor);
      return { ...statement, initial, condition, update, body: renameBlock(statement.body, inner, nameFor) };
    }
    case 'while':
      return { ...statement, condition: expression(statement.condition), body: block(statement.body) };
    case 'return':
      return { ...statement, value: expression(statement.value) };
    default:
      return statement;
  }
}

const nameIn = (scope: ReadonlyMap<string, string>, name: string): string => scope.get(name) ?? name;

function renameExpression(expression: KernelExpression, scope: ReadonlyMap<string, string>): KernelExpression {
  if (expression.kind === 'name') return { ...expression, name: nameIn(scope, expression.name) };
  return partsOf(expression).reduce<KernelExpression>(
    (whole, part, at) => replacePart(whole, at, renameExpression(part, scope)),
    expression,
  );
}
