/** An operator's program, which commands its own node over the bus. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonValue } from '../../base/canonical-json.ts';
import { err, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import type { Bus } from '../bus/bus.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { nodeIdOf } from '../node-id.ts';
import { answerForm, commandForm } from '../statements.ts';
import { systemRandom } from '../ulid.ts';
import { openSigned, sign } from '../wire/signed.ts';
import { ask, capabilities, resultOf } from './capabilities.ts';

/** Who commands, over which bus. */
export interface Operator {
  readonly bus: Bus;
  /** The node's own key. */
  readonly signer: Signer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Commands the node, and returns its answer, which counts only with the node's signature on this very command. `not-running` if nobody
 * answers at the node's address.
 */
export async function command(
  { bus, signer, now }: Operator,
  capability: string,
  request: JsonValue,
): Promise<Result<JsonValue, Refusal | 'not-running'>> {
  const node = nodeIdOf(signer.key);
  const nonce = bytesToHex(systemRandom(32));
  const signed = sign(commandForm, { node, capability, request, nonce, issuedAt: now() }, signer);
  const replied = await ask(bus, capabilities.command, node, commandForm.encode(signed));
  if (!replied.ok)
    return replied.error.code === 'fedlearn_aggregator_unreachable'
      ? err('not-running')
      : refuse(replied.error.code, replied.error.detail);
  const answer = await openSigned(answerForm, replied.value, (by) => by === node);
  if (!answer.ok || answer.value.nonce !== nonce)
    return refuse('signature_invalid', 'the answer is not signed by this node');
  const result = resultOf(answer.value.reply);
  return result.ok ? result : refuse(result.error.code, result.error.detail);
}
