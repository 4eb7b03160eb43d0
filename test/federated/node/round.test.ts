/** Whole rounds in one process. Holds src/federated/node/coordinator.ts, participant.ts, fed-node.ts, aggregate-round.ts. */
import { describe, expect, it } from 'vitest';
import { phaseOf } from '../../../src/federated/round/state.ts';
import { codeOf, createWorld, good, joinedAll, minute, startNode, submittedAll, type TestNode } from '../nodes.ts';

const names = ['ada', 'bernd', 'clara', 'dora'] as const;

async function startAll(setting = {}) {
  const world = createWorld(names);
  const nodes = await Promise.all(names.map((name) => startNode(world, name, setting)));
  return { world, nodes };
}

describe('a round', () => {
  it('goes from a signed manifest to an applied adapter', async () => {
    const { nodes } = await startAll();
    const [ada, bernd] = nodes as [TestNode, TestNode];
    const id = await joinedAll(nodes);
    for (const { participant } of nodes) {
      good(await participant.train(id));
      const receipt = good(await participant.submit(id));
      expect(receipt.coordinator).toBe(ada.node.self);
    }
    const result = good(await ada.coordinator.finalizeAndPublish(id));
    expect(result.nParticipants).toBe(4);
    expect(result.totalSamples).toBe(10 * (3 + 5 + 5 + 4));
    expect(result.takeover).toBe(false);
    good(await bernd.node.replica.sync(id));
    good(await bernd.adapters.apply(result.aggregatedDeltaSha, 'session'));
    expect(bernd.applied.get('session')).toBe(result.aggregatedDeltaSha);
    const average = new Float64Array(good(await bernd.adapters.fetch(result.aggregatedDeltaSha)).slice().buffer);
    expect(average[0]).toBeCloseTo((30 * 3 + 50 * 5 + 50 * 5 + 40 * 4) / 170, 12);
  });

  it('applies no adapter that it cannot compute again, whoever signs it', async () => {
    const { world, nodes } = await startAll();
    const [ada, bernd] = nodes as [TestNode, TestNode];
    const id = await joinedAll(nodes);
    await submittedAll(nodes, id);
    const { aggregatedDeltaSha: sha } = good(await ada.coordinator.finalizeAndPublish(id));
    // Whoever reaches the bus may delete submissions from it.
    const bus = world.connect();
    const getBlob: typeof bus.getBlob = async (name, most) =>
      name === sha ? bus.getBlob(name, most) : { ok: false, error: 'missing' };
    const emil = await startNode(world, 'emil', { bus: { ...bus, getBlob } });
    good(await emil.node.replica.discover());
    good(await emil.node.replica.sync(id));
    expect(codeOf(await emil.adapters.apply(sha, 'session'))).toBe('delta_missing');
    const stray = good(await bernd.node.bus.putBlob(new Uint8Array(32)));
    expect(codeOf(await bernd.adapters.apply(stray, 'session'))).toBe('adapter_unverified');
    expect([...emil.applied, ...bernd.applied]).toEqual([]);
  });

  it('goes on by takeover when the coordinator dies after submissions, with the same SHA', async () => {
    const run = async (dies: boolean): Promise<string> => {
      const { world, nodes } = await startAll();
      const [ada, bernd] = nodes as [TestNode, TestNode];
      const id = await joinedAll(nodes);
      await submittedAll(nodes, id);
      if (!dies) return good(await ada.coordinator.finalizeAndPublish(id)).aggregatedDeltaSha;
      await ada.crash();
      expect(codeOf(await bernd.participant.finalize(id))).toBe('fedlearn_aggregator_unreachable');
      expect(codeOf(await bernd.participant.finalizeTakeover(id))).toBe('round_open');
      world.clock.now += 11 * minute;
      const result = good(await bernd.participant.finalizeTakeover(id));
      expect(result.takeover).toBe(true);
      expect(result.aggregator).toBe(bernd.node.self);
      return result.aggregatedDeltaSha;
    };
    expect(await run(true)).toBe(await run(false));
  });

  it('ends in one result when two participants take over at once', async () => {
    const { world, nodes } = await startAll();
    const [ada, bernd, clara, dora] = nodes as [TestNode, TestNode, TestNode, TestNode];
    const id = await joinedAll(nodes);
    await submittedAll(nodes, id);
    await ada.crash();
    world.clock.now += 11 * minute;
    const [first, second] = await Promise.all([
      bernd.participant.finalizeTakeover(id),
      clara.participant.finalizeTakeover(id),
    ]);
    expect(good(first)).toEqual(good(second));
    good(await dora.node.replica.sync(id));
    expect(dora.node.replica.rounds.get(id)?.result).toEqual(good(first));
  });

  it('aborts with fedlearn_min_participants_unmet when only 2 of 3 required submissions are valid', async () => {
    const { world, nodes } = await startAll();
    const [ada] = nodes as [TestNode];
    const id = await joinedAll(nodes);
    for (const { participant } of nodes.slice(0, 2)) {
      good(await participant.train(id));
      good(await participant.submit(id));
    }
    expect(codeOf(await ada.coordinator.finalizeAndPublish(id))).toBe('round_open');
    world.clock.now += 11 * minute;
    expect(codeOf(await ada.coordinator.finalizeAndPublish(id))).toBe('fedlearn_min_participants_unmet');
    const state = ada.node.replica.rounds.get(id);
    expect(state && phaseOf(state)).toBe('ABORTED');
  });
});
