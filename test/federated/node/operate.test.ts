/** The operator's side: every command over the bus, signed both ways. Holds src/federated/node/operate.ts, operator.ts, claim.ts. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/canonical-json.ts';
import type { Bus } from '../../../src/federated/bus/bus.ts';
import { readDraft } from '../../../src/federated/draft.ts';
import { manifestForm } from '../../../src/federated/manifest.ts';
import { ask, capabilities } from '../../../src/federated/node/capabilities.ts';
import { command, type Operator } from '../../../src/federated/node/operator.ts';
import { addressOf } from '../../../src/federated/node-id.ts';
import { answerForm } from '../../../src/federated/statements.ts';
import { messageBytes, parseMessage } from '../../../src/federated/wire/message.ts';
import { sign } from '../../../src/federated/wire/signed.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { present } from '../../../src/base/invariant.ts';
import {
  createWorld,
  deltaOf,
  draftOf,
  good,
  idOf,
  minute,
  signerOf,
  start,
  startNode,
  textOf,
  type TestNode,
  type World,
} from '../nodes.ts';

const names = ['ada', 'bernd', 'clara'] as const;

/** A draft as the operator's program sends it. */
function draftWire(changes: Parameters<typeof draftOf>[0] = {}): JsonObject {
  const {
    format: _f,
    round_id: _r,
    coordinator: _c,
    coordinator_sig: _s,
    ...draft
  } = manifestForm.encode({
    ...draftOf({ minParticipants: 2, ...changes }),
    format: 'pv-fedlearn-manifest/1',
    roundId: '0'.repeat(26) as RoundId, // the form is right
    coordinator: idOf('ada'),
    coordinatorSig: new Uint8Array(64),
  });
  return draft;
}

async function scene() {
  const world = createWorld(names);
  const nodes = new Map<string, TestNode>();
  for (const name of names) nodes.set(name, await startNode(world, name));
  const of = (name: string): TestNode => present(nodes.get(name), 'started');
  const as = (name: string, capability: string, request: JsonValue) =>
    command(operatorOf(world, name), capability, request);
  return { world, of, as };
}

const operatorOf = (world: World, name: string, bus: Bus = world.connect()): Operator => ({
  bus,
  signer: signerOf(name),
  now: () => world.clock.now,
});

const fields = (value: JsonValue): JsonObject => value as JsonObject; // every answer is an object

