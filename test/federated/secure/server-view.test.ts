/**
 * What a coordinator can make of everything that it has received. The attacks here are written against the protocol's description, with
 * the primitives and derivations of the code. Holds src/federated/secure/derive.ts.
 */
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { nodeCiphers, type Ciphers } from '../../../src/federated/secure/ciphers.ts';
import { keyBytes, ownMaskSeed, pairSeed } from '../../../src/federated/secure/derive.ts';
import { toFixedPoint } from '../../../src/federated/secure/fixed-point.ts';
import { applyMask, pairSign, wordsOf } from '../../../src/federated/secure/mask.ts';
import { revealedSecret } from '../../../src/federated/secure/reveal.ts';
import { combineShares } from '../../../src/federated/secure/shamir.ts';
import {
  inStage,
  maskOf,
  partiesOf,
  playUntil,
  roundAndParties,
  travel,
  value,
  type Party,
  type Played,
} from './parties.ts';

const node = nodeCiphers();
const entries = 4096;

/** χ² of the bytes of numbers against uniform ones: 255 degrees of freedom, so that 255 ± 23 is usual and 400 never happens. */
function chiSquare(vector: Int32Array): number {
  const counts = new Float64Array(256);
  for (const byte of new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    counts[byte] = (counts[byte] ?? 0) + 1;
  const expected = vector.byteLength / 256;
  return counts.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
}

const isUniform = (vector: Int32Array): boolean => chiSquare(vector) < 400;
const wholeOf = ({ round }: Played, { delta, weight }: Party): Int32Array => value(toFixedPoint(delta, weight, round));

/** A vector without all masks that follow from what survivors have revealed. */
function stripped(played: Played, party: Party, vector: Uint8Array): Int32Array {
  const state = inStage(played.state, 'unmask');
  const { round, keyList, survivors, sharers } = state;
  const rest = Int32Array.from(wordsOf(vector));
  for (const keys of keyList.filter(({ participant }) => sharers.includes(participant))) {
    const isSurvivor = survivors.includes(keys.participant);
    const secret = value(revealedSecret(state, node, keys, isSurvivor));
    if (isSurvivor && keys.participant === party.name)
      applyMask(node.keystream, rest, ownMaskSeed(node, round, secret), -1);
    if (isSurvivor) continue;
    // The mask key of one that is gone: all of its masks in pairs are known.
    for (const other of keyList) {
      const isOwn =
        keys.participant === party.name && other.participant !== party.name && sharers.includes(other.participant);
      const isShared = keys.participant !== party.name && other.participant === party.name;
      if (!isOwn && !isShared) continue;
      const seed = present(pairSeed(node, round, secret, other.maskKey), 'a sound key');
      const sign = pairSign(party.name, isOwn ? other.participant : keys.participant);
      applyMask(node.keystream, rest, seed, sign === 1 ? -1 : 1);
    }
  }
  return rest;
}

describe('what the coordinator has received', () => {
  it('has no delta in it, masked deltas look uniform, and what can be taken off them leaves them so', async () => {
    const game = await roundAndParties({ count: 5, length: entries });
    const gone = present(game.parties[2], 'the third');
    const played = await playUntil('end', game, { masked: (party) => party !== gone });
    for (const party of game.parties.filter((one) => one !== gone)) {
      const vector = present(played.vectors.get(party.name), 'a vector');
      const plain = wholeOf(played, party);
      // The control: the test sees a delta that is not masked.
      expect(isUniform(plain)).toBe(false);
      expect(isUniform(Int32Array.from(wordsOf(vector)))).toBe(true);
      const rest = stripped(played, party, vector);
      expect(isUniform(rest)).toBe(true);
      expect(isUniform(rest.map((entry, i) => entry - (plain[i] ?? 0)))).toBe(true);
    }
    // No bytes of any delta, as numbers or as they were, in anything that was sent.
    const everything = played.sent
      .map(({ message, vector }) => JSON.stringify(message) + Buffer.from(vector ?? []).toString('hex'))
      .join('\n');
    for (const party of game.parties) {
      const whole = Buffer.from(wholeOf(played, party).buffer).toString('hex');
      const floats = Buffer.from(party.delta.buffer).toString('hex');
      for (let at = 0; at + 16 <= 256; at += 16) {
        expect(everything).not.toContain(whole.slice(at, at + 16));
        expect(everything).not.toContain(floats.slice(at, at + 16));
      }
    }
  });

  it('does not unmask a delta that comes after its participant was called gone', async () => {
    const game = await roundAndParties({ count: 5, length: entries });
    const late = present(game.parties[1], 'the second');
    const before = await playUntil('masked', game);
    const { vector } = await maskOf(late, inStage(before.state, 'masked'));
    const played = await playUntil('end', game, { masked: (party) => party !== late });
    expect(inStage(played.state, 'unmask').survivors).not.toContain(late.name);
    // All masks in pairs come off; its own stays.
    expect(isUniform(stripped(played, late, vector))).toBe(true);
    // The control: with the own mask, which nobody reveals, the delta would be there.
    const { root } = JSON.parse([...late.store.saved.values()][0] ?? '{}') as { root: string };
    const { clientSecrets } = await import('../../../src/federated/secure/derive.ts');
    const { selfMask } = clientSecrets(node, game.round, keyBytes(root));
    const rest = stripped(played, late, vector);
    applyMask(node.keystream, rest, ownMaskSeed(node, game.round, selfMask), -1);
    expect(rest).toEqual(wholeOf(played, late));
  });

  it('is new in every round: two rounds of the same deltas differ uniformly', async () => {
    const game = await roundAndParties({ count: 3, length: entries });
    const [one, two] = await Promise.all(
      [0, 1].map(async () => {
        const parties = await partiesOf(game.round);
        return playUntil('end', { round: game.round, parties });
      }),
    );
    for (const { name } of game.parties) {
      const [first, second] = [one, two].map((played) => wordsOf(present(played?.vectors.get(name), 'a vector')));
      expect(isUniform(present(first, 'one').map((entry, i) => entry - (second?.[i] ?? 0)))).toBe(true);
    }
  });

  it('gives no secret with one share fewer than the threshold', async () => {
    const played = await playUntil('end', await roundAndParties({ count: 7, threshold: 4 }));
    const state = inStage(played.state, 'unmask');
    const target = present(state.keyList[0], 'keys');
    const secret = value(revealedSecret(state, node, target, true));
    const shares = [...state.answers.values()].map((answer) => ({
      point: state.round.participants.indexOf(answer.participant) + 1,
      bytes: keyBytes(answer.shares.find(({ participant }) => participant === target.participant)?.share ?? ''),
    }));
    expect(combineShares(shares.slice(0, 4))).toEqual(secret);
    expect(combineShares(shares.slice(3, 7))).toEqual(secret);
    for (let first = 0; first < 5; first++) expect(combineShares(shares.slice(first, first + 3))).not.toEqual(secret);
  });
});

describe('seeds of masks', () => {
  it('have 256 bits that all vary, and none is used for two masks', async () => {
    const seeds: Uint8Array[] = [];
    const spying: Ciphers = {
      ...node,
      keystream: (seed) => {
        seeds.push(Uint8Array.from(seed));
        return node.keystream(seed);
      },
    };
    const { round } = await roundAndParties({ count: 3 });
    for (let i = 0; i < 30; i++) {
      const parties = await partiesOf(round, spying);
      const { state } = await playUntil('masked', { round, parties });
      for (const party of parties) await maskOf(party, inStage(state, 'masked'));
    }
    const [ones, zeros] = [new Uint8Array(32), new Uint8Array(32)];
    const times = new Map<string, number>();
    for (const seed of seeds) {
      expect(seed.length).toBe(32);
      times.set(Buffer.from(seed).toString('hex'), (times.get(Buffer.from(seed).toString('hex')) ?? 0) + 1);
      seed.forEach((byte, i) => {
        ones[i] = (ones[i] ?? 0) | byte;
        zeros[i] = (zeros[i] ?? 0) | ~byte;
      });
    }
    expect(new Set([...ones, ...zeros])).toEqual(new Set([255]));
    // A seed of 32 bits would repeat its words; of distinct seeds no 4 bytes at one place make a pattern.
    for (let word = 0; word < 32; word += 4) {
      const distinct = new Set([...times.keys()].map((seed) => seed.slice(2 * word, 2 * word + 8)));
      expect(distinct.size).toBeGreaterThan(times.size - 3);
    }
  });

  it('are the same at both ends of a pair, and different for every pair, round and purpose', async () => {
    const seedsOf = async (roundId: string): Promise<string[]> => {
      const game = await roundAndParties({ count: 4, roundId });
      const { state } = await playUntil('shares', game);
      const { keyList } = inStage(state, 'shares');
      const { clientSecrets } = await import('../../../src/federated/secure/derive.ts');
      const secrets = game.parties.map(({ store }) => {
        const { root } = JSON.parse([...store.saved.values()][0] ?? '{}') as { root: string };
        return clientSecrets(node, game.round, keyBytes(root));
      });
      const found: string[] = [];
      for (const [i, one] of secrets.entries()) {
        found.push(Buffer.from(ownMaskSeed(node, game.round, one.selfMask)).toString('hex'));
        for (const [j, other] of secrets.entries()) {
          if (j <= i) continue;
          const there = pairSeed(node, game.round, one.mask, present(keyList[j], 'keys').maskKey);
          const back = pairSeed(node, game.round, other.mask, present(keyList[i], 'keys').maskKey);
          expect(there).toEqual(back);
          found.push(Buffer.from(there ?? []).toString('hex'));
        }
      }
      return found;
    };
    const seeds = [...(await seedsOf('one')), ...(await seedsOf('two'))];
    expect(new Set(seeds).size).toBe(20);
    expect(travel(seeds)).toEqual(seeds);
  });
});
