/** Hostile coordinators, participants and networks in rounds with secure aggregation: each gets a code, is logged, and changes nothing. */
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { present } from '../../../src/base/invariant.ts';
import { ok } from '../../../src/base/result.ts';
import type { Bus } from '../../../src/federated/bus/bus.ts';
import type { SharedEvent } from '../../../src/federated/events.ts';
import { eventCodec } from '../../../src/federated/events.ts';
import { roundTopic } from '../../../src/federated/node/topics.ts';
import { fixedPointOf } from '../../../src/federated/secure-plan.ts';
import { toFixedPoint } from '../../../src/federated/secure/fixed-point.ts';
import { nodeCiphers } from '../../../src/federated/secure/ciphers.ts';
import { channelKey, clientSecrets, commitmentTo, keyBytes } from '../../../src/federated/secure/derive.ts';
import { envelopesFor } from '../../../src/federated/secure/server.ts';
import {
  signStatement,
  type MessageOf,
  type SecureMessage,
  type ShareEnvelope,
  type UnmaskShares,
} from '../../../src/federated/secure/statement.ts';
import {
  closingForm,
  openingForm,
  stepEndForm,
  submissionForm,
  tokenForm,
  type Closing,
  type SecureOpening,
} from '../../../src/federated/statements.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { submissionsOf, type RoundState } from '../../../src/federated/round/state.ts';
import { messageBytes } from '../../../src/federated/wire/message.ts';
import { sign, statementSha } from '../../../src/federated/wire/signed.ts';
import { codeOf, deltaOf, good, idOf, minute, signerOf, type TestNode } from '../nodes.ts';
import {
  names,
  nodeIn,
  numbersOf,
  openedRound,
  samplesOf,
  startSecure,
  stateIn,
  stepAll,
  submitAll,
  type Name,
  type SecureScene,
} from '../secure-nodes.ts';

const four = names.slice(0, 4);
const five = names.slice(0, 5);

const inStage = <S extends string>(state: RoundState, stage: S) => {
  const server = present(state.secure, 'the round is open').server;
  expect(server.stage).toBe(stage);
  return server as Extract<typeof server, { stage: S }>; // as was checked
};

/** A message with some members changed, signed again by `by`. */
function signedAgain<T extends SecureMessage>(by: string, message: T, change: Partial<T>): T {
  const { signature: _, ...body } = { ...message, ...change };
  return signStatement<T>(body, signerOf(by));
}

/** Publishes an event as anybody can, and says what another node makes of it. */
async function published(scene: SecureScene, event: SharedEvent, reader: Name = 'bernd'): Promise<string> {
  const bus = scene.world.connect();
  const { node } = nodeIn(scene, reader);
  good(await node.replica.sync(scene.id));
  const before = node.replica.rounds.get(scene.id);
  good(await bus.publish(roundTopic(scene.id), messageBytes(eventCodec.encode(event)), null));
  good(await node.replica.sync(scene.id));
  const after = node.replica.rounds.get(scene.id);
  if (after !== before) return 'accepted';
  const log = new TextDecoder().decode(good(await nodeIn(scene, reader).host.readBytes('node/events.jsonl')));
  const last = JSON.parse(present(log.trimEnd().split('\n').at(-1), 'a line')) as {
    event: { type: string; code?: string };
  };
  return last.event.code ?? last.event.type;
}

const saidBy = (scene: SecureScene, ...messages: readonly SecureMessage[]): SharedEvent => ({
  type: 'fedlearn.secure.said',
  roundId: scene.id,
  messages,
});

/** The last thing that a participant has said of a type, as the log has it. */
function messagesOf<K extends SecureMessage['type']>(scene: SecureScene, name: Name, type: K): readonly MessageOf<K>[] {
  const isOne = (message: SecureMessage): boolean => message.type === type && message.participant === idOf(name);
  const events = nodeIn(scene, 'bernd').node.journal.shared(scene.id);
  const said = events.flatMap((event) => (event.type === 'fedlearn.secure.said' ? event.messages.filter(isOne) : []));
  return said as unknown as readonly MessageOf<K>[]; // as was filtered
}

