/** The sum of the deltas of a secure round: masked deltas added up, and the masks taken off. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { nodeCiphers, type Ciphers } from './ciphers.ts';
import { ownMaskSeed, pairSeed } from './derive.ts';
import { largestEntry } from './fixed-point.ts';
import { addVector, applyMask, pairSign } from './mask.ts';
import { revealedSecret } from './reveal.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { UnmaskStage } from './server-state.ts';

/** What a secure round publishes. `weightedMean` makes a mean of it. */
export interface SecureSum {
  /** Σ w·x·2^s over the survivors, exactly: the same numbers in whatever order they were added. */
  readonly sum: Int32Array;
  readonly totalWeight: number;
  readonly survivors: readonly string[];
  /** Who has shared, and sent no delta. */
  readonly dropped: readonly string[];
}

/** The bytes of a survivor's masked delta, one at a time; null if they are not there. */
export type ReadVector = (participant: string) => Promise<Uint8Array | null>;

/**
 * The sum of the survivors' deltas, from what the coordinator has received. Anybody who has the messages and the masked deltas gets the
 * same numbers. `secure_sum_failed` if a masked delta is not the one that was signed, or the sum is beyond what honest deltas allow.
 */
export async function sumOf(
  state: UnmaskStage,
  readVector: ReadVector,
  ciphers: Ciphers = nodeCiphers(),
): Promise<Result<SecureSum, SecureFault>> {
  const { round, survivors, inputs, answers } = state;
  if (round.scheme === 'double_mask' && answers.size < round.threshold)
    return faulty(
      'secure_too_few',
      `${answers.size} survivors have revealed shares; the threshold is ${round.threshold}`,
    );
  const sum = new Int32Array(round.length);
  let totalWeight = 0;
  let largest = 0;
  for (const participant of survivors) {
    const vector = await readVector(participant);
    const input = inputs.get(participant);
    if (input === undefined || vector?.length !== 4 * round.length || bytesToHex(sha256(vector)) !== input.vectorSha)
      return faulty('secure_sum_failed', 'a masked delta is missing, or is not the one that was signed', participant);
    addVector(sum, vector);
    totalWeight += input.weight;
    largest += largestEntry(round, input.weight);
  }
  const unmasked = round.scheme === 'double_mask' ? unmask(state, ciphers, sum) : ok(undefined);
  if (!unmasked.ok) return unmasked;
  if (!sum.every((entry) => Math.abs(entry) <= largest))
    return faulty(
      'secure_sum_failed',
      `an entry of the sum is beyond ${largest}: a participant has left the bound, or its masks`,
    );
  const dropped = state.sharers.filter((one) => !survivors.includes(one));
  return ok({ sum, totalWeight, survivors, dropped });
}

/** Takes the own masks of survivors off `sum`, and what the masks that they share with the dropped have left in it. */
function unmask(state: UnmaskStage, ciphers: Ciphers, sum: Int32Array): Result<void, SecureFault> {
  const { round, survivors, sharers, keyList } = state;
  for (const keys of keyList.filter(({ participant }) => sharers.includes(participant))) {
    const isSurvivor = survivors.includes(keys.participant);
    const secret = revealedSecret(state, ciphers, keys, isSurvivor);
    if (!secret.ok) return secret;
    if (isSurvivor) {
      applyMask(ciphers.keystream, sum, ownMaskSeed(ciphers, round, secret.value), -1);
      continue;
    }
    for (const { participant, maskKey } of keyList.filter((other) => survivors.includes(other.participant))) {
      const seed = pairSeed(ciphers, round, secret.value, maskKey);
      if (seed === null) return faulty('secure_key_invalid', 'an ephemeral key has a small order', participant);
      applyMask(ciphers.keystream, sum, seed, pairSign(participant, keys.participant) === 1 ? -1 : 1);
    }
  }
  return ok(undefined);
}
