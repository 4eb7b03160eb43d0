/** A round of 32 nodes in one process, all at once, and what is refused to a 33rd. */
import { expect, it } from 'vitest';
import { codeOf, createWorld, deltaOf, draftOf, good, startNode } from '../nodes.ts';

it('32 nodes join, submit and end a round at the same time, and all know the same result', async () => {
  const names = Array.from({ length: 33 }, (_, i) => `node-${i}`);
  const world = createWorld(names);
  const train = (i: number) => async () => ({
    ok: true as const,
    value: { bytes: deltaOf(i, 1, -i, 0.5), numSamples: i + 1, trainLoss: 1 },
  });
  const nodes = await Promise.all(names.map((name, i) => startNode(world, name, { parts: { train: train(i) } })));
  const [coordinator, late] = [nodes[0] ?? expect.fail(), nodes[32] ?? expect.fail()];
  const members = nodes.slice(0, 32);
  const id = good(await coordinator.coordinator.announceRound(draftOf({ minParticipants: 32, maxParticipants: 32 })));
  await Promise.all(nodes.map(async ({ node }) => good(await node.replica.discover())));
  await Promise.all(members.map(async ({ participant }) => good(await participant.join(id, true))));
  expect(codeOf(await late.participant.join(id, true))).toBe('round_full');
  await Promise.all(
    members.map(async ({ participant }) => {
      good(await participant.train(id));
      good(await participant.submit(id));
    }),
  );
  const result = good(await coordinator.coordinator.finalizeAndPublish(id));
  expect(result).toMatchObject({ nParticipants: 32, totalSamples: (32 * 33) / 2 });
  for (const { node } of nodes) {
    good(await node.replica.sync(id));
    expect(node.replica.rounds.get(id)?.result).toEqual(result);
  }
  const bytes = good(await late.adapters.fetch(result.aggregatedDeltaSha));
  const weighted = members.reduce((sum, _, i) => sum + (i * (i + 1)) / result.totalSamples, 0);
  expect(new Float64Array(bytes.slice().buffer)[0]).toBeCloseTo(weighted, 9);
});