describe('everything that the coordinator can receive', () => {
  /** All that passes over the bus and into its folder. */
  function spying(bus: Bus, seen: Uint8Array[]): Bus {
    return {
      ...bus,
      serve: (capability, address, handler) =>
        bus.serve(capability, address, (message) => {
          seen.push(message);
          return handler(message);
        }),
      read: async (topic, after) => {
        const read = await bus.read(topic, after);
        if (read.ok) seen.push(...read.value.map(({ bytes }) => bytes));
        return read;
      },
      getBlob: async (sha, most) => {
        const blob = await bus.getBlob(sha, most);
        if (blob.ok) seen.push(blob.value);
        return blob;
      },
    };
  }

  it.each([
    ['double_mask', 'clara'],
    ['additive_pairwise', null],
  ] as const)('has no unmasked delta in it (%s)', async (secure, gone) => {
    const seen: Uint8Array[] = [];
    const scene = await openedRound(5, { secure });
    await nodeIn(scene, 'ada').crash();
    const { host } = nodeIn(scene, 'ada');
    scene.nodes.set('ada', await startSecure(scene.world, 'ada', { host, bus: spying(scene.world.connect(), seen) }));
    await stepAll(scene);
    // The node that leaves has masked its delta and put it on the bus.
    for (const name of five) {
      const { participant } = nodeIn(scene, name);
      const { deltaSha, deltaSize } = good(await participant.train(scene.id));
      const bytes = present(await nodeIn(scene, name).node.blobs.get(deltaSha, deltaSize), 'it was kept');
      good(await scene.world.connect().putBlob(bytes));
      if (name !== gone) good(await participant.submit(scene.id));
      else seen.push(bytes);
    }
    scene.world.clock.now += 11 * minute;
    await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id);
    await stepAll(
      scene,
      five.filter((name) => name !== gone),
    );
    good(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id));
    const everything = seen.map(bytesToHex).join('\n');
    const text = seen.map((bytes) => new TextDecoder().decode(bytes)).join('\n');
    expect(seen.length).toBeGreaterThan(20);
    const { manifest } = stateIn(scene, 'ada');
    // Hers is in her own memory.
    for (const name of five.slice(1)) {
      const floats = Float32Array.from(numbersOf(name));
      const whole = good(toFixedPoint(floats, samplesOf(name), fixedPointOf(manifest)));
      const doubles = Float64Array.from(numbersOf(name));
      for (const plain of [floats, whole, doubles]) {
        const bytes = new Uint8Array(plain.buffer);
        expect(everything, name).not.toContain(bytesToHex(bytes.subarray(0, 8)));
        expect(text, name).not.toContain(bytesToHex(bytes.subarray(0, 8)));
      }
      // Nor does its own folder, which a third party may get but for secure/, keep the delta.
      const kept = good(await nodeIn(scene, name).host.list('node/blobs'));
      for (const { name: file } of kept) {
        const blob = good(await nodeIn(scene, name).host.readBytes(`node/blobs/${file}`));
        expect(bytesToHex(blob)).not.toContain(bytesToHex(new Uint8Array(doubles.buffer)));
      }
    }
    // The control: the search finds what was sent.
    const masked = submissionsOf(stateIn(scene, 'ada'))[0];
    expect(text).toContain(masked?.deltaSha);
  });
});

