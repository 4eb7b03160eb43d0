/** What nodes do by themselves: deadlines, and all steps of secure aggregation. Holds src/federated/node/attend.ts, due.ts. */
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import type { Bus, Stop } from '../../../src/federated/bus/bus.ts';
import type { RoundManifestDraft } from '../../../src/federated/manifest.ts';
import { attendRounds } from '../../../src/federated/node/attend.ts';
import { followRounds } from '../../../src/federated/node/follow.ts';
import { secureStageOf } from '../../../src/federated/round/secure.ts';
import type { RoundState } from '../../../src/federated/round/state.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { createWorld, draftOf, good, idOf, minute, start, startNode, type TestNode, type World } from '../nodes.ts';
import { meanOf, names, numbersIn, startSecure } from '../secure-nodes.ts';

const five = names.slice(0, 5);
const stops: Stop[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A node that follows and attends, as the process of `pv fed node` does. */
interface Living extends TestNode {
  readonly outcomes: string[];
  /** Looks again, as it does after some seconds. */
  readonly look: (id: RoundId) => void;
  readonly die: () => Promise<void>;
}

async function alive(node: TestNode): Promise<Living> {
  const outcomes: string[] = [];
  const { follow, stop } = attendRounds(node, (_, outcome) => outcomes.push(outcome.ok ? 'ok' : outcome.error.code));
  const unfollow = good(await followRounds(node, follow));
  for (const state of node.node.replica.rounds.values()) follow(state);
  const end = async (): Promise<void> => {
    stop();
    await unfollow();
  };
  stops.push(end);
  const look = (id: RoundId): void => follow(present(node.node.replica.rounds.get(id), 'known'));
  return { ...node, outcomes, look, die: async () => (await end(), node.crash()) };
}

const stateAt = ({ node }: TestNode, id: RoundId): RoundState => present(node.replica.rounds.get(id), 'known');

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Waits until something holds that happens by itself. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !holds(); i++) await pause();
  expect(holds()).toBe(true);
}

interface Village {
  readonly world: World;
  readonly of: (name: string) => Living;
  readonly all: readonly Living[];
  readonly announce: (changes?: Partial<RoundManifestDraft>) => Promise<RoundId>;
  readonly join: (id: RoundId, who?: readonly string[]) => Promise<void>;
  readonly restart: (name: string, bus?: Bus) => Promise<Living>;
}

async function village(): Promise<Village> {
  const world = createWorld(names);
  const nodes = new Map<string, Living>();
  for (const name of five) nodes.set(name, await alive(await startSecure(world, name)));
  const of = (name: string): Living => present(nodes.get(name), name);
  return {
    world,
    of,
    all: [...nodes.values()],
    announce: async (changes = {}) =>
      good(
        await of('ada').coordinator.announceRound(
          draftOf({ secure: 'double_mask', clipNorm: 8, fixedPointBits: 12, maxParticipants: 5, ...changes }),
        ),
      ),
    async join(id, who = five) {
      for (const name of who) {
        good(await of(name).node.replica.discover());
        good(await of(name).participant.join(id, true));
      }
    },
    async restart(name, bus) {
      const { host } = of(name);
      const again = await alive(await startSecure(world, name, { host, ...(bus && { bus }) }));
      nodes.set(name, again);
      return again;
    },
  };
}

const isAt =
  (node: TestNode, id: RoundId, stage: string): (() => boolean) =>
  () =>
    secureStageOf(stateAt(node, id)) === stage;

async function submit(of: Village['of'], id: RoundId, who: readonly string[]): Promise<void> {
  for (const name of who) {
    good(await of(name).participant.train(id));
    good(await of(name).participant.submit(id));
  }
}

