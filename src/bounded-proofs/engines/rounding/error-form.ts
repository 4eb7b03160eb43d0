/** A computed value with the exact one that it approximates, and how far apart the two can be. */
import { exponentOf } from '../../../numeric/float-format.ts';
import type { NumberExpression } from '../../expression.ts';
import { NO_ERROR, type Bound } from './bound.ts';

/** Exponent by variable, of variables that are positive on the whole domain: what values are multiples of, see `units.ts`. */
export type Unit = ReadonlyMap<NumberExpression, number>;

/** The unit of numbers that are not measured in inputs. */
export const NO_UNIT: Unit = new Map();

/**
 * |value − exact| ≤ bound, ≤ relative·|exact| + absolute, and ≤ total, each on the whole domain, for the value divided by its
 * unit. Infinite numbers say nothing.
 */
export interface ErrorForm {
  readonly unit: Unit;
  /** An expression without roundings of the code, over inputs and over what is cut off as an input of its own. */
  readonly exact: NumberExpression;
  readonly bound: Bound;
  readonly relative: number;
  readonly absolute: number;
  readonly total: number;
  /** Whether the error is a share of the exact value by its nature, so that `relative` says more than `total`. */
  readonly scales: boolean;
}

/** The unit roundoff of float32: half the distance from 1 to the next. */
export const UNIT_ROUNDOFF = 2 ** -24;
/** Half the smallest positive float32: what a rounding errs by at most among the subnormal numbers. */
export const HALF_SMALLEST = 2 ** -150;
/** The smallest normal float32; below it, rounding errors are absolute. */
export const SMALLEST_NORMAL = 2 ** -126;

/** The form of a value without error. */
export function exactForm(node: NumberExpression): ErrorForm {
  return { unit: NO_UNIT, exact: node, bound: NO_ERROR, relative: 0, absolute: 0, total: 0, scales: true };
}

/** Whether the value is known to have no error. */
export function isExactForm({ total, bound }: ErrorForm): boolean {
  return total === 0 || bound.size === 0;
}

/** Half a unit in the last place of the largest float32 binade that numbers up to `size` reach. */
export function halfUnit(size: number): number {
  if (!Number.isFinite(size)) return Infinity;
  const reached = Math.max(size, SMALLEST_NORMAL);
  const exponent = exponentOf(reached);
  // At a power of two itself no number lies beyond it, so the binade below counts.
  const binade = 2 ** exponent === reached ? Math.max(exponent - 1, -126) : exponent;
  return 2 ** (binade - 24);
}
