/**
 * Hostile and faulty requests: each is refused with its code, is logged, and changes no state. Holds src/federated/node/serve.ts,
 * capabilities.ts, adapters.ts, journal.ts and round/verify-event.ts.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/canonical-json.ts';
import { eventCodec } from '../../../src/federated/events.ts';
import { ask, capabilities, resultOf } from '../../../src/federated/node/capabilities.ts';
import { roundTopic } from '../../../src/federated/node/topics.ts';
import { manifestForm, type RoundManifest } from '../../../src/federated/manifest.ts';
import {
  answerForm,
  closingForm,
  commandForm,
  consentForm,
  resultForm,
  submissionForm,
  tokenForm,
  type OperatorCommand,
  type Submission,
} from '../../../src/federated/statements.ts';
import { addressOf } from '../../../src/federated/node-id.ts';
import { openSigned, sign, statementSha } from '../../../src/federated/wire/signed.ts';
import { messageBytes } from '../../../src/federated/wire/message.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { present } from '../../../src/base/invariant.ts';
import { readLog } from '../../../src/federated/log/event-log.ts';
import {
  baseSha,
  codeOf,
  createWorld,
  deltaOf,
  draftOf,
  enabled,
  good,
  idOf,
  minute,
  signerOf,
  start,
  startNode,
  type TestNode,
  type World,
  vectorRules,
} from '../nodes.ts';

const names = ['ada', 'bernd', 'clara', 'dora'] as const;

interface Scene {
  readonly world: World;
  readonly ada: TestNode;
  readonly bernd: TestNode;
  readonly clara: TestNode;
  readonly id: RoundId;
}

/** A round by ada that bernd has joined. */
async function scene(draft: Parameters<typeof draftOf>[0] = {}): Promise<Scene> {
  const world = createWorld(names);
  const [ada, bernd, clara] = [
    await startNode(world, 'ada'),
    await startNode(world, 'bernd'),
    await startNode(world, 'clara'),
  ];
  const id = good(await ada.coordinator.announceRound(draftOf(draft)));
  for (const { node } of [bernd, clara]) good(await node.replica.discover());
  good(await bernd.participant.join(id, true));
  return { world, ada, bernd, clara, id };
}

const stateOf = ({ node }: TestNode, id: RoundId) => present(node.replica.rounds.get(id), 'the round is known');
const manifestOf = ({ ada, id }: Scene): RoundManifest => stateOf(ada, id).manifest;

/** The last refusal in a node's log. */
async function lastRefusal({ host }: TestNode): Promise<unknown> {
  const { lines } = good(readLog(good(await host.readBytes('node/events.jsonl'))));
  return lines.at(-1)?.event;
}

/** Expects a request to ada to be refused with a code, to be logged, and to leave the round as it is. */
async function refused(at: Scene, capability: string, message: JsonValue, code: string): Promise<void> {
  const before = stateOf(at.ada, at.id);
  const reply = await ask(at.bernd.node.bus, capability, at.ada.node.self, message);
  expect(codeOf(reply)).toBe(code);
  if (!reply.ok && code === 'signature_invalid') expect(reply.error.detail).toBe('');
  expect(stateOf(at.ada, at.id)).toBe(before);
  expect(await lastRefusal(at.ada)).toMatchObject(
    code === 'signature_invalid'
      ? { type: 'security.signature.invalid', capability }
      : { type: 'fedlearn.refused', capability, code },
  );
}

function consentOf(
  at: Scene,
  name: string,
  changes: Partial<Parameters<typeof sign<typeof consentForm, never>>[1]> = {},
): JsonObject {
  const draft = {
    roundId: at.id,
    manifestSha: stateOf(at.ada, at.id).manifestSha,
    participant: idOf(name),
    baseModelSha: baseSha,
    grantedAt: start,
    ...changes,
  };
  return consentForm.encode(sign(consentForm, draft, signerOf(name)));
}

