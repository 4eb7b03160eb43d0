/**
 * The 82-byte attestation of one step: the layout of ruvector-verified's `ProofAttestation`, with hashes that bind the step.
 *
 *     offset  bytes  field                        here
 *          0     32  proof_term_hash              BLAKE3(domain ‖ record): step, verdict, measurements, digests of weights
 *         32     32  environment_hash             BLAKE3(domain ‖ previous attestation ‖ digest of the configuration)
 *         64      8  verification_timestamp_ns    the step, a logical clock: a replay gives the same bytes
 *         72      4  verifier_version             0x00010000
 *         76      4  reduction_steps              number of comparisons
 *         80      2  cache_hit_rate_bps           0: there is no cache
 *
 * All numbers are little-endian and unsigned.
 */
import { blake3 } from '@noble/hashes/blake3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** The length of an attestation in bytes. */
const attestationBytes = 82;

/** The inputs of an attestation's hashes. */
export interface Attested {
  /** Canonical JSON of the record. */
  readonly record: Uint8Array;
  /** The previous attestation, or {@link noAttestation}. */
  readonly previous: Uint8Array;
  /** BLAKE3 of the configuration. */
  readonly config: Uint8Array;
  /** A whole number ≥ 0. */
  readonly step: number;
  /** Number of comparisons; saturates at 2³² − 1. */
  readonly comparisons: number;
}

/** The previous attestation of a run's first step: all zeros. */
export const noAttestation: Uint8Array = new Uint8Array(attestationBytes);

const version = 0x0001_0000;
const recordDomain = utf8ToBytes('provable-contracts training record v1\n');
const composedDomain = utf8ToBytes('provable-contracts training run v1\n');
const chainDomain = utf8ToBytes('provable-contracts training chain v1\n');

/** The attestation of a record. */
export function attest({ record, previous, config, step, comparisons }: Attested): Uint8Array {
  const term = hashOf(recordDomain, record);
  return encode(term, hashOf(chainDomain, previous, config), step, comparisons);
}

/** A whole run. */
export interface Composed {
  /** Root and size of the ledger's tree, header included. */
  readonly root: Uint8Array;
  readonly leaves: number;
  /** The attestation of the last step. */
  readonly last: Uint8Array;
  readonly config: Uint8Array;
  readonly comparisons: number;
}

/**
 * The attestation of a whole run. Its first hash binds the ledger's root and size, its second the last step's attestation and the
 * configuration. Its time is the number of steps.
 */
export function composeAttestation({ root, leaves, last, config, comparisons }: Composed): Uint8Array {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(leaves), true);
  const first = hashOf(composedDomain, size, root);
  return encode(first, hashOf(chainDomain, last, config), leaves - 1, comparisons);
}

// One buffer for all short inputs, which most are: hashing is synchronous, and no digest refers to it.
const short = new Uint8Array(2048);

/** BLAKE3 of `parts`, one after the other. */
function hashOf(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) {
    if (length + part.length > short.length) return blake3(concatBytes(...parts));
    short.set(part, length);
    length += part.length;
  }
  return blake3(short.subarray(0, length));
}

function encode(term: Uint8Array, environment: Uint8Array, step: number, comparisons: number): Uint8Array {
  const bytes = new Uint8Array(attestationBytes);
  bytes.set(term, 0);
  bytes.set(environment, 32);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(64, BigInt(step), true);
  view.setUint32(72, version, true);
  view.setUint32(76, Math.min(comparisons, 0xffff_ffff), true);
  return bytes;
}
