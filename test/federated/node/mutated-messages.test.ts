/** Genuine messages with one field or byte changed: each is refused with a code and changes nothing, and the genuine one still counts. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/canonical-json.ts';
import { present } from '../../../src/base/invariant.ts';
import { fedCodes } from '../../../src/federated/fed-code.ts';
import { manifestForm } from '../../../src/federated/manifest.ts';
import { addressOf } from '../../../src/federated/node-id.ts';
import { capabilities } from '../../../src/federated/node/capabilities.ts';
import { directoryTopic, roundTopic } from '../../../src/federated/node/topics.ts';
import {
  commandForm,
  consentForm,
  revocationForm,
  submissionForm,
  tokenForm,
} from '../../../src/federated/statements.ts';
import { parseUlid, type RoundId } from '../../../src/federated/ulid.ts';
import { messageBytes } from '../../../src/federated/wire/message.ts';
import { sign } from '../../../src/federated/wire/signed.ts';
import {
  baseSha,
  createWorld,
  deltaOf,
  draftOf,
  good,
  idOf,
  signerOf,
  start,
  startNode,
  type TestNode,
} from '../nodes.ts';
import { mutations } from '../mutations.ts';

const names = ['ada', 'bernd', 'clara'];
const numRuns = Number(process.env['PV_RUNS'] ?? 200);

interface Request {
  readonly capability: string;
  readonly message: JsonValue;
}

let ada: TestNode;
let clara: TestNode;
/** In the order in which they can be made: what nobody has sent yet. */
let requests: readonly Request[];

