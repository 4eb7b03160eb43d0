/** OpenSSF Model Signing of a run's certificate and weights, with ECDSA keys in PEM files, which OpenSSL makes. */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { listOf, quoted } from '../../base/text.ts';
import { statementType } from '../../training/certificate/statement.ts';
import { preAuthenticationEncoding } from '../../notes/dsse.ts';
import { checkResource, modelBundle, modelStatement, readModelBundle } from '../../notes/model-bundle.ts';
import type { FolderEntry } from './folder-entries.ts';
import { runFiles } from './run-folder.ts';

/** The hash that goes with each curve, as the specification asks. */
const hashOfCurve: Readonly<Record<string, string>> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
};

/** A key on one of these curves. */
export interface ModelKey {
  readonly key: KeyObject;
  readonly hash: string;
  /** SHA-256 of the public key's PEM, which is the hint in bundles. */
  readonly hint: string;
}

/** The key in a PEM file; PV-8346 if it is not an ECDSA key on P-256, P-384 or P-521. */
export function readModelKey(pem: string, kind: 'private' | 'public'): Result<ModelKey, Problem> {
  let key: KeyObject;
  try {
    // A private key would also be accepted as a public one; a verifier should not have it.
    if (kind === 'public' && pem.includes('PRIVATE KEY')) return unusable('it is a private key');
    key = kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return unusable(`it is not a ${kind} key in PEM without a password`);
  }
  const hash = hashOfCurve[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (key.asymmetricKeyType !== 'ec' || hash === undefined) return unusable(`it is a ${key.asymmetricKeyType} key`);
  const publicPem = (kind === 'private' ? createPublicKey(pem) : key).export({ type: 'spki', format: 'pem' });
  return ok({ key, hash, hint: createHash('sha256').update(publicPem).digest('hex') });
}

/** The text of model.sig, a bundle about the certificate and the weights, which name everything else by its digest. */
export function signModel({ key, hash, hint }: ModelKey, certificate: Uint8Array, weights: Uint8Array): string {
  const signed = [
    [runFiles.certificate, certificate],
    [runFiles.weights, weights],
  ] as const;
  const { ledger, compacted, timing, envelope, modelSignature, text, resume } = runFiles;
  const payload = modelStatement('run', signed, [
    ledger,
    compacted,
    timing,
    envelope,
    modelSignature,
    text,
    resume,
    'checkpoints',
  ]);
  return modelBundle(payload, sign(hash, preAuthenticationEncoding(statementType, payload), key), hint);
}

/** The folder that a bundle is about. */
export interface SignedFolder {
  readonly read: (name: string) => Promise<Uint8Array | null>;
  /** All its entries but the ignored ones. */
  readonly entries: (ignored: ReadonlySet<string>) => Promise<Result<readonly FolderEntry[], Problem>>;
}

/** Whoever controls the target of a link could change the file after it was verified. */
export const isLink = (path: string): Result<never, Problem> =>
  wrong(
    'PV-8345',
    'model files',
    `${quoted(path)} is a symbolic link, which the bundle forbids. Put the file itself in its place.`,
  );

/**
 * The name of `key`, if it signed the bundle (PV-8344 otherwise), the bundle lists the certificate and the weights, every listed
 * file is in the folder as it was signed, and every other file is ignored by the bundle (PV-8345). Does not check certificates or transparency logs: the key is the one you trust.
 */
export async function verifyModel(
  bundle: Uint8Array | null,
  { key, hash, hint }: ModelKey,
  { read, entries }: SignedFolder,
): Promise<Result<string, Problem>> {
  if (bundle === null)
    return wrong('PV-8344', 'model signature', `The run is not signed: it has no ${runFiles.modelSignature}.`);
  const parsed = readModelBundle(bundle);
  if (!parsed.ok) return parsed;
  const { envelope, resources, method, allowSymlinks, ignored } = parsed.value;
  const message = preAuthenticationEncoding(envelope.payloadType, envelope.payload);
  if (!envelope.signatures.some(({ signature }) => verify(hash, message, key, signature)))
    return wrong('PV-8344', 'model signature', 'The bundle has no valid signature by the required key.', {
      expected: hint,
    });
  if (method !== 'files')
    return wrong(
      'PV-8345',
      'model files',
      'The bundle lists parts of files; sign it again with one digest for each file.',
    );
  const paths = new Set(resources.map(({ name }) => name));
  for (const name of [runFiles.certificate, runFiles.weights])
    if (!paths.has(name)) return wrong('PV-8345', 'model files', `The bundle does not list ${name}.`);
  const present = await entries(new Set([...ignored, runFiles.modelSignature]));
  if (!present.ok) return present;
  const link = present.value.find(({ kind }) => kind === 'link');
  if (link !== undefined && !allowSymlinks) return isLink(link.path);
  for (const one of resources) {
    const { name: path } = one;
    const isInside =
      !path.split('/').some((part) => part === '' || part === '..' || part === '.') && !path.includes('\\');
    const file = isInside ? await read(path) : null;
    if (file === null) return wrong('PV-8345', 'model files', `The signed file ${quoted(path)} is not in the folder.`);
    const checked = checkResource(one, file);
    if (!checked.ok) return checked;
  }
  const added = present.value
    .map(({ path }) => quoted(path))
    .filter((_, i) => !paths.has(present.value[i]?.path ?? ''));
  if (added.length > 0)
    return wrong(
      'PV-8345',
      'model files',
      `The bundle is not about ${listOf(added, 5)}, added after signing. Move what does not belong to the run elsewhere, or sign again.`,
    );
  return ok(`the key with SHA-256 ${hint}`);
}

const unusable = (why: string): Result<never, Problem> =>
  wrong(
    'PV-8346',
    'model key',
    `The key cannot be used for model signing: ${why}. Use an ECDSA key on P-256, P-384 or P-521.`,
  );
