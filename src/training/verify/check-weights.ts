import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Digests, TrainingCertificate } from '../certificate/certificate.ts';
import { digestsOf } from '../certificate/seal.ts';

/** Checks the digests of weights and configuration against the certificate; PV-8411 or PV-8410 if they differ. */
export function checkWeights(certificate: TrainingCertificate, weights: Uint8Array): Result<null, Problem> {
  const found = digestsOf(weights);
  if (!same(found, certificate.weights))
    return wrong('PV-8411', 'weights', 'The weights do not match the certificate.', {
      expected: certificate.weights.sha256,
      actual: found.sha256,
    });
  const config = digestsOf(utf8ToBytes(canonicalJson(certificate.config)));
  if (!same(config, certificate.configDigest))
    return wrong('PV-8410', 'configuration', 'The digest in the certificate does not match its configuration.', {
      expected: certificate.configDigest.blake3,
      actual: config.blake3,
    });
  return ok(null);
}

const same = (a: Digests, b: Digests): boolean => a.blake3 === b.blake3 && a.sha256 === b.sha256;
