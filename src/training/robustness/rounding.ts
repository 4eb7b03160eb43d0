/**
 * How far rounding takes a network from its real-valued function, and an analysis in float64 from exact arithmetic.
 *
 * Each affine neuron gets a slack: a radius around W x + b that contains what the network computes, in any order of
 * summation, with or without fused multiply-adds. It also covers the rounding of the analysis itself. The
 * bound is the usual one, γₙ (|W||x| + |b|) with γₙ = n u / (1 − n u) (Higham, Accuracy and Stability of Numerical Algorithms,
 * §3.1), with an absolute term for results that underflow.
 */
import { MAX_FLOAT32, MIN_NORMAL_FLOAT32 } from '../../numeric/float.ts';
import type { AffineNode, Network } from './network.ts';

/**
 * What a bound holds for: the function over the reals, its evaluation in float64, or its evaluation in float32. Bounds for float32
 * also hold for float64, and those for float64 over the reals.
 */
export type Arithmetic = 'real' | 'float64' | 'float32';

const unitRoundoff = { float64: 2 ** -53, float32: 2 ** -24 } as const;

/** γₙ, or Infinity where n roundings may lose every digit. */
function gamma(n: number, unit: number): number {
  return n * unit < 0.5 ? (n * unit) / (1 - n * unit) : Infinity;
}

/**
 * The share of a sum of magnitudes that the rounding of an analysis of the network may cost. A coefficient is a sum over all
 * rows that read its value; a constant, over the values of a node and then over the nodes; an interval, over a row.
 */
export function analysisError(network: Network): number {
  const { nodes } = network;
  const readers = nodes.map(() => 0);
  let longest = 0;
  for (const node of nodes) {
    if (node.kind === 'affine')
      for (const { from, matrix } of node.terms) readers[from] = (readers[from] ?? 0) + matrix.rows;
    if (node.kind === 'activation') readers[node.from] = (readers[node.from] ?? 0) + 1;
    longest = Math.max(longest, node.size, node.kind === 'affine' ? node.roundings : 0);
  }
  const roundings = readers.reduce((most, one) => Math.max(most, one), 0) + 3 * longest + 2 * nodes.length + 16;
  // Errors of errors.
  return 1.01 * gamma(roundings, unitRoundoff.float64);
}

/**
 * An affine node may stand for operators that an engine computes one after the other, if they scale by factors whose products are
 * between 1 / mostScaling and mostScaling. Values between the operators may overflow so much earlier, and what they lose to
 * underflow may grow so much.
 */
export const mostScaling = 2 ** 20;

/** What the rounding of one affine node costs: a share of Σ|w||x| + |b|, and a share of its extent for what underflows. */
export interface NodeRounding {
  readonly relative: number;
  /** Sums and extents below this magnitude do not overflow. */
  readonly largest: number;
  /** Numbers below this magnitude lose digits, or are flushed to zero. */
  readonly smallest: number;
}

/** The rounding of an affine node in an arithmetic, including that of the analysis itself. */
export function nodeRounding({ roundings }: AffineNode, arithmetic: Arithmetic, analysis: number): NodeRounding {
  const own = arithmetic === 'real' ? 0 : 1.001 * gamma(roundings, unitRoundoff[arithmetic]);
  // The analysis is in float64, so its range limits proofs over the reals too.
  const [smallest, largest] =
    arithmetic === 'float32' ? [MIN_NORMAL_FLOAT32, MAX_FLOAT32] : [2 ** -1022, Number.MAX_VALUE];
  return { relative: analysis + own, largest: largest / 2 / mostScaling, smallest: smallest * mostScaling };
}

/** More than what a product loses where it underflows or is flushed to zero. */
export const productUnderflow = (arithmetic: Arithmetic): number =>
  ({ real: tiny, float64: 2 ** -1022, float32: MIN_NORMAL_FLOAT32 })[arithmetic];

/** How far α · x may be from its rounded product, as a share of |α x|. */
export const productError = (arithmetic: Arithmetic, analysis: number): number =>
  arithmetic === 'real' ? analysis : analysis + 2 * unitRoundoff[arithmetic];

/** More than what is lost when coefficients of values up to 1 underflow. */
export const tiny = 2 ** -950;
