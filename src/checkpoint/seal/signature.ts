/**
 * Signatures of a seal: an in-toto Statement about the manifest and all files that it lists, in a DSSE envelope next to it.
 *
 * Source: https://github.com/in-toto/attestation, spec/v1/statement.md.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { sameBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Host } from '../../host/host.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { checkEnvelope, parseEnvelope, signEnvelope } from '../../notes/dsse.ts';
import type { VerifierKey } from '../../notes/key.ts';
import type { Signer } from '../../notes/signer.ts';
import { fileName } from '../checkpoint-files.ts';
import { largestSeal, type SealedFile } from './manifest.ts';
import type { KeptHashes } from './stored-hashes.ts';
import type { SealedPlace } from './tree.ts';

const statementType = 'application/vnd.in-toto+json';

/** A manifest: its text, and the files that it lists. */
export interface Manifest {
  readonly text: string;
  readonly files: readonly SealedFile[];
}

function statementOf({ manifest }: SealedPlace, { text, files }: Manifest): Uint8Array {
  const subjects = [
    { name: fileName(manifest), digest: { sha256: bytesToHex(sha256(utf8ToBytes(text))) } },
    ...files.map(({ path, sha256: digest }) => ({ name: path, digest: { sha256: digest } })),
  ];
  return utf8ToBytes(
    canonicalJson({
      _type: 'https://in-toto.io/Statement/v1',
      subject: subjects,
      predicateType: 'urn:provable-contracts:checkpoint-seal:1',
      predicate: {},
    }),
  );
}

/** The text of the envelope; PV-8415 for a cosigner's key. */
export function signSeal(place: SealedPlace, manifest: Manifest, signers: readonly Signer[]): Result<string, Problem> {
  return signEnvelope(statementType, statementOf(place, manifest), signers);
}

/** Who signed a seal, as far as keys were given: `unchecked` if there are signatures and no keys. */
export type Trust =
  { readonly kind: 'unsigned' | 'unchecked' } | { readonly kind: 'signed'; readonly by: readonly string[] };

/** PV-8414 if one of `keys` has not signed exactly this manifest, PV-8415 if the envelope is malformed. */
export async function trustIn(
  host: Host,
  place: SealedPlace,
  kept: KeptHashes | null,
  keys: readonly VerifierKey[],
): Promise<Result<Trust, Problem>> {
  // The manifest of our own format is no seal, and nobody signs it.
  const manifest = kept === null || kept.text === null ? null : { files: kept.files, text: kept.text };
  const kind = (await host.kindOf(place.signature)) === 'missing' || manifest === null ? 'unsigned' : 'unchecked';
  if (keys.length === 0) return ok({ kind });
  const read = await host.readBytes(place.signature, { maxBytes: 2 * largestSeal });
  if (manifest === null || !read.ok)
    return wrong(
      'PV-8414',
      'signature',
      `The checkpoint is not signed: ${fileName(place.signature)} ${read.ok ? 'is about a manifest that is missing' : read.error.message}.`,
    );
  const envelope = parseEnvelope(read.value);
  if (!envelope.ok) return envelope;
  const { payloadType, payload } = envelope.value;
  if (payloadType !== statementType || !sameBytes(payload, statementOf(place, manifest)))
    return wrong('PV-8414', 'statement', 'The signed statement is not about this manifest.');
  const signed = await checkEnvelope(envelope.value, keys);
  return signed.ok ? ok({ kind: 'signed', by: signed.value }) : signed;
}
