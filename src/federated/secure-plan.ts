/** What a manifest and the participants of a round decide of its secure aggregation. */
import type { Result } from '../base/result.ts';
import type { RoundManifest } from './manifest.ts';
import type { NodeId } from './node-id.ts';
import type { FixedPoint } from './secure/fixed-point.ts';
import type { SecureFault } from './secure/secure-fault.ts';
import { leastThreshold, secureRound, type SecureRound, type SecureScheme } from './secure/secure-round.ts';

/** In standard deviations: the sampler's noise ends before (8.6). */
const noiseReach = 9;

type Numbers = Pick<RoundManifest, 'clipNorm' | 'dpNoiseScale' | 'maxSamples' | 'fixedPointBits'>;

/** The fixed point of a round: a clipped delta with its noise fits, and a weight is a number of samples. */
export const fixedPointOf = ({ clipNorm, dpNoiseScale, maxSamples, fixedPointBits }: Numbers): FixedPoint => ({
  bound: clipNorm + noiseReach * dpNoiseScale,
  maxWeight: maxSamples,
  fractionBits: fixedPointBits,
});

/** The scheme of a manifest; null for `off`. */
export const schemeOf = ({ secure }: RoundManifest): SecureScheme | null => (secure === 'off' ? null : secure);

/**
 * The parameters of a round for these participants. The threshold holds against a coordinator that lies, and is at least the manifest's
 * `min_participants`: no sum of fewer is ever unmasked.
 */
export function secureRoundOf(
  manifest: RoundManifest,
  manifestSha: string,
  scheme: SecureScheme,
  { participants, length }: { readonly participants: readonly NodeId[]; readonly length: number },
): Result<SecureRound, SecureFault> {
  const least = leastThreshold(participants.length, 'active', scheme);
  return secureRound({
    ...fixedPointOf(manifest),
    scheme,
    roundId: manifest.roundId,
    manifestSha,
    participants,
    threshold: Math.max(least, manifest.minParticipants),
    adversary: 'active',
    length,
  });
}
