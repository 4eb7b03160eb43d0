/** Which declaration a name means where it is read: the innermost around it. */
import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { once } from './once.ts';
import { ancestors, isFunction, isIn } from './walk.ts';

export type NamedDeclaration =
  | ts.VariableDeclaration
  | ts.ParameterDeclaration
  | ts.BindingElement
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration;

/** Of each name, its declarations by the scope that they hold in. Among overloads, the one with the body comes last. */
type Declared = ReadonlyMap<string, ReadonlyMap<ts.Node, NamedDeclaration>>;

const declaredIn = new WeakMap<Module, Declared>();

/** The declaration of `name` that holds at a node; at the file itself, the one at its top. Null if the module has none. */
export function declarationAt(module: Module, name: string, at: ts.Node): NamedDeclaration | null {
  const scopes = declarations(module).get(name);
  if (!scopes) return null;
  const here = scopes.get(at);
  if (here) return here;
  for (const parent of ancestors(at)) {
    const found = scopes.get(parent);
    if (found) return found;
  }
  return null;
}

function declarations(module: Module): Declared {
  const known = declaredIn.get(module);
  if (known) return known;
  const { ts, all } = module;
  const names = new Map<string, Map<ts.Node, NamedDeclaration>>();
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
    const scopes = names.get(node.name.text) ?? new Map<ts.Node, NamedDeclaration>();
    scopes.set(scopeOfName(module, node), node);
    names.set(node.name.text, scopes);
  }
  declaredIn.set(module, names);
  return names;
}

type Reads = Map<NamedDeclaration, ts.Identifier[]>;

/** Where a declaration is read: the identifiers that mean it, other than in itself and as names of members. */
export function readsOf(module: Module, declaration: NamedDeclaration): readonly ts.Identifier[] {
  const { ts } = module;
  if (!declaration.name || !ts.isIdentifier(declaration.name)) return [];
  const { text } = declaration.name;
  const index = indexOf(module, module.file);
  const reads = index.reads.get(text) ?? readsNamed(module, text, index.identifiers.get(text) ?? []);
  index.reads.set(text, reads);
  return reads.get(declaration) ?? [];
}

/** The identifiers of a file by their text, and the reads of those names that somebody asked for. */
const indexOf = once((module) => {
  const identifiers = new Map<string, ts.Identifier[]>();
  for (const node of module.all(module.ts.isIdentifier)) {
    const same = identifiers.get(node.text) ?? [];
    same.push(node);
    identifiers.set(node.text, same);
  }
  return { identifiers, reads: new Map<string, Reads>() };
});

function readsNamed(module: Module, name: string, identifiers: readonly ts.Identifier[]): Reads {
  const { ts } = module;
  const reads: Reads = new Map();
  for (const node of identifiers) {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) continue;
    if (ts.isPropertyAssignment(parent) && parent.name === node) continue;
    const meant = declarationAt(module, name, node);
    if (!meant || isIn(node, meant)) continue;
    const same = reads.get(meant) ?? [];
    same.push(node);
    reads.set(meant, same);
  }
  return reads;
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
