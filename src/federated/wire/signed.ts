/**
 * Statements with detached Ed25519 signatures over their canonical JSON (RFC 8785) without the signature.
 *
 * What is signed is the pre-authentication encoding of DSSE with a type for each purpose: a signature of a submission is never one of
 * a consent, whatever the bytes.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { invariant } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { preAuthenticationEncoding } from '../../notes/dsse.ts';
import { verifyEd25519 } from '../../notes/ed25519.ts';
import type { Signer } from '../../notes/signer.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import { keyOfNode, nodeIdOf, parseNodeId, type NodeId, type Roster } from '../node-id.ts';
import { signature as signatureCodec, wireName, type RecordCodec } from './codec.ts';

/** One kind of statement. */
export interface Form<T, K extends keyof T & string> extends RecordCodec<T> {
  /** Part of what is signed. */
  readonly purpose: string;
  /** The member that names who signs. */
  readonly signer: keyof T & string;
  /** The member with the signature. */
  readonly signature: K;
}

const typeOf = (purpose: string): string => `application/vnd.pv.fedlearn.${purpose}.v1+json`;

function unsigned(wire: JsonObject, member: string): JsonObject {
  const { [wireName(member)]: _, ...rest } = wire;
  return rest;
}

const signedBytes = (purpose: string, rest: JsonObject): Uint8Array =>
  preAuthenticationEncoding(typeOf(purpose), encodeUtf8(canonicalJson(rest)));

/** `draft` signed by the key of the node that it names as its signer. */
export function sign<T, K extends keyof T & string>(form: Form<T, K>, draft: Omit<T, K>, signer: Signer): T {
  const unfinished = { ...draft, [form.signature]: new Uint8Array(0) } as T; // all members but the signature's bytes
  invariant(unfinished[form.signer] === nodeIdOf(signer.key), 'a node signs its own statements');
  const bytes = signedBytes(form.purpose, unsigned(form.encode(unfinished), form.signature));
  return { ...unfinished, [form.signature]: signer.sign(bytes) };
}

/**
 * SHA-256, in hexadecimal, of the canonical JSON of a statement without its signature: the identity of what was said, whoever encodes
 * it again.
 */
export const statementSha = <T, K extends keyof T & string>(form: Form<T, K>, statement: T): string =>
  bytesToHex(sha256(encodeUtf8(canonicalJson(unsigned(form.encode(statement), form.signature)))));

/**
 * Reads an untrusted statement. The signature is verified before anything else is looked at: whatever is wrong up to there is
 * `signature_invalid` and nothing more; what a trusted signer got wrong is `message_invalid`, with the reason.
 */
export async function openSigned<T, K extends keyof T & string>(
  form: Form<T, K>,
  value: JsonValue,
  trusts: Roster,
): Promise<Result<T, Refusal>> {
  if (!(await isSigned(form, value, trusts))) return refuse('signature_invalid');
  const read = form.decode(value, form.purpose);
  return read.ok ? read : refuse('message_invalid', read.error);
}

/** Whether the signature of a statement that was read before is by the trusted node that it names. */
export const holdsSignature = <T, K extends keyof T & string>(
  form: Form<T, K>,
  statement: T,
  trusts: Roster,
): Promise<boolean> => isSigned(form, form.encode(statement), trusts);

async function isSigned<T, K extends keyof T & string>(
  form: Form<T, K>,
  value: JsonValue,
  trusts: Roster,
): Promise<boolean> {
  const wire = objectOf(value);
  if (wire === null) return false;
  const bytes = signatureCodec.decode(wire[wireName(form.signature)], 'signature');
  const named = signerIn(wire, wireName(form.signer));
  if (!bytes.ok || named === null || !trusts(named)) return false;
  const key = keyOfNode(named);
  if (key === null) return false;
  const message = signedBytes(form.purpose, unsigned(wire, form.signature));
  return (await verifyEd25519(key.publicKey, message, bytes.value)) === 'valid';
}

function signerIn(wire: JsonObject, member: string): NodeId | null {
  const named = wire[member];
  return typeof named === 'string' ? parseNodeId(named) : null;
}

/** A message that must be an object. */
const objectOf = (value: JsonValue | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null; // of JSON's three objects the one left

/** The member of a message; an error if the message is not an object with exactly the members `names`. */
export function membersOf<const N extends string>(
  value: JsonValue,
  names: readonly N[],
): Result<Readonly<Record<N, JsonValue>>, string> {
  const wire = objectOf(value);
  if (wire === null) return err('The message is not an object.');
  const members: Record<string, JsonValue> = {};
  for (const name of names) {
    const member = wire[name];
    if (member === undefined || !Object.hasOwn(wire, name)) return err(`The message has no ${name}.`);
    members[name] = member;
  }
  if (Object.keys(wire).length > names.length) return err('The message has an unknown member.');
  return ok(members as Record<N, JsonValue>); // each of N was set
}
