/** Holds src/federated/secure/client.ts, server.ts, server-state.ts, share-secrets.ts, mask-delta.ts, unmask.ts, reveal.ts and step.ts. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { advance } from '../../../src/federated/secure/server.ts';
import { leastThreshold } from '../../../src/federated/secure/secure-round.ts';
import { sumOf } from '../../../src/federated/secure/secure-sum.ts';
import { codeOf, endOf, inStage, plainSum, playUntil, roundAndParties, value } from './parties.ts';

const asNumbers = (sum: readonly bigint[]): number[] => sum.map(Number);

describe('the sum of a secure round', () => {
  it('is the sum of the whole numbers, bit for bit, whoever leaves at whatever step', async () => {
    const rounds = fc.integer({ min: 3, max: 9 }).chain((count) => {
      const least = leastThreshold(count, 'semi-honest', 'double_mask');
      return fc.record({
        count: fc.constant(count),
        threshold: fc.integer({ min: least, max: count }),
        // In which of five steps a participant is still there; as many as the threshold are always.
        steps: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: count, maxLength: count }),
        length: fc.integer({ min: 1, max: 40 }),
        fractionBits: fc.integer({ min: 0, max: 20 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(rounds, async ({ count, threshold, steps, length, fractionBits }) => {
        const played = await roundAndParties({ count, threshold, length, fractionBits });
        const stays = new Map(played.parties.map(({ name }, i) => [name, steps[i] ?? 0]));
        const faithful = played.parties.toSorted((a, b) => (stays.get(b.name) ?? 0) - (stays.get(a.name) ?? 0));
        for (const { name } of faithful.slice(0, threshold)) stays.set(name, 5);
        const until = (step: number) => (party: { readonly name: string }) => (stays.get(party.name) ?? 0) >= step;
        const plan = { keys: until(1), shares: until(2), masked: until(3), attests: until(4), unmasks: until(5) };
        const { sum, survivors, dropped, totalWeight } = value(await endOf(await playUntil('end', played, plan)));
        const left = played.parties.filter(until(3));
        expect(survivors).toEqual(left.map(({ name }) => name));
        expect(dropped).toEqual(
          played.parties.filter((one) => until(2)(one) && !until(3)(one)).map(({ name }) => name),
        );
        expect(totalWeight).toBe(left.reduce((total, { weight }) => total + weight, 0));
        expect([...sum]).toEqual(asNumbers(plainSum(played.round, left)));
      }),
      { numRuns: 40 },
    );
  });

  it('needs as many participants as the threshold at every step', async () => {
    const played = await roundAndParties({ count: 5, threshold: 4 });
    const firstThree = (party: { readonly name: string }): boolean =>
      played.parties.slice(0, 3).some(({ name }) => name === party.name);
    for (const step of ['keys', 'shares', 'masked', 'attests'] as const)
      await expect(playUntil('end', played, { [step]: firstThree })).rejects.toThrow('secure_too_few');
    const unanswered = await playUntil('end', played, { unmasks: firstThree });
    expect(codeOf(await endOf(unanswered))).toBe('secure_too_few');
  });

  it('takes a participant that leaves before it has shared for one that was never there', async () => {
    const played = await roundAndParties({ count: 5 });
    const [first] = played.parties;
    const { sum, dropped } = value(await endOf(await playUntil('end', played, { shares: (party) => party !== first })));
    expect(dropped).toEqual([]);
    expect([...sum]).toEqual(asNumbers(plainSum(played.round, played.parties.slice(1))));
  });

  it('holds against an active coordinator with a threshold above two thirds', async () => {
    const played = await roundAndParties({ count: 7, adversary: 'active' });
    expect(played.round.threshold).toBe(5);
    const kept = played.parties.slice(2);
    const { sum } = value(await endOf(await playUntil('end', played, { masked: (party) => kept.includes(party) })));
    expect([...sum]).toEqual(asNumbers(plainSum(played.round, kept)));
  });

  it('is refused where a masked delta is missing or another than the signed one', async () => {
    const played = await playUntil('end', await roundAndParties({ count: 4 }));
    const state = inStage(played.state, 'unmask');
    const damaged = (name: string): Uint8Array =>
      (played.vectors.get(name) ?? new Uint8Array()).map((byte) => byte ^ 1);
    expect(codeOf(await sumOf(state, async () => null))).toBe('secure_sum_failed');
    expect(codeOf(await sumOf(state, async (name) => damaged(name)))).toBe('secure_sum_failed');
  });
});

describe('additive_pairwise', () => {
  test('test_secure_aggregation_masks_cancel', async () => {
    const played = await roundAndParties({ count: 5, scheme: 'additive_pairwise' });
    const end = await playUntil('end', played);
    const { sum, dropped } = value(await endOf(end));
    expect([...sum]).toEqual(asNumbers(plainSum(played.round, played.parties)));
    expect(dropped).toEqual([]);
    // The masks are what was sent without the deltas: they sum to zero modulo 2³².
    const sums = new Int32Array(played.round.length);
    for (const party of played.parties) {
      const masked = new Int32Array(Uint8Array.from(end.vectors.get(party.name) ?? []).buffer);
      const alone = plainSum(played.round, [party]);
      const masks = masked.map((entry, k) => entry - Number(alone[k]));
      expect(masks.some((entry) => entry !== 0)).toBe(true);
      masks.forEach((entry, k) => (sums[k] = (sums[k] ?? 0) + entry));
    }
    expect([...sums]).toEqual([0, 0, 0, 0, 0]);
  });

  it('gives nothing once anybody leaves', async () => {
    const played = await roundAndParties({ count: 4, scheme: 'additive_pairwise' });
    const kept = played.parties.slice(1);
    const partly = (party: { readonly name: string }): boolean => kept.some(({ name }) => name === party.name);
    await expect(playUntil('end', played, { masked: partly })).rejects.toThrow('secure_too_few');
    await expect(playUntil('end', played, { keys: partly })).rejects.toThrow('secure_too_few');
  });

  it('is never mixed up with double_mask', async () => {
    const plain = await roundAndParties({ count: 3, scheme: 'additive_pairwise' });
    const double = await roundAndParties({ count: 3 });
    const keys = inStage((await playUntil('shares', double)).state, 'shares').keyList;
    const input = { delta: new Float32Array(5), weight: 1 };
    expect(codeOf((await double.parties[0]?.client.maskPairwise(keys, input)) ?? { ok: true, value: 0 })).toBe(
      'secure_step_closed',
    );
    const state = (await playUntil('masked', plain)).state;
    expect(
      codeOf((await plain.parties[0]?.client.share(inStage(state, 'masked').keyList)) ?? { ok: true, value: 0 }),
    ).toBe('secure_step_closed');
    expect(codeOf((await plain.parties[0]?.client.attest([])) ?? { ok: true, value: 0 })).toBe('secure_step_closed');
  });

  it('ends with the stage unmask', async () => {
    const { state } = await playUntil('end', await roundAndParties({ count: 3, scheme: 'additive_pairwise' }));
    expect(codeOf(advance(state))).toBe('secure_step_closed');
  });
});
