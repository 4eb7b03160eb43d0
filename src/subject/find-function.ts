import type { ts } from 'ts-morph';
import type { FunctionNode } from './read-kernel.ts';
import type { TypeScript } from './typescript.ts';

/** A function of a module by its name. */
export interface FoundFunction {
  readonly node: FunctionNode;
  readonly exported: boolean;
}

/** The function that a module declares under `name`: `function f`, `const f = function`, `const f = () =>`, or `export { g as f }`. */
export function findFunction(ts: TypeScript, file: ts.SourceFile, name: string): FoundFunction | null {
  const listed = exportedAs(ts, file, name);
  const wanted = listed ?? name;
  for (const statement of file.statements) {
    const exported = listed !== null || isExported(ts, statement);
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === wanted && statement.body)
      return { node: statement, exported };
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: variable, initializer } of statement.declarationList.declarations) {
      const isFunction = initializer && (ts.isFunctionExpression(initializer) || ts.isArrowFunction(initializer));
      if (isFunction && ts.isIdentifier(variable) && variable.text === wanted) return { node: initializer, exported };
    }
  }
  return null;
}

function isExported(ts: TypeScript, statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false)
  );
}

/** The local name in `export { local as name }`. */
function exportedAs(ts: TypeScript, file: ts.SourceFile, name: string): string | null {
  for (const statement of file.statements) {
    if (
      !ts.isExportDeclaration(statement) ||
      statement.moduleSpecifier ||
      !statement.exportClause ||
      !ts.isNamedExports(statement.exportClause)
    )
      continue;
    for (const element of statement.exportClause.elements)
      if (element.name.text === name) return (element.propertyName ?? element.name).text;
  }
  return null;
}
