/** `shape(A) = transpose(shape(B)) = [m, n]`: a formula that says which shapes A and B have, and so declares them. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { listedSizes } from '../domains/shape-lists.ts';

/** The equation with these tensors in its domain; null if its formula is not of this form, or its domain mentions one of them. */
export function withStatedShapes(equation: Equation): Equation | null {
  const { formula, domain } = equation;
  const [only, more] = formula.notation.statements;
  const body = only?.body;
  if (domain === null || body?.kind !== 'relation' || more || body.operators.some((one) => one !== '=')) return null;
  const lists = body.operands.map(listedSizes).filter((sizes) => sizes.length > 0);
  const tensors = body.operands.flatMap((part) => shapedBy(part) ?? []);
  const [sizes, other] = lists;
  if (!sizes || other || tensors.length + 1 !== body.operands.length) return null;
  const known = new Set(domain.notation.statements.flatMap((one) => namesOf(one.body)));
  if (tensors.some(({ name }) => known.has(name))) return null;
  const axes = sizes.map(({ range }) => `(${formula.text.slice(range.start, range.end)})`);
  const declared = tensors.map(({ name, isReversed }) => {
    const shape = isReversed ? axes.toReversed() : axes;
    return `${name} ∈ ℝ^{${shape.join(' × ')}}`;
  });
  const { status, statements } = readNotation(declared.join(', '), 'domain');
  if (status !== 'math') return null;
  const notation = { ...domain.notation, statements: [...domain.notation.statements, ...statements] };
  return { ...equation, domain: { ...domain, notation } };
}

const turns: ReadonlySet<string> = new Set(['transpose', 'reverse', 'swap']);

/** A of `shape(A)`, `A.shape` and, with its axes in the other order, `transpose(shape(A))`. */
function shapedBy(part: Expression): { readonly name: string; readonly isReversed: boolean } | null {
  if (part.kind === 'member')
    return part.property === 'shape' && part.object.kind === 'name'
      ? { name: part.object.text, isReversed: false }
      : null;
  const [only, more] = part.kind === 'call' ? part.arguments : [];
  if (part.kind !== 'call' || part.callee.kind !== 'name' || !only || more) return null;
  const { text } = part.callee;
  if (text === 'shape') return only.value.kind === 'name' ? { name: only.value.text, isReversed: false } : null;
  const inner = turns.has(text) ? shapedBy(only.value) : null;
  return inner && { ...inner, isReversed: !inner.isReversed };
}
