import { norm } from '../norm.ts';
import { notNegative, refuse } from '../settings.ts';
import type { Invariant, Measurement } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link weightNormBound}. */
export interface WeightNormOptions {
  /** The largest allowed ‖W‖₂ of a layer. */
  readonly max: number;
  /** The smallest allowed ‖W‖₂ of a layer; 0 by default. */
  readonly min?: number;
}

/** The bounds of one layer. */
interface NormBounds {
  readonly max: number;
  readonly min: number;
}

/**
 * The bounds of a layer that EWC pulls towards its anchors: widened just enough to contain the norms of the anchors, since the
 * bounds must not refuse the weights that the penalty favours. Unchanged without tasks.
 */
export const widened = ({ max, min }: NormBounds, anchorNorms: readonly number[]): NormBounds => ({
  max: anchorNorms.reduce((a, b) => Math.max(a, b), max),
  min: anchorNorms.reduce((a, b) => Math.min(a, b), min),
});

/**
 * min ≤ ‖W‖₂ ≤ max for each layer after the proposed update, over its weights and biases together. Under EWC, the bounds of a
 * layer are {@link widened}.
 */
export function weightNormBound({ max, min = 0 }: WeightNormOptions): Invariant {
  notNegative('min', min);
  if (!(max >= min && max > 0)) refuse('max', max, `a number > 0, and at least min (${min})`);
  return {
    name: 'WeightNormBound',
    settings: { max_norm: max, min_norm: min },
    tier: tierOf.WeightNormBound,
    evidence: { class: 'exact' },
    start({ anchorNorms }) {
      const measure = (what: string, value: number): readonly Measurement[] => {
        const bounds = widened({ max, min }, anchorNorms(what));
        return [
          { what, value, is: 'at most', bound: bounds.max },
          ...(min > 0 ? [{ what, value, is: 'at least' as const, bound: bounds.min }] : []),
        ];
      };
      return {
        layer: ({ layer, weights }) => measure(layer.name, norm(weights)),
        recorded: ({ layers }) => layers.flatMap(({ name, norm: value }) => measure(name, value)),
      };
    },
  };
}
