/** What a robustness certificate claims about its examples together; all of it follows from the verdict on each. */
import type { Arithmetic } from './rounding.ts';
import type { Domain } from './ball.ts';

/** The result for each example. */
export interface CertifiedExample {
  readonly verdict: 'holds' | 'violated' | 'undecided';
  /** Null if the network gives the example itself another label. */
  readonly radius: number | null;
}

/** Of all examples. */
interface RobustnessClaim {
  /** Every example keeps its label within this radius; 0 if some example has no certified radius. */
  readonly certifiedRadius: number;
  /** The share of the examples that keep their label within epsilon. */
  readonly certifiedFraction: number;
}

/** The smallest radius and the share of the examples that hold. */
export function claimOf(examples: readonly CertifiedExample[], epsilon: number): RobustnessClaim {
  const certified = examples.filter(({ verdict }) => verdict === 'holds').length;
  return {
    certifiedRadius: examples.reduce(
      (least, { radius }) => Math.min(least, radius ?? 0),
      examples.length === 0 ? 0 : epsilon,
    ),
    certifiedFraction: examples.length === 0 ? 0 : certified / examples.length,
  };
}

/** The claim in a sentence, with its scope. */
export function scopeText(examples: number, epsilon: number, arithmetic: Arithmetic, domain?: Domain): string {
  const cut = domain ? `, clipped to ${domain.lo} to ${domain.hi}` : '';
  return `${examples} examples; balls of radius ${epsilon} in the maximum norm${cut}; ${arithmeticScope[arithmetic]}`;
}

/** The scope of bounds in each arithmetic. */
export const arithmeticScope: Readonly<Record<Arithmetic, string>> = {
  real: 'the function over the reals, with the weights as stored',
  float64:
    'float64 in any order of summation, and the reals, with the weights as stored; not for engines that round a factor to float32, as onnxruntime does when it merges one into a product of matrices',
  float32:
    'float32 in any order of summation, float64 and the reals, with the weights as stored; not for Fourier or Winograd convolutions',
};
