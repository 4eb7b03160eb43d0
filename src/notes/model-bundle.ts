/**
 * OpenSSF Model Signing bundles: a Sigstore bundle whose DSSE envelope holds an in-toto Statement with the digests of a model's
 * files. Reads and builds them; signatures are the caller's.
 *
 * Source: https://github.com/ossf/model-signing-spec, v1.0, and its JSON schemas.
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonValue } from '../base/canonical-json.ts';
import { fromHex } from '../base/hex.ts';
import { err, ok, type Result } from '../base/result.ts';
import { wrong, type Problem } from '../base/problem.ts';
import { parseStrictJson } from '../base/strict-json.ts';
import { quoted } from '../base/text.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { sha256 } from '../merkle/sha256.ts';
import { encodeBase64 } from './base64.ts';
import { parseEnvelope, type Envelope } from './dsse.ts';

const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const payloadType = 'application/vnd.in-toto+json';
const statementKind = 'https://in-toto.io/Statement/v1';
const predicateType = 'https://model_signing/signature/v1.0';

/** How the files of a model may be hashed. */
const hashes = { sha256, blake3: (bytes: Uint8Array) => blake3(bytes), blake2b: (bytes: Uint8Array) => blake2b(bytes) };

type HashName = keyof typeof hashes;

/** A file of the model, or a part of it. */
interface Resource {
  /** A path from the model's folder; with `shards`, `path:start:end`. */
  readonly name: string;
  /** In hexadecimal. */
  readonly digest: string;
  readonly algorithm: HashName;
}