describe('a hostile coordinator', () => {
  const openingOf = (scene: SecureScene, change: Partial<SecureOpening>): SharedEvent => {
    const { opening } = present(stateIn(scene, 'ada').secure, 'it was opened');
    return { type: 'fedlearn.secure.opened', opening: sign(openingForm, { ...opening, ...change }, signerOf('ada')) };
  };

  it('cannot open a round twice, with other participants, or under another name', async () => {
    const scene = await openedRound(4);
    const fewer = four.slice(0, 3).map(idOf).sort();
    expect(await published(scene, openingOf(scene, { participants: fewer }))).toBe('secure_already_answered');
    const mine = sign(
      openingForm,
      { ...present(stateIn(scene, 'ada').secure, 'open').opening, coordinator: idOf('clara') },
      signerOf('clara'),
    );
    expect(await published(scene, { type: 'fedlearn.secure.opened', opening: mine })).toBe('not_coordinator');
    expect(codeOf(await nodeIn(scene, 'bernd').coordinator.openSecure(scene.id))).toBe('not_coordinator');
    expect(codeOf(await nodeIn(scene, 'bernd').coordinator.endSecureStep(scene.id, 'keys'))).toBe('not_coordinator');
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.endSecureStep(scene.id, 'keys'))).toBe('secure_too_few');
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.endSecureStep(scene.id, 'shares'))).toBe('secure_step_closed');
    good(await nodeIn(scene, 'ada').coordinator.openSecure(scene.id));
    const late = await startSecure(scene.world, 'fritz');
    good(await late.node.replica.discover());
    expect(codeOf(await late.participant.join(scene.id, true))).toBe('round_closed');
  });

  it('gets no keys for an adapter of another size', async () => {
    const scene = await openedRound(4);
    const { opening } = present(stateIn(scene, 'ada').secure, 'open');
    const forged = sign(openingForm, { ...opening, length: 4096 }, signerOf('ada'));
    // In a world of its own, where this is the first opening.
    const events = nodeIn(scene, 'ada').node.journal.shared(scene.id);
    const topic = events.filter(({ type }) => type !== 'fedlearn.secure.opened');
    const bus = busOf([...topic, { type: 'fedlearn.secure.opened', opening: forged }] as readonly SharedEvent[]);
    const bernd = await startSecure(scene.world, 'bernd', { bus });
    expect(codeOf(await bernd.participant.secureStep(scene.id))).toBe('secure_round_invalid');
  });

  /** A bus on which a topic has these events and nothing else ever happens. */
  function busOf(events: readonly SharedEvent[]): Bus & { readonly sent: Uint8Array[] } {
    const sent: Uint8Array[] = [];
    const at = Date.parse('2026-06-01T12:00:00.000Z');
    const messages = events.map((event, i) => ({ seq: i + 1, at, bytes: messageBytes(eventCodec.encode(event)) }));
    const stop = async (): Promise<void> => undefined;
    return {
      sent,
      serve: async () => ok(stop),
      request: async () => ({ ok: false, error: 'unreachable' }),
      publish: async (_, message) => {
        sent.push(message);
        messages.push({ seq: messages.length + 1, at, bytes: message });
        return ok(messages.length);
      },
      read: async (topic, after) => ok(topic.startsWith('fedlearn.round.') ? messages.slice(after) : []),
      watch: async () => ok(stop),
      putBlob: async () => ok('0'.repeat(64)),
      getBlob: async () => ({ ok: false, error: 'missing' }),
      close: stop,
    };
  }

  const closingOver = (state: RoundState, left: readonly Name[]): SharedEvent => {
    const counted = submissionsOf(state).filter(({ participant }) => left.some((name) => idOf(name) === participant));
    const draft: Omit<Closing, 'signature'> = {
      roundId: state.manifest.roundId,
      manifestSha: state.manifestSha,
      aggregator: idOf('ada'),
      takeover: false,
      submissions: counted.map((one) => statementSha(submissionForm, one)),
      closedAt: Date.parse('2026-06-01T12:01:00.000Z'),
    };
    return { type: 'fedlearn.round.aggregating', closing: sign(closingForm, draft, signerOf('ada')) };
  };

  it('cannot close over other survivors than have submitted', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    await submitAll(scene, five);
    const state = stateIn(scene, 'emil');
    expect(await published(scene, closingOver(state, ['ada', 'bernd', 'clara', 'dora']))).toBe('submission_invalid');
  });

  it('gets nothing by calling a node dead to some and alive to others, even if it restarts', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    // Two histories that differ in whether dora has submitted, each consistent with all signatures.
    await submitAll(scene, ['ada', 'bernd', 'clara', 'emil']);
    const without = nodeIn(scene, 'emil').node.journal.shared(scene.id);
    const stateWithout = stateIn(scene, 'emil');
    await submitAll(scene, ['dora']);
    const withDora = nodeIn(scene, 'dora').node.journal.shared(scene.id);
    const stateWith = stateIn(scene, 'dora');
    const alive = [...withDora, closingOver(stateWith, five)] as readonly SharedEvent[];
    const dead = [...without, closingOver(stateWithout, ['ada', 'bernd', 'clara', 'emil'])] as readonly SharedEvent[];

    const shown: Readonly<Record<string, readonly SharedEvent[]>> = {
      bernd: alive,
      dora: alive,
      clara: dead,
      emil: dead,
    };
    const attested: Record<string, number> = { alive: 0, dead: 0 };
    for (const [name, history] of Object.entries(shown)) {
      const { host, crash } = nodeIn(scene, name as Name);
      await crash();
      // The log forgets, as in a restored backup; what it has signed, the client remembers.
      const withoutLog = async (): Promise<void> => void good(await host.writeFileAtomic('node/events.jsonl', ''));
      await withoutLog();
      const first = busOf(history);
      const node = await startSecure(scene.world, name, { host, bus: first });
      expect(good(await node.participant.secureStep(scene.id))).toBe('survivors');
      attested[history === alive ? 'alive' : 'dead'] = (attested[history === alive ? 'alive' : 'dead'] ?? 0) + 1;
      await node.crash();
      await withoutLog();
      const second = busOf(history === alive ? dead : alive);
      const again = await startSecure(scene.world, name, { host, bus: second });
      // In one of the histories, dora is not asked.
      const answer = codeOf(await again.participant.secureStep(scene.id));
      expect(answer).toBe(name === 'dora' ? 'ok' : 'secure_already_answered');
      expect(second.sent).toHaveLength(0);
      // Nor does it reveal anything: too few have signed either set.
      expect(first.sent.map((bytes) => new TextDecoder().decode(bytes)).join()).not.toContain('"type":"unmask"');
    }
    expect(attested).toEqual({ alive: 2, dead: 2 });
  });

  it('cannot unmask with attestations of others that it has made up', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    await submitAll(scene, four);
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    good(await nodeIn(scene, 'bernd').participant.secureStep(scene.id));
    const [own] = messagesOf(scene, 'bernd', 'survivors');
    const forged = { ...present(own, 'signed'), participant: idOf('clara') };
    expect(await published(scene, saidBy(scene, forged))).toBe('security.signature.invalid');
    const mine = signedAgain('ada', present(own, 'signed'), {
      participant: idOf('ada'),
      survivors: four.slice(0, 3).map(idOf).sort(),
    });
    expect(await published(scene, saidBy(scene, mine))).toBe('secure_sets_differ');
    expect(stateIn(scene, 'bernd').secure?.server.stage).toBe('survivors');
  });

  it('completes nothing before survivors have revealed, and revealed shares of a node both alive and dead do not count', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    await submitAll(scene, four);
    await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id);
    // The third signature is enough, so that clara has revealed her shares too.
    for (const name of four.slice(0, 3)) good(await nodeIn(scene, name).participant.secureStep(scene.id));
    good(await nodeIn(scene, 'bernd').node.replica.sync(scene.id));
    const [own] = messagesOf(scene, 'clara', 'unmask');
    const reveal: UnmaskShares = present(own, 'revealed');
    const both = reveal.shares.map((share, i) => (i === 0 ? { ...share, secret: 'mask-key' as const } : share));
    const wrong = reveal.shares.map((share, i) => (i === 0 ? { ...share, share: '00'.repeat(32) } : share));
    const fewer = reveal.shares.slice(1);
    for (const shares of [both, wrong, fewer]) {
      const message = signedAgain('dora', reveal, { participant: idOf('dora'), shares });
      expect(await published(scene, saidBy(scene, message))).toBe('secure_share_invalid');
    }
    const done = await nodeIn(scene, 'ada').node.replica.execute(scene.id, {
      kind: 'complete',
      sha: '0'.repeat(64),
      serverStateSha: null,
      epsilon: null,
    });
    expect(codeOf(done)).toBe('secure_too_few');
  });
});

