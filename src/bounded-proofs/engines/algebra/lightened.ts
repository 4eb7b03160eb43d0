/** Claims that imply a comparison, without what preserves the order: roundings, increasing functions, common parts. */
import type { BooleanExpression, NumberExpression } from '../../expression.ts';
import type { AxiomId } from '../../axioms.ts';
import type { Claim } from '../interval/claims.ts';
import type { RangeOf } from '../interval/truth-of.ts';
import { factsOf } from '../smt/elementary-facts.ts';

/** A simpler claim that implies the original one. */
export interface Lightened extends Claim {
  /** The axioms used for it. */
  readonly axioms: readonly AxiomId[];
}

/** What decides how far a comparison can be lightened. */
interface Known {
  readonly isFloat32: (node: NumberExpression) => boolean;
  /** On the whole domain of the problem. */
  readonly range: RangeOf;
}

/**
 * The claim without what is outermost on both sides and preserves the order (RN(a) ≤ RN(b) follows from a ≤ b), and without
 * roundings that the other side bounds (RN(a) ≤ f, for a float32 f); and without only the latter, which says more about a if f
 * is a rounding too.
 */
export function lightened(claim: Claim, known: Known): readonly Lightened[] {
  if (claim.relation !== 'less-equal') return [];
  const found: Lightened[] = [];
  for (const onBothSides of [true, false]) {
    const axioms = new Set<AxiomId>();
    const start: Pair = [claim.left, claim.right];
    let [left, right] = start;
    const take = (): Pair | null =>
      (onBothSides ? commonStep([left, right], known, axioms) : null) ?? boundedStep([left, right], known, axioms);
    for (let next = take(); next; next = take()) [left, right] = next;
    const isNew = [start, ...found.map((one): Pair => [one.left, one.right])].every(
      ([a, b]) => a !== left || b !== right,
    );
    if (isNew) found.push({ ...claim, left, right, axioms: [...axioms] });
  }
  return found;
}

type Pair = readonly [NumberExpression, NumberExpression];

/** A pair whose order implies that of this one, if one side is a rounding and the other a float32; otherwise null. */
function boundedStep([left, right]: Pair, { isFloat32 }: Known, axioms: Set<AxiomId>): Pair | null {
  const next: Pair | null =
    left.kind === 'round32' && isFloat32(right)
      ? [left.operand, right]
      : right.kind === 'round32' && isFloat32(left)
        ? [left, right.operand]
        : null;
  if (next) axioms.add('rounding-exact').add('rounding-monotone');
  return next;
}

/** A pair whose order implies that of this one, because what is outermost on both sides preserves it; otherwise null. */
function commonStep([left, right]: Pair, { range }: Known, axioms: Set<AxiomId>): Pair | null {
  if (left.kind === 'round32' && right.kind === 'round32') {
    axioms.add('rounding-monotone');
    return [left.operand, right.operand];
  }
  switch (left.kind) {
    case 'machine':
    case 'function': {
      if (right.kind !== left.kind || right.fn !== left.fn) return null;
      const { increasing } = factsOf(left.kind, left.fn);
      if (!increasing || increasing.from !== null) return null;
      axioms.add(increasing.axiom);
      return [left.operand, right.operand];
    }
    case 'negate':
      return right.kind === 'negate' ? [right.operand, left.operand] : null;
    case 'divide':
      return right.kind === 'divide' && left.right === right.right && range(left.right).low > 0
        ? [left.left, right.left]
        : null;
    case 'add':
      return right.kind === 'add' ? (withoutShared(left, right)?.rest ?? null) : null;
    case 'multiply': {
      const shared = right.kind === 'multiply' ? withoutShared(left, right) : null;
      return shared && range(shared.operand).low >= 0 ? shared.rest : null;
    }
    default:
      return null;
  }
}

interface Binary {
  readonly left: NumberExpression;
  readonly right: NumberExpression;
}

/** An operand that both have, and the other one of each. */
function withoutShared(a: Binary, b: Binary): { readonly operand: NumberExpression; readonly rest: Pair } | null {
  for (const [operand, first] of [
    [a.left, a.right],
    [a.right, a.left],
  ] as const) {
    if (operand === b.left) return { operand, rest: [first, b.right] };
    if (operand === b.right) return { operand, rest: [first, b.left] };
  }
  return null;
}

/** Whether a premise states the claim that one number is at most another. */
export function isAmongPremises({ relation, left, right, premises }: Claim): boolean {
  const says = ({ kind }: BooleanExpression): boolean => kind === 'less-equal' || kind === 'less';
  return (
    relation === 'less-equal' &&
    premises.some((premise) => says(premise) && 'left' in premise && premise.left === left && premise.right === right)
  );
}
