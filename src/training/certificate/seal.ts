/** Makes the certificate of a run. */
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { encodeBase64 } from '../../notes/base64.ts';
import type { Invariant } from '../invariants/invariant.ts';
import { composeAttestation } from '../ledger/attestation.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tally } from '../ledger/tally.ts';
import type { InvariantStats } from '../trainer/gate.ts';
import {
  certificateFormat,
  sourcesOf,
  type CheckpointDigest,
  type CodeIdentity,
  type Digests,
  type Origin,
  type TrainingCertificate,
} from './certificate.ts';

/** What the caller knows about a run besides its steps. */
export interface SealOptions {
  /** Passes over the data; 0 by default. */
  readonly epoch?: number;
  /** A list of the data files, or any other text that identifies the data. */
  readonly datasetManifest?: Uint8Array;
  readonly code?: CodeIdentity;
  readonly checkpoints?: readonly CheckpointDigest[];
  readonly robustness?: JsonObject;
}

/** The run to seal. */
export interface Run {
  readonly config: JsonObject;
  readonly configDigest: Uint8Array;
  readonly tally: Tally;
  readonly ledger: Ledger;
  readonly initial: string;
  /** Of the file with the final weights. */
  readonly weights: Digests;
  readonly stats: readonly InvariantStats[];
  readonly invariants: readonly Invariant[];
  readonly origin: Origin;
}

/** BLAKE3 and SHA-256 of some bytes. */
export const digestsOf = (bytes: Uint8Array): Digests => ({
  blake3: bytesToHex(blake3(bytes)),
  sha256: bytesToHex(sha256(bytes)),
});

/** Makes the certificate. The same run always gives the same one. */
export function sealRun(run: Run, options: SealOptions): TrainingCertificate {
  const { tally, ledger, stats, invariants } = run;
  const root = ledger.root();
  return {
    format: certificateFormat,
    totalSteps: ledger.steps,
    ...tally.counts(),
    violationList: tally.violations(),
    attestation: encodeBase64(
      composeAttestation({
        root,
        leaves: ledger.steps + 1,
        last: ledger.last,
        config: run.configDigest,
        comparisons: tally.comparisons(),
      }),
    ),
    finalLoss: tally.finalLoss(),
    finalCoherence: tally.finalCoherence(),
    robustness: options.robustness ?? null,
    epoch: options.epoch ?? 0,
    invariantStats: stats.map((of, i) => ({
      ...of,
      settings: invariants[i]?.settings ?? {},
      evidence: invariants[i]?.evidence ?? { class: 'external' },
      averageLatencyNs: null,
    })),
    weights: run.weights,
    initialWeights: run.initial,
    config: run.config,
    configDigest: digestsOf(utf8ToBytes(canonicalJson(run.config))),
    datasetManifest: options.datasetManifest === undefined ? null : digestsOf(options.datasetManifest),
    code: options.code ?? null,
    ledger: { leaves: ledger.steps + 1, root: bytesToHex(root) },
    checkpoints: options.checkpoints ?? [],
    origin: run.origin,
    sources: sourcesOf[run.origin],
  };
}
