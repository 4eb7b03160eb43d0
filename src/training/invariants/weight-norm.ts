import { norm } from '../norm.ts';
import { notNegative, refuse } from '../settings.ts';
import type { Invariant } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link weightNormBound}. */
export interface WeightNormOptions {
  /** The largest ‖W‖₂ of a layer. */
  readonly max: number;
  /** The least ‖W‖₂ of a layer; 0 by default. */
  readonly min?: number;
}

/** The bounds of one layer. */
interface NormBounds {
  readonly max: number;
  readonly min: number;
}

/**
 * The bounds of a layer where EWC pulls it towards its weights in earlier tasks: widened just so far that they contain the norms
 * of those, since no bound may refuse the weights that the penalty holds on to. Without tasks they are as they were.
 */
export const widened = ({ max, min }: NormBounds, anchorNorms: readonly number[]): NormBounds => ({
  max: anchorNorms.reduce((a, b) => Math.max(a, b), max),
  min: anchorNorms.reduce((a, b) => Math.min(a, b), min),
});

/**
 * min ≤ ‖W‖₂ ≤ max of each layer as the step would leave it, over the weights and biases of the layer together. Under EWC the
 * bounds of a layer are {@link widened}.
 */
export function weightNormBound({ max, min = 0 }: WeightNormOptions): Invariant {
  notNegative('min', min);
  if (!(max >= min && max > 0)) refuse('max', max, `a number > 0, and at least min (${min})`);
  return {
    name: 'WeightNormBound',
    settings: { max_norm: max, min_norm: min },
    tier: tierOf.WeightNormBound,
    evidence: { class: 'exact' },
    start: ({ anchorNorms }) => ({
      layer({ layer, weights }) {
        const value = norm(weights);
        const bounds = widened({ max, min }, anchorNorms(layer.name));
        return [
          { what: layer.name, value, is: 'at most', bound: bounds.max },
          ...(min > 0 ? [{ what: layer.name, value, is: 'at least' as const, bound: bounds.min }] : []),
        ];
      },
    }),
  };
}
