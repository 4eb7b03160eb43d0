import { norm } from '../norm.ts';
import { notNegative, refuse } from '../settings.ts';
import type { Attempt, Invariant } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link energyGate}. */
export interface EnergyGateOptions {
  /** Below it, the step is escalated to `escalationTier` and its rate multiplied by `rateFactor`; ≥ `criticalEnergy`. */
  readonly minEnergy: number;
  /** Below it, the step is refused. */
  readonly criticalEnergy: number;
  /** `deep`, the default, runs the deep checks at this step; `standard` only those that run at every step anyway. */
  readonly escalationTier?: 'standard' | 'deep';
  /** In (0, 1]; 1 by default, which leaves the rate as it is. */
  readonly rateFactor?: number;
  /** The energy of an update, instead of {@link updateEnergy}. It must depend on nothing but its argument. */
  readonly energy?: (attempt: Attempt) => number;
}

/**
 * ‖W‖/(‖W‖ + η·‖g‖) over all weights, in [0, 1]: near 1 where the update is small beside the weights that it changes, ½ where
 * it is as large, near 0 where it would replace them. 1 where there is nothing to change.
 */
export function updateEnergy({ parameters, rate, gradientNorm }: Attempt): number {
  const size = norm(parameters.map(({ data }) => data));
  const update = rate * gradientNorm;
  return update === 0 ? 1 : size / (size + update);
}

/**
 * Decides before an update is computed how it may be taken, by its energy: a low energy is a bad sign. From `minEnergy` up, the
 * step is taken as it is; below, it is escalated and slowed; below `criticalEnergy`, it is refused, as is an energy that is not
 * a number.
 */
export function energyGate(options: EnergyGateOptions): Invariant {
  const { minEnergy, criticalEnergy, escalationTier = 'deep', rateFactor = 1, energy } = options;
  notNegative('minEnergy', minEnergy);
  if (!(criticalEnergy >= 0 && criticalEnergy <= minEnergy))
    refuse('criticalEnergy', criticalEnergy, `in [0, minEnergy] = [0, ${minEnergy}]`);
  if (!(rateFactor > 0 && rateFactor <= 1)) refuse('rateFactor', rateFactor, 'in (0, 1]');
  return {
    name: 'EnergyGate',
    settings: {
      min_energy: minEnergy,
      critical_energy: criticalEnergy,
      escalation_tier: escalationTier,
      rate_factor: rateFactor,
      energy: energy === undefined ? 'update' : 'custom',
    },
    tier: tierOf.EnergyGate,
    evidence: { class: energy === undefined ? 'exact' : 'external' },
    start: () => ({
      gate(attempt) {
        const value = (energy ?? updateEnergy)(attempt);
        const low = value < minEnergy;
        return {
          measured: [{ what: 'energy', value, is: 'at least', bound: criticalEnergy }],
          escalate: low && escalationTier === 'deep',
          rateFactor: low ? rateFactor : 1,
        };
      },
    }),
  };
}
