/**
 * Rounds of five processes over a real nats-server, on a hostile network: processes are killed, messages repeated and reordered, the
 * server restarted, a node cut off, a link slow, clocks minutes apart. Skipped where nats-server is not installed; on Debian,
 * `apt-get install nats-server` brings it.
 */
import { connect } from '@nats-io/transport-node';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson, type JsonObject } from '../../src/base/canonical-json.ts';
import { capabilities } from '../../src/federated/node/capabilities.ts';
import { roundTopic } from '../../src/federated/node/topics.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { good, textOf } from '../federated/nodes.ts';
import { hasNatsServer } from '../federated/bus/nats-server.ts';
import { ensureBuilt, runBuiltPv } from '../support/built.ts';
import { startProxy, type Proxy } from './fed-proxy.ts';
import { createVillage, villagerOf, type Village, type Villager } from './fed-village.ts';

const names = ['anna', 'ben', 'clara', 'dora', 'emil'] as const;
const minutes = 60;

/** What a run without the server says. */
const absent = hasNatsServer ? '' : ' (skipped: nats-server is not installed)';

describe.skipIf(!hasNatsServer)(`rounds of five processes over NATS${absent}`, { timeout: 60_000 }, () => {
  let village: Village;
  let proxy: Proxy;
  let all: readonly Villager[] = [];
  /** What joining and submitting took before. */
  let roundSeconds = 2;
  let byName: ReadonlyMap<string, Villager> = new Map();
  const of = (name: (typeof names)[number]): Villager => villagerOf(byName, name);

  beforeAll(async () => {
    ensureBuilt();
    village = await createVillage({ requestTimeout: 3 });
    proxy = await startProxy(village.server.url);
    // Dora is behind the link that tests spoil; the clocks of Clara and Emil are wrong.
    byName = await village.add({
      anna: {},
      ben: {},
      clara: { ahead: -4 * minutes },
      dora: { url: proxy.url },
      emil: { ahead: 4 * minutes },
    });
    all = [...byName.values()];
  });

  afterAll(async () => {
    await village?.close();
    await proxy?.close();
  });

  const announce = async (by: Villager, seconds: number): Promise<string> => {
    const { round_id: round } = await by.insist(capabilities.announce, { draft: village.draft(seconds) });
    return textOf(round);
  };
  const statusBy = (one: Villager, round: string): Promise<JsonObject> =>
    one.insist(capabilities.status, { round_id: round });
  /** Every node comes to know the result, and it is what the submissions of these nodes give. */
  const agreesOn = async (round: string, sha: unknown, submitters: readonly Villager[] = all): Promise<void> => {
    const statuses = await Promise.all(all.map((one) => statusBy(one, round)));
    for (const { result } of statuses) expect(result).toMatchObject({ aggregated_delta_sha: sha });
    expect(sha).toBe(await village.expected(statuses[0]?.['manifest'], submitters));
  };
  const nodeCommand = (one: Villager, ...argv: readonly string[]) =>
    runBuiltPv(['fed', ...argv, '--config', `${one.folder}.yaml`]);

  it('ends in one adapter with clocks minutes apart and a slow link', async () => {
    proxy.mode = 'slow';
    const round = await announce(of('emil'), 9 * minutes);
    await Promise.all(all.map((one) => one.join(round)));
    await Promise.all(all.map((one) => one.submit(round)));
    const result = await of('emil').insist(capabilities.finalize, { round_id: round });
    await agreesOn(round, result['aggregated_delta_sha']);
    await of('dora').insist(capabilities.apply, { sha: result['aggregated_delta_sha'] ?? '', scope: 'session' });
    proxy.mode = 'open';
  });

  it('takes adapters of one’s own, and says what is wrong with others', async () => {
    const round = await announce(of('anna'), 9 * minutes);
    await Promise.all(all.map((one) => one.join(round)));
    const { manifest } = await statusBy(of('ben'), round);
    expect(manifest).toMatchObject({ round_id: round });
    const folder = join(village.folder, 'own');
    await mkdir(folder);
    const adapter = village.deltaOf('ben');
    const model = join(folder, 'adapter_model.safetensors');
    const nan = adapter.slice();
    nan.set([0xff, 0xff, 0xff, 0xff], nan.length - 4);
    await writeFile(model, nan);
    const submit = (...argv: readonly string[]) =>
      nodeCommand(of('ben'), 'submit', round, '--adapter', folder, ...argv);
    expect(await submit()).toMatchObject({ code: 2, stderr: expect.stringContaining('give --samples and --loss') });
    expect(await submit('--samples', '30', '--loss', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refused: delta_invalid'),
    });
    await writeFile(model, adapter);
    const config = { peft_type: 'LORA', r: 8, lora_alpha: 8, target_modules: ['query', 'value'] };
    await writeFile(join(folder, 'adapter_config.json'), JSON.stringify(config));
    expect(await submit('--samples', '30', '--loss', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has rank 8; the round has 4'),
    });
    await writeFile(join(folder, 'adapter_config.json'), JSON.stringify({ ...config, r: 4 }));
    // As python/pv_federated.py signs it.
    const statement = await village.submissionOf('ben', round);
    await writeFile(join(folder, 'submission.json'), canonicalJson({ ...statement, num_samples: 31 }));
    expect(await submit()).toMatchObject({ code: 1, stderr: expect.stringContaining('refused: signature_invalid') });
    await writeFile(join(folder, 'submission.json'), canonicalJson(statement));
    const submitted = await submit();
    expect(submitted).toMatchObject({ code: 0, stdout: expect.stringContaining('30 samples, loss 1.000') });
    const others = all.filter((one) => one !== of('ben'));
    await Promise.all(others.map((one) => one.submit(round)));
    const { aggregated_delta_sha: sha } = await of('anna').insist(capabilities.finalize, { round_id: round });
    await agreesOn(round, sha);
  });

  it('loses nothing when a participant is killed in the middle of its submission, and tries again', async () => {
    const round = await announce(of('anna'), 9 * minutes);
    await Promise.all(all.map((one) => one.join(round)));
    proxy.mode = 'slow';
    const before = (await of('dora').log()).length;
    const interrupted = of('dora').command(capabilities.submit, await of('dora').handOver(round));
    // What was trained is signed and in the log; the delta and the submission are on their way.
    while (!(await of('dora').log()).slice(before).includes('fedlearn.round.trained'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await of('dora').kill();
    proxy.mode = 'open';
    await Promise.all(all.filter((one) => one !== of('dora')).map((one) => one.submit(round)));
    expect(await of('anna').command(capabilities.finalize, { round_id: round })).toMatchObject({
      error: { code: 'round_open' },
    });
    await of('dora').start();
    await of('dora').insist(capabilities.submit, { round_id: round, delta: null });
    const { aggregated_delta_sha: sha } = await of('anna').insist(capabilities.finalize, { round_id: round });
    await agreesOn(round, sha);
    await interrupted;
  });

  it('takes each message once, however often and in whatever order it comes', async () => {
    const spy = await connect({ servers: village.server.url });
    const heard: { readonly subject: string; readonly data: Uint8Array }[] = [];
    spy.subscribe('experimental.fedlearn.>', {
      callback: (_, { subject, data }) => void heard.push({ subject, data: data.slice() }),
    });
    await spy.flush();
    const begun = performance.now();
    const round = await announce(of('ben'), 9 * minutes);
    await Promise.all(all.map((one) => one.join(round)));
    await Promise.all(all.slice(1).map((one) => one.submit(round)));
    roundSeconds = (performance.now() - begun) / 1000;
    const topic = roundTopic(round as RoundId); // the node made it
    const history = good(await village.bus.read(topic, 0));
    const messages = heard.splice(0).toReversed();
    expect(messages.length).toBeGreaterThan(20);
    for (const { subject, data } of [...messages, ...messages]) spy.publish(subject, data);
    for (const { bytes } of [...history].toReversed()) good(await village.bus.publish(topic, bytes, null));
    await spy.flush();
    const status = await statusBy(of('ben'), round);
    expect(status['participants']).toHaveLength(5);
    await of('anna').submit(round);
    const { aggregated_delta_sha: sha } = await of('ben').insist(capabilities.finalize, { round_id: round });
    await agreesOn(round, sha);
    expect(await of('ben').log()).toMatch(/"code":"command_replayed"/);
    await spy.close();
  });

  it('goes on after the server is killed and started again in the middle of a round', async () => {
    const round = await announce(of('clara'), 9 * minutes);
    await Promise.all(all.map((one) => one.join(round)));
    await Promise.all(all.slice(0, 2).map((one) => one.submit(round)));
    await village.server.restart();
    await Promise.all(all.slice(2).map((one) => one.submit(round)));
    const { aggregated_delta_sha: sha } = await of('clara').insist(capabilities.finalize, { round_id: round });
    await agreesOn(round, sha);
  });

  it('goes on by takeover when one coordinator is killed and another is cut off after the submissions, with the same SHA', async () => {
    // Two rounds, on a machine that may be busy.
    const seconds = Math.ceil(6 + 4 * roundSeconds);
    const [killed, cutOff] = [await announce(of('anna'), seconds), await announce(of('dora'), seconds)];
    const deadline = Date.now() + 1000 * (seconds + 1);
    for (const round of [killed, cutOff]) {
      await Promise.all(all.map((one) => one.join(round)));
      await Promise.all(all.map((one) => one.submit(round)));
    }
    await of('anna').kill();
    proxy.mode = 'silent';
    // Emil's clock says that it is time; that of the server does not.
    expect(await of('emil').command(capabilities.takeover, { round_id: killed })).toMatchObject({
      error: { code: 'round_open' },
    });
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline - Date.now())));
    expect(await of('ben').command(capabilities.finalize, { round_id: killed })).toMatchObject({
      error: { code: 'fedlearn_aggregator_unreachable' },
    });
    const takers = [of('ben'), of('emil')];
    for (const round of [killed, cutOff]) {
      const results = await Promise.all(takers.map((one) => one.insist(capabilities.takeover, { round_id: round })));
      expect(results[0]).toEqual(results[1]);
      expect(results[0]).toMatchObject({ takeover: true, n_participants: 5 });
    }
    proxy.mode = 'open';
    await of('anna').start();
    for (const round of [killed, cutOff]) {
      const { result } = await statusBy(of('clara'), round);
      await agreesOn(round, (result as JsonObject)['aggregated_delta_sha']);
    }
    // A third party finds the same in the folder of the node that was cut off.
    const { result } = await statusBy(of('dora'), cutOff);
    await of('dora').insist(capabilities.apply, {
      sha: (result as JsonObject)['aggregated_delta_sha'] ?? '',
      scope: 'node',
    });
    expect(await of('dora').interrupt()).toBe(130);
    const verified = await runBuiltPv(['fed', 'verify', 'dora', '--base', 'base', '--roster', 'roster.txt'], {
      cwd: village.folder,
    });
    expect(verified.stdout).toContain(`VERIFIED: round ${cutOff}`);
  });
});
