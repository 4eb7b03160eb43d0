/**
 * Random interleavings of everything that can happen to a round, against a model of it that fits on a page. Holds
 * src/federated/round/decide.ts, reduce.ts, reduce-end.ts, state.ts and node/replica.ts, topics.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import type { Host } from '../../../src/host/host.ts';
import { phaseOf } from '../../../src/federated/round/state.ts';
import { roundTopic } from '../../../src/federated/node/topics.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { present } from '../../../src/base/invariant.ts';
import { compareText } from '../../../src/base/text.ts';
import { codeOf, createWorld, draftOf, good, idOf, minute, startNode, type TestNode, type World } from '../nodes.ts';

const names = ['ada', 'bernd', 'clara', 'dora'] as const;
type Name = (typeof names)[number];

/** What should be: the coordinator is ada, three may join and two must submit. */
interface Model {
  readonly alive: Set<Name>;
  readonly joined: Set<Name>;
  readonly trained: Set<Name>;
  readonly submitted: Set<Name>;
  readonly revoked: Set<Name>;
  isLate: boolean;
  end: 'open' | 'COMPLETED' | 'ABORTED';
}

const most = 3;
const least = 2;

interface Real {
  readonly world: World;
  readonly disks: ReadonlyMap<Name, Host>;
  readonly nodes: Map<Name, TestNode>;
  readonly id: RoundId;
}

const active = ({ joined, revoked }: Model): Name[] => [...joined].filter((name) => !revoked.has(name));
const counted = ({ submitted, revoked }: Model): Name[] => [...submitted].filter((name) => !revoked.has(name));
const nodeOf = ({ nodes }: Real, name: Name): TestNode => present(nodes.get(name), `${name} is alive`);

type Step = fc.AsyncCommand<Model, Real>;

/** A command of an alive node whose code the model predicts. */
function step(
  name: string,
  by: Name,
  predict: (model: Model) => string,
  run: (node: TestNode, id: RoundId) => Promise<string>,
): Step {
  return {
    check: ({ alive }) => alive.has(by),
    async run(model, real) {
      expect(await run(nodeOf(real, by), real.id)).toBe(predict(model));
      await agrees(model, real);
    },
    toString: () => `${name}(${by})`,
  };
}

/** All nodes that are alive see the round as the model has it. */
async function agrees(model: Model, { nodes, id }: Real): Promise<void> {
  const phases = [...model.joined].map((name) => {
    const phase = model.revoked.has(name) ? 'REVOKED' : model.submitted.has(name) ? 'SUBMITTED' : 'JOINED';
    return `${idOf(name)} ${phase}`;
  });
  const results = new Set<string>();
  for (const { node } of nodes.values()) {
    good(await node.replica.discover());
    good(await node.replica.sync(id));
    const state = present(node.replica.rounds.get(id), 'the round was announced');
    const seen = [...state.members].map(([member, { phase }]) => `${member} ${phase === 'TRAINED' ? 'JOINED' : phase}`);
    expect(seen.toSorted(compareText)).toEqual(phases.toSorted(compareText));
    const phase = phaseOf(state);
    expect(phase === 'COMPLETED' || phase === 'ABORTED' ? phase : 'open').toBe(model.end);
    if (state.result !== null) results.add(state.result.aggregatedDeltaSha);
  }
  expect(results.size).toBeLessThanOrEqual(1);
}

const isClosed = ({ isLate, end }: Model): boolean => isLate || end !== 'open';

function predictJoin(by: Name) {
  return (model: Model): string => {
    if (!model.alive.has('ada')) return 'fedlearn_aggregator_unreachable';
    if (model.revoked.has(by)) return 'consent_revoked';
    if (model.joined.has(by)) return 'ok';
    if (isClosed(model)) return 'round_closed';
    if (active(model).length >= most) return 'round_full';
    model.joined.add(by);
    return 'ok';
  };
}

function predictTrain(by: Name) {
  return (model: Model): string => {
    if (!model.joined.has(by)) return 'not_participant';
    if (model.revoked.has(by)) return 'consent_revoked';
    // A participant's clock does not decide what is late.
    if (model.end !== 'open') return 'round_closed';
    if (model.submitted.has(by)) return 'submission_duplicate';
    model.trained.add(by);
    return 'ok';
  };
}

function predictSubmit(by: Name) {
  return (model: Model): string => {
    if (!model.joined.has(by)) return 'not_participant';
    if (!model.trained.has(by)) return 'submission_invalid';
    if (!model.alive.has('ada')) return 'fedlearn_aggregator_unreachable';
    if (model.revoked.has(by)) return 'consent_revoked';
    if (model.submitted.has(by)) return 'ok';
    if (isClosed(model)) return 'round_closed';
    model.submitted.add(by);
    return 'ok';
  };
}

