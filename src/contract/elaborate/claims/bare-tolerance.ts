/**
 * `|a - b| < eps` with `tolerance: 1e-5`, where the equation has an input eps too: the bound is the tolerance, which nothing else uses. So
 * is that of `|a - b| < 1e-5`.
 */
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText, Tolerance } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import type { Claim } from './claim-of.ts';

/**
 * `formal` with such bounds under the name `free`, which means the tolerance; unchanged unless the tolerance is a bare number, as in
 * upstream's contracts. `isInput` says of which names the claim has inputs.
 */
export function withBareTolerance(
  formal: FormalText,
  tolerance: Tolerance | null,
  names: readonly string[],
  isInput: (name: string) => boolean,
): FormalText {
  const free = names.find((name) => !isInput(name));
  if (tolerance?.unitless !== true || !(tolerance.abs ?? 0) || free === undefined) return formal;
  const isBound = (part: Expression | undefined, inside: Expression): part is Expression =>
    part?.kind === 'name'
      ? names.includes(part.text) && isInput(part.text)
      : part?.kind === 'number' && part.unit === null && Number(part.value) === tolerance.abs && isDifference(inside);
  const change = (part: Expression): Expression => {
    const [left, right, more] = part.kind === 'relation' ? part.operands : [];
    const isDistance = left?.kind === 'absolute' || left?.kind === 'norm';
    const isLess = part.kind === 'relation' && (part.operators[0] === '<' || part.operators[0] === '≤');
    if (part.kind !== 'relation' || !left || more || !isDistance || !isLess || !isBound(right, left.operand))
      return mapExpression(part, change);
    return { ...part, operands: [left, { kind: 'name', text: free, range: right.range }] };
  };
  const { statements } = formal.notation;
  const changed = statements.map((statement) => ({ ...statement, body: change(statement.body) }));
  return { ...formal, notation: { ...formal.notation, statements: changed } };
}

const isDifference = (part: Expression): boolean => part.kind === 'binary' && part.operator === '-';

/** The claim without a tolerance that is the number of its own bound, as 8 is in `|a - b| < 8 ULP` with `tolerance: 8.0`: it adds nothing. */
export function withoutRepeated(claim: Claim): Claim {
  const { formal, tolerance } = claim;
  const [, bound] = /(?:<=?|≤)\s*(\d+(?:\.\d+)?)\s*(?:ulps?|ULPs?)\s*$/u.exec(formal?.text ?? '') ?? [];
  const isRepeated =
    tolerance?.unitless === true && bound !== undefined && Number(bound) === (tolerance.ulp ?? tolerance.abs);
  return isRepeated ? { ...claim, tolerance: null } : claim;
}
