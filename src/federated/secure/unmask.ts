/**
 * A client's last two steps: it signs who is in the sum, and reveals its shares of what hides that sum (Bonawitz et al. 2017,
 * figure 4, rounds 3 and 4).
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok } from '../../base/result.ts';
import type { ClientRecord } from './client-record.ts';
import { pointOf } from './derive.ts';
import { faulty } from './secure-fault.ts';
import {
  openStatements,
  participantSet,
  shaOfList,
  type RevealedShare,
  type SurvivorAttestation,
  type UnmaskShares,
} from './statement.ts';
import { answerOnce, notDue, secretsOf, signed, type Self, type Step } from './step.ts';

/**
 * Step 4: signs the set of survivors, once in a round. From then on the client takes everybody else for gone: it will reveal a share of
 * the own mask of each survivor, and of the mask key of each other participant, never both of one.
 */
export function attestSurvivors(self: Self, record: ClientRecord, survivors: unknown): Step<SurvivorAttestation> {
  const { round, participant } = self;
  const { keyList, sharers, vectorSha } = record;
  if (keyList === null || sharers === null || vectorSha === null || round.scheme !== 'double_mask')
    return notDue('the client has sent no masked delta that it could help to unmask');
  const set = participantSet(survivors, 'survivors');
  if (!set.ok) return faulty('secure_message_invalid', set.error);
  if (!set.value.every((one) => sharers.includes(one)))
    return faulty('secure_sets_differ', 'survivors name one whose shares this client does not have');
  if (!set.value.includes(participant)) return faulty('secure_sets_differ', 'survivors leave out this client');
  if (set.value.length < round.threshold)
    return faulty('secure_too_few', `${set.value.length} survivors; the threshold is ${round.threshold}`);
  const attestation = signed<'survivors'>(self, {
    type: 'survivors',
    keyListSha: shaOfList(keyList),
    sharersSha: shaOfList(sharers),
    survivors: set.value,
  });
  return answerOnce(record, { survivors: set.value }, attestation);
}

/**
 * Step 5: one share for each sharer, once as many survivors as the threshold have signed the set that this client has signed, with the
 * same view of keys and sharers.
 */
export async function revealShares(
  self: Self,
  record: ClientRecord,
  attestations: unknown,
): Promise<Step<UnmaskShares>> {
  const { keyList, sharers, received, survivors } = record;
  if (keyList === null || sharers === null || received === null || survivors === null)
    return notDue('the client has signed no set of survivors');
  const secrets = secretsOf(self, record);
  if (!secrets.ok) return secrets;
  const read = await openStatements(self.round, 'survivors', attestations);
  if (!read.ok) return read;
  const view = { keyListSha: shaOfList(keyList), sharersSha: shaOfList(sharers), survivors: shaOfList(survivors) };
  for (const { participant, ...other } of read.value) {
    const isSame =
      other.keyListSha === view.keyListSha &&
      other.sharersSha === view.sharersSha &&
      shaOfList(other.survivors) === view.survivors;
    if (!isSame || !survivors.includes(participant))
      return faulty(
        'secure_sets_differ',
        'a participant has signed other keys, sharers or survivors than this client has seen',
        participant,
      );
  }
  if (read.value.length < self.round.threshold)
    return faulty(
      'secure_too_few',
      `${read.value.length} survivors have signed; the threshold is ${self.round.threshold}`,
    );
  const own = secrets.value.sharesAt(pointOf(self.round, self.participant)).selfMask.bytes;
  const shares = sharers.map((one): RevealedShare => {
    const mine = { participant: one, selfMaskShare: bytesToHex(own), maskKeyShare: '' };
    const held = received.find(({ participant }) => participant === one) ?? mine;
    return survivors.includes(one)
      ? { participant: one, secret: 'self-mask', share: held.selfMaskShare }
      : { participant: one, secret: 'mask-key', share: held.maskKeyShare };
  });
  return ok({ record, answer: signed<'unmask'>(self, { type: 'unmask', survivorsSha: view.survivors, shares }) });
}
