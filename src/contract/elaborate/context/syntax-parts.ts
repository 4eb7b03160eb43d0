/** Walking the surface syntax: the sub-expressions of a node, and the names that are free in index places. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { resolveName, splitIndexName } from './names.ts';
import { lookup, type Scope } from './scope.ts';

/** Whether the expression has no parts: a name, a number, ∞. */
export function isLeaf({ kind }: Expression): boolean {
  return ['number', 'string', 'boolean', 'infinity', 'empty-set', 'name'].includes(kind);
}

/** The direct sub-expressions, binders aside. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'number':
    case 'string':
    case 'boolean':
    case 'infinity':
    case 'empty-set':
    case 'name':
      return [];
    case 'member':
      return [expression.object];
    case 'call':
      return [expression.callee, ...expression.arguments.map((a) => a.value)];
    case 'index':
      return [
        expression.base,
        ...expression.items.flatMap((item) => (item.kind === 'at' ? [item.value] : present(item.from, item.to))),
      ];
    case 'binary':
    case 'logic':
      return [expression.left, expression.right];
    case 'relation':
      return expression.operands;
    case 'quantified':
      return [expression.body];
    case 'big':
      return present(expression.upper, expression.condition, expression.body);
    case 'norm':
      return present(expression.operand, expression.order);
    case 'tuple':
    case 'list':
    case 'set':
    case 'inner-product':
      return expression.items;
    case 'set-builder':
      return [expression.element, ...expression.conditions];
    case 'interval':
      return [expression.low, expression.high];
    case 'span':
      return present(expression.from, expression.to);
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise];
    case 'cases':
      return [...expression.cases.flatMap((c) => [c.condition, c.value]), ...present(expression.otherwise)];
    case 'function-type':
      return [expression.from, expression.to];
    default:
      return [expression.operand];
  }
}

function present(...items: readonly (Expression | null)[]): Expression[] {
  return items.filter((item) => item !== null);
}

/** The range of the binder's name: i of `i ∈ S`, c of `scalar c`. */
export function nameRange({ name, bound, range: { start, end } }: Binder): Range {
  if (bound === null || bound.range.start >= end) return { start, end };
  if (bound.range.start === start) return { start: bound.range.end, end };
  return { start, end: Math.min(start + name.length, bound.range.start) };
}

/** Every name in `expression`, as written. */
export function namesOf(expression: Expression): readonly string[] {
  return expression.kind === 'name' ? [expression.text] : childrenOf(expression).flatMap(namesOf);
}

/** Whether `test` holds for some name in `expression`, binders included. */
export function mentions(expression: Expression, test: (name: string) => boolean): boolean {
  if (expression.kind === 'name') return test(expression.text);
  return (
    childrenOf(expression).some((child) => mentions(child, test)) ||
    bindersOf(expression).some((b) => b.bound !== null && mentions(b.bound, test))
  );
}

/** Whether `test` holds for some name in `text`. */
export function textMentions({ notation }: FormalText, test: (name: string) => boolean): boolean {
  return statementParts({ notation }).some((part) => mentions(part, test));
}

/** What the statements of a text say, conditions and definitions included. */
export function statementParts({ notation }: Pick<FormalText, 'notation'>): readonly Expression[] {
  return notation.statements.flatMap(({ body, conditions, definitions }) => [body, ...conditions, ...definitions]);
}

/** The calls in an expression, outer ones first. */
export function callsIn(part: Expression): readonly Extract<Expression, { kind: 'call' }>[] {
  return [...(part.kind === 'call' ? [part] : []), ...childrenOf(part).flatMap(callsIn)];
}

/** Whether `text` mentions `stem` or an element of it, `stem_i`. */
export function mentionsElement(text: FormalText, stem: string): boolean {
  return textMentions(text, (name) => name === stem || name.startsWith(`${stem}_`));
}

function bindersOf(expression: Expression): readonly Binder[] {
  return expression.kind === 'big' || expression.kind === 'quantified' ? expression.binders : [];
}

/**
 * Names in index places that nothing binds, in order of appearance: `i` in `σ(x)_i ≥ 0`.
 * A sum without an index takes the one free index of its body, which is then not free outside.
 */
export function freeIndices(expression: Expression, scope: Scope): readonly string[] {
  const found = new Set<string>();
  collect(expression, scope, new Set(), found);
  return [...found];
}

function collect(expression: Expression, scope: Scope, bound: ReadonlySet<string>, found: Set<string>): void {
  switch (expression.kind) {
    case 'name':
      indicesOfName(expression, scope, bound, found);
      return;
    case 'index':
      collect(expression.base, scope, bound, found);
      for (const item of expression.items) {
        if (item.kind === 'at') indexPlace(item.value, expression.style, scope, bound, found);
      }
      return;
    case 'quantified':
    case 'big':
      collectBinding(expression, scope, bound, found);
      return;
    case 'set-builder': {
      // `{i : p(i)}` and `{i ∈ S : p(i)}` bind i.
      const member = expression.element.kind === 'relation' ? expression.element.operands[0] : expression.element;
      const inner = member?.kind === 'name' ? new Set([...bound, member.text]) : bound;
      for (const child of childrenOf(expression)) collect(child, scope, inner, found);
      return;
    }
    default:
      for (const child of childrenOf(expression)) collect(child, scope, bound, found);
  }
}

function collectBinding(
  expression: Extract<Expression, { kind: 'quantified' | 'big' }>,
  scope: Scope,
  bound: ReadonlySet<string>,
  found: Set<string>,
): void {
  const inner = new Set(bound);
  for (const binder of expression.binders) {
    if (binder.bound) collect(binder.bound, scope, inner, found);
    inner.add(binder.name);
  }
  if (expression.kind === 'big' && expression.binders.length === 0) {
    const own = new Set<string>();
    for (const child of childrenOf(expression)) collect(child, scope, inner, own);
    if (own.size !== 1) for (const name of own) found.add(name);
    return;
  }
  for (const child of childrenOf(expression)) collect(child, scope, inner, found);
}

function indicesOfName(
  expression: Extract<Expression, { kind: 'name' }>,
  scope: Scope,
  bound: ReadonlySet<string>,
  found: Set<string>,
): void {
  const resolved = resolveName(expression, scope);
  if (resolved?.kind !== 'indexed') return;
  for (const index of resolved.indices) indexPlace(index, 'bracket', scope, bound, found);
}

/** Every unknown bare name inside an index is an index. */
function indexPlace(
  expression: Expression,
  style: 'subscript' | 'bracket',
  scope: Scope,
  bound: ReadonlySet<string>,
  found: Set<string>,
): void {
  if (expression.kind === 'name') {
    const known = bound.has(expression.text) || lookup(scope, expression.text) !== null;
    if (known) return;
    const parts = style === 'subscript' ? splitIndexName(expression, scope, bound) : [expression];
    if (parts.length === 1 && parts[0] === expression) {
      if (resolveName(expression, scope)) collect(expression, scope, bound, found);
      else found.add(expression.text);
    } else {
      for (const part of parts) indexPlace(part, 'bracket', scope, bound, found);
    }
    return;
  }
  if (expression.kind === 'index' || expression.kind === 'call') {
    collect(expression, scope, bound, found);
    return;
  }
  for (const child of childrenOf(expression)) indexPlace(child, 'bracket', scope, bound, found);
}