describe('a round by its operators', () => {
  it('goes from a draft to an applied adapter, and back', async () => {
    const { of, as } = await scene();
    const { round_id: id } = fields(good(await as('ada', capabilities.announce, { draft: draftWire() })));
    const { manifests } = fields(good(await as('bernd', capabilities.list, { topic: 'village-chat' })));
    expect(manifests).toHaveLength(1);
    expect(fields(good(await as('bernd', capabilities.list, { topic: 'other' })))).toEqual({ manifests: [] });

    const asked = fields(good(await as('bernd', capabilities.consider, { round_id: id ?? '' })));
    expect(asked).toMatchObject({ obstacle: null, manifest: { consent_text: draftOf().consentText } });
    const sha = asked['manifest_sha'] ?? '';
    const join = (manifest_sha: JsonValue, consent: boolean) =>
      as('bernd', capabilities.join, { round_id: id ?? '', manifest_sha, consent });
    expect(await join(sha, false)).toMatchObject({ error: { code: 'consent_required' } });
    expect(await join('0'.repeat(64), true)).toMatchObject({ error: { code: 'consent_required' } });
    good(await join(sha, true));
    good(await as('clara', capabilities.join, { round_id: id ?? '', manifest_sha: sha, consent: true }));

    // Bernd's operator trained elsewhere; Clara's node trains.
    const delta = good(await of('bernd').node.blobs.put(deltaOf(1, 2, 3, 4)));
    const given = { sha: delta, num_samples: 10, train_loss: 0.5 };
    good(await as('bernd', capabilities.submit, { round_id: id ?? '', delta: given }));
    const again = good(await as('bernd', capabilities.submit, { round_id: id ?? '', delta: given }));
    expect(again).toEqual(good(await as('bernd', capabilities.submit, { round_id: id ?? '', delta: null })));
    expect(await as('bernd', capabilities.submit, { round_id: id ?? '', delta: { ...given, sha } })).toMatchObject({
      error: { code: 'submission_too_large' },
    });
    expect(await as('clara', capabilities.submit, { round_id: id ?? '', delta: null })).toMatchObject({
      error: { code: 'submission_invalid' },
    });
    good(await of('clara').participant.train(id as RoundId));
    good(await as('clara', capabilities.submit, { round_id: id ?? '', delta: null }));

    expect(await as('bernd', capabilities.finalize, { round_id: id ?? '' })).toMatchObject({
      error: { code: 'not_coordinator' },
    });
    const result = fields(good(await as('ada', capabilities.finalize, { round_id: id ?? '' })));
    const adapter = result['aggregated_delta_sha'] ?? '';
    expect(good(await as('bernd', capabilities.status, { round_id: id ?? '' }))).toMatchObject({
      phase: 'COMPLETED',
      result,
    });
    expect(good(await as('bernd', capabilities.fetch, { sha: adapter }))).toMatchObject({
      sha: adapter,
      bytes: 32,
      manifest: { round_id: id },
    });
    expect(good(await as('bernd', capabilities.apply, { sha: adapter, scope: 'node' }))).toEqual({
      sha: adapter,
      scope: 'node',
    });
    expect([...of('bernd').applied]).toEqual([['node', adapter]]);
    expect(good(await as('bernd', capabilities.discard, { sha: adapter }))).toEqual({ sha: adapter, applied: {} });
    expect(of('bernd').applied.size).toBe(0);
  });

  it('can be left, and taken over after the deadline', async () => {
    const { world, of, as } = await scene();
    const { round_id: id = '' } = fields(good(await as('ada', capabilities.announce, { draft: draftWire() })));
    for (const name of names) {
      good(await of(name).node.replica.discover());
      good(await of(name).participant.join(id as RoundId, true));
      good(await of(name).participant.train(id as RoundId));
      good(await as(name, capabilities.submit, { round_id: id, delta: null }));
    }
    good(await as('clara', capabilities.revoke, { round_id: id }));
    await of('ada').crash();
    expect(await as('bernd', capabilities.takeover, { round_id: id })).toMatchObject({ error: { code: 'round_open' } });
    world.clock.now = start + 11 * minute;
    expect(await as('bernd', capabilities.finalize, { round_id: id })).toMatchObject({
      error: { code: 'fedlearn_aggregator_unreachable' },
    });
    expect(await as('clara', capabilities.takeover, { round_id: id })).toMatchObject({
      error: { code: 'not_aggregator' },
    });
    expect(good(await as('bernd', capabilities.takeover, { round_id: id }))).toMatchObject({
      takeover: true,
      n_participants: 2,
    });
  });

  it('is refused where a request is malformed, and a draft names what the announcement fills in', async () => {
    const { as } = await scene();
    for (const [capability, request] of [
      [capabilities.announce, {}],
      [capabilities.join, { round_id: 'x', manifest_sha: '', consent: true }],
      [capabilities.submit, { round_id: '0'.repeat(26), delta: 3 }],
      [capabilities.status, null],
      [capabilities.apply, { sha: '', scope: 'world' }],
    ] as const)
      expect(await as('ada', capability, request)).toMatchObject({ error: { code: 'message_invalid' } });
    const drafts: readonly JsonObject[] = [
      { ...draftWire(), round_id: '0'.repeat(26) },
      { ...draftWire(), rank: 4 },
      {},
    ];
    for (const draft of drafts)
      expect(await as('ada', capabilities.announce, { draft })).toMatchObject({ error: { code: 'manifest_invalid' } });
    expect(readDraft([], idOf('ada'), 'draft')).toEqual({ ok: false, error: 'draft is not a mapping' });
    expect(await as('ada', capabilities.status, { round_id: '0'.repeat(26) })).toMatchObject({
      error: { code: 'round_unknown' },
    });
  });
});

describe('what was refused of a round', () => {
  it('is in the status for the operator, with code, sender and round, also after a restart, and in no other’s', async () => {
    const { world, of, as } = await scene();
    const { round_id: id = '' } = fields(good(await as('ada', capabilities.announce, { draft: draftWire() })));
    const { round_id: other = '' } = fields(good(await as('ada', capabilities.announce, { draft: draftWire() })));
    good(await of('bernd').node.replica.discover());
    good(await of('bernd').participant.join(id as RoundId, true));
    good(await of('bernd').participant.train(id as RoundId));
    world.clock.now = start + 11 * minute;
    expect(await as('bernd', capabilities.submit, { round_id: id, delta: null })).toMatchObject({
      error: { code: 'round_closed' },
    });
    const refusal = { capability: capabilities.submit, code: 'round_closed', sender: idOf('bernd'), count: 1 };
    const ofRound = async (name: string, round: JsonValue) =>
      fields(good(await as(name, capabilities.status, { round_id: round })))['refusals'];
    const all = await ofRound('ada', id);
    expect(all).toEqual([{ ...refusal, at: new Date(world.clock.now).toISOString() }]);
    expect(await ofRound('ada', other)).toEqual([]);
    // He has asked nobody's permission to be refused, but his node remembers it too.
    expect(await ofRound('bernd', id)).toMatchObject([{ ...refusal, sender: null }]);
    const asked = await ask(of('clara').node.bus, capabilities.status, idOf('ada'), { round_id: id });
    expect(fields(good(asked))['refusals']).toBeUndefined();
    await of('ada').crash();
    await startNode(world, 'ada', { host: of('ada').host });
    expect(await ofRound('ada', id)).toEqual(all);
  });

  it('is not hidden by a flood of others', async () => {
    const { of, as } = await scene();
    const { round_id: id = '' } = fields(good(await as('ada', capabilities.announce, { draft: draftWire() })));
    const forged = (sender: string): JsonValue => ({ round_id: id, participant: sender, signature: 'no' });
    const join = (message: JsonValue) => ask(of('clara').node.bus, capabilities.join, idOf('ada'), message);
    for (let i = 0; i < 300; i++) await join(forged(i % 2 === 0 ? idOf(`mallory${i % 20}`) : `\u001B[2J${i}`));
    await join(forged(idOf('bernd')));
    const refusals = of('ada').node.journal.refusedIn(id as RoundId);
    expect(refusals.length).toBe(64 + 2 + 1);
    expect(refusals.at(-1)).toMatchObject({ code: 'signature_invalid', sender: idOf('bernd'), count: 1 });
    expect(refusals.at(-2)).toMatchObject({ code: 'signature_invalid', count: 256 });
    expect(refusals[1]).toMatchObject({ sender: null });
  });
});