/** A submission of bernd's, with its delta on the bus. */
async function submissionOf(
  at: Scene,
  changes: Partial<Submission> = {},
  delta = deltaOf(1, 2, 3, 4),
): Promise<JsonObject> {
  const sha = good(await at.bernd.node.bus.putBlob(delta));
  const draft = {
    roundId: at.id,
    manifestSha: stateOf(at.ada, at.id).manifestSha,
    participant: idOf('bernd'),
    deltaSha: sha,
    deltaSize: delta.length,
    numSamples: 10,
    trainLoss: 1,
    submittedAt: start,
    ...changes,
  };
  const name = present(
    names.find((one) => idOf(one) === draft.participant),
    'one of the nodes',
  );
  return {
    submission: submissionForm.encode(sign(submissionForm, draft, signerOf(name))),
    token: tokenForm.encode(present(stateOf(at.ada, at.id).members.get(idOf('bernd')), 'bernd has joined').token),
  };
}

describe('requests to join', () => {
  it('by an identity that is not trusted are signature_invalid, and say no more', async () => {
    const at = await scene();
    await refused(at, capabilities.join, consentOf(at, 'mallory'), 'signature_invalid');
  });

  it('with a changed byte are signature_invalid', async () => {
    const at = await scene();
    await refused(
      at,
      capabilities.join,
      { ...consentOf(at, 'clara'), granted_at: '2026-06-01T12:00:00.001Z' },
      'signature_invalid',
    );
    await refused(at, capabilities.join, { ...consentOf(at, 'clara'), extra: 1 }, 'signature_invalid');
    await refused(at, capabilities.join, [], 'signature_invalid');
  });

  it('with a signature for another purpose are signature_invalid', async () => {
    const at = await scene();
    const { manifest, manifestSha } = stateOf(at.ada, at.id);
    const draft = {
      roundId: manifest.roundId,
      manifestSha,
      participant: idOf('clara'),
      baseModelSha: baseSha,
      grantedAt: start,
    };
    const otherwise = sign({ ...consentForm, purpose: 'revocation' }, draft, signerOf('clara'));
    await refused(at, capabilities.join, consentForm.encode(otherwise), 'signature_invalid');
  });

  it('are refused for an unknown round, another manifest, another base model, twice, late and beyond the limit', async () => {
    const at = await scene({ maxParticipants: 3 });
    const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as RoundId;
    await refused(at, capabilities.join, consentOf(at, 'clara', { roundId: unknown } as never), 'round_unknown');
    await refused(
      at,
      capabilities.join,
      consentOf(at, 'clara', { manifestSha: '0'.repeat(64) } as never),
      'consent_required',
    );
    await refused(
      at,
      capabilities.join,
      consentOf(at, 'clara', { baseModelSha: '0'.repeat(64) } as never),
      'base_model_mismatch',
    );
    await refused(at, capabilities.join, consentOf(at, 'bernd'), 'already_joined');
    good(await at.ada.participant.join(at.id, true));
    good(await at.clara.participant.join(at.id, true));
    await refused(at, capabilities.join, consentOf(at, 'dora'), 'round_full');
    at.world.clock.now += 10 * minute;
    await refused(at, capabilities.join, consentOf(at, 'dora'), 'round_closed');
  });

  it('10,000 times are answered, logged with their number, and do not fill the disk', async () => {
    const at = await scene();
    const consent = messageBytes(consentOf(at, 'bernd'));
    for (let i = 0; i < 10_000; i++)
      good(await at.clara.node.bus.request(capabilities.join, addressOf(at.ada.node.self), consent));
    expect(await lastRefusal(at.ada)).toMatchObject({ code: 'already_joined', count: 8192 });
    expect(stateOf(at.ada, at.id).members.size).toBe(1);
    expect(good(await at.ada.host.readBytes('node/events.jsonl')).length).toBeLessThan(100_000);
  });
});

