/** The conformance suite and a round against a real nats-server, which CI installs. */
import { describe, expect, it } from 'vitest';
import { connectNats } from '../../../src/federated/bus/nats.ts';
import { createWorld, draftOf, good, startNode, type TestNode } from '../nodes.ts';
import { busConformance } from './conformance.ts';
import { hasNatsServer, startNatsServer } from './nats-server.ts';

if (hasNatsServer) {
  busConformance('over NATS', async () => {
    const server = await startNatsServer();
    return {
      connect: async () => good(await connectNats({ servers: server.url, timeoutMs: 5000 })),
      close: server.stop,
    };
  });
}

describe('a node over NATS', () => {
  it('is told when there is no server', async () => {
    const connected = await connectNats({
      servers: '127.0.0.1:1',
      connection: { maxReconnectAttempts: 0, timeout: 500 },
    });
    expect(connected).toMatchObject({ ok: false, error: { code: 'PV-8603' } });
  });

  it.runIf(hasNatsServer)('ends a round although the server is killed in the middle of it', async () => {
    const server = await startNatsServer();
    const names = ['ada', 'bernd', 'clara'];
    // The server stamps messages with its own time.
    const world = { ...createWorld(names), clock: { now: Date.now() } };
    const nodes: TestNode[] = [];
    for (const name of names)
      nodes.push(
        await startNode(world, name, {
          bus: good(await connectNats({ servers: server.url, connection: { reconnectTimeWait: 50 } })),
        }),
      );
    const [ada, bernd] = nodes as [TestNode, TestNode];
    const id = good(await ada.coordinator.announceRound(draftOf({ deadline: world.clock.now + 3_600_000 })));
    for (const [i, { node, participant }] of nodes.entries()) {
      good(await node.replica.discover());
      good(await participant.join(id, true));
      good(await participant.train(id));
      if (i === 1) await server.restart();
      let submitted = await participant.submit(id);
      for (let tries = 0; !submitted.ok && tries < 50; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        submitted = await participant.submit(id);
      }
      good(submitted);
    }
    const result = good(await ada.coordinator.finalizeAndPublish(id));
    good(await bernd.node.replica.sync(id));
    good(await bernd.adapters.apply(result.aggregatedDeltaSha, 'session'));
    for (const node of nodes) await node.crash();
    await server.stop();
  });
});
