import { norm } from '../norm.ts';
import { notNegative, refuse } from '../settings.ts';
import type { Attempt, Invariant } from './invariant.ts';
import { tierOf } from './tiers.ts';

/** Options of {@link energyGate}. */
export interface EnergyGateOptions {
  /** Below it, the step is escalated to `escalationTier` and its learning rate multiplied by `rateFactor`; ≥ `criticalEnergy`. */
  readonly minEnergy: number;
  /** Below it, the step is refused. */
  readonly criticalEnergy: number;
  /** `deep`, the default, runs the deep checks at this step; `standard` runs only the checks of every step. */
  readonly escalationTier?: 'standard' | 'deep';
  /** In (0, 1]; 1 by default, which does not change the learning rate. */
  readonly rateFactor?: number;
  /** Computes the energy of an update, instead of {@link updateEnergy}. It must depend only on its argument. */
  readonly energy?: (attempt: Attempt) => number;
}

/**
 * ‖W‖/(‖W‖ + η·‖g‖) over all weights, in [0, 1]: near 1 if the update is small compared with the weights, ½ if it is as large as
 * the weights, near 0 if it would replace them. 1 if the update is zero.
 */
export const updateEnergy = ({ parameters, rate, gradientNorm }: Attempt): number =>
  energyOf(norm(parameters.map(({ data }) => data)), rate * gradientNorm);

const energyOf = (size: number, update: number): number => (update === 0 ? 1 : size / (size + update));

/**
 * Decides from the energy, before the update is computed, how the step may proceed. Low energy is bad. From `minEnergy` up, the
 * step proceeds unchanged. Below `minEnergy`, it is escalated and slowed down. Below `criticalEnergy`, or if the energy is NaN,
 * it is refused.
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
      // A step that was taken cannot be slowed down.
      ...(energy === undefined && rateFactor === 1
        ? {
            recorded: ({ weightNorm, rate, gradientNorm }) => [
              {
                what: 'energy',
                value: energyOf(weightNorm, rate * gradientNorm),
                is: 'at least',
                bound: criticalEnergy,
              },
            ],
          }
        : {}),
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