describe('a round with secure aggregation', () => {
  it('goes from the last join to its adapter without a command', async () => {
    const { world, of, all, announce, join } = await village();
    const id = await announce();
    await join(id);
    await until(() => all.every((one) => isAt(one, id, 'masked')()));
    await submit(of, id, five);
    world.clock.now += 11 * minute;
    of('ada').look(id);
    await until(() => all.every(({ node }) => node.replica.rounds.get(id)?.result));
    const { result } = stateAt(of('dora'), id);
    expect(result).toMatchObject({ nParticipants: 5, takeover: false });
    const adapter = good(await of('dora').adapters.fetch(result?.aggregatedDeltaSha ?? ''));
    for (const [i, mean] of meanOf(five).entries()) expect(numbersIn(adapter)[i]).toBeCloseTo(mean, 3);
    expect(all.flatMap(({ outcomes }) => outcomes)).toEqual(['ok']);
    // Nobody keeps a secret of it.
    for (const { host } of all) {
      const secrets = async (): Promise<readonly string[]> => {
        const files = good(await host.list('node/secure'));
        return Promise.all(files.map(async ({ name }) => good(await host.readText(`node/secure/${name}`))));
      };
      for (let i = 0; i < 100 && !(await secrets())[0]?.includes('"root":null'); i++) await pause();
      expect(await secrets()).toEqual([expect.stringContaining('"root":null')]);
    }
  });

  it('drops who does not answer in time, in whatever step, and unmasks without it', async () => {
    const { world, of, all, announce, join } = await village();
    const id = await announce();
    await of('emil').die();
    const emil = await startNode(world, 'emil', { host: of('emil').host });
    await join(id, five.slice(0, 4));
    good(await emil.node.replica.discover());
    good(await emil.participant.join(id, true));
    await until(isAt(of('ada'), id, 'keys'));
    world.clock.now += minute + 1;
    of('ada').look(id);
    const left = all.slice(0, 4);
    await until(() => left.every((one) => isAt(one, id, 'masked')()));
    expect(stateAt(of('ada'), id).secure?.server).toMatchObject({ sharers: five.slice(0, 4).map(idOf) });
    const waiting = good(await of('bernd').participant.roundStatus(id)).secure;
    expect(waiting).toEqual({ stage: 'masked', waitsFor: five.slice(0, 4).map(idOf) });
    await submit(of, id, five.slice(0, 4));
    world.clock.now = start + 11 * minute;
    of('ada').look(id);
    await until(() => left.every(({ node }) => node.replica.rounds.get(id)?.result));
  });

  it('opens when joining has taken its time, and not before there are enough', async () => {
    const { world, of, announce, join } = await village();
    const id = await announce({ maxParticipants: 8 });
    await join(id, ['ada', 'bernd']);
    world.clock.now += 5 * minute;
    of('ada').look(id);
    await join(id, ['clara']);
    await until(isAt(of('ada'), id, 'masked'));
  });

  it('ends as a takeover in the same bytes when its coordinator is gone, at whatever step after the submissions', async () => {
    const { world, of, all, announce, join, restart } = await village();
    const id = await announce();
    await join(id);
    await until(() => all.every((one) => isAt(one, id, 'masked')()));
    await submit(of, id, five);
    await of('ada').die();
    world.clock.now += 11 * minute;
    expect(await of('bernd').participant.finalizeTakeover(id)).toMatchObject({ error: { code: 'secure_too_few' } });
    // Bernd has closed the round: his node publishes what the survivors unmask.
    await until(() => all.slice(1).every(({ node }) => node.replica.rounds.get(id)?.result));
    const { result } = stateAt(of('clara'), id);
    expect(result).toMatchObject({ takeover: true, nParticipants: 5 });
    const ada = await restart('ada');
    await until(() => stateAt(ada, id).result !== null);
    good(await ada.adapters.apply(result?.aggregatedDeltaSha ?? '', 'node'));
  });

  it('goes on with a node that is killed after it has masked its delta and before it has said so', async () => {
    const { world, of, all, announce, join, restart } = await village();
    const id = await announce();
    await join(id);
    await until(() => all.every((one) => isAt(one, id, 'masked')()));
    await of('dora').die();
    // She keeps what she has masked, and the network takes nothing from her.
    const deaf: Bus = { ...world.connect(), publish: async () => ({ ok: false, error: 'unreachable' }) };
    const cut = await startSecure(world, 'dora', { host: of('dora').host, bus: deaf });
    expect(await cut.participant.train(id)).toMatchObject({ error: { code: 'bus_unreachable' } });
    await cut.crash();
    const again = await restart('dora');
    await until(() => {
      const server = stateAt(of('ada'), id).secure?.server;
      return server?.stage === 'masked' && server.inputs.has(idOf('dora'));
    });
    good(await again.participant.submit(id));
    await submit(of, id, ['ada', 'bernd', 'clara', 'emil']);
    world.clock.now += 11 * minute;
    of('ada').look(id);
    await until(() => stateAt(again, id).result !== null);
    expect(stateAt(again, id).result).toMatchObject({ nParticipants: 5 });
  });
});

describe('deadlines', () => {
  it('end a node’s own rounds, and no others', async () => {
    const world = createWorld(names);
    const trio = ['ada', 'bernd', 'clara'] as const;
    const nodes = new Map<string, TestNode>();
    for (const name of trio) nodes.set(name, await startNode(world, name));
    const of = (name: string): TestNode => present(nodes.get(name), name);
    const ends: string[] = [];
    const id = good(await of('ada').coordinator.announceRound(draftOf({ minParticipants: 2, deadline: start + 50 })));
    for (const name of ['bernd', 'clara']) {
      good(await of(name).node.replica.discover());
      good(await of(name).participant.join(id, true));
      good(await of(name).participant.train(id));
      good(await of(name).participant.submit(id));
    }
    for (const name of trio) {
      const attendance = attendRounds(of(name), (round, ended) => ends.push(`${name} ${round === id} ${ended.ok}`));
      stops.push(async () => attendance.stop());
      attendance.follow(stateAt(of(name), id));
      attendance.follow(stateAt(of(name), id));
    }
    expect(ends).toEqual([]);
    world.clock.now += 60;
    await until(() => ends.length > 0);
    expect(ends).toEqual(['ada true true']);
    good(await of('bernd').node.replica.sync(id));
    expect(stateAt(of('bernd'), id).result).toMatchObject({ takeover: false, nParticipants: 2 });
  });
});
