/**
 * `H(X) = -sum(p_i·log p_i) for i in alphabet`: the index after the formula is that of its sum, since the left side has none.
 *
 * Of a set that nobody declares only the number of elements matters. An argument that the formula does not use is what the numbers
 * describe: H is a function of the probabilities of X.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { callsIn, childrenOf, mentions, namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { rewritten, type OtherReading } from './other-reading.ts';

const reductions = new Set(['sum', 'mean', 'max', 'min', 'prod', 'product']);

/** Null if the formula is not of this form, or has elements of more than one vector. */
export function withTrailingIndex(equation: Equation, globals: Scope): OtherReading | null {
  const { formula, domain } = equation;
  const [only, more] = formula.notation.statements;
  const sum = only && !more ? sumOf(only) : null;
  if (!only || !sum || domain === null) return null;
  const { statements } = domain.notation;
  const { index, set, left, right } = sum;
  const isDeclared = (name: string): boolean =>
    lookup(globals, name) !== null || statements.some(({ body }) => mentions(body, (one) => one === name));
  const stems = new Set([right, ...statements.map(({ body }) => body)].flatMap((part) => stemsIn(part, index)));
  const [stem, another] = stems;
  if (stem === undefined || another !== undefined || isDeclared(set) || isDeclared(stem)) return null;
  const described = argumentOf(left, right);
  const name = described !== null && !isDeclared(described) ? described : stem;
  const change = (part: Expression): Expression => {
    const element = indexedName(part);
    return part.kind === 'name' && element?.base.text === stem && element.index.text === index
      ? { ...part, text: `${name}_${index}` }
      : mapExpression(part, change);
  };
  const changed = (statement: Statement): Statement => ({ ...statement, body: change(statement.body) });
  const added = readNotation(`${set} ∈ ℕ⁺, ${name} ∈ ℝ^{${set}}`, 'domain').statements;
  return {
    equation: rewritten(equation, [{ ...changed(only), binders: [] }], [...added, ...statements.map(changed)]),
    said: `${set} is read as its number of elements${name === stem ? '' : `, and ${name} as its ${stem}_${index}`}`,
    widens: true,
  };
}

/** The parts of `f = … sum(… p_i …) for i in set`. */
function sumOf({ body, binders }: Statement): {
  readonly index: string;
  readonly set: string;
  readonly left: Expression;
  readonly right: Expression;
} | null {
  const [binder, other] = binders;
  const sides = sidesOf(body);
  if (!binder || other || !sides || binder.bound?.kind !== 'name') return null;
  const index = binder.name;
  const isReduced = callsIn(sides.right).some(
    ({ callee, arguments: [argument] }) =>
      callee.kind === 'name' && reductions.has(callee.text) && argument && stemsIn(argument.value, index).length > 0,
  );
  const hasIndex = mentions(sides.left, (name) => name === index || name.endsWith(`_${index}`));
  return isReduced && !hasIndex ? { index, set: binder.bound.text, ...sides } : null;
}

const stemsIn = (part: Expression, index: string): readonly string[] => {
  const element = indexedName(part);
  return element?.index.text === index ? [element.base.text] : childrenOf(part).flatMap((one) => stemsIn(one, index));
};

/** X of `H(X) = …`, if the right side does not use it. */
function argumentOf(left: Expression, right: Expression): string | null {
  const [argument, more] = left.kind === 'call' ? left.arguments : [];
  const name = argument?.value.kind === 'name' && !more ? argument.value.text : null;
  return name === null || namesOf(right).some((one) => one === name || one.startsWith(`${name}_`)) ? null : name;
}
