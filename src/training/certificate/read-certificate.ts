/** Reads untrusted certificates: JSON with a fixed schema and exactly one valid text. */
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import {
  anyNumber,
  count,
  finite,
  list,
  matching,
  nullable,
  oneOf,
  record,
  text,
  type Decoder,
} from '../../evidence/decoder.ts';
import type { EvidenceClass } from '../invariants/invariant.ts';
import {
  certificateFormat,
  sourcesOf,
  type CertifiedInvariant,
  type CheckpointDigest,
  type CodeIdentity,
  type Digests,
  type Sources,
  type TrainingCertificate,
  type Violation,
} from './certificate.ts';
import { robustnessFault } from './robustness-fault.ts';

const hex = matching(/^[0-9a-f]{64}$/, 'a digest of 64 hexadecimal digits');
const digests: Decoder<Digests> = record<Digests>({ blake3: hex, sha256: hex });

const object: Decoder<JsonObject> = (value, at) =>
  // JSON.parse returns only JSON values.
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(value as JsonObject)
    : err(`${at} is not a record`);

const evidence: Decoder<EvidenceClass> = (value, at) => {
  const named = record<{ class: 'exact' | 'bound' | 'external' }>({ class: oneOf('exact', 'bound', 'external') })(
    value,
    at,
  );
  if (named.ok) return named;
  const estimate = record<{ class: 'estimate'; iterations: number; tolerance: number }>({
    class: oneOf('estimate'),
    iterations: count,
    tolerance: finite,
  })(value, at);
  if (estimate.ok) return estimate;
  return record<{ class: 'statistical'; seed: number; samples: number }>({
    class: oneOf('statistical'),
    seed: count,
    samples: count,
  })(value, at);
};

/** A number, or the string for one that JSON cannot represent. */
const measured: Decoder<number | string> = (value, at) => {
  const decoded = anyNumber(value, at);
  return decoded.ok ? ok(typeof value === 'string' ? value : decoded.value) : decoded;
};

const violation: Decoder<Violation> = record<Violation>({
  step: count,
  invariant: text,
  what: text,
  measured,
  is: oneOf('at most', 'at least'),
  bound: finite,
  outcome: oneOf('refused', 'overridden', 'warmup'),
});

const tiers: Decoder<readonly [number, number, number]> = (value, at) => {
  const counts = list(count, 3)(value, at);
  if (!counts.ok) return counts;
  const [reflex, standard, deep] = counts.value;
  return reflex === undefined || standard === undefined || deep === undefined
    ? err(`${at} has fewer than three counts`)
    : ok([reflex, standard, deep]);
};

/** No check could verify a time, and it would make certificates irreproducible. */
const noTime: Decoder<null> = (value, at) => (value === null ? ok(null) : err(`${at} is not null`));

const invariant: Decoder<CertifiedInvariant> = record<CertifiedInvariant>({
  name: text,
  settings: object,
  evidence,
  checks: count,
  satisfied: count,
  overridden: count,
  averageLatencyNs: noTime,
  tierDistribution: tiers,
});

const source = oneOf('replayable', 'measured', 'reported');

const sources: Decoder<Sources> = record<Sources>({
  losses: source,
  gradients: source,
  learningRates: source,
  weights: source,
  finalWeights: source,
});

const certificate: Decoder<TrainingCertificate> = record<TrainingCertificate>({
  format: oneOf(certificateFormat),
  totalSteps: count,
  committedSteps: count,
  refusedSteps: count,
  overriddenSteps: count,
  violations: count,
  violationList: list(violation),
  attestation: matching(/^[A-Za-z0-9+/]{110}==$/, '82 bytes in base64'),
  finalLoss: nullable(finite),
  finalCoherence: nullable(finite),
  robustness: nullable(object),
  epoch: count,
  invariantStats: list(invariant, 1000),
  weights: digests,
  initialWeights: hex,
  config: object,
  configDigest: digests,
  datasetManifest: nullable(digests),
  code: nullable(record<CodeIdentity>({ name: text, version: text, digest: nullable(text) })),
  ledger: record<TrainingCertificate['ledger']>({ leaves: count, root: hex }),
  checkpoints: list(record<CheckpointDigest>({ step: count, sha256: hex })),
  origin: oneOf('replayable', 'reported', 'recorded'),
  sources,
});

/** The configuration has a key for each parameter. */
export const mostParameters = 1_000_000;

/** Reads a certificate; PV-8408 if it is malformed or its text is not canonical RFC 8785 JSON. */
export function readCertificate(bytes: Uint8Array): Result<TrainingCertificate, Problem> {
  const content = decodeUtf8(bytes);
  if (content === null) return malformed('it is not UTF-8');
  const json = parseStrictJson(content, 'certificate', mostParameters);
  if (!json.ok) return malformed(json.error);
  const decoded = certificate(json.value, 'certificate');
  if (!decoded.ok) return malformed(decoded.error);
  if (canonicalJson(json.value as JsonValue) !== content) return malformed('its text is not canonical RFC 8785 JSON');
  const { origin, sources: said } = decoded.value;
  if (canonicalJson({ ...said }) !== canonicalJson({ ...sourcesOf[origin] }))
    return malformed(`its sources are not those of a run of origin ${origin}`);
  const fault = checkpointFault(decoded.value) ?? robustnessFault(decoded.value);
  if (fault !== null) return malformed(fault);
  return decoded;
}

/** Repeated or unordered checkpoints would divide a run into segments without steps. */
function checkpointFault({ checkpoints, totalSteps }: TrainingCertificate): string | null {
  const at = checkpoints.findIndex(({ step }, i) => step <= (checkpoints[i - 1]?.step ?? 0) || step > totalSteps);
  return at < 0
    ? null
    : `certificate.checkpoints[${at}].step must be above the step of the checkpoint before it and at most ${totalSteps}`;
}

const malformed = (why: string): Result<never, Problem> =>
  wrong('PV-8408', 'certificate', `The file is not a training certificate: ${why.replace(/\.$/u, '')}.`);
