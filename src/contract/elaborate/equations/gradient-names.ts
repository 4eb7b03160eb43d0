/**
 * Derivatives of what nothing defines, as names: in `dL/dx_i = y_i·(dL/dy_i - Σ_k y_k·dL/dy_k)` the gradient by x is what the formula
 * computes, and the one by y is an input that is like y.
 */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { statementOf } from '../operators/clauses.ts';

type Name = Extract<Expression, { kind: 'name' }>;

/** The equation with such names, where its left side is a derivative by an input; unchanged otherwise. */
export function withGradients(equation: Equation): Equation {
  const { formula, domain } = equation;
  if (domain === null) return equation;
  const known = new Set(domain.notation.statements.flatMap(({ body }) => namesBeside(body)));
  const isNew = (part: Expression): boolean => gradientOf(part, known) !== null;
  const lefts = formula.notation.statements.flatMap(({ body }) => leftOf(body) ?? []);
  if (!lefts.some((left) => isNew(left) || (left.kind === 'index' && isNew(left.base)))) return equation;
  const change = (part: Expression): Expression => {
    const plain = factorApart(part);
    return gradientOf(plain, known)?.name ?? mapExpression(plain, change);
  };
  const changed = withBodies(domain, change);
  const used = new Map(
    formula.notation.statements
      .flatMap(({ body }) => (body.kind === 'relation' ? body.operands.slice(1) : []))
      .flatMap((part) => gradientsIn(part, known))
      .map((one) => [one.by, one] as const),
  );
  const defined = new Set(lefts.flatMap((left) => gradientsIn(left, known)).map(({ by }) => by));
  const said = new Set(changed.notation.statements.flatMap(({ body }) => leftOf(body, '∈') ?? []).flatMap(namesOf));
  const declared = [...used.values()].flatMap(({ by, stem, name }): readonly Statement[] => {
    const type = defined.has(by) || said.has(stem) ? null : typeOf(by, domain);
    const own: Name = { ...name, text: stem };
    return type ? [statementOf({ kind: 'relation', operands: [own, type], operators: ['∈'], range: type.range })] : [];
  });
  const statements = [...changed.notation.statements, ...declared];
  return {
    ...equation,
    formula: withBodies(formula, change),
    domain: { ...changed, notation: { ...changed.notation, statements } },
  };
}

interface Gradient {
  /** x of `dL/dx_i`. */
  readonly by: string;
  /** `dLdx`. */
  readonly stem: string;
  readonly name: Name;
}

/** Null unless it is the derivative of a quantity that nothing declares by one of `known`. */
function gradientOf(part: Expression, known: ReadonlySet<string>): Gradient | null {
  const [above, below] = part.kind === 'binary' && part.operator === '/' ? [part.left, part.right] : [];
  if (above?.kind !== 'name' || below?.kind !== 'name' || known.has(above.text) || known.has(below.text)) return null;
  const [, by = ''] = /^d(\p{L}[\p{L}\p{M}\p{N}′']*(?:_\w{2,})?)/u.exec(below.text) ?? [];
  const base = by.replace(/_\w+$/u, '');
  const stem = [by, base].find((one) => known.has(one)) ?? (/^\p{L}$/u.test(base) ? base : undefined);
  if (!/^d(?:\p{Lu}\w*|\p{Ll}|loss)$/u.test(above.text) || stem === undefined) return null;
  const { range } = part;
  const named: Name = { kind: 'name', text: `${above.text}${below.text}`, range };
  return { by: stem, stem: `${above.text}d${stem}`, name: named };
}

const isDifferential = (part: Expression): boolean => part.kind === 'name' && /^d\p{L}/u.test(part.text);

/** The names in `part` but for those of derivatives. */
function namesBeside(part: Expression): readonly string[] {
  const isRatio =
    part.kind === 'binary' && part.operator === '/' && isDifferential(part.left) && isDifferential(part.right);
  if (isRatio) return [];
  return part.kind === 'name' ? [part.text] : childrenOf(part).flatMap(namesBeside);
}

/** `y·(dL / dy)` of `y·dL/dy`, which reads as `(y·dL) / dy`. */
function factorApart(part: Expression): Expression {
  const { left, right } = part.kind === 'binary' && part.operator === '/' ? part : {};
  const isProduct = left?.kind === 'binary' && ['·', '×', '@', '⊙'].includes(left.operator);
  if (part.kind !== 'binary' || !isProduct || !right || !isDifferential(left.right) || !isDifferential(right))
    return part;
  const range = { start: left.right.range.start, end: part.range.end };
  return { ...left, right: { ...part, left: left.right, range }, range: part.range };
}

function gradientsIn(part: Expression, known: ReadonlySet<string>): readonly Gradient[] {
  const plain = factorApart(part);
  const own = gradientOf(plain, known);
  return own ? [own] : childrenOf(plain).flatMap((child) => gradientsIn(child, known));
}

function leftOf(body: Expression, operator = '='): Expression | null {
  const [left, right] = body.kind === 'relation' && body.operators[0] === operator ? body.operands : [];
  return left && right ? left : null;
}

/** The set that the domain declares `name` to be in. */
function typeOf(name: string, domain: FormalText): Expression | null {
  const types = domain.notation.statements.flatMap(({ body }) => {
    const [subject, type] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
    return type && subject?.kind === 'name' && subject.text === name ? [type] : [];
  });
  const [only = null, other] = types;
  return other ? null : only;
}

function withBodies(text: FormalText, change: (part: Expression) => Expression): FormalText {
  const statements = text.notation.statements.map((one) => ({
    ...one,
    body: change(one.body),
    definitions: one.definitions.map(change),
  }));
  return { ...text, notation: { ...text.notation, statements } };
}
