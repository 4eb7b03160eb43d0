/** Walks over syntax trees: down without recursion, up by parents. */
import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';

/** A node and everything under it that the guard accepts, in the order of the text; not below nodes that `stop` names. */
export function under<T extends ts.Node>(
  ts: TypeScript,
  root: ts.Node,
  guard: (node: ts.Node) => node is T,
  stop: (node: ts.Node) => boolean = () => false,
): readonly T[] {
  const found: T[] = [];
  const stack = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (guard(node)) found.push(node);
    if (node !== root && stop(node)) continue;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    for (const child of children.reverse()) stack.push(child);
  }
  return found;
}

/** The parents of a node, nearest first, up to the file. */
export function* ancestors(node: ts.Node): Generator<ts.Node> {
  // The compiler's types say that every node has a parent; the file has none.
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent as ts.Node | undefined) yield at;
}

/** Whether `node` is `other` or lies under it. */
export function isIn(node: ts.Node, other: ts.Node): boolean {
  if (node === other) return true;
  for (const parent of ancestors(node)) if (parent === other) return true;
  return false;
}

/** The class around a node; null if there is none. */
export function classAround(ts: TypeScript, node: ts.Node): ts.ClassLikeDeclaration | null {
  for (const parent of ancestors(node)) if (ts.isClassLike(parent)) return parent;
  return null;
}

export type FunctionNode = ts.FunctionLikeDeclaration;

/** The function around a node; null at the top of the module. */
export function functionAround(ts: TypeScript, node: ts.Node): FunctionNode | null {
  for (const parent of ancestors(node)) if (isFunction(ts, parent)) return parent;
  return null;
}

export function isFunction(ts: TypeScript, node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isGetAccessorDeclaration(node) ||
    ts.isSetAccessorDeclaration(node)
  );
}

/** Where the statements run together with `node`: the body of the function around it, or the file. */
export function scopeOf(ts: TypeScript, node: ts.Node): ts.Node {
  return functionAround(ts, node) ?? node.getSourceFile();
}

export type Loop = ts.IterationStatement;

/** The loops around a node within its own function, nearest first. */
export function loopsAround(ts: TypeScript, node: ts.Node): readonly Loop[] {
  const loops: Loop[] = [];
  for (const parent of ancestors(node)) {
    if (isFunction(ts, parent)) break;
    if (ts.isIterationStatement(parent, false)) loops.push(parent);
  }
  return loops;
}

/** Whether two nodes are on mutually exclusive branches. */
export function areExclusive(ts: TypeScript, a: ts.Node, b: ts.Node): boolean {
  let below: ts.Node = a;
  for (const parent of ancestors(a)) {
    if (isIn(b, parent)) return branchesApart(ts, parent, below, b);
    below = parent;
  }
  return false;
}

function branchesApart(ts: TypeScript, parent: ts.Node, below: ts.Node, other: ts.Node): boolean {
  const branches = ts.isIfStatement(parent)
    ? [parent.thenStatement, parent.elseStatement]
    : ts.isConditionalExpression(parent)
      ? [parent.whenTrue, parent.whenFalse]
      : ts.isCaseBlock(parent)
        ? parent.clauses
        : [];
  const ofOther = branches.find((branch) => branch && isIn(other, branch));
  return ofOther !== undefined && ofOther !== below && branches.includes(below as never);
}

/** Whether `earlier` has always run when `later` runs: no construct that can be skipped encloses only `earlier`. */
export function alwaysBefore(ts: TypeScript, earlier: ts.Node, later: ts.Node): boolean {
  if (earlier.end > later.pos) return false;
  let below: ts.Node = earlier;
  for (const parent of ancestors(earlier)) {
    if (isIn(later, parent)) return true;
    if (isFunction(ts, parent) || mayBeSkipped(ts, parent, below)) return false;
    below = parent;
  }
  return true;
}

function mayBeSkipped(ts: TypeScript, parent: ts.Node, below: ts.Node): boolean {
  if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent))
    return below !== ('expression' in parent ? parent.expression : parent.condition);
  if (ts.isBinaryExpression(parent))
    return (
      below === parent.right &&
      [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken].includes(
        parent.operatorToken.kind,
      )
    );
  return ts.isIterationStatement(parent, false) || ts.isCaseOrDefaultClause(parent) || ts.isCatchClause(parent);
}
