/** The routing table: which tier checks which invariant. */
import type { Tier } from './invariant.ts';

/**
 * The tiers of pv's own invariants, as ADR-049 routes them. Reflex and standard checks run at every step. Deep checks run every
 * `expensive_check_interval` steps, and when an energy gate escalates.
 */
export const tierOf = {
  LossStabilityBound: 'reflex',
  EnergyGate: 'reflex',
  WeightNormBound: 'standard',
  LipschitzBound: 'standard',
  CoherenceBound: 'standard',
  PermutationEquivariance: 'deep',
  FullFisher: 'deep',
} as const satisfies Readonly<Record<string, Tier>>;

/** Custom invariants of a complexity below this are checked at every step. */
const deepFrom = 10;

/** The tier of a custom invariant: standard below a complexity of 10, deep from there, as in ruvector-verified's `route_proof`. */
export const tierOfComplexity = (complexity: number): Tier => (complexity < deepFrom ? 'standard' : 'deep');