beforeEach(async () => {
  const world = createWorld(names);
  ada = await startNode(world, 'ada');
  const bernd = await startNode(world, 'bernd');
  clara = await startNode(world, 'clara');
  const id = good(await ada.coordinator.announceRound(draftOf()));
  for (const { node } of [bernd, clara]) good(await node.replica.discover());
  const token = good(await bernd.participant.join(id, true));
  const { manifest, manifestSha } = present(ada.node.replica.rounds.get(id), 'announced');
  const about = { roundId: id, manifestSha };
  const delta = deltaOf(1, 2, 3, 4);
  const deltaSha = good(await bernd.node.bus.putBlob(delta));
  const consent = { ...about, participant: idOf('clara'), baseModelSha: baseSha, grantedAt: start };
  const submission = {
    ...about,
    participant: idOf('bernd'),
    deltaSha,
    deltaSize: delta.length,
    numSamples: 10,
    trainLoss: 1,
    submittedAt: start,
  };
  const revocation = { ...about, participant: idOf('bernd'), revokedAt: start };
  const roundId = present(parseUlid('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 'a ULID');
  const announced = sign(manifestForm, { ...manifest, roundId, coordinator: idOf('bernd') }, signerOf('bernd'));
  const discard = {
    node: idOf('ada'),
    capability: capabilities.discard,
    request: { sha: 'ab'.repeat(32) },
    nonce: 'cd'.repeat(32),
    issuedAt: start,
  };
  requests = [
    { capability: capabilities.announce, message: manifestForm.encode(announced) },
    { capability: capabilities.join, message: consentForm.encode(sign(consentForm, consent, signerOf('clara'))) },
    {
      capability: capabilities.submit,
      message: {
        submission: submissionForm.encode(sign(submissionForm, submission, signerOf('bernd'))),
        token: tokenForm.encode(token),
      },
    },
    {
      capability: capabilities.revoke,
      message: revocationForm.encode(sign(revocationForm, revocation, signerOf('bernd'))),
    },
    { capability: capabilities.discard, message: commandForm.encode(sign(commandForm, discard, signerOf('ada'))) },
  ];
});

async function asked(capability: string, bytes: Uint8Array): Promise<JsonObject> {
  const reply = good(await clara.node.bus.request(capability, addressOf(ada.node.self), bytes));
  return JSON.parse(new TextDecoder().decode(reply)) as JsonObject;
}

async function refused(capability: string, bytes: Uint8Array): Promise<void> {
  const before = new Map(ada.node.replica.rounds);
  const reply = await asked(capability, bytes);
  expect(reply['ok'], new TextDecoder().decode(bytes)).toBe(false);
  expect(Object.keys(fedCodes)).toContain(reply['code']);
  expect(new Map(ada.node.replica.rounds)).toEqual(before);
  for (const [id, state] of before) expect(ada.node.replica.rounds.get(id)).toBe(state);
}

describe('a request', () => {
  it('with any field changed, removed or added is refused, and the genuine one counts afterwards', async () => {
    for (const { capability, message } of requests) {
      for (const one of mutations(message)) await refused(capability, new TextEncoder().encode(JSON.stringify(one)));
      expect(await asked(capability, messageBytes(message)), capability).toMatchObject({ ok: true });
    }
  });

  it('with any byte changed is refused', async () => {
    const place = fc
      .nat(4)
      .chain((i) =>
        fc.tuple(
          fc.constant(i),
          fc.nat(messageBytes(present(requests[i], 'one of 5').message).length - 1),
          fc.integer({ min: 1, max: 255 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(place, async ([i, at, flip]) => {
        const { capability, message } = present(requests[i], 'one of 5');
        await refused(
          capability,
          messageBytes(message).map((byte, k) => (k === at ? byte ^ flip : byte)),
        );
      }),
      { numRuns },
    );
  });

  it('by 10,000 identities that nobody trusts is refused, and takes neither places nor disk', async () => {
    const { message } = present(requests[1], 'a request to join');
    const node = idOf('clara');
    for (let i = 0; i < 10_000; i++) {
      const forged = { ...(message as JsonObject), participant: node.replace('clara', `x${i}`) };
      expect(await asked(capabilities.join, messageBytes(forged))).toMatchObject({
        ok: false,
        code: 'signature_invalid',
      });
    }
    expect([...ada.node.replica.rounds.values()].map(({ members }) => members.size)).toEqual([1]);
    expect(good(await ada.host.readBytes('node/events.jsonl')).length).toBeLessThan(100_000);
    expect(await asked(capabilities.join, messageBytes(message))).toMatchObject({ ok: true });
  });
});

/** The messages of a round from its announcement to its result. */
async function wholeRound(): Promise<{ readonly id: RoundId; readonly events: readonly JsonObject[] }> {
  const world = createWorld(names);
  const nodes = [];
  for (const name of names) nodes.push(await startNode(world, name));
  const [coordinator] = nodes;
  const id = good(await present(coordinator, 'ada').coordinator.announceRound(draftOf()));
  for (const { node, participant } of nodes) {
    good(await node.replica.discover());
    good(await participant.join(id, true));
    good(await participant.train(id));
    good(await participant.submit(id));
  }
  good(await present(coordinator, 'ada').coordinator.finalizeAndPublish(id));
  const messages = good(await world.connect().read(roundTopic(id), 0));
  return { id, events: messages.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)) as JsonObject) };
}

describe('an event on a topic', () => {
  it('with any field changed, removed or added changes nothing, and the genuine one counts afterwards', async () => {
    const { id, events } = await wholeRound();
    const world = createWorld(names);
    const observer = await startNode(world, 'clara');
    const bus = world.connect();
    const stateOf = () => observer.node.replica.rounds.get(id);
    for (const [i, event] of events.entries()) {
      const before = stateOf();
      const topic = i === 0 ? directoryTopic : roundTopic(id);
      const look = async () =>
        good(await (i === 0 ? observer.node.replica.discover() : observer.node.replica.sync(id)));
      for (const one of mutations(event))
        good(await bus.publish(topic, new TextEncoder().encode(JSON.stringify(one)), null));
      await look();
      expect(stateOf(), JSON.stringify(event)).toBe(before);
      good(await bus.publish(topic, messageBytes(event), null));
      await look();
      expect(stateOf(), JSON.stringify(event)).not.toBe(before);
    }
    expect(stateOf()?.result).not.toBeNull();
    expect(observer.node.replica.rounds.size).toBe(1);
  });
});
