/** Rounds that continue, with an optimizer at the server: its state is a blob that the result names, so that any node goes on from it. */
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { loraRules } from '../../../src/federated/lora-rules.ts';
import type { RoundManifestDraft } from '../../../src/federated/manifest.ts';
import type { RoundResult } from '../../../src/federated/statements.ts';
import { localTraining } from '../../../src/federated/train/local-training.ts';
import { customFileProvider } from '../../../src/federated/train/providers.ts';
import { readNodeFolder, verifyRound } from '../../../src/federated/verify/verify-round.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { codeOf, createWorld, draftOf, enabled, good, idOf, minute, startNode, type TestNode } from '../nodes.ts';
import { smallBase } from '../train/support.ts';

const names = ['ada', 'bernd', 'clara'] as const;
const base = await smallBase();
const rules = loraRules(base);

async function startAll(): Promise<{
  readonly nodes: readonly TestNode[];
  readonly world: ReturnType<typeof createWorld>;
}> {
  const world = createWorld(names);
  const nodes: TestNode[] = [];
  for (const name of names) {
    const host = createMemoryHost({ 'data.txt': `the fire brigade meets ${name} at the old mill. `.repeat(20) });
    const node: TestNode = await startNode(world, name, {
      host,
      rules,
      parts: localTraining({
        base,
        provider: customFileProvider(host, 'data.txt'),
        previous: (sha) => node.node.blobs.get(sha, 1e6),
      }),
    });
    nodes.push(node);
  }
  return { nodes, world };
}

const draft = (changes: Partial<RoundManifestDraft>): RoundManifestDraft =>
  draftOf({
    baseModelSha: base.sha256,
    loraTargetModules: ['query', 'up'],
    loraRank: 4,
    loraAlpha: 8,
    learningRate: 0.02,
    clipNorm: 5,
    trainSteps: 3,
    serverOptimizer: 'fedadam',
    serverLearningRate: 0.1,
    ...changes,
  });

/** Announces a round that continues from `before`, and lets everybody submit. */
async function submitted(
  nodes: readonly TestNode[],
  before: RoundResult | null,
  changes: Partial<RoundManifestDraft> = {},
) {
  const [ada] = nodes;
  const id = good(
    await present(ada, 'the coordinator').coordinator.announceRound(
      draft({
        previousAggregateSha: before?.aggregatedDeltaSha ?? null,
        previousStateSha: before?.serverStateSha ?? null,
        ...changes,
      }),
    ),
  );
  for (const { node, participant, adapters } of nodes) {
    good(await node.replica.discover());
    if (before !== null) good(await adapters.fetch(before.aggregatedDeltaSha));
    good(await participant.join(id, true));
    good(await participant.train(id));
    good(await participant.submit(id));
  }
  return id;
}

describe('a round with a server optimizer', () => {
  it('names its state, from which a takeover of the next round computes the same bytes', async () => {
    const run = async (dies: boolean): Promise<RoundResult> => {
      const { nodes, world } = await startAll();
      const [ada, bernd] = nodes as [TestNode, TestNode];
      const first = good(await ada.coordinator.finalizeAndPublish(await submitted(nodes, null)));
      expect(first.serverStateSha).toMatch(/^[0-9a-f]{64}$/);
      const id = await submitted(nodes, first);
      if (!dies) return good(await ada.coordinator.finalizeAndPublish(id));
      await ada.crash();
      world.clock.now += 11 * minute;
      const result = good(await bernd.participant.finalizeTakeover(id));
      const verified = await verifyRound({
        host: bernd.host,
        from: good(await readNodeFolder(bernd.host, 'node')),
        round: id,
        trusts: (node) => names.map(idOf).includes(node),
        config: enabled(),
        rules,
      });
      expect(good(verified).recomputed).toBe(true);
      good(await bernd.host.remove(`node/blobs/${first.serverStateSha}`));
      const without = await verifyRound({
        host: bernd.host,
        from: good(await readNodeFolder(bernd.host, 'node')),
        round: id,
        trusts: (node) => names.map(idOf).includes(node),
        config: enabled(),
        rules,
      });
      expect(without).toMatchObject({ error: { code: 'PV-8604', message: expect.stringContaining('previous state') } });
      return result;
    };
    const [alive, dead] = [await run(false), await run(true)];
    expect(dead.aggregatedDeltaSha).toBe(alive.aggregatedDeltaSha);
    expect(dead.serverStateSha).toBe(alive.serverStateSha);
  });

  it('does not end while its state is not available, nor with a result that leaves it out', async () => {
    const { nodes } = await startAll();
    const [ada, bernd] = nodes as [TestNode, TestNode];
    const first = good(await ada.coordinator.finalizeAndPublish(await submitted(nodes, null)));
    const id = await submitted(nodes, first, { previousStateSha: 'f'.repeat(64) });
    expect(codeOf(await ada.coordinator.finalizeAndPublish(id))).toBe('adapter_not_found');
    const complete = { kind: 'complete', sha: '0'.repeat(64), serverStateSha: null, epsilon: null } as const;
    expect(codeOf(await ada.node.replica.execute(id, complete))).toBe('message_invalid');
    good(await bernd.node.replica.sync(id));
    expect(bernd.node.replica.rounds.get(id)?.result).toBeNull();
  });
});