type Change = (
  envelopes: readonly ShareEnvelope[],
  dealer: TestNode,
  id: RoundId,
) => readonly ShareEnvelope[] | Promise<readonly ShareEnvelope[]>;

describe('a hostile participant', () => {
  const told = async (scene: SecureScene, ...messages: readonly SecureMessage[]): Promise<string> =>
    published(scene, saidBy(scene, ...messages));

  it('says each step once, in its own name, in its turn', async () => {
    const scene = await openedRound(4);
    for (const name of four.slice(0, 3)) good(await nodeIn(scene, name).participant.secureStep(scene.id));
    const [keys] = messagesOf(scene, 'bernd', 'keys');
    const own = present(keys, 'said');
    const other = { selfMaskSha: '00'.repeat(32) };
    expect(await told(scene, signedAgain('bernd', own, other))).toBe('secure_already_answered');
    expect(await told(scene, signedAgain('dora', own, { participant: idOf('dora') }))).toBe('secure_key_invalid');
    const weak = { participant: idOf('dora'), maskKey: '00'.repeat(32) };
    expect(await told(scene, signedAgain('dora', own, weak))).toBe('secure_key_invalid');
    expect(await told(scene, signedAgain('dora', own, { participant: idOf('clara') }))).toBe(
      'security.signature.invalid',
    );
    expect(await told(scene, signedAgain('fritz', own, { participant: idOf('fritz') }))).toBe('not_participant');
    const replayed = { participant: idOf('dora'), context: '00'.repeat(32) };
    expect(await told(scene, signedAgain('dora', own, replayed))).toBe('secure_message_invalid');
    expect(await told(scene)).toBe('security.signature.invalid');
    expect(await told(scene, own, own)).toBe('secure_already_answered');
    good(await nodeIn(scene, 'dora').participant.secureStep(scene.id));
    expect(await told(scene, signedAgain('bernd', own, other))).toBe('secure_step_closed');
    scene.world.clock.now += 11 * minute;
    expect(codeOf(await nodeIn(scene, 'bernd').participant.secureStep(scene.id))).toBe('round_closed');
  });

  /** Everybody has sent keys, and all but dora shares; then dora sends what `change` makes of hers. */
  async function dealt(change: Change) {
    const scene = await openedRound(4);
    const dora = nodeIn(scene, 'dora');
    const { execute } = dora.node.replica;
    const answers: string[] = [];
    Object.assign(dora.node.replica, {
      execute: async (...[id, command]: Parameters<typeof execute>) => {
        if (command.kind !== 'say' || command.messages[0]?.type !== 'shares') return execute(id, command);
        const said = await execute(id, {
          ...command,
          messages: await change(command.messages as readonly ShareEnvelope[], dora, scene.id),
        });
        answers.push(codeOf(said));
        return said;
      },
    });
    for (let turn = 0; turn < 3; turn++)
      for (const name of four) await nodeIn(scene, name).participant.secureStep(scene.id);
    return { scene, answers };
  }

  it('deals shares to all others at once, or none', async () => {
    const { scene, answers } = await dealt((envelopes) => envelopes.slice(1));
    expect(new Set(answers)).toEqual(new Set(['secure_message_invalid']));
    expect(inStage(stateIn(scene, 'bernd'), 'shares').envelopes.size).toBe(3);
    // Without it, three of four are left, which is the threshold.
    good(await nodeIn(scene, 'ada').coordinator.endSecureStep(scene.id, 'shares'));
    expect(inStage(stateIn(scene, 'ada'), 'masked').sharers).toHaveLength(3);
  });

  it.each([
    ['do not decrypt', { sealed: '00'.repeat(80) }],
    ['do not match their commitment', { maskKeyShareSha: '00'.repeat(32) }],
  ])('is named by whoever gets its shares, which %s, and masks nothing', async (_, change) => {
    const { scene, answers } = await dealt((envelopes) =>
      envelopes.map((one) => (one.recipient === idOf('bernd') ? signedAgain('dora', one, change) : one)),
    );
    expect(answers).toEqual(['ok']);
    const refused = await nodeIn(scene, 'bernd').participant.train(scene.id);
    expect(refused).toMatchObject({
      error: { code: 'secure_share_invalid', detail: expect.stringContaining(idOf('dora')) },
    });
    expect(envelopesFor(inStage(stateIn(scene, 'bernd'), 'masked'), idOf('bernd'))).toHaveLength(3);
    expect(inStage(stateIn(scene, 'bernd'), 'masked').inputs.size).toBe(0);
    // Three of four go on without it.
    const left = ['ada', 'clara', 'dora'];
    await submitAll(scene, left);
    scene.world.clock.now += 11 * minute;
    await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id);
    await stepAll(scene, left);
    expect(good(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id)).nParticipants).toBe(3);
  });

  it('ends the round with a code when its shares do not give the secret that it has committed to', async () => {
    const ciphers = nodeCiphers();
    const { scene } = await dealt(async (envelopes, { host, node }, id) => {
      const server = inStage(present(node.replica.rounds.get(id), 'known'), 'shares');
      const [file] = good(await host.list('node/secure'));
      const { root } = JSON.parse(good(await host.readText(`node/secure/${file?.name}`))) as { root: string };
      const secret = clientSecrets(ciphers, server.round, keyBytes(root)).channel;
      return envelopes.map((one) => {
        const other = present(
          server.keyList.find(({ participant }) => participant === one.recipient),
          'listed',
        ).channelKey;
        const channel = { keyListSha: one.keyListSha, dealer: one.participant, recipient: one.recipient };
        const key = present(channelKey(ciphers, server.round, { secret, other }, channel), 'sound');
        const [maskKey, selfMask] = [ciphers.randomSecret(), ciphers.randomSecret()];
        return signedAgain('dora', one, {
          sealed: bytesToHex(ciphers.seal(key, Uint8Array.of(...maskKey, ...selfMask))),
          maskKeyShareSha: commitmentTo(server.round, 'share of the mask key', one.participant, maskKey),
          selfMaskShareSha: commitmentTo(server.round, 'share of the self mask', one.participant, selfMask),
        });
      });
    });
    await submitAll(scene, four);
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await stepAll(scene);
    expect(await coordinator.finalizeAndPublish(scene.id)).toMatchObject({
      error: { code: 'secure_sum_failed', detail: expect.stringContaining(idOf('dora')) },
    });
    expect(stateIn(scene, 'ada').abort?.code).toBe('secure_sum_failed');
  });

  it('submits what it has stated, and states it once', async () => {
    const scene = await openedRound(4);
    expect(codeOf(await nodeIn(scene, 'bernd').participant.train(scene.id))).toBe('secure_step_closed');
    await stepAll(scene);
    const bernd = nodeIn(scene, 'bernd');
    const submission = good(await bernd.participant.train(scene.id));
    const again = good(await bernd.participant.train(scene.id));
    expect(again.deltaSha).toBe(submission.deltaSha);
    const submit = async (node: TestNode, change: object): Promise<string> => {
      const state = present(node.node.replica.rounds.get(scene.id), 'known');
      const token = present(state.members.get(node.node.self), 'joined').token;
      const { signature: _, ...draft } = { ...submission, ...change };
      const signed = sign(submissionForm, draft, node.node.signer);
      return codeOf(
        (
          await nodeIn(scene, 'ada').coordinator.submit({
            submission: submissionForm.encode(signed),
            token: tokenForm.encode(token),
          })
        ).result,
      );
    };
    good(await scene.world.connect().putBlob(present(await bernd.node.blobs.get(submission.deltaSha, 16), 'kept')));
    expect(await submit(bernd, { numSamples: 9 })).toBe('submission_invalid');
    expect(await submit(bernd, { deltaSize: 15 })).toBe('submission_invalid');
    expect(await submit(bernd, { deltaSha: '0'.repeat(64) })).toBe('submission_invalid');
    // The masked delta of another.
    expect(await submit(nodeIn(scene, 'clara'), { participant: idOf('clara') })).toBe('submission_invalid');
    expect(await submit(bernd, {})).toBe('ok');
    // Other data, and another delta: the difference of two masked deltas would be that of two deltas.
    await bernd.crash();
    const other = await startSecure(scene.world, 'bernd', {
      host: bernd.host,
      parts: {
        train: async () => ok({ bytes: deltaOf(0, 0, 0, 1), numSamples: 6, trainLoss: 1 }),
      },
    });
    expect(codeOf(await other.participant.train(scene.id))).toBe('secure_already_answered');
  });

  it('does not send a delta that is not masked, though it has signed a submission of it', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    const { node, participant } = nodeIn(scene, 'bernd');
    const masked = good(await participant.train(scene.id));
    const plain = good(await node.blobs.put(deltaOf(...numbersOf('bernd'))));
    const { signature: _, ...draft } = { ...masked, deltaSha: plain, deltaSize: 32 };
    const submission = sign(submissionForm, draft, node.signer);
    good(await node.replica.record({ type: 'fedlearn.round.trained', submission }));
    expect(codeOf(await participant.submit(scene.id))).toBe('submission_invalid');
    expect(await scene.world.connect().getBlob(plain, 1000)).toMatchObject({ ok: false, error: 'missing' });
  });

  it('that has revoked says nothing any more', async () => {
    const scene = await openedRound(4);
    good(await nodeIn(scene, 'dora').participant.revoke(scene.id));
    const [keys] = await (async () => {
      good(await nodeIn(scene, 'bernd').participant.secureStep(scene.id));
      return messagesOf(scene, 'bernd', 'keys');
    })();
    const own = signedAgain('dora', present(keys, 'said'), { participant: idOf('dora') });
    expect(await told(scene, own)).toBe('consent_revoked');
    expect(good(await nodeIn(scene, 'dora').participant.secureStep(scene.id))).toBe('keys');
    expect(messagesOf(scene, 'dora', 'keys')).toHaveLength(0);
  });

  it('cannot end steps, and cannot abort a round that goes well', async () => {
    const scene = await openedRound(4);
    const state = stateIn(scene, 'bernd');
    const end = sign(
      stepEndForm,
      {
        roundId: scene.id,
        manifestSha: state.manifestSha,
        coordinator: idOf('bernd'),
        ends: 'keys',
        endedAt: scene.world.clock.now,
      },
      signerOf('bernd'),
    );
    expect(await published(scene, { type: 'fedlearn.secure.ended', end })).toBe('not_coordinator');
    await stepAll(scene);
    await submitAll(scene, four);
    await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id);
    await stepAll(scene);
    scene.world.clock.now += 60 * minute;
    const { replica } = nodeIn(scene, 'bernd').node;
    expect(codeOf(await replica.execute(scene.id, { kind: 'abort', code: 'secure_too_few' }))).toBe('not_coordinator');
    expect(codeOf(await replica.execute(scene.id, { kind: 'abort', code: 'delta_invalid' }))).toBe('not_coordinator');
    expect(good(await nodeIn(scene, 'bernd').participant.finalizeTakeover(scene.id)).nParticipants).toBe(4);
  });
});