describe('a participant', () => {
  it('needs consent, the base model and resources, in this order', async () => {
    const at = await scene();
    const dora = await startNode(at.world, 'dora', {
      config: enabled({ trainingVramBudgetMb: 0.5 }),
    });
    good(await dora.node.replica.discover());
    expect(codeOf(await dora.participant.join(at.id, false))).toBe('consent_required');
    expect(codeOf(await dora.participant.join(at.id, true))).toBe('insufficient_resources');
    await dora.crash();
    const other = await startNode(at.world, 'dora', {
      parts: { model: { sha: '0'.repeat(64), hiddenSize: 1, layers: 1, residentBytes: 0 } },
    });
    good(await other.node.replica.discover());
    expect(codeOf(await other.participant.join(at.id, false))).toBe('consent_required');
    expect(codeOf(await other.participant.join(at.id, true))).toBe('base_model_mismatch');
    expect(good(await other.participant.considerRound(manifestOf(at)))).toMatchObject({
      obstacle: 'base_model_mismatch',
    });
    expect(stateOf(at.ada, at.id).members.size).toBe(1);
  });

  it('answers experimental_disabled to everything, queries included, while the switch is off', async () => {
    const at = await scene();
    const dora = await startNode(at.world, 'dora', { config: enabled({ enabled: false }) });
    const { participant, coordinator, adapters } = dora;
    const answers = [
      await participant.listRounds(null),
      await participant.roundStatus(at.id),
      await participant.considerRound(manifestOf(at)),
      await participant.join(at.id, true),
      await participant.train(at.id),
      await participant.submit(at.id),
      await participant.revoke(at.id),
      await participant.finalize(at.id),
      await participant.finalizeTakeover(at.id),
      await coordinator.announceRound(draftOf()),
      await coordinator.collectSubmissions(at.id),
      await coordinator.finalizeAndPublish(at.id),
      await adapters.fetch('0'.repeat(64)),
      await adapters.apply('0'.repeat(64), 'session'),
      await adapters.discard('0'.repeat(64)),
      (await coordinator.join({})).result,
      (await coordinator.submit({})).result,
    ];
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['experimental_disabled']));
    expect(codeOf(await ask(at.bernd.node.bus, capabilities.list, dora.node.self, { topic: null }))).toBe(
      'fedlearn_aggregator_unreachable',
    );
  });
});

describe('submissions', () => {
  it('with a wrong signature, hash, size or weight are refused', async () => {
    const at = await scene();
    const sent = await submissionOf(at);
    const { submission } = sent;
    await refused(
      at,
      capabilities.submit,
      { ...sent, submission: { ...(submission as JsonObject), num_samples: 11 } },
      'signature_invalid',
    );
    await refused(at, capabilities.submit, { submission: sent['submission'] ?? null }, 'message_invalid');
    await refused(at, capabilities.submit, await submissionOf(at, { deltaSha: '0'.repeat(64) }), 'delta_invalid');
    await refused(at, capabilities.submit, await submissionOf(at, { deltaSize: 31 }), 'submission_invalid');
    await refused(at, capabilities.submit, await submissionOf(at, { numSamples: 0 }), 'submission_invalid');
    await refused(at, capabilities.submit, await submissionOf(at, { numSamples: 1001 }), 'submission_invalid');
    await refused(
      at,
      capabilities.submit,
      await submissionOf(at, { manifestSha: '0'.repeat(64) }),
      'submission_invalid',
    );
    await refused(at, capabilities.submit, await submissionOf(at, {}, deltaOf(1, Number.NaN, 3, 4)), 'delta_invalid');
    await refused(at, capabilities.submit, await submissionOf(at, {}, deltaOf(1, 2, 3)), 'delta_invalid');
  });

  it('of 64 MiB and one byte are refused, whatever size they state', async () => {
    const at = await scene();
    const large = new Uint8Array(64 * 1024 * 1024 + 1);
    await refused(at, capabilities.submit, await submissionOf(at, {}, large), 'submission_too_large');
    await refused(at, capabilities.submit, await submissionOf(at, { deltaSize: 32 }, large), 'submission_too_large');
  });

  it('of a non-participant, with the token of another or of another round, are refused', async () => {
    const at = await scene();
    await refused(at, capabilities.submit, await submissionOf(at, { participant: idOf('clara') }), 'not_participant');
    const sent = await submissionOf(at);
    const token = present(stateOf(at.ada, at.id).members.get(idOf('bernd')), 'bernd has joined').token;
    const forged = tokenForm.encode(sign({ ...tokenForm, signer: 'participant' }, token, signerOf('bernd')));
    await refused(at, capabilities.submit, { ...sent, token: forged }, 'token_invalid');
    const next = good(await at.ada.coordinator.announceRound(draftOf()));
    good(await at.bernd.node.replica.discover());
    const other = good(await at.bernd.participant.join(next, true));
    await refused(at, capabilities.submit, { ...sent, token: tokenForm.encode(other) }, 'token_invalid');
  });

  it('again are submission_duplicate with the first receipt, and another one too', async () => {
    const at = await scene();
    const sent = await submissionOf(at);
    const first = good(await ask(at.bernd.node.bus, capabilities.submit, at.ada.node.self, sent));
    const again = await ask(at.bernd.node.bus, capabilities.submit, at.ada.node.self, sent);
    expect(again).toMatchObject({ ok: false, error: { code: 'submission_duplicate', value: first } });
    await refused(at, capabilities.submit, await submissionOf(at, {}, deltaOf(9, 9, 9, 9)), 'submission_duplicate');
  });

  it('after the deadline are round_closed by the clock of the coordinator, whatever time they state', async () => {
    const at = await scene();
    at.world.clock.now += 10 * minute;
    await refused(at, capabilities.submit, await submissionOf(at), 'round_closed');
  });

  it('after a revocation are consent_revoked, and joining again is too', async () => {
    const at = await scene();
    good(await at.bernd.participant.train(at.id));
    good(await at.bernd.participant.submit(at.id));
    good(await at.bernd.participant.revoke(at.id));
    good(await at.ada.node.replica.sync(at.id));
    expect(good(await at.ada.coordinator.collectSubmissions(at.id))).toEqual([]);
    await refused(at, capabilities.submit, await submissionOf(at), 'consent_revoked');
    await refused(at, capabilities.join, consentOf(at, 'bernd'), 'consent_revoked');
  });
});

