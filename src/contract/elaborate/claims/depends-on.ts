/**
 * `⟨R(q, m), R(k, n)⟩ = f(q, k, m - n)`, where nothing declares f: the left side is some function of these, so it depends on m and n
 * through their difference alone. That is so if it does not change when both grow by the same amount.
 */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Problem } from '../context/context.ts';
import { mapExpression } from '../context/map-expression.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { required, withParts } from './assumed-numbers.ts';
import { unknownName, type ClaimReading, type FormalClaim } from './claim-reading.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** For any real and for any whole amount; [] unless the claim is such an equation and f has a difference among its arguments. */
export function withDependence(claim: FormalClaim, problem: Problem): readonly ClaimReading[] {
  const name = unknownName(claim, problem);
  const [only, more] = claim.formal.notation.statements;
  const { body } = only ?? {};
  if (name === null || !only || more || body?.kind !== 'relation' || body.operators.join('') !== '=') return [];
  if (only.binders.length + only.conditions.length + only.definitions.length > 0) return [];
  const call = body.operands.find((side) => isCallOf(side, name));
  const value = body.operands.find((side) => side !== call);
  if (!call || !value || !isCallOf(call, name)) return [];
  const given = call.arguments.map(({ value: argument }) => namesIn(argument));
  const names = given.flatMap((one) => one ?? []);
  const moved = given.flatMap((one) => (one && one.length > 1 ? one : []));
  const used = plainNames(value);
  const fresh = ['s', 'u', 'r'].find((letter) => ![...used, ...names].includes(letter));
  const isWhole = given.every((one) => one !== null) && new Set(names).size === names.length;
  if (!isWhole || moved.length === 0 || fresh === undefined || !used.every((one) => names.includes(one))) return [];
  const shifted = shift(value, new Set(moved), fresh);
  const read = withParts(claim, (part) => (part === body ? { ...body, operands: [value, shifted] } : part));
  const { semantics, tolerance } = claim;
  return ['ℝ_{≥0}', 'ℕ'].map((set) => ({
    claim: {
      ...read,
      requires: [...claim.requires, required(claim, `${fresh} ∈ ${set}`)],
      // Rounding makes no two of them equal.
      semantics: semantics === 'ieee' && tolerance === null ? 'real' : semantics,
    },
    said: `${name} is taken for any function, so that nothing changes when ${moved.join(' and ')} grow by the same ${fresh}`,
    widened: true,
  }));
}

const isCallOf = (side: Expression, name: string): side is Call =>
  side.kind === 'call' &&
  side.callee.kind === 'name' &&
  side.callee.text === name &&
  side.arguments.every(({ label }) => label === null);

/** x of `x`, m and n of `m - n`; null of any other argument. */
function namesIn(argument: Expression): readonly string[] | null {
  if (argument.kind === 'name') return [argument.text];
  const isDifference = argument.kind === 'binary' && argument.operator === '-';
  return isDifference && argument.left.kind === 'name' && argument.right.kind === 'name'
    ? [argument.left.text, argument.right.text]
    : null;
}

/** The names of an expression that are not applied. */
const plainNames = (part: Expression): readonly string[] =>
  part.kind === 'call' ? part.arguments.flatMap(({ value }) => plainNames(value)) : leafNames(part);

const leafNames = (part: Expression): readonly string[] =>
  part.kind === 'name' ? namesOf(part) : childrenOf(part).flatMap(plainNames);

/** The expression with `m + s` for each name m in `moved`. */
function shift(value: Expression, moved: ReadonlySet<string>, by: string): Expression {
  const change = (part: Expression): Expression => {
    if (part.kind !== 'name' || !moved.has(part.text)) return mapExpression(part, change);
    const { range } = part;
    return {
      kind: 'binary',
      operator: '+',
      left: part,
      right: { kind: 'name', text: by, range },
      juxtaposed: false,
      range,
    };
  };
  return change(value);
}
