import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { quoted } from '../../base/text.ts';
import { float32Of, readSafetensors } from '../../tensors/safetensors.ts';
import type { Digests, TrainingCertificate } from '../certificate/certificate.ts';
import { digestsOf } from '../certificate/seal.ts';
import type { StepRecord } from '../ledger/step-record.ts';
import { norm } from '../norm.ts';

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

/**
 * Measures the final weights again: the layer norms that WeightNormBound recorded at the last step that changed them must be theirs,
 * bit for bit. PV-8411 names the layer.
 */
export function checkFinalNorms(
  { config }: TrainingCertificate,
  records: readonly StepRecord[],
  weights: Uint8Array,
): Result<null, Problem> {
  const last = records.findLast(({ verdict }) => verdict !== 'refused');
  const norms = last?.measured.filter(({ invariant }) => invariant === 'WeightNormBound') ?? [];
  if (last === undefined || norms.length === 0) return ok(null);
  const read = readSafetensors(weights);
  if (!read.ok) return read;
  const { layers } = config;
  const members = new Map(Object.entries(typeof layers === 'object' && layers !== null ? layers : {}));
  for (const { what, value } of norms) {
    const names: JsonValue = members.get(what) ?? null;
    const arrays = (Array.isArray(names) ? names : []).map((name) => {
      const tensor = typeof name === 'string' ? read.value.tensors.get(name) : undefined;
      return tensor === undefined ? null : float32Of(tensor);
    });
    const found = arrays.includes(null) ? NaN : norm(arrays.filter((array) => array !== null));
    if (found !== value)
      return wrong(
        'PV-8411',
        'weights',
        `The norm of ${quoted(what)} in the final weights is not the one in the ledger.`,
        {
          position: last.step,
          expected: String(value),
          actual: Number.isNaN(found) ? 'no such layer' : String(found),
        },
      );
  }
  return ok(null);
}

const same = (a: Digests, b: Digests): boolean => a.blake3 === b.blake3 && a.sha256 === b.sha256;
