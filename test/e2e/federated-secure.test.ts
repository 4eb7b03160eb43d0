/**
 * Rounds with secure aggregation of five processes over a real nats-server, whose nodes take every step by themselves: participants and
 * the coordinator are killed in the middle of steps, and the network repeats, reorders, invents and rewrites. Skipped where nats-server
 * is not installed.
 */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/canonical-json.ts';
import { present } from '../../src/base/invariant.ts';
import { eventCodec, isShared, type FedEvent, type SharedEvent } from '../../src/federated/events.ts';
import { capabilities } from '../../src/federated/node/capabilities.ts';
import { roundTopic } from '../../src/federated/node/topics.ts';
import { signStatement, type MaskedInput, type SecureMessage } from '../../src/federated/secure/statement.ts';
import { closingForm, openingForm, stepEndForm, submissionForm } from '../../src/federated/statements.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { messageBytes, readMessage } from '../../src/federated/wire/message.ts';
import { sign, statementSha } from '../../src/federated/wire/signed.ts';
import { good, textOf } from '../federated/nodes.ts';
import { hasNatsServer } from '../federated/bus/nats-server.ts';
import { ensureBuilt, runBuiltPv } from '../support/built.ts';
import { startProxy, type Proxy } from './fed-proxy.ts';
import { createVillage, villagerOf, type Village, type Villager } from './fed-village.ts';

const names = ['anna', 'ben', 'clara', 'dora', 'emil'] as const;

