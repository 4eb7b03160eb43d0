/** What survivors reveal: checking their shares, and the secrets that these give. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import type { Ciphers } from './ciphers.ts';
import { commitmentTo, keyBytes, pointOf } from './derive.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { UnmaskStage } from './server-state.ts';
import { combineShares } from './shamir.ts';
import { shaOfList, type KeyAdvertisement, type RevealedShare, type UnmaskShares } from './statement.ts';

/**
 * What is wrong with an answer, as a sentence without its full stop; null if nothing is. The share of a participant's own mask that it
 * reveals itself has no commitment: if that one is wrong, the secret is not the one that it has committed to.
 */
export function revealFault(state: UnmaskStage, { participant, survivorsSha, shares }: UnmaskShares): string | null {
  const { survivors, sharers } = state;
  if (!survivors.includes(participant) || survivorsSha !== shaOfList(survivors))
    return 'the answer is not by a survivor, or is for other survivors';
  if (shaOfList(shares.map((share) => share.participant)) !== shaOfList(sharers))
    return 'the answer does not have one share for each participant that has shared, in their order';
  for (const { participant: dealer, secret, share } of shares) {
    if (secret !== (survivors.includes(dealer) ? 'self-mask' : 'mask-key'))
      return 'the answer reveals a survivor’s mask key, or the own mask of one that is gone';
    if (dealer !== participant && !matches(state, dealer, participant, { secret, share }))
      return 'a share does not match what its dealer has committed to';
  }
  return null;
}

function matches(
  { round, envelopes }: UnmaskStage,
  dealer: string,
  holder: string,
  { secret, share }: Pick<RevealedShare, 'secret' | 'share'>,
): boolean {
  const envelope = envelopes.get(dealer)?.get(holder);
  if (envelope === undefined) return false;
  return secret === 'self-mask'
    ? commitmentTo(round, 'share of the self mask', dealer, keyBytes(share)) === envelope.selfMaskShareSha
    : commitmentTo(round, 'share of the mask key', dealer, keyBytes(share)) === envelope.maskKeyShareSha;
}

/** The secret of one sharer: its own mask's seed if it survived, else the secret of its mask key. The dealer is at fault if it is wrong. */
export function revealedSecret(
  { round, answers }: UnmaskStage,
  ciphers: Ciphers,
  { participant: dealer, maskKey, selfMaskSha }: KeyAdvertisement,
  isSurvivor: boolean,
): Result<Uint8Array, SecureFault> {
  // Those with a commitment first.
  const isOwn = (answer: UnmaskShares): number => Number(answer.participant === dealer);
  const shares = [...answers.values()]
    .sort((a, b) => isOwn(a) - isOwn(b))
    .slice(0, round.threshold)
    .map(({ participant, shares: revealed }) => {
      const share = revealed.find((one) => one.participant === dealer)?.share ?? '';
      return { point: pointOf(round, participant), bytes: keyBytes(share) };
    });
  const secret = combineShares(shares);
  const isRight = isSurvivor
    ? commitmentTo(round, 'self mask', dealer, secret) === selfMaskSha
    : bytesToHex(ciphers.publicKeyOf(secret)) === maskKey;
  if (isRight) return ok(secret);
  return faulty(
    'secure_share_invalid',
    'the shares that the participant has dealt do not give the secret it has committed to',
    dealer,
  );
}
