/**
 * Values that an analysis of errors may treat as inputs: both sides of a claim then mention the same number, however it was
 * computed. A cut is always sound, since a claim that holds whatever these numbers are (in their ranges) holds for those that
 * the code computes.
 */
import type { NumberExpression } from '../../expression.ts';
import type { Claim } from '../interval/claims.ts';
import { numberArguments } from '../interval/ranges.ts';

/** Where a measure of errors starts. */
export type Cut =
  /** At the inputs. */
  | 'inputs'
  /** At the results of float32 functions. */
  | 'functions'
  /** At the arguments of float32 functions: the sine and the cosine of one angle. */
  | 'arguments'
  /** At the outermost computed values that are used more than once: what two runs of a kernel have in common. */
  | 'shared'
  /** At rounded quotients, and at the results of float32 functions: weights of a softmax, which are at most 1. */
  | 'quotients'
  /** At float32 values that one side of the claim mentions and the other computes with. */
  | 'named'
  /** At roundings that others equal up to a power of two: see `scaled.ts`. */
  | 'scaled';

/** Null if the cut is the same as at functions or inputs, or if the tolerance is a plain number, which needs no weights. */
export function cutsOf(cut: Cut, { left, right }: Pick<Claim, 'left' | 'right'>): ReadonlySet<NumberExpression> | null {
  switch (cut) {
    case 'quotients': {
      if (right.kind === 'constant') return null;
      const found = [...reached([left, right])].filter(isRoundedQuotient);
      return found.length === 0 ? null : new Set(found);
    }
    case 'arguments': {
      const functions = [...reached([left, right])].filter(({ kind }) => kind === 'machine');
      return functions.length === 0 ? null : new Set(functions.flatMap(numberArguments).filter(isComputed));
    }
    case 'shared':
      return sharedIn([left, right]);
    case 'named': {
      const [ofLeft, ofRight] = [outermost(left), outermost(right)];
      const [belowLeft, belowRight] = [reached([left]), reached([right])];
      const shared = [
        ...[...ofLeft].filter((node) => belowRight.has(node)),
        ...[...ofRight].filter((node) => belowLeft.has(node)),
      ];
      return shared.length === 0 ? null : new Set(shared);
    }
    default:
      return null;
  }
}

function isRoundedQuotient(node: NumberExpression): boolean {
  return node.kind === 'round32' && node.operand.kind === 'divide' && node.operand.right.kind !== 'constant';
}

function isComputed({ kind }: NumberExpression): boolean {
  return kind === 'round32' || kind === 'machine' || kind === 'machine-power';
}

/** The computed values that a side is made of. */
function outermost(side: NumberExpression): ReadonlySet<NumberExpression> {
  const seen = new Set([side]);
  for (const node of seen) if (!isComputed(node)) for (const part of numberArguments(node)) seen.add(part);
  return new Set([...seen].filter(isComputed));
}

/** The outermost computed values that are used more than once; null if there are none. */
function sharedIn(roots: readonly NumberExpression[]): ReadonlySet<NumberExpression> | null {
  const uses = new Map<NumberExpression, number>();
  for (const node of reached(roots))
    for (const part of new Set(numberArguments(node))) uses.set(part, (uses.get(part) ?? 0) + 1);
  const isShared = (node: NumberExpression): boolean => isComputed(node) && (uses.get(node) ?? 0) > 1;
  const seen = new Set(roots);
  for (const node of seen) if (!isShared(node)) for (const part of numberArguments(node)) seen.add(part);
  const found = [...seen].filter(isShared);
  return found.length === 0 ? null : new Set(found);
}

/** Whether a side has an exponential: what weights are made of. */
export function hasExponential({ left, right }: Pick<Claim, 'left' | 'right'>): boolean {
  return [...reached([left, right])].some(
    (node) => (node.kind === 'function' || node.kind === 'machine') && node.fn === 'exp',
  );
}

/** Every number at or below some. */
function reached(roots: readonly NumberExpression[]): ReadonlySet<NumberExpression> {
  const seen = new Set(roots);
  for (const node of seen) for (const part of numberArguments(node)) seen.add(part);
  return seen;
}