describe('an adapter that is discarded', () => {
  it('gives way to the one before it, also after a restart', async () => {
    const { world, of, as } = await scene();
    const adapters: string[] = [];
    for (const seed of [1, 2]) {
      const draft = draftWire({ seed, minParticipants: 2 });
      const { round_id: id = '' } = fields(good(await as('ada', capabilities.announce, { draft })));
      for (const name of ['bernd', 'clara']) {
        good(await of(name).node.replica.discover());
        good(await of(name).participant.join(id as RoundId, true));
        const delta = { bytes: deltaOf(seed, 2, 3, name.length), numSamples: 1, trainLoss: 1 };
        good(await of(name).participant.train(id as RoundId, delta));
        good(await of(name).participant.submit(id as RoundId));
      }
      const result = fields(good(await as('ada', capabilities.finalize, { round_id: id })));
      adapters.push(textOf(result['aggregated_delta_sha']));
    }
    for (const name of ['bernd', 'clara']) good(await as(name, capabilities.list, { topic: null }));
    const [first = '', second = ''] = adapters;
    const { bernd } = { bernd: of('bernd') };
    for (const id of bernd.node.replica.rounds.keys()) good(await bernd.node.replica.sync(id));
    for (const [sha, scope] of [
      [first, 'node'],
      [second, 'session'],
      [second, 'node'],
    ] as const)
      good(await as('bernd', capabilities.apply, { sha, scope }));
    await bernd.crash();
    const again = await startNode(world, 'bernd', { host: bernd.host });
    expect(Object.fromEntries(again.adapters.applied())).toEqual({ node: second, session: second });
    const discard = (sha: string) => as('bernd', capabilities.discard, { sha });
    expect(good(await discard(second))).toEqual({ sha: second, applied: { node: first } });
    expect([...again.applied]).toEqual([['node', first]]);
    expect(good(await discard(first))).toEqual({ sha: first, applied: {} });
    expect(again.applied.size).toBe(0);
    expect(await discard('../x')).toMatchObject({ error: { code: 'adapter_not_found' } });
  });
});

describe('a list', () => {
  it('has the latest rounds, as many as a message has room for', async () => {
    const { as } = await scene();
    const consent_text = '中'.repeat(65_000);
    const ids: JsonValue[] = [];
    for (let i = 0; i < 20; i++) {
      const draft = { ...draftWire(), consent_text };
      ids.push(fields(good(await as('ada', capabilities.announce, { draft })))['round_id'] ?? null);
    }
    const { manifests } = fields(good(await as('bernd', capabilities.list, { topic: null })));
    const listed = (manifests as readonly JsonObject[]).map((manifest) => manifest['round_id']);
    expect(listed.length).toBeGreaterThan(1);
    expect(listed).toEqual(ids.toReversed().slice(0, listed.length));
  });
});

describe('an answer', () => {
  it('counts only with the signature of the node on this command', async () => {
    const world = createWorld(names);
    const bus = world.connect();
    const operator = operatorOf(world, 'ada', world.connect());
    const answering = async (reply: (nonce: string) => JsonValue) => {
      const value = async (message: Uint8Array): Promise<JsonValue> =>
        reply(textOf(fields(good(parseMessage(message)))['nonce']));
      const stop = good(
        await bus.serve(capabilities.command, addressOf(idOf('ada')), async (message) =>
          messageBytes({ ok: true, code: null, detail: '', value: await value(message) }),
        ),
      );
      const answer = await command(operator, capabilities.list, { topic: null });
      await stop();
      return answer;
    };
    const reply = { ok: true, code: null, detail: '', value: { manifests: [] } };
    const signed = (name: string, nonce: string): JsonValue =>
      answerForm.encode(sign(answerForm, { node: idOf(name), nonce, reply }, signerOf(name)));
    expect(await answering((nonce) => signed('ada', nonce))).toEqual({ ok: true, value: { manifests: [] } });
    for (const forged of [
      () => reply,
      (nonce: string) => signed('bernd', nonce),
      () => signed('ada', 'ab'.repeat(32)),
      (nonce: string) => ({ ...fields(signed('ada', nonce)), reply: { ...reply, value: 'other' } }),
    ])
      expect(await answering(forged)).toMatchObject({ error: { code: 'signature_invalid' } });
    expect(await command(operator, capabilities.list, { topic: null })).toEqual({ ok: false, error: 'not-running' });
  });
});
