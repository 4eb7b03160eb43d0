import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';
import { ancestors, isFunction, under } from '../syntax/walk.ts';
import type { ValueOf } from './size-expression.ts';

const known = new WeakMap<ts.Node, ReadonlyMap<string, ts.Expression | null>>();

/** The values of the constants visible in a scope; a name that is declared twice there has none. */
export function constantsIn(ts: TypeScript, scope: ts.Node): ValueOf {
  const scopes = [scope, ...ancestors(scope)].filter((node) => isFunction(ts, node) || ts.isSourceFile(node));
  return (name) => {
    for (const one of scopes) {
      const value = declaredIn(ts, one).get(name);
      if (value !== undefined) return value;
    }
    return null;
  };
}

/** Names declared in a scope: with their value when constant, with null if a parameter or a variable. */
function declaredIn(ts: TypeScript, scope: ts.Node): ReadonlyMap<string, ts.Expression | null> {
  const before = known.get(scope);
  if (before) return before;
  const names = new Map<string, ts.Expression | null>();
  const isInner = (node: ts.Node): boolean => isFunction(ts, node);
  if (isFunction(ts, scope))
    for (const { name } of scope.parameters) if (ts.isIdentifier(name)) names.set(name.text, null);
  for (const declaration of under(ts, scope, ts.isVariableDeclaration, isInner)) {
    if (!ts.isIdentifier(declaration.name)) continue;
    const isConstant = (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
    const isFirst = !names.has(declaration.name.text);
    names.set(declaration.name.text, isConstant && isFirst ? (declaration.initializer ?? null) : null);
  }
  known.set(scope, names);
  return names;
}
