/** Several rounds in the folders of several nodes. Holds src/federated/verify/client-privacy.ts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { gaussianEpsilon } from '../../../src/federated/privacy/gaussian.ts';
import { clientPrivacy } from '../../../src/federated/verify/client-privacy.ts';
import { verifyFolders, type FolderVerdict } from '../../../src/federated/verify/verify-folders.ts';
import { nextLine, noLine } from '../../../src/federated/log/log-line.ts';
import { readNodeFolder } from '../../../src/federated/verify/verify-round.ts';
import { resultForm } from '../../../src/federated/statements.ts';
import { sign } from '../../../src/federated/wire/signed.ts';
import { severalRounds, type SeveralRounds } from '../several-rounds.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import {
  createWorld,
  draftOf,
  enabled,
  good,
  idOf,
  minute,
  signerOf,
  start,
  startNode,
  vectorRules,
  type TestNode,
} from '../nodes.ts';

let scene: SeveralRounds;
beforeAll(async () => {
  scene = await severalRounds();
});

const states = (verdicts: readonly FolderVerdict[]) =>
  verdicts.flatMap(({ verified }) => (verified.ok ? [verified.value.state] : []));

const shown = (verdicts: readonly FolderVerdict[]): readonly string[] =>
  verdicts.map(({ folder, verified }) =>
    verified.ok ? `${folder} ${verified.value.phase} ${verified.value.recomputed}` : `${folder} ${verified.error.code}`,
  );

describe('the folders of several nodes', () => {
  it('are verified round by round', async () => {
    expect(shown(await scene.verify('ada', 'bernd'))).toEqual([
      'ada COMPLETED true',
      'ada COMPLETED true',
      'ada SUBMITTED false',
      'bernd COMPLETED true',
      // A delta of the second round is damaged.
      'bernd PV-8604',
      'bernd SUBMITTED false',
    ]);
    const [first] = await scene.verify('ada');
    const norms = first?.verified.ok ? [...first.verified.value.norms.values()] : [];
    expect(norms).toEqual([Math.hypot(3, 2, 3, 0), Math.hypot(5, 2, 3, 1), Math.hypot(5, 2, 3, 2)]);
  });

  it('must not contradict each other', async () => {
    const { lines } = good(await readNodeFolder(scene.host, 'bernd'));
    let at = { seq: 0, prev: noLine };
    const texts: string[] = [];
    // The coordinator signs a second result for another node.
    for (const line of lines) {
      const event =
        line.event.type === 'fedlearn.round.completed' && line.event.result.roundId === scene.rounds[0]
          ? { ...line.event, result: sign(resultForm, { ...line.event.result, completedAt: 0 }, signerOf('ada')) }
          : line.event;
      const next = nextLine(at, line.at, event);
      texts.push(`${next.text}\n`);
      at = { seq: at.seq + 1, prev: next.line.sha256 };
    }
    const files = [...scene.host.files];
    for (const [path, bytes] of files) scene.host.files.set(path.replace('/project/bernd/', '/project/other/'), bytes);
    scene.host.files.set('/project/other/events.jsonl', new TextEncoder().encode(texts.join('')));
    const [verdict] = (await scene.verify('ada', 'other')).slice(3);
    expect(verdict?.verified).toMatchObject({
      error: { code: 'PV-8604', message: expect.stringContaining('another end of round') },
    });
  });
});

describe('a coordinator that shows two histories', () => {
  const names = ['ada', 'bernd', 'clara'];
  /** Ada's folder from the moment when bernd has not submitted yet, continued on a bus of its own; and bernd's. */
  async function partition(after: (bernd: TestNode, round: RoundId) => Promise<unknown>) {
    const world = createWorld(names);
    const disks = new Map(names.map((name) => [name, createMemoryHost()]));
    const nodes: TestNode[] = [];
    for (const [name, host] of disks) nodes.push(await startNode(world, name, { host }));
    const [ada, bernd, clara] = nodes as [TestNode, TestNode, TestNode];
    const round = good(await ada.coordinator.announceRound(draftOf({ minParticipants: 2 })));
    for (const one of nodes) {
      good(await one.node.replica.discover());
      good(await one.participant.join(round, true));
    }
    for (const { participant } of [ada, clara]) {
      good(await participant.train(round));
      good(await participant.submit(round));
    }
    const host = createMemoryHost();
    const copy = (name: string, to: string): void => {
      for (const [path, bytes] of disks.get(name)?.files ?? [])
        host.files.set(path.replace('/project/node/', `/project/${to}/`), bytes.slice());
    };
    copy('ada', 'node');
    await after(bernd, round);
    copy('bernd', 'bernd');
    const apart = createWorld(names);
    apart.clock.now = start + 11 * minute;
    const twin = await startNode(apart, 'ada', { host });
    good(await twin.coordinator.finalizeAndPublish(round));
    const folders = [];
    for (const name of ['node', 'bernd']) folders.push(good(await readNodeFolder(host, name)));
    const trusted = new Set(names.map(idOf));
    return shown(
      await verifyFolders({ host, trusts: (id) => trusted.has(id), config: enabled(), rules: vectorRules }, folders),
    );
  }

  it('is exposed by the receipt of a submission that its result leaves out', async () => {
    const submits = async ({ participant }: TestNode, round: RoundId) => {
      good(await participant.train(round));
      good(await participant.submit(round));
    };
    expect(await partition(submits)).toEqual(['node COMPLETED true', 'bernd PV-8604']);
  });

  it('is exposed by a revocation that its result leaves out, and by nothing else that came before', async () => {
    const revokes = async ({ participant }: TestNode, round: RoundId) => good(await participant.revoke(round));
    expect(await partition(revokes)).toEqual(['node COMPLETED true', 'bernd PV-8604']);
    expect(await partition(async () => undefined)).toEqual(['node COMPLETED true', 'bernd JOINED false']);
  });
});

describe('the privacy of each participant', () => {
  it('adds up over rounds, and counts each once however many folders show it', async () => {
    const one = await scene.verify('ada');
    const both = await scene.verify('ada', 'bernd');
    expect(clientPrivacy(states(both))).toEqual(clientPrivacy(states(one)));
    const of = new Map(clientPrivacy(states(one)).map((client) => [client.participant, client]));
    const twice = gaussianEpsilon(Math.sqrt(2) / 2, 1e-5);
    expect(of.get(idOf('ada'))).toMatchObject({ releases: 2, epsilon: twice, delta: 1e-5 });
    // Both submitted to the round without noise, and one of them revoked after others had seen the delta.
    for (const name of ['bernd', 'clara']) expect(of.get(idOf(name))).toMatchObject({ releases: 3, epsilon: Infinity });
  });

  it('is that of one round where there is one', async () => {
    const [first] = await scene.verify('ada');
    const state = states(first === undefined ? [] : [first]);
    const { result } = state[0] ?? expect.fail('verified');
    expect(clientPrivacy(state).map(({ epsilon }) => epsilon)).toEqual(Array(3).fill(result?.epsilon));
  });
});
