/**
 * What a call calls, by syntax alone: declarations of the module, and those of modules it imports or requires by a relative path.
 * A name means its innermost declaration.
 */
import { posix } from 'node:path';
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { commonJsExport, requiredBy, wholeModule } from './required-modules.ts';
import { bare, propertyName } from './names.ts';
import { once } from './once.ts';
import { declarationAt, type NamedDeclaration } from './scope.ts';
import { classAround, isFunction } from './walk.ts';

type Declaration =
  ts.SignatureDeclaration | ts.ClassLikeDeclaration | ts.ObjectLiteralExpression | ts.InterfaceDeclaration;
type Found = { readonly module: Module; readonly node: Declaration };
type ModuleAt = (path: string) => Module | null;

/** The import declarations of a module. */
export const importsOf = once(({ ts, file }) => file.statements.filter(ts.isImportDeclaration));
const exportsOf = once(({ ts, file }) => file.statements.filter(ts.isExportDeclaration));

/** Chains of re-exports and of names for names that are followed. */
const maxHops = 8;

/** The declaration that a call resolves to; null if syntax alone does not show it. */
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

/** The function that an expression names; null if syntax alone does not show it. */
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
  if (ts.isIdentifier(node)) return resolveName(moduleAt, module, node.text, node, hops);
  if (!ts.isPropertyAccessExpression(node)) return null;
  const owner = bare(ts, node.expression);
  const member = node.name.text;
  if (owner.kind === ts.SyntaxKind.ThisKeyword) {
    const around = classAround(ts, node);
    return around && inheritedMember(moduleAt, { module, node: around }, member, hops);
  }
  if (!ts.isIdentifier(owner)) return null;
  const path = importedModule(module, owner);
  const imported = path === null ? null : atPath(moduleAt, module, path);
  const given = imported && exported(moduleAt, imported, member, hops - 1);
  if (given || (path !== null && !declarationAt(module, owner.text, owner))) return given;
  const instance = classOfInstance(moduleAt, module, owner, hops);
  if (instance) return inheritedMember(moduleAt, instance, member, hops);
  const declared = resolveName(moduleAt, module, owner.text, owner, hops - 1);
  return declared && memberOf(declared.module, declared.node, member, true);
}

function resolveName(moduleAt: ModuleAt, module: Module, name: string, at: ts.Node, hops: number): Found | null {
  const local = declarationAt(module, name, at);
  if (local) return meaningOf(moduleAt, module, local, hops);
  const { ts } = module;
  for (const statement of importsOf(module, module.file)) {
    if (!ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const original = importedAs(module, statement.importClause, name);
    if (original === null) continue;
    const imported = atPath(moduleAt, module, statement.moduleSpecifier.text);
    return imported && exported(moduleAt, imported, original, hops - 1);
  }
  return null;
}

/** The name that a module exports what is imported here under `name`; null if it is imported elsewhere. */
function importedAs({ ts }: Module, clause: ts.ImportClause | undefined, name: string): string | null {
  if (clause?.name?.text === name) return 'default';
  const named = clause?.namedBindings;
  const element = named && ts.isNamedImports(named) ? named.elements.find((one) => one.name.text === name) : undefined;
  return element ? (element.propertyName ?? element.name).text : null;
}

/** What a declaration denotes: itself, or its initial value. */
function meaningOf(moduleAt: ModuleAt, module: Module, declared: NamedDeclaration, hops: number): Found | null {
  const { ts } = module;
  if (hops <= 0 || ts.isParameter(declared)) return null;
  const required = requiredBy(module, declared);
  if (required) {
    const from = atPath(moduleAt, module, required.specifier);
    return from && exported(moduleAt, from, required.name, hops - 1);
  }
  if (ts.isBindingElement(declared)) return null;
  if (!ts.isVariableDeclaration(declared)) return { module, node: declared };
  return declared.initializer ? valueOf(moduleAt, module, declared.initializer, hops) : null;
}

function valueOf(
  moduleAt: ModuleAt,
  module: Module,
  given: ts.Expression | ts.MethodDeclaration,
  hops: number,
): Found | null {
  const { ts } = module;
  const value = ts.isMethodDeclaration(given) ? given : bare(ts, given);
  if (isFunction(ts, value) || ts.isClassLike(value) || ts.isObjectLiteralExpression(value))
    return { module, node: value };
  return ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)
    ? resolve(moduleAt, module, value, hops - 1)
    : null;
}

