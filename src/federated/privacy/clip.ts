/** Clipping of a delta to a largest L2 norm, which bounds what one submission can change. */
import { invariant } from '../../base/invariant.ts';
import { norm } from '../../training/norm.ts';
import type { StateDict } from '../adapter/layout.ts';

/** ‖delta‖₂ over all its tensors, in float64 from left to right. */
export const globalNorm = (delta: StateDict): number => norm([...delta.values()].map(({ data }) => data));

/** More than rounding every element to float32 (2⁻²⁴) and a float64 sum of 2²⁶ squares (2⁻²⁸) can add to a norm. */
const slack = 2 ** -22;

/**
 * The delta if its norm is at most `maxNorm`, bit for bit; else the delta times just below maxNorm/norm, so that its norm in float64
 * is at most `maxNorm` after rounding to float32. `maxNorm` is 10⁻³⁰ or more, and the delta is finite.
 *
 * Source: Abadi et al. (2016), Deep learning with differential privacy, arXiv:1607.00133, algorithm 1, of a whole submission.
 */
export function clipGradient(delta: StateDict, maxNorm: number): StateDict {
  const length = globalNorm(delta);
  invariant(length < Infinity && maxNorm >= 1e-30, 'a finite delta is clipped to a bound above 0');
  const factor = length > maxNorm ? (maxNorm / length) * (1 - slack) : 1;
  return mapped(delta, (x) => factor * x);
}

/** A delta of the same tensors, each number replaced by `of` and rounded to float32. */
export const mapped = (delta: StateDict, of: (x: number) => number): StateDict =>
  new Map([...delta].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => of(x)) }]));