/** What a run without the server says. */
const absent = hasNatsServer ? '' : ' (skipped: nats-server is not installed)';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasNatsServer)(`secure rounds of five processes over NATS${absent}`, { timeout: 60_000 }, () => {
  let village: Village;
  let proxy: Proxy;
  let all: readonly Villager[] = [];
  let byName: ReadonlyMap<string, Villager> = new Map();
  const of = (name: (typeof names)[number]): Villager => villagerOf(byName, name);
  const without = (name: (typeof names)[number]): readonly Villager[] => all.filter((one) => one !== of(name));

  beforeAll(async () => {
    ensureBuilt();
    const fedlearn = { require_secure_aggregation: true, secure_join_seconds: 60, secure_step_seconds: 2 };
    village = await createVillage({ requestTimeout: 3, fedlearn, secure: true });
    // Slow enough to be killed in a step.
    proxy = await startProxy(village.server.url);
    proxy.mode = 'slow';
    byName = await village.add({ anna: {}, ben: {}, clara: {}, dora: { url: proxy.url }, emil: {} });
    all = [...byName.values()];
  });

  afterAll(async () => {
    await village?.close();
    await proxy?.close();
  });

  const announce = async (by: Villager, seconds: number): Promise<string> => {
    const draft = village.draft(seconds, { max_participants: 5 });
    return textOf((await by.insist(capabilities.announce, { draft }))['round_id']);
  };
  const statusBy = (one: Villager, round: string): Promise<JsonObject> =>
    one.insist(capabilities.status, { round_id: round });
  const until = async (one: Villager, round: string, holds: (status: JsonObject) => boolean): Promise<JsonObject> => {
    for (let tries = 0; ; tries++) {
      const status = await statusBy(one, round);
      if (holds(status)) return status;
      if (tries === 100) throw new Error(`${one.name}: ${JSON.stringify(status)}`);
      await pause(200);
    }
  };
  const isAt = (stage: string) => (status: JsonObject) => (status['secure'] as JsonObject | null)?.['stage'] === stage;
  const hasResult = ({ result }: JsonObject): boolean => result !== null;
  const resultSha = ({ result }: JsonObject): unknown => (result as JsonObject)['aggregated_delta_sha'];
  /** These nodes come to know the result, and it is what the submissions of the others give. */
  const agree = async (
    round: string,
    knowing: readonly Villager[],
    inSum: readonly Villager[],
  ): Promise<JsonObject> => {
    const statuses = await Promise.all(knowing.map((one) => until(one, round, hasResult)));
    const [first = {}] = statuses;
    const expected = await village.expected(first['manifest'], inSum);
    for (const status of statuses) expect(resultSha(status)).toBe(expected);
    return first['result'] as JsonObject; // it has one
  };
  const historyOf = async (round: string): Promise<readonly FedEvent[]> => {
    const read = good(await village.bus.read(roundTopic(round as RoundId), 0)); // the node made it
    return read.flatMap(({ bytes }) => {
      const event = readMessage(bytes, eventCodec);
      return event.ok ? [event.value] : [];
    });
  };
  const publish = async (round: string, bytes: Uint8Array): Promise<void> =>
    void good(await village.bus.publish(roundTopic(round as RoundId), bytes, null));

  /** For joining and submitting, on a machine that may be busy. */
  let seconds = 9;

  it('drops a participant that is killed in the middle of a step, and keeps nothing unmasked', async () => {
    const begun = performance.now();
    const round = await announce(of('anna'), 300);
    const before = (await of('dora').log()).length;
    await Promise.all(all.map((one) => one.join(round)));
    while (!(await of('dora').log()).slice(before).includes('fedlearn.secure.opened')) await pause(2);
    await of('dora').kill();
    proxy.mode = 'open';
    await until(of('ben'), round, isAt('masked'));
    // She is too late for this round, and harms nobody.
    await of('dora').start();
    expect(await of('dora').command(capabilities.submit, await of('dora').handOver(round))).toMatchObject({
      error: { code: expect.stringMatching(/^secure_/) },
    });
    await Promise.all(without('dora').map((one) => one.submit(round)));
    const result = await of('anna').insist(capabilities.finalize, { round_id: round });
    seconds = Math.ceil(4 + (performance.now() - begun) / 1000);
    expect(await agree(round, all, without('dora'))).toEqual(result);
    expect(result).toMatchObject({ n_participants: 4, takeover: false });
    for (const { folder, name } of all) {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const contents = files
        .filter((file) => file.isFile())
        .map(({ parentPath, name: file }) => readFile(join(parentPath, file)));
      const plain = Buffer.from(village.deltaOf(name));
      for (const content of await Promise.all(contents)) expect(content.equals(plain)).toBe(false);
    }
  });

  it('unmasks without one that leaves with its masks in the sum, whatever the network repeats, reorders and invents', async () => {
    const begun = Date.now();
    const round = await announce(of('anna'), seconds);
    await Promise.all(all.map((one) => one.join(round)));
    await until(of('emil'), round, isAt('masked'));
    await of('emil').kill();
    proxy.mode = 'slow';
    await Promise.all(without('emil').map((one) => one.submit(round)));
    const history = await historyOf(round);
    for (const event of history.toReversed()) await publish(round, messageBytes(eventCodec.encode(event)));
    for (let i = 0; i < 40; i++) await publish(round, new TextEncoder().encode(`{"type":"fedlearn.secure.said",${i}`));
    // Ben states another masked delta, with a signature that holds.
    const said = history.flatMap((event) => (event.type === 'fedlearn.secure.said' ? event.messages : []));
    const isBens = ({ type, participant }: SecureMessage): boolean => type === 'masked' && participant === of('ben').id;
    const { signature: _, ...body } = {
      ...present(said.find(isBens), 'he has stated one'),
      vectorSha: 'ab'.repeat(32),
    };
    const second = signStatement<MaskedInput>(body as Omit<MaskedInput, 'signature'>, await village.signerOf('ben'));
    // Anna opens the round again without Emil, and ends a step that is over.
    const [opened] = history.flatMap((event) => (event.type === 'fedlearn.secure.opened' ? [event.opening] : []));
    const { signature: _o, ...opening } = present(opened, 'she has opened it');
    const others = opening.participants.filter((one) => one !== of('emil').id);
    const { roundId, manifestSha, coordinator } = opening;
    const end = { roundId, manifestSha, coordinator, ends: 'shares' as const, endedAt: Date.now() };
    const anna = await village.signerOf('anna');
    const forged: readonly SharedEvent[] = [
      { type: 'fedlearn.secure.opened', opening: sign(openingForm, { ...opening, participants: others }, anna) },
      { type: 'fedlearn.secure.ended', end: sign(stepEndForm, end, anna) },
    ];
    for (const event of forged) await publish(round, messageBytes(eventCodec.encode(event)));
    await publish(
      round,
      messageBytes(eventCodec.encode({ type: 'fedlearn.secure.said', roundId: round as RoundId, messages: [second] })),
    );
    await pause(begun + 1000 * seconds - Date.now());
    const result = await agree(round, without('emil'), without('emil'));
    proxy.mode = 'open';
    expect(result).toMatchObject({ n_participants: 4, takeover: false });
    // Each is refused, by name.
    const { refusals } = await statusBy(of('clara'), round);
    for (const [code, sender] of [
      ['secure_already_answered', of('ben').id],
      ['secure_already_answered', of('anna').id],
      ['secure_step_closed', of('anna').id],
    ])
      expect(refusals).toContainEqual(expect.objectContaining({ code, sender }));
    expect(refusals).toContainEqual(expect.objectContaining({ code: 'message_invalid', sender: null }));
    await of('emil').start();
    await agree(round, [of('emil')], without('emil'));
  });

  let takenOver = '';
  let earlier = '';

  it('ends as a takeover in the same bytes when the coordinator is killed after the submissions', async () => {
    const begun = Date.now();
    const round = await announce(of('anna'), seconds);
    await Promise.all(all.map((one) => one.join(round)));
    await until(of('ben'), round, isAt('masked'));
    await Promise.all(without('ben').map((one) => one.submit(round)));
    await until(of('clara'), round, ({ participants }) =>
      (participants as readonly JsonObject[]).every(
        ({ participant, phase }) => phase === 'SUBMITTED' || participant === of('ben').id,
      ),
    );
    [takenOver, earlier] = [round, await of('clara').log()];
    await of('ben').submit(round);
    await of('anna').kill();
    await pause(begun + 1000 * (seconds + 1) - Date.now());
    const result = await of('ben').insist(capabilities.takeover, { round_id: round });
    expect(result).toMatchObject({ takeover: true, n_participants: 5 });
    await of('anna').start();
    expect(await agree(round, all, all)).toEqual(result);
    expect(await of('anna').interrupt()).toBe(130);
    await of('clara').insist(capabilities.apply, { sha: result['aggregated_delta_sha'] ?? '', scope: 'node' });
    const verified = await runBuiltPv(['fed', 'verify', 'clara', '--base', 'base', '--roster', 'roster.txt'], {
      cwd: village.folder,
    });
    expect(verified.stdout).toContain(`VERIFIED: round ${round}`);
  });

  it('gives nothing for a second set of survivors, also after a restart with an old log, on a bus that was rewritten', async () => {
    const history = (await historyOf(takenOver)).filter(isShared);
    await Promise.all(all.map((one) => one.kill()));
    // As it was before Ben submitted; who was in the sum of five is to be unmasked as one that is gone.
    await writeFile(join(of('clara').folder, 'events.jsonl'), earlier);
    const submissions = history.flatMap((event) =>
      event.type === 'fedlearn.round.submitted' ? [event.submission] : [],
    );
    const counted = submissions
      .filter(({ participant }) => participant !== of('ben').id)
      .toSorted((a, b) => (a.participant < b.participant ? -1 : 1));
    const closing = sign(
      closingForm,
      {
        roundId: takenOver as RoundId,
        manifestSha: present(counted[0], 'four').manifestSha,
        aggregator: of('anna').id,
        takeover: false,
        submissions: counted.map((one) => statementSha(submissionForm, one)),
        closedAt: Date.now(),
      },
      await village.signerOf('anna'),
    );
    const isBefore = (event: SharedEvent): boolean => {
      const said = event.type === 'fedlearn.secure.said' ? event.messages[0]?.type : null;
      const isLate =
        ['fedlearn.round.aggregating', 'fedlearn.round.completed'].includes(event.type) ||
        said === 'survivors' ||
        said === 'unmask';
      return !isLate && !(event.type === 'fedlearn.round.submitted' && event.submission.participant === of('ben').id);
    };
    const connection = await connect({ servers: village.server.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.purge('PV_FEDLEARN', { filter: roundTopic(takenOver as RoundId) });
    await connection.close();
    const forged: readonly SharedEvent[] = [
      ...history.filter(isBefore),
      { type: 'fedlearn.round.aggregating', closing },
    ];
    for (const event of forged) await publish(takenOver, messageBytes(eventCodec.encode(event)));
    await of('clara').start();
    const status = await until(of('clara'), takenOver, isAt('survivors'));
    expect(status).toMatchObject({ phase: 'AGGREGATING', result: null });
    for (
      let i = 0;
      i < 50 && !(await of('clara').log()).includes('"code":"secure_already_answered"', earlier.length);
      i++
    )
      await pause(100);
    expect((await of('clara').log()).slice(earlier.length)).toContain('"code":"secure_already_answered"');
    const said = (await historyOf(takenOver)).flatMap((event) =>
      event.type === 'fedlearn.secure.said' ? event.messages : [],
    );
    expect(said.filter(({ type }) => type === 'survivors' || type === 'unmask')).toEqual([]);
  });
});
