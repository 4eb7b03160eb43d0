/** What releases of clipped, noisy sums cost in ε. */
import { gaussianEpsilon } from './gaussian.ts';
import { defaultOrders, epsilonOfRenyi, renyiDivergence, type SampledRelease } from './renyi.ts';

/** Releases of one kind. */
export interface Releases extends SampledRelease {
  /** How many, an integer from 0. */
  readonly count: number;
}

/**
 * ε at δ of all `releases` together, for neighbours of which one has a contribution that the other lacks (add or remove one). With
 * samplingRate 1 throughout it is the exact composition of Gaussian noise; otherwise the less of that, which no sampling exceeds, and
 * of the Rényi accountant with the improved conversion. Infinity for a release without noise.
 */
export function epsilonOf(releases: readonly Releases[], delta: number): number {
  const seen = releases.filter(({ count, samplingRate }) => count > 0 && samplingRate > 0);
  const square = seen.reduce((sum, { count, noiseMultiplier }) => sum + count / noiseMultiplier ** 2, 0);
  const exact = gaussianEpsilon(Math.sqrt(square), delta);
  if (seen.every(({ samplingRate }) => samplingRate === 1)) return exact;
  const divergences = defaultOrders.map((order) =>
    seen.reduce((sum, release) => sum + release.count * renyiDivergence(order, release), 0),
  );
  return Math.min(exact, epsilonOfRenyi(defaultOrders, divergences, delta));
}

/**
 * ε of `nSteps` releases, in each of which every one of `datasetSize` contributors, clipped to the norm `clip`, takes part with the
 * probability batch/datasetSize, and to whose sum Gaussian noise of standard deviation `scale` is added.
 *
 * A round adds noise once, to the finished delta of a participant: then the contributor is the participant, nSteps counts rounds,
 * and batch = datasetSize, because who takes part is published. Then it is exact for one participant against its absence; for one
 * participant's data against any other data pass 2·clip. Where noise is added to every gradient, the contributors are samples, and
 * nSteps counts local steps. It is Infinity for a scale of 0, and for arguments that are no counts, norms or probabilities.
 */
export function epsilonEstimate(
  scale: number,
  clip: number,
  nSteps: number,
  batch: number,
  datasetSize: number,
  delta: number = 1e-5,
): number {
  const samplingRate = batch / datasetSize;
  const isSound =
    scale > 0 && clip > 0 && clip < Infinity && nSteps >= 0 && samplingRate >= 0 && samplingRate <= 1 && delta > 0;
  if (!isSound || delta >= 1) return Infinity;
  return epsilonOf([{ noiseMultiplier: scale / clip, samplingRate, count: nSteps }], delta);
}
