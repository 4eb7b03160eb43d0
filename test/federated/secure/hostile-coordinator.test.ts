/** What a client must not fall for. Holds src/federated/secure/key-list.ts. */
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { nodeCiphers } from '../../../src/federated/secure/ciphers.ts';
import { secureRound } from '../../../src/federated/secure/secure-round.ts';
import { envelopesFor, listed } from '../../../src/federated/secure/server.ts';
import {
  shaOfList,
  signStatement,
  type KeyAdvertisement,
  type ShareEnvelope,
  type SurvivorAttestation,
  type UnmaskShares,
} from '../../../src/federated/secure/statement.ts';
import {
  codeOf,
  inStage,
  maskOf,
  parametersOf,
  partiesOf,
  playUntil,
  roundAndParties,
  travel,
  value,
  type Party,
  type Played,
} from './parties.ts';

/** A message with some members changed, signed again by whoever it names. */
function resigned<T extends KeyAdvertisement | ShareEnvelope | SurvivorAttestation>(
  parties: readonly Party[],
  message: T,
  change: Partial<T>,
): T {
  const body = { ...message, ...change };
  const { signature: __, ...unsigned } = body;
  const signer = parties.find(({ name }) => name === body.participant)?.signer;
  return signStatement<T>(unsigned, present(signer, 'a participant'));
}

const at = <T>(list: readonly T[], index: number): T => present(list[index], 'an item');

async function atShares(count = 5): Promise<{ played: Played; victim: Party; keys: readonly KeyAdvertisement[] }> {
  const played = await playUntil('shares', await roundAndParties({ count }));
  return { played, victim: at(played.parties, 0), keys: inStage(played.state, 'shares').keyList };
}

describe('a key list', () => {
  it('must have the client’s own keys as it sent them', async () => {
    const { played, victim, keys } = await atShares();
    const [own, ...others] = keys;
    expect(codeOf(await victim.client.share(others))).toBe('secure_sets_differ');
    const replaced = resigned(played.parties, present(own, 'own'), { selfMaskSha: '00'.repeat(32) });
    expect(codeOf(await victim.client.share([replaced, ...others]))).toBe('secure_sets_differ');
  });

  it('must not have a key twice: neither the client’s own reflected, nor two of one participant', async () => {
    const { played, victim, keys } = await atShares();
    const [own, second, ...others] = keys;
    const [mine, theirs] = [present(own, 'own'), present(second, 'second')];
    for (const change of [
      { maskKey: mine.maskKey },
      { channelKey: mine.channelKey },
      { channelKey: mine.maskKey },
      { maskKey: theirs.channelKey },
    ]) {
      const reflected = resigned(played.parties, theirs, change);
      expect(codeOf(await victim.client.share([mine, reflected, ...others]))).toBe('secure_key_invalid');
    }
  });

  it('must have keys in their one spelling, which are not weak', async () => {
    const { played, victim, keys } = await atShares();
    const [own, second, ...others] = keys;
    const [mine, theirs] = [present(own, 'own'), present(second, 'second')];
    // The victim’s key with the bit that X25519 ignores; 0, 1, a point of order 8, p − 1, p and p + 1.
    const reflected = mine.maskKey.slice(0, 62) + (Number.parseInt(mine.maskKey.slice(62), 16) | 0x80).toString(16);
    const weak = [
      reflected,
      '00'.repeat(32),
      `01${'00'.repeat(31)}`,
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      `ec${'ff'.repeat(30)}7f`,
      `ed${'ff'.repeat(30)}7f`,
      `ee${'ff'.repeat(30)}7f`,
    ];
    for (const maskKey of weak) {
      const bad = resigned(played.parties, theirs, { maskKey });
      expect(codeOf(await victim.client.share([mine, bad, ...others]))).toBe('secure_key_invalid');
    }
  });

  it('must be sorted, without repetitions, of this round, signed, well-formed and long enough', async () => {
    const { played, victim, keys } = await atShares();
    const [own, second, third] = [at(keys, 0), at(keys, 1), at(keys, 2)];
    const other = await playUntil('shares', await roundAndParties({ count: 5, roundId: 'another' }));
    const replayed = at(inStage(other.state, 'shares').keyList, 1);
    const forged = { ...second, maskKey: third.channelKey };
    const foreign = { ...second, participant: `${second.participant}x` };
    const answers: [unknown, string][] = [
      [keys.toReversed(), 'secure_message_invalid'],
      [[own, second, second, third], 'secure_message_invalid'],
      [[own, replayed, third], 'secure_message_invalid'],
      [[own, forged, third], 'signature_invalid'],
      [[own, foreign, third], 'signature_invalid'],
      [[own, second], 'secure_too_few'],
      [[own, { ...second, maskKey: second.maskKey.toUpperCase() }, third], 'secure_message_invalid'],
      [[own, { ...second, maskKey: second.maskKey.slice(2) }, third], 'secure_message_invalid'],
      [[own, { ...second, maskKey: `${second.maskKey}00` }, third], 'secure_message_invalid'],
      [[own, { ...second, extra: 1 }, third], 'secure_message_invalid'],
      [Array.from({ length: 100_000 }, () => own), 'secure_message_invalid'],
      [null, 'secure_message_invalid'],
      [{ length: 3 }, 'secure_message_invalid'],
      [[own, null, third], 'secure_message_invalid'],
    ];
    for (const [list, code] of answers) expect(codeOf(await victim.client.share(list))).toBe(code);
    // None of it has changed anything.
    expect(codeOf(await victim.client.share(keys))).toBe('accepted');
    expect(played.parties[0]).toBe(victim);
  });

  it('is answered once: a second list gets nothing, the same again the same bytes', async () => {
    const { victim, keys } = await atShares();
    const first = value(await victim.client.share(keys));
    expect(codeOf(await victim.client.share(keys.slice(0, 4)))).toBe('secure_already_answered');
    expect(value(await victim.client.share(travel(keys)))).toEqual(first);
  });
});

