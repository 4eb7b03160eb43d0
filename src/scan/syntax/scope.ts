/** Which declaration a name means where it is read: the innermost around it. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { ancestors, isFunction, isIn } from './walk.ts';

export type NamedDeclaration =
  | ts.VariableDeclaration
  | ts.ParameterDeclaration
  | ts.BindingElement
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration;

const declaredIn = new WeakMap<Module, ReadonlyMap<string, readonly NamedDeclaration[]>>();

/** The declaration of `name` that holds at a node; at the file itself, the one at its top. Null if the module has none. */
export function declarationAt(module: Module, name: string, at: ts.Node): NamedDeclaration | null {
  let best: { readonly node: NamedDeclaration; readonly scope: ts.Node } | null = null;
  for (const node of declarations(module).get(name) ?? []) {
    const scope = scopeOfName(module, node);
    if (!isIn(at, scope)) continue;
    // Among overloads, the one with the body comes last.
    if (best === null || scope === best.scope || isIn(scope, best.scope)) best = { node, scope };
  }
  return best?.node ?? null;
}

function declarations(module: Module): ReadonlyMap<string, readonly NamedDeclaration[]> {
  const known = declaredIn.get(module);
  if (known) return known;
  const { ts, all } = module;
  const names = new Map<string, NamedDeclaration[]>();
  const found: readonly NamedDeclaration[] = [
    ...all(ts.isVariableDeclaration),
    ...all(ts.isParameter),
    ...all(ts.isBindingElement),
    ...all(ts.isFunctionDeclaration),
    ...all(ts.isClassDeclaration),
    ...all(ts.isInterfaceDeclaration),
  ];
  for (const node of found) {
    if (!node.name || !ts.isIdentifier(node.name)) continue;
    const same = names.get(node.name.text) ?? [];
    same.push(node);
    names.set(node.name.text, same);
  }
  declaredIn.set(module, names);
  return names;
}

/** Where a name can be read: its function for parameters and `var`, its block for everything else. */
function scopeOfName({ ts }: Module, node: NamedDeclaration): ts.Node {
  const isVar =
    ts.isVariableDeclaration(node) &&
    ts.isVariableDeclarationList(node.parent) &&
    (node.parent.flags & ts.NodeFlags.BlockScoped) === 0;
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent) || ts.isSourceFile(parent)) return parent;
    const isBlock =
      ts.isBlock(parent) ||
      ts.isCaseBlock(parent) ||
      ts.isModuleBlock(parent) ||
      ts.isCatchClause(parent) ||
      ts.isIterationStatement(parent, false);
    if (isBlock && !isVar) return parent;
  }
  return node.getSourceFile();
}
