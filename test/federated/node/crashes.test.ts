/** A node that dies at every single write to its disk and every message to the bus, and starts again. Holds src/federated/node/journal.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import type { Host } from '../../../src/host/host.ts';
import type { Bus } from '../../../src/federated/bus/bus.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { present } from '../../../src/base/invariant.ts';
import { createWorld, draftOf, idOf, startNode, type TestNode, type World } from '../nodes.ts';

const crashed = new Error('the process is gone');

/** Dies at the k-th point where it could: before, in the middle of or after an effect. */
interface Fate {
  left: number;
  isDead: boolean;
}

type When = 'before' | 'half' | 'after';

/** Whether the process dies now; a dead one does nothing any more. */
function dies(fate: Fate): boolean {
  if (fate.isDead) throw crashed;
  fate.left -= 1;
  if (fate.left < 0) fate.isDead = true;
  return fate.isDead;
}

function mortalHost(host: Host, fate: Fate, when: When): Host {
  return {
    ...host,
    createFile: async (path, options) => {
      const file = await host.createFile(path, options);
      if (!file.ok) return file;
      const { value } = file;
      return {
        ok: true,
        value: {
          ...value,
          append(bytes) {
            if (!dies(fate)) return value.append(bytes);
            if (when === 'half') value.append(bytes.subarray(0, bytes.length >> 1));
            if (when === 'after') value.append(bytes);
            throw crashed;
          },
        },
      };
    },
    writeFileAtomic: async (path, content, options) => {
      const dead = dies(fate);
      if (dead && when !== 'after') throw crashed;
      const written = await host.writeFileAtomic(path, content, options);
      if (dead) throw crashed;
      return written;
    },
  };
}

function mortalBus(bus: Bus, fate: Fate, when: When): Bus {
  return {
    ...bus,
    publish: async (topic, message, after) => {
      const dead = dies(fate);
      if (dead && when === 'before') throw crashed;
      const published = await bus.publish(topic, message, after);
      if (dead) throw crashed;
      return published;
    },
  };
}

interface Scenario {
  readonly world: World;
  readonly names: readonly string[];
  readonly disks: ReadonlyMap<string, Host>;
  readonly nodes: Map<string, TestNode>;
}

/** The whole round; what was acknowledged is checked after each restart. Returns the SHA of the aggregate. */
async function runRound(
  victim: string,
  k: number,
  when: When,
): Promise<{ readonly sha: string; readonly wasHit: boolean }> {
  const names = ['ada', 'bernd', 'clara'];
  const world = createWorld(names);
  const scenario: Scenario = {
    world,
    names,
    disks: new Map(names.map((name) => [name, createMemoryHost()])),
    nodes: new Map(),
  };
  const fate: Fate = { left: k, isDead: false };
  for (const name of names) {
    const disk = present(scenario.disks.get(name), 'made');
    const bus = world.connect();
    const isVictim = name === victim;
    const setting = isVictim
      ? { host: mortalHost(disk, fate, when), bus: mortalBus(bus, fate, when) }
      : { host: disk, bus };
    const started = await startNode(world, name, setting);
    scenario.nodes.set(name, started);
  }
  const acknowledged: ((node: TestNode) => void)[] = [];
  const step = async <T>(
    name: string,
    work: (node: TestNode) => Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>,
  ): Promise<T> => {
    for (let attempt = 0; attempt < 4; attempt++) {
      const done = await work(present(scenario.nodes.get(name), 'started')).catch((error: unknown) => {
        if (error !== crashed) throw error;
        return { ok: false } as const;
      });
      if (fate.isDead && fate.left < 0) await revive(scenario, victim, fate, acknowledged);
      if (done.ok) return done.value;
    }
    throw new Error(`${name} did not get through`);
  };
  const id = await announce(scenario, step);
  for (const name of names) {
    await step(name, ({ node }) => node.replica.discover());
    await step(name, ({ participant }) => participant.join(id, true));
    acknowledged.push(({ node }) => expect(node.replica.rounds.get(id)?.members.has(idOf(name))).toBe(true));
    await step(name, ({ participant }) => participant.train(id));
    const receipt = await step(name, ({ participant }) => participant.submit(id));
    acknowledged.push(({ node }) =>
      expect(node.replica.rounds.get(id)?.members.get(idOf(name))?.submitted?.receipt).toEqual(receipt),
    );
  }
  const result = await step('ada', ({ coordinator }) => coordinator.finalizeAndPublish(id));
  for (const name of names) {
    await step(name, ({ node }) => node.replica.sync(id));
    expect(scenario.nodes.get(name)?.node.replica.rounds.get(id)?.result).toEqual(result);
  }
  return { sha: result.aggregatedDeltaSha, wasHit: fate.left < 0 };
}

/** An announcement whose acknowledgement was lost may have been made: then it is found. */
async function announce(
  { nodes }: Scenario,
  step: <T>(
    name: string,
    work: (node: TestNode) => Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false }>,
  ) => Promise<T>,
): Promise<RoundId> {
  return step('ada', async ({ coordinator }) => {
    const known = [...present(nodes.get('ada'), 'started').node.replica.rounds.keys()];
    return known[0] === undefined ? coordinator.announceRound(draftOf()) : { ok: true, value: known[0] };
  });
}

async function revive(
  { world, disks, nodes }: Scenario,
  victim: string,
  fate: Fate,
  acknowledged: readonly ((node: TestNode) => void)[],
): Promise<void> {
  await present(nodes.get(victim), 'started').crash();
  fate.isDead = false;
  fate.left = Number.NEGATIVE_INFINITY;
  const again = await startNode(world, victim, { host: present(disks.get(victim), 'made') });
  nodes.set(victim, again);
  if (victim === 'ada') for (const holds of acknowledged) holds(again);
}

describe('a node that dies and starts again', () => {
  it.each([
    ['ada', 'before'],
    ['ada', 'half'],
    ['ada', 'after'],
    ['bernd', 'before'],
    ['bernd', 'half'],
    ['bernd', 'after'],
  ] as const)(
    '%s, %s each effect: nothing acknowledged is lost, and the round gives the same bytes',
    async (victim, when) => {
      const undisturbed = await runRound(victim, Infinity, when);
      let points = 0;
      for (let k = 0; ; k++) {
        const run = await runRound(victim, k, when);
        if (!run.wasHit) break;
        expect(run.sha).toBe(undisturbed.sha);
        points += 1;
      }
      expect(points).toBeGreaterThan(10);
    },
  );
});