function predictRevoke(by: Name) {
  return (model: Model): string => {
    if (!model.joined.has(by)) return 'not_participant';
    if (model.revoked.has(by)) return 'consent_revoked';
    if (model.end !== 'open') return 'round_closed';
    model.revoked.add(by);
    return 'ok';
  };
}

function predictEnd(by: Name) {
  return (model: Model): string => {
    if (model.end === 'COMPLETED') return 'ok';
    if (model.end === 'ABORTED') return 'fedlearn_min_participants_unmet';
    if (by !== 'ada' && !active(model).includes(by)) return 'not_aggregator';
    if (by !== 'ada' && !model.isLate) return 'round_open';
    const isEnough = counted(model).length >= least;
    if (!model.isLate && (!isEnough || counted(model).length < active(model).length)) return 'round_open';
    model.end = isEnough ? 'COMPLETED' : 'ABORTED';
    return isEnough ? 'ok' : 'fedlearn_min_participants_unmet';
  };
}

const finalize: Step = step('finalize', 'ada', predictEnd('ada'), async ({ coordinator }, id) =>
  codeOf(await coordinator.finalizeAndPublish(id)),
);

const stepsOf = (by: Name): readonly Step[] => [
  step('join', by, predictJoin(by), async ({ participant }, id) => codeOf(await participant.join(id, true))),
  step('train', by, predictTrain(by), async ({ participant }, id) => codeOf(await participant.train(id))),
  step('submit', by, predictSubmit(by), async ({ participant }, id) => codeOf(await participant.submit(id))),
  step('revoke', by, predictRevoke(by), async ({ participant }, id) => codeOf(await participant.revoke(id))),
  by === 'ada'
    ? finalize
    : step('takeover', by, predictEnd(by), async ({ participant }, id) =>
        codeOf(await participant.finalizeTakeover(id)),
      ),
];

const crash = (name: Name): Step => ({
  check: ({ alive }) => alive.has(name),
  async run(model, { nodes, id, world, disks }) {
    const node = present(nodes.get(name), 'alive');
    const before = node.node.replica.rounds.get(id);
    await node.crash();
    nodes.delete(name);
    model.alive.delete(name);
    // What its log alone gives is what it knew.
    const again = await startNode(world, name, { host: present(disks.get(name), 'it has a disk') });
    expect(again.node.replica.rounds.get(id)).toEqual(before);
    await again.crash();
  },
  toString: () => `crash(${name})`,
});

const restart = (name: Name): Step => ({
  check: ({ alive }) => !alive.has(name),
  async run(model, real) {
    real.nodes.set(name, await startNode(real.world, name, { host: present(real.disks.get(name), 'it has a disk') }));
    model.alive.add(name);
    await agrees(model, real);
  },
  toString: () => `restart(${name})`,
});

const late: Step = {
  check: ({ isLate }) => !isLate,
  async run(model, { world }) {
    world.clock.now += 11 * minute;
    model.isLate = true;
  },
  toString: () => 'deadline',
};

/** The bus delivers an earlier message again. */
const duplicate = (which: number): Step => ({
  check: () => true,
  async run(model, real) {
    const bus = real.world.connect();
    const messages = good(await bus.read(roundTopic(real.id), 0));
    const message = present(messages[which % messages.length], 'the announcement at least');
    good(await bus.publish(roundTopic(real.id), message.bytes, null));
    await bus.close();
    await agrees(model, real);
  },
  toString: () => `duplicate(${which})`,
});

async function setUp(): Promise<{ readonly model: Model; readonly real: Real }> {
  const world = createWorld(names);
  const disks = new Map(names.map((name) => [name, createMemoryHost()] as const));
  const nodes = new Map<Name, TestNode>();
  for (const name of names) nodes.set(name, await startNode(world, name, { host: present(disks.get(name), 'made') }));
  const { coordinator } = present(nodes.get('ada'), 'made');
  const id = good(await coordinator.announceRound(draftOf({ minParticipants: least, maxParticipants: most })));
  for (const { node } of nodes.values()) good(await node.replica.discover());
  const model: Model = {
    alive: new Set(names),
    joined: new Set(),
    trained: new Set(),
    submitted: new Set(),
    revoked: new Set(),
    isLate: false,
    end: 'open',
  };
  return { model, real: { world, disks, nodes, id } };
}

const who = fc.constantFrom(...names);
const steps = [
  ...[0, 1, 2].map((i) => who.map((name) => present(stepsOf(name)[i], 'a step'))),
  ...[3, 4].map((i) => who.map((name) => present(stepsOf(name)[i], 'a step'))),
  who.map(crash),
  who.map(restart),
  fc.constant(late),
  fc.nat(20).map(duplicate),
];

describe('a round under any interleaving', () => {
  it('does what the model says, on every node, whoever crashes when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { size: '+1', maxCommands: 60 }), async (commands) => {
        await fc.asyncModelRun(setUp, commands);
      }),
      { numRuns: Number(process.env['PV_RUNS'] ?? 60) },
    );
  });
});
