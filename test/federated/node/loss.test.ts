/** A bus that loses what it had, a clock that is wrong, and a budget that is spent. Holds src/federated/node/topics.ts. */
import { describe, expect, it } from 'vitest';
import type { Bus } from '../../../src/federated/bus/bus.ts';
import { createInProcessHub } from '../../../src/federated/bus/in-process.ts';
import { phaseOf } from '../../../src/federated/round/state.ts';
import { present } from '../../../src/base/invariant.ts';
import {
  codeOf,
  createWorld,
  draftOf,
  good,
  minute,
  startNode,
  vectorRules,
  type NodeSetting,
  type TestNode,
} from '../nodes.ts';

const names = ['ada', 'bernd', 'clara'];

/** Nodes whose bus can be replaced by an empty one. */
async function started(settings: Readonly<Record<string, NodeSetting>> = {}) {
  const world = createWorld(names);
  let hub = createInProcessHub(() => world.clock.now);
  const buses = new Map(names.map((name) => [name, hub.connect()]));
  const now = (name: string): Bus => present(buses.get(name), 'connected');
  const nodes: TestNode[] = [];
  for (const name of names) {
    const bus: Bus = {
      serve: (...given) => now(name).serve(...given),
      request: (...given) => now(name).request(...given),
      publish: (...given) => now(name).publish(...given),
      read: (...given) => now(name).read(...given),
      watch: (...given) => now(name).watch(...given),
      putBlob: (...given) => now(name).putBlob(...given),
      getBlob: (...given) => now(name).getBlob(...given),
      close: () => now(name).close(),
    };
    nodes.push(await startNode(world, name, { bus, ...settings[name] }));
  }
  const lose = async (): Promise<void> => {
    const old = [...buses.values()];
    hub = createInProcessHub(() => world.clock.now);
    for (const [i, name] of names.entries()) {
      const bus = hub.connect();
      const before = present(old[i], 'connected');
      // Requests still arrive; what was stored is gone.
      buses.set(name, { ...bus, request: before.request, serve: before.serve });
    }
  };
  return { world, nodes: nodes as [TestNode, TestNode, TestNode], lose };
}

describe('a bus that has lost everything', () => {
  it.each([0, 1, 2])('gets it back from the logs of the nodes, whoever comes first (%i)', async (first) => {
    const { nodes, lose } = await started();
    const [ada] = nodes;
    const id = good(await ada.coordinator.announceRound(draftOf({ minParticipants: 2 })));
    for (const { node, participant } of nodes) {
      good(await node.replica.discover());
      good(await participant.join(id, true));
      good(await participant.train(id));
    }
    good(await nodes[1].participant.submit(id));
    for (const { node } of nodes) good(await node.replica.sync(id));
    await lose();
    const order = [...nodes.slice(first), ...nodes.slice(0, first)];
    for (const { participant } of order) good(await participant.submit(id));
    const result = good(await ada.coordinator.finalizeAndPublish(id));
    expect(result.nParticipants).toBe(3);
    for (const { node } of nodes) {
      good(await node.replica.sync(id));
      expect(node.replica.rounds.get(id)?.result).toEqual(result);
    }
  });
});

describe('a node whose clock is wrong', () => {
  it('cannot take over early: the time of the bus counts, and the coordinator goes on', async () => {
    const { nodes } = await started({ clara: { skew: 20 * minute } });
    const [ada, bernd, clara] = nodes;
    const id = good(await ada.coordinator.announceRound(draftOf({ minParticipants: 2 })));
    for (const { node, participant } of nodes) {
      good(await node.replica.discover());
      good(await participant.join(id, true));
    }
    for (const { participant } of [ada, bernd]) {
      good(await participant.train(id));
      good(await participant.submit(id));
    }
    expect(codeOf(await clara.participant.finalizeTakeover(id))).toBe('round_open');
    good(await ada.node.replica.sync(id));
    expect(phaseOf(present(ada.node.replica.rounds.get(id), 'announced'))).toBe('SUBMITTED');
    good(await bernd.participant.revoke(id));
  });
});

describe('the privacy budget of a manifest', () => {
  it('refuses a result that would cost more', async () => {
    const rules = {
      ...vectorRules,
      aggregate: async (...given: Parameters<typeof vectorRules.aggregate>) => {
        const { bytes } = good(await vectorRules.aggregate(...given));
        return { ok: true as const, value: { bytes, epsilon: 2 } };
      },
    };
    const { nodes } = await started({ ada: { rules } });
    const [ada] = nodes;
    const run = async (epsilonBudget: number): Promise<string> => {
      const id = good(
        await ada.coordinator.announceRound(
          draftOf({ minParticipants: 2, dpNoiseScale: 1, epsilonBudget, privacyDelta: 1e-5 }),
        ),
      );
      for (const { node, participant } of nodes) {
        good(await node.replica.discover());
        good(await participant.join(id, true));
        good(await participant.train(id));
        good(await participant.submit(id));
      }
      return codeOf(await ada.coordinator.finalizeAndPublish(id));
    };
    expect(await run(1.9)).toBe('privacy_budget_exceeded');
    expect(await run(2)).toBe('ok');
  });
});
