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

/** min ≤ ‖W‖₂ ≤ max of each layer as the step would leave it, over the weights and biases of the layer together. */
export function weightNormBound({ max, min = 0 }: WeightNormOptions): Invariant {
  notNegative('min', min);
  if (!(max >= min && max > 0)) refuse('max', max, `a number > 0, and at least min (${min})`);
  return {
    name: 'WeightNormBound',
    settings: { max_norm: max, min_norm: min },
    tier: tierOf.WeightNormBound,
    evidence: { class: 'exact' },
    start: () => ({
      layer({ layer, weights }) {
        const value = norm(weights);
        return [
          { what: layer.name, value, is: 'at most', bound: max },
          ...(min > 0 ? [{ what: layer.name, value, is: 'at least' as const, bound: min }] : []),
        ];
      },
    }),
  };
}
