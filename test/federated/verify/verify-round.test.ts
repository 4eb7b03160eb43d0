import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { readNodeFolder, verifyRound } from '../../../src/federated/verify/verify-round.ts';
import type { DeltaRules } from '../../../src/federated/delta-rules.ts';
import { submissionsOf } from '../../../src/federated/round/state.ts';
import { present } from '../../../src/base/invariant.ts';
import {
  createWorld,
  deltaOf,
  enabled,
  good,
  idOf,
  joinedAll,
  startNode,
  submittedAll,
  vectorRules,
} from '../nodes.ts';

const names = ['ada', 'bernd', 'clara'];

async function finished() {
  const world = createWorld(names);
  const disk = createMemoryHost();
  const ada = await startNode(world, 'ada', { host: disk });
  const nodes = [ada, await startNode(world, 'bernd'), await startNode(world, 'clara')];
  const round = await joinedAll(nodes);
  await submittedAll(nodes, round);
  good(await ada.coordinator.finalizeAndPublish(round));
  const state = present(ada.node.replica.rounds.get(round), 'announced');
  const verify = async (host: MemoryHost = disk, rules: DeltaRules = vectorRules, trusted = names) => {
    const from = await readNodeFolder(host, 'node');
    if (!from.ok) return from;
    return verifyRound({
      host,
      from: from.value,
      round,
      trusts: (id) => trusted.map(idOf).includes(id),
      config: enabled(),
      rules,
    });
  };
  return { disk, verify, state };
}

describe('a round as a third party sees it', () => {
  it('verifies from the folder of its coordinator, with the same aggregate', async () => {
    const { verify } = await finished();
    expect(good(await verify())).toMatchObject({ phase: 'COMPLETED', recomputed: true });
  });

  it('costs the lines of the round alone, however many others a log has', async () => {
    const { disk, state } = await finished();
    const from = good(await readNodeFolder(disk, 'node'));
    const { roundId: round } = state.manifest;
    expect([...from.byRound.keys()]).toEqual([round]);
    const trusts = () => true;
    const verified = await verifyRound({
      host: disk,
      from: { ...from, lines: [] },
      round,
      trusts,
      config: enabled(),
      rules: vectorRules,
    });
    expect(good(verified).recomputed).toBe(true);
  });

  it('does not verify with other arithmetic, an untrusted participant, a damaged delta or a damaged log', async () => {
    const { verify, disk, state } = await finished();
    const code = async (...given: Parameters<typeof verify>) => (await verify(...given)) as unknown;
    const other: DeltaRules = {
      ...vectorRules,
      aggregate: async () => ({ ok: true, value: { bytes: deltaOf(1, 1, 1, 1), epsilon: null } }),
    };
    expect(await code(disk, other)).toMatchObject({ error: { code: 'PV-8604' } });
    const spending: DeltaRules = {
      ...vectorRules,
      aggregate: async (...given) => {
        const { bytes } = good(await vectorRules.aggregate(...given));
        return { ok: true, value: { bytes, epsilon: 1 } };
      },
    };
    expect(await code(disk, spending)).toMatchObject({ error: { code: 'PV-8604' } });
    expect(await code(disk, { ...vectorRules, validate: () => 'no' })).toMatchObject({ error: { code: 'PV-8604' } });
    expect(await code(disk, vectorRules, ['ada', 'bernd'])).toMatchObject({ error: { code: 'PV-8604' } });
    const [first] = submissionsOf(state);
    const path = `/project/node/blobs/${first?.deltaSha}`;
    const delta = present(disk.files.get(path), 'stored');
    disk.files.set(path, deltaOf(0, 0, 0, 0));
    expect(await code()).toMatchObject({ error: { code: 'PV-8604' } });
    disk.files.set(path, delta);
    const log = present(disk.files.get('/project/node/events.jsonl'), 'written');
    disk.files.set(
      '/project/node/events.jsonl',
      log.map((byte, i) => (i === 100 ? byte ^ 1 : byte)),
    );
    expect(await code()).toMatchObject({ error: { code: 'PV-8600' } });
    expect(await code(createMemoryHost())).toMatchObject({ error: { code: 'PV-8601' } });
  });
});
