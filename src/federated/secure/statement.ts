/** Signed messages: canonical JSON (RFC 8785) without the signature, in the encoding of DSSE with one type for each purpose. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { fromHex } from '../../base/hex.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { count, list, matching, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { preAuthenticationEncoding } from '../../notes/dsse.ts';
import { signatureBytes, verifyEd25519 } from '../../notes/ed25519.ts';
import type { VerifierKey } from '../../notes/key.ts';
import type { Signer } from '../../notes/signer.ts';
import { sealBytes, secretBytes } from './ciphers.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { SecureRound } from './secure-round.ts';
import { mostShares } from './shamir.ts';

/** Common to all messages. Bytes are lower-case hexadecimal, sets are lists that are sorted by UTF-16 code units. */
interface Statement {
  /** The round: `SecureRound.context`. */
  readonly context: string;
  /** Who signs. */
  readonly participant: string;
  readonly signature: string;
}

/** Step 1: a participant's ephemeral keys. */
export interface KeyAdvertisement extends Statement {
  readonly type: 'keys';
  /** X25519, for shares. */
  readonly channelKey: string;
  /** X25519, for the masks that cancel in pairs. */
  readonly maskKey: string;
  /** Commits to the seed of the participant's own mask. */
  readonly selfMaskSha: string;
}

/** Step 2: the shares of one participant's secrets for another, sealed. */
export interface ShareEnvelope extends Statement {
  readonly type: 'shares';
  /** Of the key list that the dealer has seen: `shaOfList` of the advertisements, sorted by participant. */
  readonly keyListSha: string;
  readonly recipient: string;
  /** The share of the secret of `maskKey`, then that of the own mask's seed. */
  readonly sealed: string;
  /** Commitments to the two shares. */
  readonly maskKeyShareSha: string;
  readonly selfMaskShareSha: string;
}

/** What a client has seen of a round when it masks its delta. */
interface View extends Statement {
  readonly keyListSha: string;
  /** `shaOfList` of the participants whose shares were passed on. */
  readonly sharersSha: string;
}

/** Step 3: states a masked delta, whose bytes travel beside it. */
export interface MaskedInput extends View {
  readonly type: 'masked';
  /** Public. */
  readonly weight: number;
  /** SHA-256 of the little-endian numbers. */
  readonly vectorSha: string;
}

/** Step 4: who is in the sum. A client signs one such set in a round. */
export interface SurvivorAttestation extends View {
  readonly type: 'survivors';
  readonly survivors: readonly string[];
}

/** Step 5: one share for every participant that has shared: of the own mask's seed of survivors, of the mask key of the others. */
export interface UnmaskShares extends Statement {
  readonly type: 'unmask';
  readonly survivorsSha: string;
  readonly shares: readonly RevealedShare[];
}

/** A share of a participant's secret. */
export interface RevealedShare {
  readonly participant: string;
  readonly secret: 'self-mask' | 'mask-key';
  readonly share: string;
}

/** Everything that participants sign. */
export type SecureMessage = KeyAdvertisement | ShareEnvelope | MaskedInput | SurvivorAttestation | UnmaskShares;

/** The message of a type. */
export type MessageOf<K extends SecureMessage['type']> = Extract<SecureMessage, { readonly type: K }>;

const hex = (bytes: number): Decoder<string> =>
  matching(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `${bytes} bytes in lower-case hexadecimal`);
const digest = hex(32);
const key = hex(secretBytes);
const longestName = 1000;

/** A text that canonical JSON can say. Whether it names a participant is checked where that matters. */
const name: Decoder<string> = (value, at) => {
  const read = text(value, at);
  return read.ok && (read.value.length > longestName || /\p{Surrogate}/u.test(read.value))
    ? err(`${at} is not a name`)
    : read;
};
const statement = { context: digest, participant: name, signature: hex(signatureBytes) };

/** Whether each text is above the one before it. */
const isAscending = (texts: readonly string[]): boolean =>
  texts.every((one, i) => i === 0 || one > (texts[i - 1] ?? ''));

/** A sorted list of participants without repetition; of whom, the caller checks. */
export const participantSet: Decoder<readonly string[]> = (value, at) => {
  const read = list(name, mostShares)(value, at);
  if (!read.ok || isAscending(read.value)) return read;
  return err(`${at} is not sorted, or names a participant twice`);
};

