/**
 * Lengths of vectors as programs name them, in a domain: `x: Vec<f32>, x.len() > 0`, `len(a) == len(b)`, `!x.is_empty()`. One that a
 * formula runs over with `Σ_{i=1}^{n} x_i` has the length n.
 */
import { openLength } from '../../../math/notation/parse-vector-type.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import { childrenOf } from '../context/syntax-parts.ts';
import { lengthOf } from './opaque-parts.ts';

/** The equation with the name of a size in place of each such length, in its domain and preconditions. */
export function withVectorLengths(equation: Equation): Equation {
  const { domain, preconditions } = equation;
  if (domain === null) return equation;
  const ends = endsIn(equation.formula);
  const named = withStatements(
    domain,
    domain.notation.statements.map((statement) => nameLength(statement, ends)),
  );
  const axes = new Map(named.notation.statements.flatMap(lengthIn));
  if (axes.size === 0) return equation;
  const changed = (text: FormalText): FormalText =>
    withStatements(
      text,
      text.notation.statements.map((statement) => ({ ...statement, body: inSizes(statement.body, axes) })),
    );
  return { ...equation, domain: changed(named), preconditions: preconditions.map(changed) };
}

const withStatements = (text: FormalText, statements: readonly Statement[]): FormalText => ({
  ...text,
  notation: { ...text.notation, statements },
});

/** x and n of `Σ_{i=1}^{n} x_i`; nothing of a vector over which sums run to different ends. */
function endsIn({ notation }: FormalText): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  const walk = (part: Expression, ends: ReadonlyMap<string, string>): void => {
    const [binder, more] = part.kind === 'big' ? part.binders : [];
    const end = part.kind === 'big' && binder && !more ? lengthOf(binder.bound, part.upper) : null;
    const inner = binder && end !== null ? new Map([...ends, [binder.name, end]]) : ends;
    const vector = vectorAt(part);
    const length = vector && inner.get(vector.index);
    if (vector && length !== undefined && length !== null)
      found.set(vector.name, (found.get(vector.name) ?? new Set<string>()).add(length));
    for (const child of childrenOf(part)) walk(child, inner);
  };
  for (const { body, definitions } of notation.statements)
    for (const part of [body, ...definitions]) walk(part, new Map());
  return new Map([...found].flatMap(([name, [end, more]]) => (end === undefined || more ? [] : [[name, end]])));
}

/** x and i of `x_i`, `x[i]`. */
function vectorAt(part: Expression): { readonly name: string; readonly index: string } | null {
  const element = indexedName(part);
  if (element) return { name: element.base.text, index: element.index.text };
  const [item, more] = part.kind === 'index' ? part.items : [];
  if (part.kind !== 'index' || part.base.kind !== 'name' || item?.kind !== 'at' || more) return null;
  return item.value.kind === 'name' ? { name: part.base.text, index: item.value.text } : null;
}

/** `x ∈ f32^len` of `x: Vec<f32>`: a length of its own for each vector of which `ends` has none. */
function nameLength(statement: Statement, ends: ReadonlyMap<string, string>): Statement {
  const { body } = statement;
  const [left, set] = membership(body);
  const isOpen = set?.kind === 'binary' && set.operator === '^' && isNamed(set.right, openLength);
  if (body.kind !== 'relation' || left?.kind !== 'name' || !isOpen) return statement;
  const length = ends.get(left.text) ?? `${openLength}_${left.text}`;
  const right: Expression = { kind: 'name', text: length, range: set.right.range };
  return { ...statement, body: { ...body, operands: [left, { ...set, right }] } };
}

/** The input and the size of its only axis. */
function lengthIn({ body }: Statement): readonly (readonly [string, string])[] {
  const [left, set] = membership(body);
  const axis = set?.kind === 'binary' && set.operator === '^' ? set.right : undefined;
  const inputs = left?.kind === 'tuple' ? left.items : [left];
  return axis?.kind === 'name'
    ? inputs.flatMap((input) => (input?.kind === 'name' ? [[input.text, axis.text] as const] : []))
    : [];
}

const membership = (body: Expression): readonly Expression[] =>
  body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];

const isNamed = (part: Expression, name: string): boolean => part.kind === 'name' && part.text === name;

function inSizes(expression: Expression, axes: ReadonlyMap<string, string>): Expression {
  const change = (part: Expression): Expression => {
    if (part.kind === 'not') {
      const empty = sizeIn(part.operand, emptiness, axes);
      const one: Expression = { kind: 'number', value: '1', unit: null, range: part.range };
      if (empty) return { kind: 'relation', operands: [empty, one], operators: ['≥'], range: part.range };
    }
    return sizeIn(part, lengths, axes) ?? mapExpression(part, change);
  };
  return change(expression);
}

const lengths: ReadonlySet<string> = new Set(['len', 'length', 'size']);
const emptiness: ReadonlySet<string> = new Set(['is_empty', 'empty']);

/** The size that `x.len()` or `len(x)` is; null if `part` is not such a call. */
function sizeIn(part: Expression, names: ReadonlySet<string>, axes: ReadonlyMap<string, string>): Expression | null {
  if (part.kind !== 'call') return null;
  const { callee, arguments: written } = part;
  const [only, more] = written;
  const method = callee.kind === 'member' && !only && names.has(callee.property) ? callee.object : null;
  const called = callee.kind === 'name' && names.has(callee.text) && !more ? (only?.value ?? null) : null;
  const input = method ?? called;
  const text = input?.kind === 'name' ? axes.get(input.text) : undefined;
  return text === undefined ? null : { kind: 'name', text, range: part.range };
}
