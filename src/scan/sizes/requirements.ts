/** The sizes that a function requires of its buffers: what it documents, what it checks, and what its loops touch. */
import type { ts } from 'ts-morph';
import type { TypeScript } from '../../subject/typescript.ts';
import { docOf, paramTags } from '../syntax/comments.ts';
import { bare, keyOf, lastName } from '../syntax/names.ts';
import { isFunction, under } from '../syntax/walk.ts';
import { constantsIn } from './constants.ts';
import { named, one, times, type Monomial } from './monomial.ts';
import { monomialOf } from './size-expression.ts';

export interface Requirement {
  /** Position of the buffer among the parameters. */
  readonly at: number;
  readonly buffer: string;
  /** In names of parameters, or of their fields. */
  readonly size: Monomial;
  readonly source: 'documented' | 'checked' | 'looped over';
}

const known = new WeakMap<ts.SignatureDeclaration, readonly Requirement[]>();

/** Each buffer's first known size: documentation before checks before loops. */
export function requirementsOf(ts: TypeScript, callee: ts.SignatureDeclaration): readonly Requirement[] {
  const requirements = known.get(callee) ?? readRequirements(ts, callee);
  known.set(callee, requirements);
  return requirements;
}

function readRequirements(ts: TypeScript, callee: ts.SignatureDeclaration): readonly Requirement[] {
  const names = callee.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));
  const tags = paramTags(docOf(ts, callee));
  const found: Requirement[] = [];
  const add = (buffer: string, size: Monomial | null, source: Requirement['source']): void => {
    const at = names.indexOf(buffer);
    if (at < 0 || size === null || size.names.length === 0 || found.some((one) => one.buffer === buffer)) return;
    found.push({ at, buffer, size, source });
  };
  for (const [name, text] of tags) add(name, documentedSize(text), 'documented');
  if (!isFunction(ts, callee) || !callee.body) return found;
  for (const { buffer, size } of checkedSizes(ts, callee)) add(buffer, size, 'checked');
  for (const { buffer, size } of loopedSizes(ts, callee)) add(buffer, size, 'looped over');
  return found;
}

/** `[seq, hidden]`, `seq × hidden`, `seq * hidden elements`: a shape written in a comment. */
function documentedSize(text: string): Monomial | null {
  const shape = /\[\s*([A-Za-z_]\w*(?:\s*[,×x*·]\s*[A-Za-z_]\w*)*)\s*\]/.exec(text)?.[1];
  const product = shape ?? /\b([A-Za-z_]\w*(?:\s*[×*·]\s*[A-Za-z_]\w*)+)/.exec(text)?.[1];
  if (product === undefined) return null;
  return product.split(/\s*[,×*·]\s*|\s+x\s+/).reduce((size, name) => times(size, named(name)), one);
}

interface Sized {
  readonly buffer: string;
  readonly size: Monomial | null;
}

/** `if (x.length !== seq * hidden) throw …`, `assert(x.length >= seq * hidden)`. */
function checkedSizes(ts: TypeScript, callee: ts.SignatureDeclaration): readonly Sized[] {
  const valueOf = constantsIn(ts, callee);
  return under(ts, callee, ts.isBinaryExpression).flatMap((comparison) => {
    const [left, right] = [bare(ts, comparison.left), bare(ts, comparison.right)];
    const { kind } = comparison.operatorToken;
    const buffer = lengthOwner(ts, left);
    if (buffer === null || !isSizeCheck(ts, comparison, kind)) return [];
    return [{ buffer, size: monomialOf(ts, right, valueOf) }];
  });
}

function isSizeCheck(ts: TypeScript, comparison: ts.BinaryExpression, kind: ts.SyntaxKind): boolean {
  const { SyntaxKind } = ts;
  const isEquality = kind === SyntaxKind.EqualsEqualsEqualsToken || kind === SyntaxKind.EqualsEqualsToken;
  const isInequality = kind === SyntaxKind.ExclamationEqualsEqualsToken || kind === SyntaxKind.ExclamationEqualsToken;
  const parent = comparison.parent;
  if (
    ts.isCallExpression(parent) &&
    /assert|invariant|check|require|ensure|ok/i.test(lastName(ts, parent.expression) ?? '')
  )
    return isEquality || kind === SyntaxKind.GreaterThanEqualsToken;
  if (!ts.isIfStatement(parent) || parent.expression !== comparison) return false;
  return (
    (isInequality || kind === SyntaxKind.LessThanToken) &&
    under(ts, parent.thenStatement, ts.isThrowStatement).length > 0
  );
}

function lengthOwner(ts: TypeScript, node: ts.Expression): string | null {
  return ts.isPropertyAccessExpression(node) && node.name.text === 'length' && ts.isIdentifier(node.expression)
    ? node.expression.text
    : null;
}

/** `for (let i = 0; i < seq * hidden; i++) out[i] = …`, and the same with one loop per dimension. */
function loopedSizes(ts: TypeScript, callee: ts.SignatureDeclaration): readonly Sized[] {
  return under(ts, callee, ts.isElementAccessExpression).flatMap((access) => {
    const buffer = bare(ts, access.expression);
    if (!ts.isIdentifier(buffer)) return [];
    const valueOf = constantsIn(ts, callee);
    const bounds = boundsAround(ts, access, callee);
    return [{ buffer: buffer.text, size: touched(ts, access.argumentExpression, bounds, valueOf) }];
  });
}

type Bounds = ReadonlyMap<string, ts.Expression>;

/** The counters of the plain loops around a node, from 0 by one, each with its bound. */
function boundsAround(ts: TypeScript, node: ts.Node, callee: ts.Node): Bounds {
  const bounds = new Map<string, ts.Expression>();
  for (let at = node.parent; at !== callee; at = at.parent) {
    if (ts.isIfStatement(at) || ts.isConditionalExpression(at)) return new Map();
    if (!ts.isForStatement(at) || !at.condition || !at.initializer || !ts.isVariableDeclarationList(at.initializer))
      continue;
    const [counter] = at.initializer.declarations;
    const { condition, incrementor } = at;
    if (!counter || !ts.isIdentifier(counter.name) || counter.initializer?.getText() !== '0') continue;
    if (!ts.isBinaryExpression(condition) || condition.operatorToken.kind !== ts.SyntaxKind.LessThanToken) continue;
    const steps = incrementor?.getText().replace(/\s/g, '');
    const name = counter.name.text;
    if (keyOf(condition.left) === name && [`${name}++`, `++${name}`, `${name}+=1`].includes(steps ?? ''))
      bounds.set(name, condition.right);
  }
  return bounds;
}

/** The elements that an index runs over: `i` to its bound; `s * hidden + h` when `h` runs to `hidden`. */
function touched(
  ts: TypeScript,
  index: ts.Expression,
  bounds: Bounds,
  valueOf: (name: string) => ts.Expression | null,
): Monomial | null {
  const node = bare(ts, index);
  if (ts.isIdentifier(node)) {
    const bound = bounds.get(node.text);
    return bound ? monomialOf(ts, bound, valueOf) : null;
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const inner = touched(ts, node.right, bounds, valueOf);
  const row = bare(ts, node.left);
  if (!inner || !ts.isBinaryExpression(row) || row.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return null;
  const outer = touched(ts, row.left, bounds, valueOf);
  const stride = monomialOf(ts, row.right, valueOf);
  return outer && stride && stride.names.join() === inner.names.join() && stride.factor === inner.factor
    ? times(outer, stride)
    : null;
}
