/**
 * A client's first two steps: ephemeral keys, and shares of its two secrets (Bonawitz et al. 2017, Practical Secure Aggregation for
 * Privacy-Preserving Machine Learning, figure 4, rounds 0 and 1).
 */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { invariant } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import type { ClientRecord } from './client-record.ts';
import { channelKey, commitmentTo, pointOf, type ClientSecrets } from './derive.ts';
import { openKeyList } from './key-list.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import { shaOfList, type KeyAdvertisement, type ShareEnvelope } from './statement.ts';
import { answerOnce, notDue, secretsOf, signed, type Self, type Step } from './step.ts';

function advertisementOf(self: Self, { channel, mask, selfMask }: ClientSecrets): KeyAdvertisement {
  const { ciphers, round, participant } = self;
  return signed<'keys'>(self, {
    type: 'keys',
    channelKey: bytesToHex(ciphers.publicKeyOf(channel)),
    maskKey: bytesToHex(ciphers.publicKeyOf(mask)),
    selfMaskSha: commitmentTo(round, 'self mask', participant, selfMask),
  });
}

/** Step 1: the client's ephemeral keys. */
export function advertise(self: Self, record: ClientRecord): Step<KeyAdvertisement> {
  const secrets = secretsOf(self, record);
  return secrets.ok ? ok({ record, answer: advertisementOf(self, secrets.value) }) : secrets;
}

/** The key list, which must have this client's own keys as it sent them. */
export async function keyListWithOwn(
  self: Self,
  secrets: ClientSecrets,
  keys: unknown,
): Promise<Result<readonly KeyAdvertisement[], SecureFault>> {
  const list = await openKeyList(self.ciphers, self.round, keys);
  if (!list.ok) return list;
  const own = list.value.filter(({ participant }) => participant === self.participant);
  if (shaOfList(own) === shaOfList([advertisementOf(self, secrets)])) return list;
  return faulty('secure_sets_differ', 'the key list does not have the keys of this client as it sent them');
}

/** Step 2 of `double_mask`: seals shares of the client's two secrets for each other participant of the key list. */
export async function shareSecrets(
  self: Self,
  record: ClientRecord,
  keys: unknown,
): Promise<Step<readonly ShareEnvelope[]>> {
  if (self.round.scheme !== 'double_mask') return notDue('additive_pairwise has no shares');
  const secrets = secretsOf(self, record);
  if (!secrets.ok) return secrets;
  const list = await keyListWithOwn(self, secrets.value, keys);
  if (!list.ok) return list;
  const others = list.value.filter(({ participant }) => participant !== self.participant);
  const keyListSha = shaOfList(list.value);
  return answerOnce(
    record,
    { keyList: list.value },
    others.map((other) => envelopeFor(self, secrets.value, other, keyListSha)),
  );
}

function envelopeFor(self: Self, secrets: ClientSecrets, other: KeyAdvertisement, keyListSha: string): ShareEnvelope {
  const { ciphers, round, participant: dealer } = self;
  const channel = { keyListSha, dealer, recipient: other.participant };
  const key = channelKey(ciphers, round, { secret: secrets.channel, other: other.channelKey }, channel);
  invariant(key !== null, 'the key list has no weak key');
  const { mask, selfMask } = secrets.sharesAt(pointOf(round, other.participant));
  return signed<'shares'>(self, {
    type: 'shares',
    keyListSha,
    recipient: other.participant,
    sealed: bytesToHex(ciphers.seal(key, concatBytes(mask.bytes, selfMask.bytes))),
    maskKeyShareSha: commitmentTo(round, 'share of the mask key', dealer, mask.bytes),
    selfMaskShareSha: commitmentTo(round, 'share of the self mask', dealer, selfMask.bytes),
  });
}
