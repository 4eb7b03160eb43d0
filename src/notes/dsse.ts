/**
 * Dead Simple Signing Envelopes (DSSE): JSON with a payload, its type, and signatures over both.
 *
 * Source: https://github.com/secure-systems-lab/dsse, protocol.md and envelope.md, v1.0.2. Signatures are Ed25519. Key ids have the
 * form `NAME+ID`, as in signed notes, and are only a hint which key to try.
 */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { err, ok, type Result } from '../base/result.ts';
import { parseStrictJson } from '../base/strict-json.ts';
import { count, listOf } from '../base/text.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Problem } from '../base/problem.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { verifyEd25519 } from './ed25519.ts';
import type { VerifierKey } from './key.ts';
import { labelOf } from './note.ts';
import type { Signer } from './signer.ts';

/** An envelope with its payload decoded. */
export interface Envelope {
  readonly payloadType: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly { readonly keyid: string; readonly signature: Uint8Array }[];
}

/** PAE, the bytes that are signed: `DSSEv1 LENGTH TYPE LENGTH PAYLOAD`, with lengths in bytes, as decimal numbers. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8ToBytes(payloadType);
  return concatBytes(utf8ToBytes(`DSSEv1 ${type.length} `), type, utf8ToBytes(` ${payload.length} `), payload);
}

/** The JSON of an envelope; PV-8415 for a cosigner's key, whose signatures mean something else. */
export function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  signers: readonly Signer[],
): Result<string, Problem> {
  const cosigner = signers.find(({ key }) => key.type !== 'ed25519');
  if (cosigner !== undefined)
    return err({
      code: 'PV-8415',
      check: 'key',
      message: `${labelOf(cosigner.key)} is a cosigner’s key, which cannot sign envelopes: make a key without --cosigner.`,
    });
  const message = preAuthenticationEncoding(payloadType, payload);
  const signatures = signers.map(({ key, sign }) => ({ keyid: labelOf(key), sig: encodeBase64(sign(message)) }));
  return ok(JSON.stringify({ payload: encodeBase64(payload), payloadType, signatures }));
}

/** Parses an envelope without checking signatures; PV-8415 if it is malformed. Ignores unknown keys, as the standard requires. */
export function parseEnvelope(bytes: Uint8Array): Result<Envelope, Problem> {
  const text = decodeUtf8(bytes);
  if (text === null) return malformed('it is not UTF-8');
  const json = parseStrictJson(text, 'envelope');
  if (!json.ok) return malformed(json.error);
  const { payload, payloadType, signatures } = fieldsOf(json.value);
  const decoded = typeof payload === 'string' ? decodeBase64(payload) : null;
  if (typeof payloadType !== 'string' || decoded === null)
    return malformed('it has no base64 payload with a payloadType');
  if (!Array.isArray(signatures) || signatures.length === 0) return malformed('it has no signature');
  const read: Envelope['signatures'][number][] = [];
  for (const one of signatures) {
    const { keyid = '', sig } = fieldsOf(one);
    const signature = typeof sig === 'string' ? decodeBase64(sig) : null;
    if (typeof keyid !== 'string' || signature === null) return malformed('a signature is not base64');
    read.push({ keyid, signature });
  }
  return ok({ payloadType, payload: decoded, signatures: read });
}

/**
 * Checks that every one of `keys` signed the envelope (PV-8414 otherwise), and returns their labels. Ignores signatures by other
 * keys, as the standard requires.
 */
export async function checkEnvelope(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly VerifierKey[],
): Promise<Result<readonly string[], Problem>> {
  const message = preAuthenticationEncoding(payloadType, payload);
  const missing: string[] = [];
  for (const key of keys) {
    if (!(await hasSigned(message, signatures, key))) missing.push(labelOf(key));
  }
  if (missing.length === 0) return ok(keys.map(labelOf));
  return err({
    code: 'PV-8414',
    check: 'signature',
    message: `The envelope has no valid signature by ${listOf(missing)}; it has ${count(signatures.length, 'signature')}, by ${listOf(
      signatures.map(({ keyid }) => (keyid === '' ? 'an unnamed key' : keyid)),
      3,
    )}.`,
  });
}

async function hasSigned(message: Uint8Array, signatures: Envelope['signatures'], key: VerifierKey): Promise<boolean> {
  if (key.type !== 'ed25519') return false;
  for (const { signature } of signatures)
    if ((await verifyEd25519(key.publicKey, message, signature)) === 'valid') return true;
  return false;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const malformed = (why: string): Result<never, Problem> =>
  err({ code: 'PV-8415', check: 'envelope', message: `The file is not a DSSE envelope: ${why}.` });
