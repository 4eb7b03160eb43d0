/** The names of the capabilities, and how they answer. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Bus } from '../bus/bus.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { addressOf, type NodeId } from '../node-id.ts';
import { fedCode } from '../statements.ts';
import { flag, json, orNull, recordCodec, text } from '../wire/codec.ts';
import { messageBytes, parseMessage } from '../wire/message.ts';

const namespace = 'experimental.fedlearn';

/**
 * The capabilities of the specification (section 4.2) on the bus; `consider`, `revoke` and `discard` are what it has without a name.
 * `command` takes the operator's own commands, each of which names one of the others.
 */
export const capabilities = {
  announce: `${namespace}.round.announce`,
  list: `${namespace}.round.list`,
  consider: `${namespace}.round.consider`,
  join: `${namespace}.round.join`,
  submit: `${namespace}.round.submit`,
  revoke: `${namespace}.round.revoke`,
  status: `${namespace}.round.status`,
  finalize: `${namespace}.round.finalize`,
  takeover: `${namespace}.round.finalize_takeover`,
  fetch: `${namespace}.adapter.fetch`,
  apply: `${namespace}.adapter.apply`,
  discard: `${namespace}.adapter.discard`,
  command: `${namespace}.command`,
} as const;

/** A refusal on the bus. `value` is what the caller had got before: the token of a second join, the receipt of a second submission. */
export interface RemoteRefusal extends Refusal {
  readonly value: JsonValue | null;
}

interface Reply extends Omit<RemoteRefusal, 'code'> {
  readonly ok: boolean;
  readonly code: RemoteRefusal['code'] | null;
}

// The value is checked by whoever asks.
const replyCodec = recordCodec<Reply>({ ok: flag, code: orNull(fedCode), detail: text(4096), value: json });

const longestDetail = 1024;

/** Cutting may split a character, and what quotes a stranger's text may hold half of one. */
const shortDetail = (detail: string): string => detail.slice(0, longestDetail).replace(/\p{Surrogate}/gu, '\uFFFD');

/** A result as the JSON of a reply. */
export const replyTo = (result: Result<JsonValue, Refusal>, earlier: JsonValue | null = null): JsonValue =>
  replyCodec.encode(
    result.ok
      ? { ok: true, code: null, detail: '', value: result.value }
      : { ok: false, code: result.error.code, detail: shortDetail(result.error.detail), value: earlier },
  );

/** What a reply says; `message_invalid` if it is not one. */
export function resultOf(reply: JsonValue): Result<JsonValue, RemoteRefusal> {
  const read = replyCodec.decode(reply, 'reply');
  if (!read.ok) return err({ code: 'message_invalid', detail: 'the reply is malformed', value: null });
  const { ok: isOk, code, detail, value } = read.value;
  return isOk ? ok(value) : err({ code: code ?? 'message_invalid', detail, value });
}

/** Asks a node; `fedlearn_aggregator_unreachable` if nobody answers there, `message_invalid` if the answer is not one. */
export async function ask(
  bus: Bus,
  capability: string,
  node: NodeId,
  message: JsonValue,
): Promise<Result<JsonValue, RemoteRefusal>> {
  const failed = (refusal: { readonly error: Refusal }): Result<never, RemoteRefusal> =>
    err({ ...refusal.error, value: null });
  const bytes = messageBytes(message);
  const replied = await bus.request(capability, addressOf(node), bytes);
  if (!replied.ok)
    return failed(refuse(replied.error === 'too-large' ? 'message_invalid' : 'fedlearn_aggregator_unreachable'));
  const reply = parseMessage(replied.value);
  return reply.ok ? resultOf(reply.value) : failed(refuse('message_invalid', 'the reply is malformed'));
}
