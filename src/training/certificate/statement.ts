/** The certificate as an in-toto Statement, which other tools can sign, store and look up. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { TrainingCertificate } from './certificate.ts';

/** The DSSE payload type of in-toto statements. */
export const statementType = 'application/vnd.in-toto+json';

/** The names of the files that a statement covers. */
export interface StatementFiles {
  readonly certificate: string;
  readonly weights: string;
}

/**
 * The RFC 8785 JSON of the statement. Its subjects are the weights and the certificate file; its predicate is the certificate.
 *
 * Source: https://github.com/in-toto/attestation, spec/v1/statement.md. Subjects have SHA-256 digests, which every reader supports.
 * The BLAKE3 of the weights is in the predicate, since in-toto's DigestSet does not define BLAKE3.
 */
export function statementOf(certificate: TrainingCertificate, file: Uint8Array, names: StatementFiles): Uint8Array {
  const predicate: JsonValue = JSON.parse(JSON.stringify(certificate));
  return utf8ToBytes(
    canonicalJson({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: names.weights, digest: { sha256: certificate.weights.sha256 } },
        { name: names.certificate, digest: { sha256: bytesToHex(sha256(file)) } },
      ],
      predicateType: 'urn:provable-contracts:verified-training:1',
      predicate,
    }),
  );
}
