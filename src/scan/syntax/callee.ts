/**
 * What a call calls, by syntax alone: declarations of the module, and those of modules it imports by a relative path.
 * A name that is declared twice in a module is left alone.
 */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { bare, propertyName } from './names.ts';
import { classAround, isFunction } from './walk.ts';

type Declaration =
  ts.SignatureDeclaration | ts.ClassLikeDeclaration | ts.ObjectLiteralExpression | ts.InterfaceDeclaration;
type Found = { readonly module: Module; readonly node: Declaration };
type ModuleAt = (path: string) => Module | null;

/** Chains of re-exports and of names for names that are followed. */
const maxHops = 8;

/** The declaration behind a call; null when syntax alone does not tell. */
export function calleeBySyntax(
  moduleAt: ModuleAt,
  module: Module,
  call: ts.CallExpression | ts.NewExpression,
): ts.SignatureDeclaration | null {
  const { ts } = module;
  const found = resolve(moduleAt, module, call.expression, maxHops);
  if (!found) return null;
  if (!ts.isClassLike(found.node)) return isSignature(module, found.node) ? found.node : null;
  return ts.isNewExpression(call) ? (found.node.members.find(ts.isConstructorDeclaration) ?? null) : null;
}

/** The function that an expression names; null when syntax alone does not tell. */
export function functionBySyntax(
  moduleAt: ModuleAt,
  module: Module,
  expression: ts.Expression,
): ts.SignatureDeclaration | null {
  const found = resolve(moduleAt, module, expression, maxHops);
  return found && isSignature(module, found.node) ? found.node : null;
}

function isSignature({ ts }: Module, node: Declaration): node is ts.SignatureDeclaration {
  return !ts.isClassLike(node) && !ts.isObjectLiteralExpression(node) && !ts.isInterfaceDeclaration(node);
}

function resolve(moduleAt: ModuleAt, module: Module, expression: ts.Expression, hops: number): Found | null {
  const { ts } = module;
  const node = bare(ts, expression);
  if (hops === 0) return null;
  if (ts.isIdentifier(node)) return resolveName(moduleAt, module, node.text, hops);
  if (!ts.isPropertyAccessExpression(node)) return null;
  const owner = bare(ts, node.expression);
  const member = node.name.text;
  if (owner.kind === ts.SyntaxKind.ThisKeyword) {
    const around = classAround(ts, node);
    return around && memberOf(module, around, member, false);
  }
  if (!ts.isIdentifier(owner)) return null;
  const path = importedModule(module, owner.text);
  if (path !== null) {
    const imported = atPath(moduleAt, module, path);
    return imported && exported(moduleAt, imported, member, hops - 1);
  }
  const instance = classOfInstance(moduleAt, module, owner.text, hops);
  if (instance) return memberOf(instance.module, instance.node, member, false);
  const declared = resolveName(moduleAt, module, owner.text, hops - 1);
  return declared && memberOf(declared.module, declared.node, member, true);
}

function resolveName(moduleAt: ModuleAt, module: Module, name: string, hops: number): Found | null {
  const local = declarationOf(moduleAt, module, name, hops);
  if (local) return local;
  const { ts } = module;
  for (const statement of module.file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named)) continue;
    const element = named.elements.find((one) => one.name.text === name);
    if (!element) continue;
    const imported = atPath(moduleAt, module, statement.moduleSpecifier.text);
    return imported && exported(moduleAt, imported, (element.propertyName ?? element.name).text, hops - 1);
  }
  return null;
}

/** The one declaration of a name in a module. */
function declarationOf(moduleAt: ModuleAt, module: Module, name: string, hops: number): Found | null {
  const { ts } = module;
  const isNamed = (node: { readonly name?: ts.Node | undefined }): boolean =>
    node.name !== undefined && ts.isIdentifier(node.name) && node.name.text === name;
  const variables = module.all(ts.isVariableDeclaration).filter(isNamed);
  const declared = module.all(ts.isFunctionDeclaration).filter(isNamed);
  // Overloads stand before the one with a body.
  const functions = declared.some(({ body }) => body) ? declared.filter(({ body }) => body) : declared;
  const classes = module.all(ts.isClassDeclaration).filter(isNamed);
  const interfaces = module.all(ts.isInterfaceDeclaration).filter(isNamed);
  const parameters = module.all(ts.isParameter).filter(isNamed);
  const [only, ...others] = [...variables, ...functions, ...classes, ...interfaces, ...parameters];
  if (!only || others.length > 0 || ts.isParameter(only)) return null;
  if (!ts.isVariableDeclaration(only)) return { module, node: only };
  if (!only.initializer) return null;
  const value = bare(ts, only.initializer);
  if (isFunction(ts, value) || ts.isClassLike(value) || ts.isObjectLiteralExpression(value))
    return { module, node: value };
  return ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)
    ? resolve(moduleAt, module, value, hops - 1)
    : null;
}

