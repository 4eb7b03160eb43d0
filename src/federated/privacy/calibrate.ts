/** The noise that a target ε needs, and what it costs the average. */
import { err, ok, type Result } from '../../base/result.ts';
import { epsilonEstimate } from './epsilon.ts';

/** What a series of rounds should cost a participant at most. */
export interface PrivacyTarget {
  /** Above 0. */
  readonly epsilon: number;
  /** From above 0 to below 1. */
  readonly delta: number;
  /** Largest norm of a contribution: twice the clip norm if neighbours replace a contribution instead of leaving it out. */
  readonly sensitivity: number;
  readonly rounds: number;
  /** 1, unless participants are sampled unseen. */
  readonly samplingRate: number;
}

/**
 * The least standard deviation of the noise that meets the target, from above, within a relative 10⁻⁶. An error for a target that is
 * out of range, or that needs more than 10⁶ times the sensitivity.
 */
export function calibrateNoise(target: PrivacyTarget): Result<number, string> {
  const { epsilon, delta, sensitivity, rounds, samplingRate } = target;
  if (!(
    epsilon > 0 &&
    delta > 0 &&
    delta < 1 &&
    sensitivity > 0 &&
    rounds >= 1 &&
    samplingRate > 0 &&
    samplingRate <= 1
  ))
    return err(
      'A privacy target needs ε > 0, 0 < δ < 1, a sensitivity above 0, a round, and a sampling rate from 0 to 1.',
    );
  const cost = (multiplier: number): number => epsilonEstimate(multiplier, 1, rounds, samplingRate, 1, delta);
  let [low, high] = [1e-3, 1];
  while (cost(high) > epsilon) {
    [low, high] = [high, 2 * high];
    if (high > 1e6) return err(`ε = ${epsilon} at δ = ${delta} needs noise above 10⁶ times the sensitivity.`);
  }
  if (cost(low) <= epsilon) return ok(low * sensitivity);
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (cost(middle) > epsilon) low = middle;
    else high = middle;
  }
  return ok(high * sensitivity);
}

/** A round's noise, for the operator who sets it. */
export interface NoisePlan {
  /** Standard deviation of what each participant adds. */
  readonly perParticipant: number;
  /** Expected L2 norm of the noise in the average: compare it with the clip norm. */
  readonly averageNorm: number;
}

/**
 * The share of each participant in noise of standard deviation `scale`, for `participants` of equal weight, of whom the least number
 * that may submit is meant. Where the aggregator sees single submissions, each needs all of it. Under secure aggregation only the sum
 * is seen, and scale/√participants each suffices, if they all add theirs. `parameters` is the number of trained parameters, which
 * grows with the rank.
 */
export function noisePlan(scale: number, participants: number, parameters: number, isSecure: boolean): NoisePlan {
  const perParticipant = isSecure ? scale / Math.sqrt(participants) : scale;
  return { perParticipant, averageNorm: perParticipant * Math.sqrt(parameters / participants) };
}
