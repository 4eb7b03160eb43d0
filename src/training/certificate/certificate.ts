/** What a run leaves for others to check: digests of what went in and came out, and what was checked on the way. */
import type { JsonObject } from '../../base/canonical-json.ts';
import type { EvidenceClass } from '../invariants/invariant.ts';

export const certificateFormat = 'pv-training-certificate/1';

/** Two digests of the same bytes, in hexadecimal. */
export interface Digests {
  readonly blake3: string;
  readonly sha256: string;
}

/** A comparison that failed. */
export interface Violation {
  readonly step: number;
  readonly invariant: string;
  /** What was measured: `loss`, a layer. */
  readonly what: string;
  /** As JSON: a text where it is not finite. */
  readonly measured: number | string;
  readonly is: 'at most' | 'at least';
  readonly bound: number;
  /** What became of the step. */
  readonly outcome: 'refused' | 'overridden' | 'warmup';
}

/** How an invariant did, and what its measurements are worth. */
export interface CertifiedInvariant {
  readonly name: string;
  readonly settings: JsonObject;
  readonly evidence: EvidenceClass;
  /** Steps at which it was checked. */
  readonly checks: number;
  readonly satisfied: number;
  readonly overridden: number;
  /** Mean time of a check in nanoseconds; null where no clock was given, so that certificates can be reproduced. */
  readonly averageLatencyNs: number | null;
  /** Checks in the tiers reflex, standard and deep. */
  readonly tierDistribution: readonly [number, number, number];
}

/** Who computed losses and gradients. */
export type Origin =
  /** A model and data of pv: everything can be replayed from the configuration. */
  | 'replayable'
  /** A trainer outside: losses and gradients are its word; norms, gates and weights were measured by pv. */
  | 'reported';

/** The certificate of one run. Its file is its RFC 8785 JSON. */
export interface TrainingCertificate {
  readonly format: typeof certificateFormat;
  /** Attempts: committed, refused and overridden. */
  readonly totalSteps: number;
  readonly committedSteps: number;
  readonly refusedSteps: number;
  readonly overriddenSteps: number;
  /** Steps at which a comparison failed. */
  readonly violations: number;
  /** Every failed comparison, in order. */
  readonly violationList: readonly Violation[];
  /** 82 bytes in base64 that compose all steps: see `composeAttestation`. */
  readonly attestation: string;
  /** The last committed loss; null where nothing was committed. */
  readonly finalLoss: number | null;
  readonly finalCoherence: number | null;
  readonly robustness: JsonObject | null;
  readonly epoch: number;
  readonly invariantStats: readonly CertifiedInvariant[];
  /** Of weights.safetensors. */
  readonly weights: Digests;
  /** SHA-256 of the initial weights as safetensors. */
  readonly initialWeights: string;
  /** The whole configuration, and the digests of its RFC 8785 JSON. */
  readonly config: JsonObject;
  readonly configDigest: Digests;
  readonly datasetManifest: Digests | null;
  readonly code: CodeIdentity | null;
  readonly ledger: { readonly leaves: number; readonly root: string };
  readonly checkpoints: readonly CheckpointDigest[];
  readonly origin: Origin;
}

/** What ran. */
export interface CodeIdentity {
  readonly name: string;
  readonly version: string;
  /** Digest of the code itself, where it is known: a commit, or of the bundle. */
  readonly digest: string | null;
}

/** A file from which the run can be replayed. */
export interface CheckpointDigest {
  /** The step after which it was written. */
  readonly step: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
}
