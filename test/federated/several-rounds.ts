/** Three rounds of three nodes, whose texts attack a reader, and the folders of two of them: one is sound, one has a damaged delta, and lacks those of others. */
import { createMemoryHost, type MemoryHost } from '../../src/host/memory-host.ts';
import { present } from '../../src/base/invariant.ts';
import { ok } from '../../src/base/result.ts';
import type { DeltaRules } from '../../src/federated/delta-rules.ts';
import { epsilonEstimate } from '../../src/federated/privacy/epsilon.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { verifyFolders, type FolderVerdict } from '../../src/federated/verify/verify-folders.ts';
import { readNodeFolder } from '../../src/federated/verify/verify-round.ts';
import { submissionsOf } from '../../src/federated/round/state.ts';
import { createWorld, deltaOf, draftOf, enabled, good, idOf, startNode, vectorRules, type TestNode } from './nodes.ts';

const names = ['ada', 'bernd', 'clara'] as const;

export const hostileText =
  '<img src=x onerror="document.title=1">\u001b[2J\u202e</table><script>document.title=2</script>';

/** Noise of twice the clip norm. */
const noisy = { dpNoiseScale: 2, clipNorm: 1, epsilonBudget: 10, privacyDelta: 1e-5 };

/** Averages, with what the noise of the manifest costs. */
const noisyRules: DeltaRules = {
  ...vectorRules,
  aggregate: async (deltas, manifest, previous, serverState) => {
    const { bytes } = good(await vectorRules.aggregate(deltas, manifest, previous, serverState));
    const { dpNoiseScale, clipNorm, privacyDelta } = manifest;
    const epsilon = privacyDelta === null ? null : epsilonEstimate(dpNoiseScale, clipNorm, 1, 1, 1, privacyDelta);
    return ok({ bytes, epsilon });
  },
};

export interface SeveralRounds {
  /** With the folders `ada` and `bernd`. */
  readonly host: MemoryHost;
  /** Two noisy ones with results, then one without a result. */
  readonly rounds: readonly [RoundId, RoundId, RoundId];
  readonly verify: (...folders: readonly string[]) => Promise<readonly FolderVerdict[]>;
}

/** Copies a node's folder. */
function take(into: MemoryHost, { host }: { readonly host: MemoryHost }, name: string): void {
  for (const [path, bytes] of host.files) into.files.set(path.replace('/project/node/', `/project/${name}/`), bytes);
}

export async function severalRounds(): Promise<SeveralRounds> {
  const world = createWorld(names);
  const disks = names.map(() => createMemoryHost());
  const nodes: TestNode[] = [];
  let trained = 0;
  for (const [i, name] of names.entries()) {
    const train = async () => ok({ bytes: deltaOf(name.length, 2, 3, trained++), numSamples: 10, trainLoss: 1.5 });
    const host = present(disks[i], 'one each');
    nodes.push(await startNode(world, name, { host, rules: noisyRules, parts: { train } }));
  }
  const [ada, bernd, clara] = nodes as [TestNode, TestNode, TestNode];
  const announce = async (draft: Parameters<typeof draftOf>[0]): Promise<RoundId> => {
    const id = good(await ada.coordinator.announceRound(draftOf(draft)));
    for (const { node } of nodes) good(await node.replica.discover());
    return id;
  };
  const submit = async ({ participant }: TestNode, id: RoundId): Promise<void> => {
    good(await participant.join(id, true));
    good(await participant.train(id));
    good(await participant.submit(id));
  };
  const noisyRound = async (): Promise<RoundId> => {
    const id = await announce(noisy);
    for (const one of nodes) await submit(one, id);
    await bernd.participant.join(id, false);
    good(await ada.coordinator.finalizeAndPublish(id));
    good(await bernd.node.replica.sync(id));
    return id;
  };
  const [first, second] = [await noisyRound(), await noisyRound()];
  const third = await announce({ topic: hostileText, consentText: hostileText, baseModelId: hostileText });
  await submit(bernd, third);
  await submit(clara, third);
  good(await clara.participant.revoke(third));
  for (const { node } of nodes) good(await node.replica.sync(third));
  const host = createMemoryHost();
  for (const [i, name] of names.entries()) take(host, { host: present(disks[i], 'one each') }, name);
  const damaged = submissionsOf(present(ada.node.replica.rounds.get(second), 'known')).find(
    ({ participant }) => participant === idOf('bernd'),
  );
  host.files.set(`/project/bernd/blobs/${damaged?.deltaSha}`, deltaOf(0, 0, 0, 0));
  return {
    host,
    rounds: [first, second, third],
    verify: async (...folders) => {
      const read = [];
      for (const folder of folders) read.push(good(await readNodeFolder(host, folder)));
      const trusted = new Set(names.map(idOf));
      return verifyFolders(
        {
          host,
          trusts: (id) => trusted.has(id),
          config: enabled({ minRoundParticipants: 1 }),
          rules: noisyRules,
          norm: (bytes) => Math.hypot(...new Float64Array(bytes.slice().buffer)),
        },
        read,
      );
    },
  };
}
