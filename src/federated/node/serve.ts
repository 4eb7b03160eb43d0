/** Offers a node's capabilities on the bus. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Handler, Stop } from '../bus/bus.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { openManifest } from '../open-manifest.ts';
import { addressOf } from '../node-id.ts';
import { receiptForm, tokenForm } from '../statements.ts';
import { parseUlid, type RoundId } from '../ulid.ts';
import { messageBytes, parseMessage } from '../wire/message.ts';
import { membersOf } from '../wire/signed.ts';
import { capabilities, replyTo } from './capabilities.ts';
import { claimOf } from './claim.ts';
import type { FedNode } from './fed-node.ts';
import { answerOperator } from './operate.ts';
import { manifestsWire, statusWire } from './round-status.ts';
import type { Served } from './served.ts';

type Answerer = (message: JsonValue) => Promise<Result<JsonValue, Refusal>>;

/** What nobody but the node's own operator may ask for. */
const operatorOnly = [
  capabilities.command,
  capabilities.consider,
  capabilities.finalize,
  capabilities.takeover,
  capabilities.apply,
  capabilities.discard,
] as const;

/**
 * Registers the capabilities, only while the switch is on; `bus_unreachable` if the bus does not take them. The caller stops them.
 */
export async function serveNode(served: Served): Promise<Result<Stop, Refusal>> {
  const { node, coordinator } = served;
  if (!node.config.enabled) return refuse('experimental_disabled');
  const handlers: readonly (readonly [string, Handler])[] = [
    [capabilities.announce, answering(node, capabilities.announce, (message) => takeManifest(node, message))],
    [capabilities.list, answering(node, capabilities.list, (message) => listRounds(served, message))],
    [capabilities.status, answering(node, capabilities.status, (message) => statusOf(served, message))],
    [capabilities.revoke, answering(node, capabilities.revoke, (message) => coordinator.revoke(message))],
    [capabilities.join, repeatable(node, capabilities.join, coordinator.join, tokenForm.encode)],
    [capabilities.submit, repeatable(node, capabilities.submit, coordinator.submit, receiptForm.encode)],
    [capabilities.fetch, answering(node, capabilities.fetch, (message) => offerAdapter(served, message))],
    ...operatorOnly.map(
      (capability) =>
        [capability, answering(node, capability, (message) => answerOperator(served, capability, message))] as const,
    ),
  ];
  const stops: Stop[] = [];
  const stop: Stop = async () => {
    for (const one of stops) await one();
  };
  for (const [capability, handler] of handlers) {
    const registered = await node.bus.serve(capability, addressOf(node.self), handler);
    if (!registered.ok) {
      await stop();
      return refuse('bus_unreachable');
    }
    stops.push(registered.value);
  }
  return ok(stop);
}

/** The JSON of a message, or a refusal that is logged. */
function parsed(node: FedNode, capability: string, message: Uint8Array): Result<JsonValue, Refusal> {
  const json = parseMessage(message);
  if (json.ok) return json;
  const refusal = refuse('message_invalid', json.error);
  node.journal.refused(capability, refusal.error, { round: null, sender: null }, node.now());
  return refusal;
}

function answering(node: FedNode, capability: string, work: Answerer): Handler {
  return async (message) => {
    const json = parsed(node, capability, message);
    return messageBytes(replyTo(json.ok ? await work(json.value) : json));
  };
}

function repeatable<T>(
  node: FedNode,
  capability: string,
  work: (message: JsonValue) => Promise<{ readonly result: Result<T, Refusal>; readonly earlier: T | null }>,
  encode: (value: T) => JsonValue,
): Handler {
  return async (message) => {
    const json = parsed(node, capability, message);
    if (!json.ok) return messageBytes(replyTo(json));
    const { result, earlier } = await work(json.value);
    const reply = replyTo(result.ok ? ok(encode(result.value)) : result, earlier === null ? null : encode(earlier));
    return messageBytes(reply);
  };
}

/** A manifest that somebody passes on. Its signature is what counts. */
const takeManifest = (node: FedNode, message: JsonValue): Promise<Result<JsonValue, Refusal>> =>
  node.guarded(capabilities.announce, claimOf(message), async () => {
    const manifest = await openManifest(message, node.trusts, node.config);
    if (!manifest.ok) return manifest;
    const announced = await node.replica.announce({ type: 'fedlearn.round.announced', manifest: manifest.value });
    return announced.ok ? ok({ round_id: manifest.value.roundId }) : announced;
  });

async function listRounds({ participant }: Served, message: JsonValue): Promise<Result<JsonValue, Refusal>> {
  const members = membersOf(message, ['topic']);
  const topic = members.ok ? members.value.topic : undefined;
  if (topic !== null && typeof topic !== 'string') return refuse('message_invalid', 'topic is a text or null');
  const listed = await participant.listRounds(topic);
  if (!listed.ok) return listed;
  return ok({ manifests: manifestsWire(listed.value) });
}

function roundNamed(message: JsonValue): RoundId | null {
  const members = membersOf(message, ['round_id']);
  return members.ok && typeof members.value.round_id === 'string' ? parseUlid(members.value.round_id) : null;
}

async function statusOf({ participant }: Served, message: JsonValue): Promise<Result<JsonValue, Refusal>> {
  const id = roundNamed(message);
  if (id === null) return refuse('message_invalid', 'round_id is not a ULID');
  const status = await participant.roundStatus(id);
  return status.ok ? ok(statusWire(status.value)) : status;
}

async function offerAdapter({ adapters }: Served, message: JsonValue): Promise<Result<JsonValue, Refusal>> {
  const members = membersOf(message, ['sha']);
  const sha = members.ok ? members.value.sha : null;
  if (typeof sha !== 'string') return refuse('message_invalid', 'sha is a text');
  const offered = await adapters.offer(sha);
  return offered.ok ? ok({ sha }) : offered;
}
