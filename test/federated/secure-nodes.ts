/** Nodes in one process that run rounds with secure aggregation, step by step, so that a test can stop or attack anywhere. */
import { present } from '../../src/base/invariant.ts';
import type { RoundManifestDraft } from '../../src/federated/manifest.ts';
import type { RoundState } from '../../src/federated/round/state.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import {
  createWorld,
  deltaOf,
  draftOf,
  good,
  startNode,
  type NodeSetting,
  type TestNode,
  type World,
} from './nodes.ts';

/** The coordinator comes first, and takes part. */
export const names = ['ada', 'bernd', 'clara', 'dora', 'emil', 'fritz'] as const;
export type Name = (typeof names)[number];

const secureDraft = (changes: Partial<RoundManifestDraft> = {}): RoundManifestDraft =>
  draftOf({ secure: 'double_mask', clipNorm: 8, fixedPointBits: 12, ...changes });

/** Numbers that no other node has, exact in fixed point. */
export const numbersOf = (name: string): readonly number[] =>
  [1, 2, 3, 4].map((k) => ((name.codePointAt(0) ?? 0) - 99) / 2 + k / 8);
export const samplesOf = (name: string): number => 1 + name.length;

/** A secure round and who is in it. */
export interface SecureScene {
  readonly world: World;
  readonly nodes: Map<string, TestNode>;
  readonly id: RoundId;
}

export const startSecure = (world: World, name: string, setting: NodeSetting = {}): Promise<TestNode> =>
  startNode(world, name, {
    ...setting,
    parts: {
      train: async () => ({
        ok: true,
        value: { bytes: deltaOf(...numbersOf(name)), numSamples: samplesOf(name), trainLoss: 0.5 },
      }),
      ...setting.parts,
    },
  });

/** Everybody has joined a round of `count` nodes, whose participants are fixed. */
export async function openedRound(count: number, changes: Partial<RoundManifestDraft> = {}): Promise<SecureScene> {
  const world = createWorld(names);
  const nodes = new Map<string, TestNode>();
  for (const name of names.slice(0, count)) nodes.set(name, await startSecure(world, name));
  const ada = present(nodes.get('ada'), 'she runs');
  const id = good(await ada.coordinator.announceRound(secureDraft(changes)));
  for (const { node, participant } of nodes.values()) {
    good(await node.replica.discover());
    good(await participant.join(id, true));
  }
  good(await ada.coordinator.openSecure(id));
  return { world, nodes, id };
}

export const nodeIn = ({ nodes }: SecureScene, name: Name): TestNode => present(nodes.get(name), `${name} runs`);

/** What a node knows of the round. */
export const stateIn = (scene: SecureScene, name: Name): RoundState =>
  present(nodeIn(scene, name).node.replica.rounds.get(scene.id), 'the round is known');

/** All of these nodes, in turn, take what is due, until nothing is. */
export async function stepAll(scene: SecureScene, who: readonly string[] = [...scene.nodes.keys()]): Promise<void> {
  let before = '';
  for (;;) {
    const stages: string[] = [];
    for (const name of who) stages.push(good(await nodeIn(scene, name as Name).participant.secureStep(scene.id)));
    const now = stages.join();
    if (now === before) return;
    before = now;
  }
}

/** These nodes train, mask and submit. */
export async function submitAll(scene: SecureScene, who: readonly string[]): Promise<void> {
  for (const name of who) {
    const { participant } = nodeIn(scene, name as Name);
    good(await participant.train(scene.id));
    good(await participant.submit(scene.id));
  }
}

/** The mean of these nodes' numbers, by their samples, in float64: what the aggregate must be. */
export function meanOf(who: readonly string[]): readonly number[] {
  const total = who.reduce((sum, name) => sum + samplesOf(name), 0);
  return [0, 1, 2, 3].map(
    (i) => who.reduce((sum, name) => sum + samplesOf(name) * (numbersOf(name)[i] ?? NaN), 0) / total,
  );
}

/** The numbers of an aggregate. */
export const numbersIn = (bytes: Uint8Array): readonly number[] => [...new Float64Array(bytes.slice().buffer)];
