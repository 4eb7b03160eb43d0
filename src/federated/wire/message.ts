/** Untrusted bytes as JSON values that have a canonical form, and back. */
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Codec } from './codec.ts';

/** Largest message: what NATS takes by default. Deltas and adapters travel as blobs. */
export const maxMessageBytes = 1024 * 1024;

/** The JSON of a message; an error if it is too large, malformed, repeats a key, or says what canonical JSON cannot. */
export function parseMessage(bytes: Uint8Array): Result<JsonValue, string> {
  if (bytes.length > maxMessageBytes) return err(`The message has more than ${maxMessageBytes} bytes.`);
  const content = decodeUtf8(bytes);
  if (content === null) return err('The message is not UTF-8.');
  const json = parseStrictJson(content, 'message');
  if (!json.ok) return json;
  return isCanonical(json.value)
    ? ok(json.value)
    : err('The message has a number or a text that has no canonical form.');
}

/** Parsing limits the depth. */
function isCanonical(value: unknown): value is JsonValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, member]) => isCanonical(key) && isCanonical(member));
}

/** A message read by a codec. */
export function readMessage<T>(bytes: Uint8Array, { decode }: Codec<T>): Result<T, string> {
  const json = parseMessage(bytes);
  return json.ok ? decode(json.value, 'message') : json;
}

/** The canonical bytes of a value. */
export const messageBytes = (value: JsonValue): Uint8Array => encodeUtf8(canonicalJson(value));