/** Readers of the forms of messages. */
export const statementDecoders: { readonly [K in SecureMessage['type']]: Decoder<MessageOf<K>> } = {
  keys: record<KeyAdvertisement>({
    ...statement,
    type: oneOf('keys'),
    channelKey: key,
    maskKey: key,
    selfMaskSha: digest,
  }),
  shares: record<ShareEnvelope>({
    ...statement,
    type: oneOf('shares'),
    keyListSha: digest,
    recipient: name,
    sealed: hex(2 * secretBytes + sealBytes),
    maskKeyShareSha: digest,
    selfMaskShareSha: digest,
  }),
  masked: record<MaskedInput>({
    ...statement,
    type: oneOf('masked'),
    keyListSha: digest,
    sharersSha: digest,
    weight: count,
    vectorSha: digest,
  }),
  survivors: record<SurvivorAttestation>({
    ...statement,
    type: oneOf('survivors'),
    keyListSha: digest,
    sharersSha: digest,
    survivors: participantSet,
  }),
  unmask: record<UnmaskShares>({
    ...statement,
    type: oneOf('unmask'),
    survivorsSha: digest,
    shares: list(
      record<RevealedShare>({ participant: name, secret: oneOf('self-mask', 'mask-key'), share: key }),
      mostShares,
    ),
  }),
};

/** Reads the form of a message of any type. */
export const secureMessageDecoder: Decoder<SecureMessage> = (value, at) => {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  return typeof type === 'string' && Object.hasOwn(statementDecoders, type)
    ? statementDecoders[type as SecureMessage['type']](value, at) // a member of the table
    : err(`${at}.type is not one of secure aggregation`);
};

/** SHA-256 of the canonical JSON of a key list or of a set of participants, in hexadecimal. */
export function shaOfList(list: readonly KeyAdvertisement[] | readonly string[]): string {
  // Messages consist of texts, numbers and lists.
  return bytesToHex(sha256(encodeUtf8(canonicalJson(list as unknown as JsonValue))));
}

const signedBytes = ({ type, ...rest }: JsonObject & { readonly type: string }): Uint8Array =>
  preAuthenticationEncoding(`application/vnd.pv.secure-aggregation.${type}.v1+json`, encodeUtf8(canonicalJson(rest)));

/** A message of all members but the signature, with the signature of the participant that it names. */
export function signStatement<T extends SecureMessage>(body: { readonly type: T['type'] }, signer: Signer): T {
  // Messages consist of texts, numbers and lists, and lack only what is added here; the compiler cannot see this of a generic T.
  const json = body as unknown as JsonObject & { readonly type: string };
  return { ...body, signature: bytesToHex(signer.sign(signedBytes(json))) } as unknown as T;
}

/** Whether a message that was read before has the signature of a key. */
export async function isSignedWith({ publicKey }: VerifierKey, message: SecureMessage): Promise<boolean> {
  const { signature, ...body } = message;
  // The decoder has let through texts, numbers and lists alone.
  const bytes = signedBytes(body as unknown as JsonObject & { readonly type: string });
  return (await verifyEd25519(publicKey, bytes, fromHex(signature) ?? new Uint8Array(0))) === 'valid';
}

/** The key of a message's signer; a fault if it is not a participant of the round, or the message is of another round. */
export function signerIn(
  { keys, context }: SecureRound,
  message: Pick<SecureMessage, 'type' | 'participant' | 'context'>,
): Result<VerifierKey, SecureFault> {
  const signer = keys.get(message.participant);
  if (signer === undefined) return faulty('signature_invalid', `the signer of ${message.type} is not a participant`);
  return message.context === context
    ? ok(signer)
    : faulty('secure_message_invalid', `${message.type} is of another round`);
}

/** Reads an untrusted message of a type: its form, its round, and the signature of a participant of the round. */
export async function openStatement<K extends SecureMessage['type']>(
  round: SecureRound,
  type: K,
  value: unknown,
): Promise<Result<MessageOf<K>, SecureFault>> {
  const read = statementDecoders[type](value, type);
  if (!read.ok) return faulty('secure_message_invalid', read.error);
  const signer = signerIn(round, read.value);
  if (!signer.ok) return signer;
  return (await isSignedWith(signer.value, read.value))
    ? ok(read.value)
    : faulty('signature_invalid', `the signature of ${type} does not verify`);
}

/** Reads a list of messages of a type that a coordinator passes on, with ascending participants. */
export async function openStatements<K extends SecureMessage['type']>(
  round: SecureRound,
  type: K,
  value: unknown,
): Promise<Result<readonly MessageOf<K>[], SecureFault>> {
  if (!Array.isArray(value) || value.length > round.participants.length)
    return faulty('secure_message_invalid', `${type} is not a list of at most as many messages as participants`);
  const read: MessageOf<K>[] = [];
  for (const item of value) {
    const one = await openStatement(round, type, item);
    if (!one.ok) return one;
    read.push(one.value);
  }
  if (isAscending(read.map(({ participant }) => participant))) return ok(read);
  return faulty('secure_message_invalid', `the list of ${type} is not sorted, or has a participant twice`);
}