/** The class of `x` where the module says `x = new C(…)` or `x: C`. */
function classOfInstance(moduleAt: ModuleAt, module: Module, owner: ts.Identifier, hops: number): Found | null {
  const { ts } = module;
  const declared = declarationAt(module, owner.text, owner);
  if (!declared || !(ts.isVariableDeclaration(declared) || ts.isParameter(declared))) return null;
  const value = declared.initializer && bare(ts, declared.initializer);
  if (value && ts.isNewExpression(value)) return resolve(moduleAt, module, value.expression, hops - 1);
  const { type } = declared;
  return type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)
    ? resolveName(moduleAt, module, type.typeName.text, declared, hops - 1)
    : null;
}

/** A method of a class or of the classes it extends. */
function inheritedMember(moduleAt: ModuleAt, owner: Found, name: string, hops: number): Found | null {
  const { module, node } = owner;
  const { ts } = module;
  const own = memberOf(module, node, name, false);
  if (own || hops <= 0 || !ts.isClassLike(node)) return own;
  const parent = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  const base = parent && resolve(moduleAt, module, parent.expression, hops - 1);
  return base ? inheritedMember(moduleAt, base, name, hops - 1) : null;
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
  const given = commonJsExport(module, name);
  if (given) return valueOf(moduleAt, module, given, hops);
  const local = name === 'default' ? defaultOf(module) : declarationAt(module, name, module.file);
  if (local)
    return ts.isExportAssignment(local)
      ? valueOf(moduleAt, module, local.expression, hops)
      : meaningOf(moduleAt, module, local, hops);
  for (const statement of exportsOf(module, module.file)) {
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

function defaultOf({ ts, file }: Module): ts.ExportAssignment | ts.FunctionDeclaration | ts.ClassDeclaration | null {
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement)) return statement;
    if (!ts.isFunctionDeclaration(statement) && !ts.isClassDeclaration(statement)) continue;
    if (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return statement;
  }
  return null;
}

/** The specifier of `import * as name from '…'` or of `const name = require('…')`. */
function importedModule(module: Module, owner: ts.Identifier): string | null {
  const { ts } = module;
  const name = owner.text;
  const declared = declarationAt(module, name, owner);
  const required = declared && requiredBy(module, declared);
  if (required?.name === wholeModule) return required.specifier;
  for (const statement of importsOf(module, module.file)) {
    if (!ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const named = statement.importClause?.namedBindings;
    if (named && ts.isNamespaceImport(named) && named.name.text === name) return statement.moduleSpecifier.text;
  }
  return null;
}

/**
 * The module that a relative specifier refers to, among those that were read: with any extension, or as the index of a folder.
 */
function atPath(moduleAt: ModuleAt, from: Module, specifier: string): Module | null {
  if (!specifier.startsWith('.')) return null;
  const path = posix.join(posix.dirname(from.source.path.replaceAll('\\', '/')), specifier);
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const endings = [
    '',
    '.ts',
    '.tsx',
    '.mts',
    '.cts',
    '.js',
    '.jsx',
    '.mjs',
    '.cjs',
    '/index.ts',
    '/index.tsx',
    '/index.js',
  ];
  for (const candidate of [path, ...endings.map((ending) => stem + ending)]) {
    const found = moduleAt(candidate);
    if (found) return found;
  }
  return null;
}
