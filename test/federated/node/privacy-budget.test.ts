/** What a node may release over all rounds. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { gaussianEpsilon } from '../../../src/federated/privacy/gaussian.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { ok } from '../../../src/base/result.ts';
import { codeOf, createWorld, deltaOf, draftOf, enabled, good, startNode, type TestNode } from '../nodes.ts';

/** Noise of twice the clip norm, so that one round costs ε = 2.0 at δ = 10⁻⁵. */
const noisy = { dpNoiseScale: 2, clipNorm: 1, epsilonBudget: 10, privacyDelta: 1e-5 };
const epsilonAfter = (rounds: number): number => gaussianEpsilon(Math.sqrt(rounds) / 2, 1e-5);

async function scene(privacyEpsilonBudget: number | null) {
  const world = createWorld(['ada', 'bernd']);
  const ada = await startNode(world, 'ada');
  const host = createMemoryHost();
  let trained = 0;
  const open = () =>
    startNode(world, 'bernd', {
      host,
      config: enabled({ privacyEpsilonBudget }),
      parts: { train: async () => ok({ bytes: deltaOf(1, 2, 3, trained++), numSamples: 10, trainLoss: 1 }) },
    });
  const announced = async (bernd: TestNode, draft = {}): Promise<RoundId> => {
    const id = good(await ada.coordinator.announceRound(draftOf(draft)));
    good(await bernd.node.replica.discover());
    return id;
  };
  return { open, announced, host };
}

const joinedAndTrained = async ({ participant }: TestNode, id: RoundId): Promise<void> => {
  good(await participant.join(id, true));
  good(await participant.train(id));
};

describe('the privacy budget of a node', () => {
  it('adds up over rounds and restarts, and refuses the round that would exceed it', async () => {
    const { open, announced } = await scene(epsilonAfter(3) * 1.01);
    let bernd = await open();
    for (let round = 1; round <= 3; round++) {
      const id = await announced(bernd, noisy);
      await joinedAndTrained(bernd, id);
      good(await bernd.participant.submit(id));
      expect(codeOf(await bernd.participant.join(id, true))).toBe('ok');
      await bernd.crash();
      bernd = await open();
      expect(bernd.node.privacy.spent()).toBe(epsilonAfter(round));
    }
    const next = await announced(bernd, noisy);
    expect(codeOf(await bernd.participant.join(next, true))).toBe('privacy_budget_exceeded');
    const { manifest } = bernd.node.replica.rounds.get(next) ?? expect.fail('announced');
    expect(good(await bernd.participant.considerRound(manifest)).obstacle).toBe('privacy_budget_exceeded');
    expect(bernd.node.replica.rounds.get(next)?.members.size).toBe(0);
    expect(bernd.node.privacy.spent()).toBe(epsilonAfter(3));
  });

  it('holds where rounds are joined before others have spent it, also at the same time', async () => {
    const { open, announced } = await scene(epsilonAfter(1) * 1.01);
    const bernd = await open();
    const ids = [await announced(bernd, noisy), await announced(bernd, noisy), await announced(bernd, noisy)];
    for (const id of ids.slice(0, 2)) await joinedAndTrained(bernd, id);
    good(await bernd.participant.join(ids[2] ?? expect.fail(), true));
    const submitted = await Promise.all(ids.slice(0, 2).map((id) => bernd.participant.submit(id)));
    expect(submitted.map(codeOf).toSorted()).toEqual(['ok', 'privacy_budget_exceeded']);
    expect(codeOf(await bernd.participant.train(ids[2] ?? expect.fail()))).toBe('privacy_budget_exceeded');
    expect(bernd.node.privacy.spent()).toBe(epsilonAfter(1));
  });

  it('counts one release for a round, whatever is repeated, and refuses another delta', async () => {
    const { open, announced } = await scene(null);
    const bernd = await open();
    const id = await announced(bernd, noisy);
    await joinedAndTrained(bernd, id);
    for (let i = 0; i < 2; i++) good(await bernd.participant.submit(id));
    expect(bernd.node.privacy.spent()).toBe(epsilonAfter(1));
    expect(codeOf(await bernd.participant.train(id))).toBe('privacy_budget_exceeded');
  });

  it('counts what its rounds show after an older log was restored', async () => {
    const { open, announced, host } = await scene(epsilonAfter(1) * 1.01);
    let bernd = await open();
    const before = new Map([...host.files].map(([path, bytes]) => [path, bytes.slice()]));
    const id = await announced(bernd, noisy);
    await joinedAndTrained(bernd, id);
    good(await bernd.participant.submit(id));
    await bernd.crash();
    host.files.clear();
    for (const [path, bytes] of before) host.files.set(path, bytes);
    bernd = await open();
    good(await bernd.node.replica.discover());
    good(await bernd.node.replica.sync(id));
    expect(bernd.node.privacy.spent()).toBe(epsilonAfter(1));
    expect(codeOf(await bernd.participant.join(await announced(bernd, noisy), true))).toBe('privacy_budget_exceeded');
  });

  it('does not let a node with a budget join rounds without noise; without one, ε is unbounded after them', async () => {
    const strict = await scene(100);
    const bernd = await strict.open();
    expect(codeOf(await bernd.participant.join(await strict.announced(bernd), true))).toBe('privacy_budget_exceeded');
    const { open, announced } = await scene(null);
    const free = await open();
    const id = await announced(free);
    await joinedAndTrained(free, id);
    expect(free.node.privacy.spent()).toBe(0);
    good(await free.participant.submit(id));
    expect(free.node.privacy.spent()).toBe(Infinity);
  });
});