describe('commands of the operator', () => {
  it('count only with the key of the node itself, only for their capability, and only once', async () => {
    const at = await scene();
    const self = at.ada.node.self;
    const signed = (signer: string, changes: Partial<OperatorCommand> = {}): JsonObject =>
      commandForm.encode(
        sign(
          commandForm,
          {
            node: idOf(signer),
            capability: capabilities.finalize,
            request: { round_id: at.id },
            nonce: 'ab'.repeat(32),
            issuedAt: start,
            ...changes,
          },
          signerOf(signer),
        ),
      );
    // Whoever is not the operator gets no signed answer.
    await refused(at, capabilities.finalize, signed('bernd'), 'signature_invalid');
    const answered = async (capability: string, message: JsonObject): Promise<string> => {
      const answer = good(await ask(at.clara.node.bus, capability, self, message));
      const { reply, nonce } = good(await openSigned(answerForm, answer, (by) => by === self));
      expect(nonce).toBe(message['nonce']);
      return codeOf(resultOf(reply));
    };
    expect(await answered(capabilities.apply, signed('ada'))).toBe('message_invalid');
    expect(await answered(capabilities.finalize, signed('ada', { issuedAt: start - 6 * minute }))).toBe(
      'command_replayed',
    );
    expect(await answered(capabilities.finalize, signed('ada'))).toBe('round_open');
    for (const capability of [capabilities.finalize, capabilities.command])
      expect(await answered(capability, signed('ada'))).toBe('command_replayed');
    const other = { nonce: 'cd'.repeat(32), capability: 'experimental.fedlearn.round.steal' };
    expect(await answered(capabilities.command, signed('ada', other))).toBe('message_invalid');
  });
});

describe('adapters', () => {
  it('that are unknown or path-like are adapter_not_found, and submitted deltas are not given away', async () => {
    const at = await scene();
    for (const sha of ['0'.repeat(64), '../events.jsonl', '', 'A'.repeat(64)])
      expect(codeOf(await at.bernd.adapters.fetch(sha))).toBe('adapter_not_found');
    good(await at.bernd.participant.train(at.id));
    const { submission } = {
      submission: present(stateOf(at.bernd, at.id).members.get(at.bernd.node.self), 'joined').trained,
    };
    await refused(at, capabilities.fetch, { sha: submission?.deltaSha ?? '' }, 'adapter_not_found');
  });
});

