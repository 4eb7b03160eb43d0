/** Which tier checks an invariant: the whole table of routes in one place. */
import type { Tier } from './invariant.ts';

/**
 * The tiers of the invariants of pv, as ADR-049 routes them. Reflex and standard checks run at every step, deep ones at every
 * `expensive_check_interval`-th and where an energy gate escalates.
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

/** The tier of a custom invariant: standard below a complexity of 10, deep from there, as ruvector-verified's `route_proof`. */
export const tierOfComplexity = (complexity: number): Tier => (complexity < deepFrom ? 'standard' : 'deep');
