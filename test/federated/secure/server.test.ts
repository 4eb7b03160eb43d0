/** What the coordinator must not fall for: hostile participants, and whoever can write on the bus. */
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { nodeCiphers } from '../../../src/federated/secure/ciphers.ts';
import { addVector } from '../../../src/federated/secure/mask.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { sumOf } from '../../../src/federated/secure/secure-sum.ts';
import { advance, receive } from '../../../src/federated/secure/server.ts';
import type { ServerState } from '../../../src/federated/secure/server-state.ts';
import { signStatement, type MessageOf, type SecureMessage } from '../../../src/federated/secure/statement.ts';
import { codeOf, endOf, inStage, maskOf, playUntil, roundAndParties, value, type Party } from './parties.ts';

const at = <T>(list: readonly T[], index: number): T => present(list[index], 'an item');

function signedBy<K extends SecureMessage['type']>(party: Party, message: MessageOf<K>, change: object): unknown {
  const { signature: _, ...body } = { ...message, ...change } as SecureMessage; // what a hostile participant makes up
  return signStatement(body, party.signer);
}

describe('the coordinator', () => {
  it('takes a message once, again without effect, and no second one of a participant', async () => {
    const { round, parties } = await roundAndParties({ count: 4 });
    const start = (await playUntil('keys', { round, parties })).state;
    const first = value(await at(parties, 0).client.advertise());
    const once = value(await receive(start, first));
    expect(value(await receive(once, first))).toEqual(once);
    const second = signedBy(at(parties, 0), first, { selfMaskSha: '00'.repeat(32) });
    expect(codeOf(await receive(once, second))).toBe('secure_already_answered');
    // The keys of another participant, copied.
    const copied = signedBy(at(parties, 1), first, { participant: at(parties, 1).name });
    expect(codeOf(await receive(once, copied))).toBe('secure_key_invalid');
    const weak = signedBy(at(parties, 1), first, { participant: at(parties, 1).name, maskKey: '00'.repeat(32) });
    expect(codeOf(await receive(once, weak))).toBe('secure_key_invalid');
    const impersonated = signedBy(at(parties, 1), first, { participant: at(parties, 2).name });
    expect(codeOf(await receive(once, impersonated))).toBe('signature_invalid');
  });

  it('takes in each stage what belongs there', async () => {
    const { sent, state } = await playUntil('end', await roundAndParties({ count: 3 }));
    const { round, parties } = await roundAndParties({ count: 3 });
    for (const stage of ['keys', 'shares', 'masked', 'survivors'] as const) {
      const fresh = (await playUntil(stage, { round, parties })).state;
      for (const { message, vector } of sent) {
        const code = codeOf(await receive(fresh, message, vector));
        const isOfStage = (message as SecureMessage).type === stage; // sent by honest clients
        if (!isOfStage) expect(code).toBe('secure_step_closed');
      }
    }
    expect(codeOf(advance(state))).toBe('secure_step_closed');
  });

  it('takes envelopes of its key list alone, and no dealer that has left out one recipient', async () => {
    const { parties, round, state } = await playUntil('shares', await roundAndParties({ count: 4 }));
    const { keyList } = inStage(state, 'shares');
    let next: ServerState = state;
    for (const [i, { client }] of parties.entries()) {
      const envelopes = value(await client.share(keyList));
      for (const envelope of i === 0 ? envelopes.slice(1) : envelopes) next = value(await receive(next, envelope));
      const first = at(envelopes, 0);
      for (const change of [
        { keyListSha: '11'.repeat(32) },
        { recipient: at(parties, i).name },
        { recipient: 'nobody' },
      ])
        expect(codeOf(await receive(state, signedBy(at(parties, i), first, change)))).toBe('secure_sets_differ');
    }
    expect(inStage(value(advance(next)), 'masked').sharers).toEqual(round.participants.slice(1));
  });

  it('takes masked deltas of the right size and hash, with weights of the round', async () => {
    const { parties, state } = await playUntil('masked', await roundAndParties({ count: 4 }));
    const party = at(parties, 0);
    const { message, vector } = await maskOf(party, inStage(state, 'masked'));
    const longer = new Uint8Array(24);
    const hashOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));
    const answers: [unknown, Uint8Array | undefined, string][] = [
      [message, undefined, 'secure_input_invalid'],
      [message, vector.map((byte) => byte ^ 1), 'secure_input_invalid'],
      [signedBy(party, message, { vectorSha: hashOf(longer) }), longer, 'secure_input_invalid'],
      [signedBy(party, message, { weight: 0 }), vector, 'secure_input_invalid'],
      [signedBy(party, message, { weight: 11 }), vector, 'secure_input_invalid'],
      [signedBy(party, message, { weight: 1.5 }), vector, 'secure_message_invalid'],
      [signedBy(party, message, { weight: -1 }), vector, 'secure_message_invalid'],
      [signedBy(party, message, { keyListSha: '00'.repeat(32) }), vector, 'secure_sets_differ'],
      [signedBy(party, message, { sharersSha: '00'.repeat(32) }), vector, 'secure_sets_differ'],
      [message, vector, 'accepted'],
    ];
    for (const [one, bytes, code] of answers) expect(codeOf(await receive(state, one, bytes))).toBe(code);
  });

  it('names who reveals a share that does not match its commitment, or another share than is due', async () => {
    const played = await playUntil('unmask', await roundAndParties({ count: 5 }), {
      masked: ({ name }) => !name.startsWith('node-4'),
    });
    const { attestations } = inStage(played.state, 'unmask');
    const liar = at(played.parties, 0);
    const answer = value(await liar.client.unmask([...attestations.values()]));
    const [own, second, ...others] = answer.shares;
    const [mine, theirs] = [present(own, 'own'), present(second, 'second')];
    const wrong = { ...theirs, share: '00'.repeat(32) };
    const lies = [
      { shares: [mine, wrong, ...others] },
      { shares: [mine, { ...theirs, secret: 'mask-key' }, ...others] },
      { shares: [mine, ...others] },
      { shares: [mine, mine, ...others] },
      { shares: answer.shares.toReversed() },
      { survivorsSha: '00'.repeat(32) },
    ];
    for (const lie of lies) {
      const refused = await receive(played.state, signedBy(liar, answer, lie));
      expect(codeOf(refused)).toBe('secure_share_invalid');
      expect(refused.ok ? null : refused.error.participant).toBe(liar.name);
    }
    expect(codeOf(await receive(played.state, answer))).toBe('accepted');
  });

  it('names who has dealt shares that give another secret than it has committed to', async () => {
    const game = await roundAndParties({ count: 5 });
    const gone = at(game.parties, 3).name;
    const played = await playUntil('end', game, { masked: ({ name }) => name !== gone });
    const state = inStage(played.state, 'unmask');
    const otherKey = bytesToHex(nodeCiphers().publicKeyOf(new Uint8Array(32).fill(3)));
    for (const [liar, change] of [
      [at(game.parties, 1).name, { selfMaskSha: '22'.repeat(32) }],
      [gone, { maskKey: otherKey }],
    ] as const) {
      // As if the liar had signed one thing and dealt shares of another.
      const keyList = state.keyList.map((keys) => (keys.participant === liar ? { ...keys, ...change } : keys));
      const refused = await endOf({ ...played, state: { ...state, keyList } });
      expect(codeOf(refused)).toBe('secure_share_invalid');
      expect(refused.ok ? null : refused.error.participant).toBe(liar);
    }
  });

  it('needs no share of a participant’s own mask from itself where others have revealed enough', async () => {
    const game = await roundAndParties({ count: 5 });
    const played = await playUntil('unmask', game);
    const { attestations } = inStage(played.state, 'unmask');
    let { state } = played;
    for (const [i, party] of game.parties.slice(0, 4).entries()) {
      const answer = value(await party.client.unmask([...attestations.values()]));
      // The share that has no commitment, which is the first’s own, is wrong.
      const shares = answer.shares.map((one) =>
        i === 0 && one.participant === party.name ? { ...one, share: '00'.repeat(32) } : one,
      );
      state = value(await receive(state, signedBy(party, answer, { shares })));
    }
    expect(codeOf(await endOf({ ...played, state }))).toBe('accepted');
    const answers = new Map([...inStage(state, 'unmask').answers].slice(0, 3));
    const fewer = await endOf({ ...played, state: { ...inStage(state, 'unmask'), answers } });
    expect(fewer.ok ? null : fewer.error).toMatchObject({
      code: 'secure_share_invalid',
      participant: at(game.parties, 0).name,
    });
  });

  it('finds a sum that is beyond what deltas within the bound can give', async () => {
    const played = await playUntil('end', await roundAndParties({ count: 3 }));
    const state = inStage(played.state, 'unmask');
    const cheat = at(played.parties, 0);
    const vector = Uint8Array.from(played.vectors.get(cheat.name) ?? []);
    addVector(new Int32Array(vector.buffer), new Uint8Array(Int32Array.of(1 << 30, 0, 0, 0, 0).buffer));
    const input = present(state.inputs.get(cheat.name), 'its input');
    const inputs = new Map(state.inputs).set(cheat.name, { ...input, vectorSha: bytesToHex(sha256(vector)) });
    const read = async (name: string): Promise<Uint8Array | null> =>
      name === cheat.name ? vector : (played.vectors.get(name) ?? null);
    expect(codeOf(await sumOf({ ...state, inputs }, read))).toBe('secure_sum_failed');
    expect(codeOf(await endOf(played))).toBe('accepted');
  });

  it('survives whatever is sent to it', async () => {
    const { sent, parties, round } = await playUntil('end', await roundAndParties({ count: 3 }));
    const stages = await Promise.all(
      (['keys', 'shares', 'masked', 'survivors', 'unmask'] as const).map(
        async (stage) => (await playUntil(stage, { round, parties })).state,
      ),
    );
    const messages = fc.constantFrom(...sent.map(({ message }) => message as Record<string, unknown>)); // objects, as honest clients send
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constant(undefined),
      fc.string({ unit: 'binary' }),
      fc.constant('\ud800'),
    );
    await fc.assert(
      fc.asyncProperty(messages, fc.nat(8), values, async (message, index, other) => {
        const names = Object.keys(message);
        const changed = { ...message, [names[index % names.length] ?? '']: other };
        for (const state of stages) {
          const answer = await receive(state, changed, new Uint8Array(20));
          expect(answer.ok ? answer.value : answer.error.code).toBeTruthy();
          expect([
            'secure_step_closed',
            'accepted',
            'signature_invalid',
            'secure_message_invalid',
            'secure_key_invalid',
          ]).toContain(codeOf(answer));
        }
      }),
      { numRuns: 200 },
    );
    for (const nothing of [null, undefined, 1, 'keys', [], { type: 'keys' }, { type: null }])
      for (const state of stages) expect((await receive(state, nothing)).ok).toBe(false);
  });
});