describe('what is published on a topic', () => {
  const publish = async (at: Scene, event: Parameters<typeof eventCodec.encode>[0]): Promise<void> => {
    good(await at.clara.node.bus.publish(roundTopic(at.id), messageBytes(eventCodec.encode(event)), null));
    const before = stateOf(at.bernd, at.id);
    good(await at.bernd.node.replica.sync(at.id));
    expect(stateOf(at.bernd, at.id)).toBe(before);
  };

  it('counts only with the signatures of those who are entitled to it', async () => {
    const at = await scene();
    const { manifest, manifestSha } = stateOf(at.ada, at.id);
    const ends = { roundId: at.id, manifestSha, aggregator: idOf('clara'), takeover: true };
    const closing = sign(closingForm, { ...ends, submissions: [], closedAt: start }, signerOf('clara'));
    // Clara has not joined; and the deadline has not passed.
    await publish(at, { type: 'fedlearn.round.aggregating', closing });
    const result = sign(
      resultForm,
      {
        ...ends,
        aggregatedDeltaSha: '0'.repeat(64),
        serverStateSha: null,
        nParticipants: 0,
        totalSamples: 0,
        epsilon: null,
        completedAt: start,
        downloadUrl: `bus:${'0'.repeat(64)}`,
      },
      signerOf('clara'),
    );
    await publish(at, { type: 'fedlearn.round.completed', result });
    await publish(at, {
      type: 'fedlearn.round.completed',
      result: { ...result, aggregator: idOf('ada'), takeover: false },
    });
    const conflicting = sign(manifestForm, { ...manifest, loraRank: 16 }, signerOf('ada'));
    await publish(at, { type: 'fedlearn.round.announced', manifest: conflicting });
    await publish(at, { type: 'fedlearn.adapter.discarded', sha: '0'.repeat(64) });
    const consent = sign(
      consentForm,
      { roundId: at.id, manifestSha, participant: idOf('clara'), baseModelSha: baseSha, grantedAt: start },
      signerOf('clara'),
    );
    const token = present(stateOf(at.ada, at.id).members.get(idOf('bernd')), 'joined').token;
    await publish(at, { type: 'fedlearn.round.joined', consent, token });
    await publish(at, { type: 'fedlearn.round.joined', consent, token: { ...token, participant: idOf('clara') } });
    const own = sign(
      { ...tokenForm, signer: 'participant' },
      { ...token, participant: idOf('clara') },
      signerOf('clara'),
    );
    await publish(at, { type: 'fedlearn.round.joined', consent, token: own });
  });

  it('is refused where a takeover publishes another aggregate than the submissions give, before it is applied', async () => {
    const at = await scene();
    const dora = await startNode(at.world, 'dora');
    good(await dora.node.replica.discover());
    for (const { participant } of [at.bernd, at.clara, dora]) {
      if (participant !== at.bernd.participant) good(await participant.join(at.id, true));
      good(await participant.train(at.id));
      good(await participant.submit(at.id));
    }
    await at.ada.crash();
    at.world.clock.now += 11 * minute;
    const hostile = await startNode(at.world, 'clara', {
      host: at.clara.host,
      rules: {
        ...vectorRules,
        aggregate: async () => ({ ok: true, value: { bytes: deltaOf(6, 6, 6, 6), epsilon: null } }),
      },
    });
    const result = good(await hostile.participant.finalizeTakeover(at.id));
    good(await at.bernd.node.replica.sync(at.id));
    expect(codeOf(await at.bernd.adapters.apply(result.aggregatedDeltaSha, 'session'))).toBe('adapter_unverified');
    expect(at.bernd.applied.size).toBe(0);
    expect(statementSha(resultForm, result)).toHaveLength(64);
  });
});