describe('envelopes', () => {
  async function atMasked(): Promise<{ played: Played; victim: Party; envelopes: readonly ShareEnvelope[] }> {
    const played = await playUntil('masked', await roundAndParties({ count: 5 }));
    const victim = at(played.parties, 0);
    return { played, victim, envelopes: envelopesFor(inStage(played.state, 'masked'), victim.name) };
  }

  it('must be for this client, from others, of the same key list, and must hold what their dealers have committed to', async () => {
    const { played, victim, envelopes } = await atMasked();
    const input = { delta: victim.delta, weight: victim.weight };
    const [first, ...others] = envelopes;
    const dealt = present(first, 'an envelope');
    const forSomebodyElse = at(envelopesFor(inStage(played.state, 'masked'), at(played.parties, 2).name), 1);
    const own = at(envelopesFor(inStage(played.state, 'masked'), at(played.parties, 1).name), 0);
    const change = (one: Partial<ShareEnvelope>): ShareEnvelope => resigned(played.parties, dealt, one);
    const flipped = `${dealt.sealed.startsWith('0') ? '1' : '0'}${dealt.sealed.slice(1)}`;
    const answers: [unknown, string][] = [
      [[forSomebodyElse, ...others], 'secure_sets_differ'],
      [[own, ...envelopes], 'secure_sets_differ'],
      [[change({ keyListSha: '00'.repeat(32) }), ...others], 'secure_sets_differ'],
      [[change({ sealed: flipped }), ...others], 'secure_share_invalid'],
      [[change({ sealed: at(others, 0).sealed }), ...others], 'secure_share_invalid'],
      [[change({ selfMaskShareSha: '00'.repeat(32) }), ...others], 'secure_share_invalid'],
      [[change({ maskKeyShareSha: '00'.repeat(32) }), ...others], 'secure_share_invalid'],
      [[{ ...dealt, sealed: flipped }, ...others], 'signature_invalid'],
      [[{ ...dealt, recipient: '\ud800' }, ...others], 'secure_message_invalid'],
      [[dealt, dealt, ...others], 'secure_message_invalid'],
      [[dealt], 'secure_too_few'],
      [[], 'secure_too_few'],
    ];
    for (const [list, code] of answers) expect(codeOf(await victim.client.mask(list, input))).toBe(code);
    const blamed = await victim.client.mask([change({ sealed: flipped }), ...others], input);
    expect(blamed.ok ? null : blamed.error.participant).toBe(dealt.participant);
    expect(codeOf(await victim.client.mask(envelopes, input))).toBe('accepted');
  });

  it('are answered once: a second delta or other sharers under the same masks would show a difference', async () => {
    const { victim, envelopes } = await atMasked();
    const input = { delta: victim.delta, weight: victim.weight };
    const first = value(await victim.client.mask(envelopes, input));
    expect(codeOf(await victim.client.mask(envelopes.slice(1), input))).toBe('secure_already_answered');
    const other = victim.delta.map((entry) => entry / 2);
    expect(codeOf(await victim.client.mask(envelopes, { delta: other, weight: victim.weight }))).toBe(
      'secure_already_answered',
    );
    expect(codeOf(await victim.client.mask(envelopes, { ...input, weight: victim.weight + 1 }))).toBe(
      'secure_already_answered',
    );
    expect(value(await victim.client.mask(travel(envelopes), input))).toEqual(first);
  });

  it('mask no delta that leaves the bounds of the round', async () => {
    const { victim, envelopes } = await atMasked();
    for (const input of [
      { delta: new Float32Array(4), weight: 1 },
      { delta: new Float32Array(5).fill(NaN), weight: 1 },
      { delta: new Float32Array(5).fill(1.5), weight: 1 },
      { delta: new Float32Array(5), weight: 11 },
      { delta: new Float32Array(5), weight: 0.5 },
    ])
      expect(codeOf(await victim.client.mask(envelopes, input))).toBe('secure_input_invalid');
  });
});

