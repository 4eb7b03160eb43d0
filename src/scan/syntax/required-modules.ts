/** CommonJS: what `require` brings in by a relative path, and what a module gives out through `exports`. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { bare, keyOf, propertyName } from './names.ts';
import type { NamedDeclaration } from './scope.ts';

/** The name of what `module.exports = …` gives out as a whole. */
export const wholeModule = 'module.exports';

/** What a declaration brings in: the specifier, and the name of the export or {@link wholeModule}. */
interface Required {
  readonly specifier: string;
  readonly name: string;
}

/** What `const x = require('./a')`, `const { x } = require('./a')` and `const x = require('./a').x` bring in; null for others. */
export function requiredBy(module: Module, declared: NamedDeclaration): Required | null {
  const { ts } = module;
  if (ts.isVariableDeclaration(declared)) return declared.initializer ? requiredIn(module, declared.initializer) : null;
  if (!ts.isBindingElement(declared) || !ts.isObjectBindingPattern(declared.parent)) return null;
  const { parent } = declared.parent;
  if (!ts.isVariableDeclaration(parent) || !parent.initializer) return null;
  const whole = requiredIn(module, parent.initializer);
  const key = declared.propertyName ?? declared.name;
  if (whole?.name !== wholeModule || !ts.isIdentifier(key)) return null;
  return { specifier: whole.specifier, name: key.text };
}

function requiredIn(module: Module, expression: ts.Expression): Required | null {
  const { ts } = module;
  const node = bare(ts, expression);
  if (ts.isPropertyAccessExpression(node)) {
    const whole = requiredIn(module, node.expression);
    return whole?.name === wholeModule ? { ...whole, name: node.name.text } : null;
  }
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null;
  const [argument] = node.arguments;
  if (!argument) return null;
  // The compiler wraps what a namespace import requires.
  if (/^(__importStar|__importDefault|_interopRequire(Default|Wildcard))$/.test(node.expression.text))
    return requiredIn(module, argument);
  const isRequire = node.expression.text === 'require' && ts.isStringLiteralLike(argument);
  return isRequire ? { specifier: argument.text, name: wholeModule } : null;
}

/** The value that `exports.name = …`, `module.exports.name = …` or `module.exports = { name: … }` gives out; the last of several. */
export function commonJsExport(module: Module, name: string): ts.Expression | ts.MethodDeclaration | null {
  const { ts } = module;
  let given: ts.Expression | ts.MethodDeclaration | null = null;
  for (const statement of module.file.statements) {
    if (!ts.isExpressionStatement(statement)) continue;
    for (const [target, value] of assignmentsIn(module, statement.expression)) {
      const member = /^(?:module\.)?exports(?:\.(.+))?$/.exec(target);
      if (!member) continue;
      if ((member[1] ?? wholeModule) === name) given = value;
      else if (member[1] === undefined && ts.isObjectLiteralExpression(value))
        given = memberNamed(module, value, name) ?? given;
    }
  }
  return given;
}

/** `a = b = value`: every target with the last value. */
function assignmentsIn({ ts }: Module, expression: ts.Expression): readonly (readonly [string, ts.Expression])[] {
  const targets: string[] = [];
  let at = bare(ts, expression);
  while (ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    targets.push(keyOf(at.left));
    at = bare(ts, at.right);
  }
  return targets.map((target) => [target, at] as const);
}

function memberNamed(
  { ts }: Module,
  object: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | ts.MethodDeclaration | null {
  for (const member of object.properties) {
    if (!member.name || propertyName(ts, member.name) !== name) continue;
    if (ts.isPropertyAssignment(member)) return bare(ts, member.initializer);
    if (ts.isShorthandPropertyAssignment(member)) return member.name;
    if (ts.isMethodDeclaration(member)) return member;
  }
  return null;
}
