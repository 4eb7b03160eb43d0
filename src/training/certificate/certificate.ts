/** The certificate of a run: digests of its inputs and outputs, and the results of its checks. */
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
  /** A string in the JSON if it is not finite. */
  readonly measured: number | string;
  readonly is: 'at most' | 'at least';
  readonly bound: number;
  /** The verdict on the step. */
  readonly outcome: 'refused' | 'overridden' | 'warmup';
}

/** Statistics of one invariant, and the class of its evidence. */
export interface CertifiedInvariant {
  readonly name: string;
  readonly settings: JsonObject;
  readonly evidence: EvidenceClass;
  /** Steps at which it was checked. */
  readonly checks: number;
  readonly satisfied: number;
  readonly overridden: number;
  /** Always null, so that certificates are reproducible; timing.json has the times of a run. */
  readonly averageLatencyNs: null;
  /** Checks in the tiers reflex, standard and deep. */
  readonly tierDistribution: readonly [number, number, number];
}

/** Who took the steps. */
export type Origin =
  /** pv, on a model and data that it makes itself: everything can be replayed from the configuration. */
  | 'replayable'
  /** pv, with losses and gradients of an external trainer. */
  | 'reported'
  /** An external trainer, whose records pv judged afterwards. */
  | 'recorded';

/** How pv came to know a number: it can replay it, measured it when it made the certificate, or took the trainer's word for it. */
export type Source = 'replayable' | 'measured' | 'reported';

/** The source of each kind of number in a ledger and its certificate. What is computed from several has the weakest of them. */
export interface Sources {
  readonly losses: Source;
  /** Gradients and their norms. */
  readonly gradients: Source;
  readonly learningRates: Source;
  /** Norms, digests and other properties of the weights at each step. */
  readonly weights: Source;
  /** Norms and digests of the weights after the last step. */
  readonly finalWeights: Source;
}

/** The sources of a run's numbers. */
export const sourcesOf: Readonly<Record<Origin, Sources>> = {
  replayable: {
    losses: 'replayable',
    gradients: 'replayable',
    learningRates: 'replayable',
    weights: 'replayable',
    finalWeights: 'replayable',
  },
  reported: {
    losses: 'reported',
    gradients: 'reported',
    learningRates: 'measured',
    weights: 'measured',
    finalWeights: 'measured',
  },
  recorded: {
    losses: 'reported',
    gradients: 'reported',
    learningRates: 'reported',
    weights: 'reported',
    finalWeights: 'measured',
  },
};

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
  /** The attestation of the whole run, 82 bytes in base64: see `composeAttestation`. */
  readonly attestation: string;
  /** The last committed loss; null if no step was committed. */
  readonly finalLoss: number | null;
  readonly finalCoherence: number | null;
  readonly robustness: JsonObject | null;
  readonly epoch: number;
  readonly invariantStats: readonly CertifiedInvariant[];
  /** Of weights.safetensors. */
  readonly weights: Digests;
  /** SHA-256 of the initial weights as safetensors. */
  readonly initialWeights: string;
  /** The whole configuration and the digests of its RFC 8785 JSON. */
  readonly config: JsonObject;
  readonly configDigest: Digests;
  readonly datasetManifest: Digests | null;
  readonly code: CodeIdentity | null;
  readonly ledger: { readonly leaves: number; readonly root: string };
  readonly checkpoints: readonly CheckpointDigest[];
  readonly origin: Origin;
  /** Follows from the origin; spelt out so that a reader of the certificate need not know the rules. */
  readonly sources: Sources;
}

/** The software that ran. */
export interface CodeIdentity {
  readonly name: string;
  readonly version: string;
  /** The code itself, if known: a commit, or the digest of the bundle. */
  readonly digest: string | null;
}

/** A file from which the run can be replayed. */
export interface CheckpointDigest {
  /** The step after which it was written. */
  readonly step: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
}