/** A bundle with a well-formed statement. Nothing has been checked against files or keys. */
export interface ModelBundle {
  readonly envelope: Envelope;
  readonly resources: readonly Resource[];
  readonly method: 'files' | 'shards';
  readonly allowSymlinks: boolean;
  /** Paths of files and folders that were not signed, on purpose. */
  readonly ignored: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a bundle; PV-8343 says what is missing or malformed. Ignores what certificates and logs say. */
export function readModelBundle(bytes: Uint8Array): Result<ModelBundle, Problem> {
  const content = decodeUtf8(bytes);
  if (content === null) return malformed('it is not UTF-8');
  const json = parseStrictJson(content, 'bundle');
  if (!json.ok) return malformed(json.error);
  const bundle = fieldsOf(json.value);
  if (typeof bundle['mediaType'] !== 'string' || !bundle['mediaType'].startsWith('application/vnd.dev.sigstore.bundle'))
    return malformed('its mediaType is not that of a Sigstore bundle');
  if (!hasMaterial(fieldsOf(bundle['verificationMaterial'])))
    return malformed(
      'its verificationMaterial has neither a public key, nor a certificate chain, nor a certificate with an entry of a transparency log',
    );
  const envelope = parseEnvelope(utf8ToBytes(JSON.stringify(bundle['dsseEnvelope'] ?? null)));
  if (!envelope.ok) return malformed(`its dsseEnvelope is missing or malformed`);
  if (envelope.value.payloadType !== payloadType) return malformed(`its payloadType is not ${payloadType}`);
  const statement = readStatement(envelope.value.payload);
  return statement.ok ? ok({ envelope: envelope.value, ...statement.value }) : malformed(statement.error);
}

/** One of the three kinds of signers that the specification knows. */
function hasMaterial({ publicKey, x509CertificateChain: chain, certificate, tlogEntries }: Fields): boolean {
  const { hint, rawBytes } = fieldsOf(publicKey);
  if (typeof hint === 'string' || typeof rawBytes === 'string') return true;
  const isCertificate = (value: unknown): boolean => typeof fieldsOf(value)['rawBytes'] === 'string';
  const { certificates } = fieldsOf(chain);
  if (Array.isArray(certificates) && certificates.length > 0) return certificates.every(isCertificate);
  return isCertificate(certificate) && Array.isArray(tlogEntries) && tlogEntries.length > 0;
}

function readStatement(payload: Uint8Array): Result<Omit<ModelBundle, 'envelope'>, string> {
  const json = parseStrictJson(decodeUtf8(payload) ?? '', 'statement');
  if (!json.ok) return json;
  const statement = fieldsOf(json.value);
  if (statement['_type'] !== statementKind) return err('its payload is not an in-toto Statement v1');
  if (statement['predicateType'] !== predicateType) return err(`its predicateType is not ${predicateType}`);
  const { resources, serialization } = fieldsOf(statement['predicate']);
  const { method, allow_symlinks: symlinks, ignore_paths: ignored = [] } = fieldsOf(serialization);
  if (method !== 'files' && method !== 'shards') return err('its method is neither files nor shards');
  if (!Array.isArray(ignored) || !ignored.every((path) => typeof path === 'string'))
    return err('its ignore_paths are not a list of paths');
  const read = readResources(resources);
  if (!read.ok) return read;
  const names = new Set(read.value.map(({ name }) => name));
  if (names.size !== read.value.length) return err('it lists a file twice');
  const subjects = statement['subject'];
  const [subject, ...more]: readonly unknown[] = Array.isArray(subjects) ? subjects : [];
  const { sha256: root } = fieldsOf(fieldsOf(subject)['digest']);
  if (more.length > 0 || root !== rootOf(read.value))
    return err('its subject is not the digest of the files that it lists');
  return ok({ resources: read.value, method, allowSymlinks: symlinks === true, ignored });
}

/** The listed files; an error message for the first that is malformed. */
function readResources(value: unknown): Result<readonly Resource[], string> {
  if (!Array.isArray(value)) return err('its resources are not a list');
  const resources: Resource[] = [];
  for (const [i, one] of value.entries()) {
    const { name, digest, algorithm } = fieldsOf(one);
    if (
      typeof name !== 'string' ||
      typeof digest !== 'string' ||
      !/^([0-9a-f]{2})+$/.test(digest) ||
      !isHash(algorithm)
    )
      return err(
        `resource ${i + 1} has no name, no digest in hexadecimal, or an algorithm other than sha256, blake2b and blake3`,
      );
    resources.push({ name, digest, algorithm });
  }
  return ok(resources);
}

const isHash = (value: unknown): value is HashName => typeof value === 'string' && Object.hasOwn(hashes, value);

/** SHA-256 over the digests of the files, in their order. */
const rootOf = (resources: readonly Resource[]): string =>
  bytesToHex(sha256(...resources.map(({ digest }) => fromHex(digest) ?? new Uint8Array())));

/** Checks a listed file against its digest; PV-8345 names it. */
export function checkResource({ name, digest, algorithm }: Resource, file: Uint8Array): Result<null, Problem> {
  const actual = bytesToHex(hashes[algorithm](file));
  if (actual === digest) return ok(null);
  return wrong('PV-8345', 'model files', `${quoted(name)} is not the file that was signed.`, {
    expected: digest,
    actual,
  });
}

/** The in-toto Statement about some files of a folder. The other files, `ignored`, are listed as such. */
export function modelStatement(
  model: string,
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  ignored: readonly string[],
): Uint8Array {
  const resources = files
    .map(([name, bytes]): Resource => ({ name, digest: bytesToHex(sha256(bytes)), algorithm: 'sha256' }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return utf8ToBytes(
    canonicalJson({
      _type: statementKind,
      subject: [{ name: model, digest: { sha256: rootOf(resources) } }],
      predicateType,
      predicate: {
        resources: resources.map((one) => ({ ...one })),
        serialization: { method: 'files', hash_type: 'sha256', allow_symlinks: false, ignore_paths: [...ignored] },
      },
    }),
  );
}

/** The JSON of a bundle signed by the key whose PEM has the SHA-256 `hint`. */
export function modelBundle(payload: Uint8Array, signature: Uint8Array, hint: string): string {
  const bundle: JsonValue = {
    mediaType,
    verificationMaterial: { publicKey: { hint }, tlogEntries: [] },
    dsseEnvelope: {
      payload: encodeBase64(payload),
      payloadType,
      signatures: [{ sig: encodeBase64(signature), keyid: '' }],
    },
  };
  return JSON.stringify(bundle);
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {});

const malformed = (why: string): Result<never, Problem> =>
  wrong('PV-8343', 'model bundle', `The file is not an OpenSSF Model Signing bundle: ${why}.`);
