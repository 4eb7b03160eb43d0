/** The files of a run, as `pv certificate verify` reads them. */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonValue } from '../../base/canonical-json.ts';
import { writeSafetensors } from '../../tensors/safetensors.ts';
import type { Parameters } from '../parameters.ts';
import type { TrainingCertificate } from './certificate.ts';

/** The bytes of certificate.json: RFC 8785 JSON. */
export function certificateFile(certificate: TrainingCertificate): Uint8Array {
  // Goes through JSON, because the compiler does not accept the certificate's interfaces as JSON values.
  const json: JsonValue = JSON.parse(JSON.stringify(certificate));
  return utf8ToBytes(canonicalJson(json));
}

/** The bytes of weights.safetensors, whose digests are in the certificate. */
export const weightsFile = (parameters: Parameters): Uint8Array => concatBytes(...writeSafetensors(parameters));