describe('survivors', () => {
  async function atSurvivors(): Promise<{ played: Played; victim: Party; names: readonly string[] }> {
    const played = await playUntil('survivors', await roundAndParties({ count: 6, threshold: 4 }));
    return { played, victim: at(played.parties, 0), names: played.parties.map(({ name }) => name) };
  }

  it('must be sharers, sorted, with this client, and as many as the threshold', async () => {
    const { victim, names } = await atSurvivors();
    const stranger = `${at(names, 5)}x`;
    const answers: [unknown, string][] = [
      [[...names, stranger], 'secure_sets_differ'],
      [names.slice(1), 'secure_sets_differ'],
      [names.toReversed(), 'secure_message_invalid'],
      [[at(names, 0), ...names], 'secure_message_invalid'],
      [names.slice(0, 3), 'secure_too_few'],
      ['all', 'secure_message_invalid'],
      [[...names, '\ud800'], 'secure_message_invalid'],
    ];
    for (const [set, code] of answers) expect(codeOf(await victim.client.attest(set))).toBe(code);
    expect(codeOf(await victim.client.attest(names))).toBe('accepted');
  });

  it('are signed once, also of two sets at the same time', async () => {
    const { victim, names } = await atSurvivors();
    const both = await Promise.all([victim.client.attest(names), victim.client.attest(names.slice(0, 5))]);
    expect(both.map(codeOf)).toEqual(['accepted', 'secure_already_answered']);
    expect(value(await victim.client.attest(names))).toEqual(value(at(both, 0)));
  });

  it('are not signed by a client that has sent nothing', async () => {
    const played = await playUntil('masked', await roundAndParties({ count: 4 }));
    const names = played.parties.map(({ name }) => name);
    expect(codeOf(await at(played.parties, 0).client.attest(names))).toBe('secure_step_closed');
    expect(codeOf(await at(played.parties, 0).client.unmask([]))).toBe('secure_step_closed');
  });

  it('must be signed by as many as the threshold, with the same view, before anything is revealed', async () => {
    const { played, victim, names } = await atSurvivors();
    const attested: SurvivorAttestation[] = [];
    // The last participant is called gone.
    const survivors = names.slice(0, 5);
    for (const { client } of played.parties.slice(0, 5)) attested.push(value(await client.attest(survivors)));
    const [first, second, third, fourth] = [at(attested, 0), at(attested, 1), at(attested, 2), at(attested, 3)];
    const change = (one: Partial<SurvivorAttestation>): SurvivorAttestation => resigned(played.parties, fourth, one);
    const answers: [unknown, string][] = [
      [[first, second, third], 'secure_too_few'],
      [[first, second, second, third], 'secure_message_invalid'],
      [[first, second, third, { ...fourth, signature: third.signature }], 'signature_invalid'],
      [[first, second, third, change({ survivors: names })], 'secure_sets_differ'],
      [[first, second, third, change({ keyListSha: '00'.repeat(32) })], 'secure_sets_differ'],
      [[first, second, third, change({ sharersSha: '00'.repeat(32) })], 'secure_sets_differ'],
      [[first, second, third, change({ participant: at(names, 5) })], 'secure_sets_differ'],
    ];
    for (const [list, code] of answers) expect(codeOf(await victim.client.unmask(list))).toBe(code);
    const { shares } = value(await victim.client.unmask(travel(attested)));
    expect(shares.map(({ secret }) => secret)).toEqual([...survivors.map(() => 'self-mask'), 'mask-key']);
  });

  it('are never unmasked by clients that were given different keys', async () => {
    const { round, parties } = await roundAndParties({ count: 5, threshold: 4 });
    const honest = parties.slice(0, 4);
    const keys = await Promise.all(parties.map(async ({ client }) => value(await client.advertise())));
    // The fifth participant is with the coordinator, and has one pair of keys for the first two clients and another for the others.
    const spare = bytesToHex(nodeCiphers().publicKeyOf(nodeCiphers().randomSecret()));
    const forOthers = [...keys.slice(0, 4), resigned(parties, at(keys, 4), { maskKey: spare })];
    const listFor = (i: number): readonly KeyAdvertisement[] => (i < 2 ? keys : forOthers);
    const envelopes = await Promise.all(honest.map(async ({ client }, i) => value(await client.share(listFor(i)))));
    // Envelopes of the other group name another key list, so that every group is below the threshold by itself.
    for (const [i, { client, name, delta }] of honest.entries()) {
      const mine = envelopes.flat().filter(({ recipient }) => recipient === name);
      const ofGroup = mine.filter(({ keyListSha }) => keyListSha === shaOfList(listFor(i)));
      expect(codeOf(await client.mask(mine, { delta, weight: 1 }))).toBe('secure_sets_differ');
      expect(codeOf(await client.mask(ofGroup, { delta, weight: 1 }))).toBe('secure_too_few');
    }
    expect(round.threshold).toBe(4);
  });

  it('give away of each participant the own mask or the mask key, never both, whatever is asked in whatever order', async () => {
    const [count, threshold] = [5, 3];
    const ask = fc.record({ client: fc.nat(count - 1), set: fc.subarray([0, 1, 2, 3, 4], { minLength: threshold }) });
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 25 }), async (asked) => {
        const { parties } = await playUntil('survivors', await roundAndParties({ count, threshold }));
        const bySet = new Map<string, SurvivorAttestation[]>();
        for (const { client, set } of asked) {
          const survivors = set.map((i) => at(parties, i).name);
          const signed = await at(parties, client).client.attest(survivors);
          if (!signed.ok) continue;
          const known = bySet.get(shaOfList(survivors)) ?? [];
          bySet.set(shaOfList(survivors), [
            ...known.filter(({ participant }) => participant !== signed.value.participant),
            signed.value,
          ]);
        }
        // Then everybody is asked to unmask by every set that was signed.
        const revealed: UnmaskShares[] = [];
        for (const { client } of parties) {
          for (const attestations of bySet.values()) {
            const answer = await client.unmask(
              attestations.toSorted((a, b) => (a.participant < b.participant ? -1 : 1)),
            );
            if (answer.ok) revealed.push(answer.value);
          }
        }
        const secrets = new Map<string, Set<string>>();
        for (const { participant, secret } of revealed.flatMap(({ shares }) => shares))
          secrets.set(participant, (secrets.get(participant) ?? new Set()).add(secret));
        for (const kinds of secrets.values()) expect(kinds.size).toBe(1);
      }),
      { numRuns: 15 },
    );
  });
});

describe('a round', () => {
  it('is played by its participants alone', async () => {
    const round = value(secureRound(parametersOf({ count: 3 })));
    const { parties } = await roundAndParties({ count: 4 });
    const stranger = parties.find(({ name }) => !round.participants.includes(name));
    const { openSecureClient } = await import('../../../src/federated/secure/client.ts');
    const { signer, store } = present(stranger, 'a stranger');
    expect(codeOf(await openSecureClient({ round, signer, store }))).toBe('secure_round_invalid');
  });

  it('refuses messages of a round with other parameters, whoever signs them', async () => {
    const one = await playUntil('masked', await roundAndParties({ count: 4 }));
    const other = await roundAndParties({ count: 4, maxWeight: 9 });
    const keys = inStage((await playUntil('shares', other)).state, 'shares').keyList;
    const fresh = await partiesOf(one.round);
    expect(codeOf(await at(fresh, 0).client.share(keys))).toBe('secure_message_invalid');
    expect(
      listed(
        new Map([
          ['b', 2],
          ['a', 1],
        ]),
      ),
    ).toEqual([1, 2]);
    value({ ok: true, value: await maskOf(at(one.parties, 0), inStage(one.state, 'masked')) });
  });
});
