/** A client's third step: the masked delta (Bonawitz et al. 2017, figure 4, round 2), and that of the plain scheme. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant, present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { secretBytes } from './ciphers.ts';
import type { ClientRecord, ReceivedShares } from './client-record.ts';
import { channelKey, commitmentTo, keyBytes, ownMaskSeed, pairSeed, type ClientSecrets } from './derive.ts';
import { toFixedPoint } from './fixed-point.ts';
import { applyMask, applyPairMasks } from './mask.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import { keyListWithOwn } from './share-secrets.ts';
import { openStatements, shaOfList, type KeyAdvertisement, type MaskedInput, type ShareEnvelope } from './statement.ts';
import { answerOnce, notDue, secretsOf, type Self, signed, type Step } from './step.ts';

/** A client's masked delta: the signed message, and the little-endian numbers that it names. */
export interface MaskedDelta {
  readonly message: MaskedInput;
  readonly vector: Uint8Array;
}

/** The shares in an envelope for this client. */
function openEnvelope(
  { ciphers, round, participant }: Self,
  secrets: ClientSecrets,
  keyList: readonly KeyAdvertisement[],
  envelope: ShareEnvelope,
): Result<ReceivedShares, SecureFault> {
  const { participant: dealer, keyListSha, recipient } = envelope;
  const dealt = keyList.find((keys) => keys.participant === dealer);
  if (dealt === undefined || dealer === participant || recipient !== participant)
    return faulty('secure_sets_differ', 'an envelope is not from another participant of the key list to this client');
  if (keyListSha !== shaOfList(keyList))
    return faulty('secure_sets_differ', 'an envelope was sealed under another key list than this client has', dealer);
  const channel = { keyListSha, dealer, recipient };
  const key = channelKey(ciphers, round, { secret: secrets.channel, other: dealt.channelKey }, channel);
  invariant(key !== null, 'the key list has no weak key');
  const shares = ciphers.open(key, keyBytes(envelope.sealed));
  if (shares === null) return faulty('secure_share_invalid', 'an envelope does not decrypt', dealer);
  const [mask, selfMask] = [shares.subarray(0, secretBytes), shares.subarray(secretBytes)];
  if (
    commitmentTo(round, 'share of the mask key', dealer, mask) !== envelope.maskKeyShareSha ||
    commitmentTo(round, 'share of the self mask', dealer, selfMask) !== envelope.selfMaskShareSha
  )
    return faulty('secure_share_invalid', 'a share does not match its commitment', dealer);
  return ok({ participant: dealer, maskKeyShare: bytesToHex(mask), selfMaskShare: bytesToHex(selfMask) });
}

/** What is masked: a delta of float32 numbers and its weight. */
export interface Input {
  readonly delta: Float32Array;
  readonly weight: number;
}

/** Step 3 of `double_mask`: masks the delta with its own mask and with one for each other participant whose shares have come. */
export async function maskDelta(
  self: Self,
  record: ClientRecord,
  envelopes: unknown,
  input: Input,
): Promise<Step<MaskedDelta>> {
  const secrets = secretsOf(self, record);
  if (!secrets.ok) return secrets;
  const { keyList } = record;
  if (keyList === null || self.round.scheme !== 'double_mask') return notDue('the client has not shared its secrets');
  const opened = await openStatements(self.round, 'shares', envelopes);
  if (!opened.ok) return opened;
  const received: ReceivedShares[] = [];
  for (const envelope of opened.value) {
    const shares = openEnvelope(self, secrets.value, keyList, envelope);
    if (!shares.ok) return shares;
    received.push(shares.value);
  }
  if (received.length + 1 < self.round.threshold)
    return faulty(
      'secure_too_few',
      `${received.length + 1} participants have shared; the threshold is ${self.round.threshold}`,
    );
  const sharers = received.map(({ participant }) => participant);
  return maskWith(
    self,
    record,
    secrets.value,
    { keyList, sharers: [...sharers, self.participant].sort(), received },
    input,
  );
}

/** Step 2 of `additive_pairwise`, its last: masks the delta with one mask for each other participant, all of whom must be there. */
export async function maskPairwise(
  self: Self,
  record: ClientRecord,
  keys: unknown,
  input: Input,
): Promise<Step<MaskedDelta>> {
  if (self.round.scheme !== 'additive_pairwise') return notDue('double_mask shares its secrets before it masks');
  const secrets = secretsOf(self, record);
  if (!secrets.ok) return secrets;
  const list = await keyListWithOwn(self, secrets.value, keys);
  if (!list.ok) return list;
  const sharers = list.value.map(({ participant }) => participant);
  return maskWith(self, record, secrets.value, { keyList: list.value, sharers, received: [] }, input);
}

interface Peers {
  readonly keyList: readonly KeyAdvertisement[];
  /** The client among them. */
  readonly sharers: readonly string[];
  readonly received: readonly ReceivedShares[];
}

function maskWith(
  self: Self,
  record: ClientRecord,
  secrets: ClientSecrets,
  peers: Peers,
  { delta, weight }: Input,
): Step<MaskedDelta> {
  const { round, ciphers, participant } = self;
  if (delta.length !== round.length)
    return faulty('secure_input_invalid', `the delta has ${delta.length} entries, not ${round.length}`);
  const vector = toFixedPoint(delta, weight, round);
  if (!vector.ok) return faulty('secure_input_invalid', vector.error);
  if (round.scheme === 'double_mask')
    applyMask(ciphers.keystream, vector.value, ownMaskSeed(ciphers, round, secrets.selfMask), 1);
  const seeds = new Map<string, Uint8Array>();
  for (const { participant: other, maskKey } of peers.keyList) {
    if (other === participant || !peers.sharers.includes(other)) continue;
    seeds.set(other, present(pairSeed(ciphers, round, secrets.mask, maskKey), 'the key list has no weak key'));
  }
  applyPairMasks(ciphers.keystream, vector.value, participant, seeds);
  const bytes = new Uint8Array(vector.value.buffer);
  const vectorSha = bytesToHex(sha256(bytes));
  return answerOnce(
    record,
    { ...peers, vectorSha, weight },
    { message: stated(self, peers, { weight, vectorSha }), vector: bytes },
  );
}

const stated = (
  self: Self,
  { keyList, sharers }: Omit<Peers, 'received'>,
  masked: Pick<MaskedInput, 'weight' | 'vectorSha'>,
): MaskedInput =>
  signed<'masked'>(self, {
    type: 'masked',
    keyListSha: shaOfList(keyList),
    sharersSha: shaOfList(sharers),
    ...masked,
  });

/** The message about the delta that was masked before: the same bytes, without the delta. */
export function stateAgain(self: Self, record: ClientRecord): Step<MaskedInput> {
  const { keyList, sharers, weight, vectorSha } = record;
  if (keyList === null || sharers === null || weight === null || vectorSha === null)
    return notDue('the client has masked nothing');
  return ok({ record, answer: stated(self, { keyList, sharers }, { weight, vectorSha }) });
}
