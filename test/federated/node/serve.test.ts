/** What the bus reaches: fuzzed handlers, and nodes that follow rounds by themselves. Holds src/federated/node/follow.ts,
 * resources.ts and store/blobs.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/base/canonical-json.ts';
import { capabilities } from '../../../src/federated/node/capabilities.ts';
import { roundTopic } from '../../../src/federated/node/topics.ts';
import { addressOf } from '../../../src/federated/node-id.ts';
import { eventCodec } from '../../../src/federated/events.ts';
import { messageBytes } from '../../../src/federated/wire/message.ts';
import { present } from '../../../src/base/invariant.ts';
import { createWorld, draftOf, enabled, good, settled, startNode } from '../nodes.ts';

describe('the handlers of a node', () => {
  it('answer any message with a refusal or a reply, change nothing, and never throw', async () => {
    const world = createWorld(['ada', 'bernd']);
    const [ada, bernd] = [await startNode(world, 'ada'), await startNode(world, 'bernd')];
    const id = good(await ada.coordinator.announceRound(draftOf()));
    good(await bernd.node.replica.discover());
    good(await bernd.participant.join(id, true));
    const state = ada.node.replica.rounds.get(id);
    const genuine = good(await ada.node.bus.read(roundTopic(id), 0)).map(
      ({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as Record<string, JsonValue>,
    );
    const parts = genuine.flatMap((event) => Object.values(event)).filter((part) => typeof part === 'object');
    const mutated = fc
      .tuple(fc.constantFrom(...parts), fc.string(), fc.jsonValue())
      .map(([part, key, value]) => ({ ...(part as object), [key]: value as JsonValue }));
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      mutated.map((value) => new TextEncoder().encode(JSON.stringify(value))),
      fc.constantFrom(...parts).map((part) => messageBytes(part)),
      mutated.map((value) => new TextEncoder().encode(JSON.stringify({ submission: value, token: value }))),
      fc.string().map((text) => new TextEncoder().encode(JSON.stringify({ round_id: text, sha: text, topic: text }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(capabilities)), message, async (capability, bytes) => {
        const reply = good(await bernd.node.bus.request(capability, addressOf(ada.node.self), bytes));
        expect(JSON.parse(new TextDecoder().decode(reply))).toHaveProperty('ok');
        expect(ada.node.replica.rounds.get(id)).toBe(state);
      }),
      { numRuns: Number(process.env['PV_RUNS'] ?? 500) },
    );
  });

  it('take no harm from any message on a topic', async () => {
    const world = createWorld(['ada', 'bernd']);
    const ada = await startNode(world, 'ada');
    const id = good(await ada.coordinator.announceRound(draftOf()));
    const state = ada.node.replica.rounds.get(id);
    const bus = world.connect();
    const announced = present(state, 'announced').manifest;
    const message = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
      fc.constant(
        messageBytes(eventCodec.encode({ type: 'fedlearn.round.announced', manifest: { ...announced, seed: 9 } })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(message, async (bytes) => {
        good(await bus.publish(roundTopic(id), bytes, null));
        good(await ada.node.replica.sync(id));
        expect(ada.node.replica.rounds.get(id)).toBe(state);
      }),
      { numRuns: 200 },
    );
  });
});

describe('nodes that follow', () => {
  it('hear of rounds and results by themselves, and apply only where the configuration says so', async () => {
    const names = ['ada', 'bernd', 'clara'];
    const world = createWorld(names);
    const ada = await startNode(world, 'ada', { follow: true });
    const bernd = await startNode(world, 'bernd', { follow: true, config: enabled({ autoApplyAggregated: true }) });
    const clara = await startNode(world, 'clara', { follow: true });
    const id = good(await ada.coordinator.announceRound(draftOf()));
    await settled();
    for (const { participant } of [ada, bernd, clara]) {
      good(await participant.join(id, true));
      good(await participant.train(id));
      good(await participant.submit(id));
    }
    const { aggregatedDeltaSha } = good(await ada.coordinator.finalizeAndPublish(id));
    for (let i = 0; i < 50 && bernd.applied.size === 0; i++) await settled();
    expect([...bernd.applied]).toEqual([['session', aggregatedDeltaSha]]);
    expect([ada.applied.size, clara.applied.size]).toEqual([0, 0]);
    expect(clara.node.replica.rounds.get(id)?.result?.aggregatedDeltaSha).toBe(aggregatedDeltaSha);
    good(await bernd.adapters.discard(aggregatedDeltaSha));
    expect(bernd.adapters.applied().size).toBe(0);
  });

  it('fetch an adapter from its aggregator after the bus has lost it', async () => {
    const names = ['ada', 'bernd', 'clara'];
    const world = createWorld(names);
    const nodes = await Promise.all(
      names.map((name) => {
        const bus = world.connect();
        const lost = new Set<string>();
        return startNode(world, name, {
          bus: {
            ...bus,
            putBlob: async (bytes) => {
              const put = await bus.putBlob(bytes);
              if (put.ok) lost.delete(put.value);
              return put;
            },
            getBlob: async (sha, most) =>
              lost.size === 0 && name === 'clara' && lost.add(sha).size === 1
                ? { ok: false, error: 'missing' }
                : bus.getBlob(sha, most),
          },
        });
      }),
    );
    const [ada, , clara] = nodes;
    const id = good(await present(ada, 'started').coordinator.announceRound(draftOf()));
    for (const { node, participant } of nodes) {
      good(await node.replica.discover());
      good(await participant.join(id, true));
      good(await participant.train(id));
      good(await participant.submit(id));
    }
    const { aggregatedDeltaSha } = good(await present(ada, 'started').coordinator.finalizeAndPublish(id));
    good(await present(clara, 'started').node.replica.sync(id));
    expect(good(await present(clara, 'started').adapters.fetch(aggregatedDeltaSha))).toHaveLength(32);
  });
});