/** The class of `x` where the module says `x = new C(…)` or `x: C`, once. */
function classOfInstance(moduleAt: ModuleAt, module: Module, name: string, hops: number): Found | null {
  const { ts } = module;
  const declared = [...module.all(ts.isVariableDeclaration), ...module.all(ts.isParameter)].filter(
    (node) => ts.isIdentifier(node.name) && node.name.text === name,
  );
  const [only] = declared;
  if (!only || declared.length > 1) return null;
  const value = only.initializer && bare(ts, only.initializer);
  if (value && ts.isNewExpression(value)) return resolve(moduleAt, module, value.expression, hops - 1);
  const { type } = only;
  return type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)
    ? resolveName(moduleAt, module, type.typeName.text, hops - 1)
    : null;
}

function memberOf(module: Module, owner: Declaration, name: string, isStatic: boolean): Found | null {
  const { ts } = module;
  const members: readonly ts.Node[] = ts.isObjectLiteralExpression(owner)
    ? owner.properties
    : ts.isClassLike(owner)
      ? owner.members.filter((member) => isStaticMember(module, member) === isStatic)
      : ts.isInterfaceDeclaration(owner)
        ? owner.members
        : [];
  for (const member of members) {
    if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) {
      if (propertyName(ts, member.name) === name) return { module, node: member };
    } else if (ts.isPropertyAssignment(member) || ts.isPropertyDeclaration(member)) {
      const value = member.initializer && bare(ts, member.initializer);
      if (propertyName(ts, member.name) === name && value && isFunction(ts, value)) return { module, node: value };
    }
  }
  return null;
}

function isStaticMember({ ts }: Module, member: ts.ClassElement): boolean {
  return (
    ts.canHaveModifiers(member) &&
    (ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false)
  );
}

/** What a module exports under a name, through re-exports. */
function exported(moduleAt: ModuleAt, module: Module, name: string, hops: number): Found | null {
  const { ts } = module;
  if (hops <= 0) return null;
  const local = declarationOf(moduleAt, module, name, hops);
  if (local) return local;
  for (const statement of module.file.statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const specifier = statement.moduleSpecifier;
    const from = specifier && ts.isStringLiteral(specifier) ? atPath(moduleAt, module, specifier.text) : module;
    if (!from) continue;
    const clause = statement.exportClause;
    const element =
      clause && ts.isNamedExports(clause) ? clause.elements.find((one) => one.name.text === name) : undefined;
    if (clause && !element) continue;
    const inner = element ? (element.propertyName ?? element.name).text : name;
    if (from === module && inner === name) continue;
    const found = exported(moduleAt, from, inner, hops - 1);
    if (found) return found;
  }
  return null;
}

/** The specifier of `import * as name from '…'`. */
function importedModule({ ts, file }: Module, name: string): string | null {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (named && ts.isNamespaceImport(named) && named.name.text === name) return statement.moduleSpecifier.text;
  }
  return null;
}

/** The module behind a relative specifier, among those that were read: with any ending, or as the index of a folder. */
function atPath(moduleAt: ModuleAt, from: Module, specifier: string): Module | null {
  if (!specifier.startsWith('.')) return null;
  const path = posix.join(posix.dirname(from.source.path.replaceAll('\\', '/')), specifier);
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const endings = ['', '.ts', '.tsx', '.mts', '.cts', '/index.ts', '/index.tsx'];
  for (const candidate of [path, ...endings.map((ending) => stem + ending)]) {
    const found = moduleAt(candidate);
    if (found) return found;
  }
  return null;
}
