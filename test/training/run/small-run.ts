/** A run of a few milliseconds, and its files in memory. */
import { utf8ToBytes, concatBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject, type JsonValue } from '../../../src/base/canonical-json.ts';
import type { TrainingCertificate } from '../../../src/training/certificate/certificate.ts';
import { readRun, type Run } from '../../../src/training/run/run-file.ts';
import { train } from '../../../src/training/run/train.ts';
import { writeSafetensors } from '../../../src/tensors/safetensors.ts';
import type { RunFiles } from '../../../src/training/verify/verify.ts';

/** A run file, as parsed. */
export const document: JsonObject = {
  format: 'pv-training-run/1',
  seed: 3,
  steps: 24,
  model: { kind: 'gnn', hidden: [6] },
  data: { kind: 'planted_graph', nodes: 30, classes: 3, features: 4, degree: 3, homophily: 0.9, labelled: 0.6 },
  optimizer: { kind: 'sgd', learning_rate: 0.3, momentum: 0.5 },
  invariants: [
    { LossStabilityBound: { spike_cap: 0.5, window: 5, max_gradient_norm: 5, max_step_size: 2 } },
    { WeightNormBound: { max_norm: 20, min_norm: 0.01 } },
  ],
  checkpoint_interval: 6,
  drills: [{ step: 9, gradients_times: 1e6 }],
};

/** The run of a document that is known to be good. */
function runOf(text: JsonObject, data: Uint8Array | null): Run {
  const run = readRun(text, data);
  if (!run.ok) throw new Error(run.error.message);
  return run.value;
}

/** What `pv train` writes. */
export interface TrainedFiles {
  readonly certificate: TrainingCertificate;
  readonly weights: Uint8Array;
  readonly ledger: string;
  readonly checkpoints: ReadonlyMap<number, Uint8Array>;
}

/** Trains, up to step `last` at most, and keeps the files. */
export async function trainedFiles(
  text: JsonObject = document,
  data: Uint8Array | null = null,
  last = Infinity,
): Promise<TrainedFiles> {
  let ledger = '';
  const checkpoints = new Map<number, Uint8Array>();
  const { certificate, parameters } = await train(runOf(text, data), {
    ledger: (line) => {
      ledger += line;
    },
    checkpoint: async (step, file) => {
      checkpoints.set(step, file);
    },
    progress: async ({ step }) => step >= last,
  });
  return { certificate, weights: concatBytes(...writeSafetensors(parameters)), ledger, checkpoints };
}

/** The file of a certificate. */
export function certificateBytes(certificate: TrainingCertificate): Uint8Array {
  const json: JsonValue = JSON.parse(JSON.stringify(certificate));
  return utf8ToBytes(canonicalJson(json));
}

/** The files as a verifier gets them. */
export const filesOf = ({ certificate, weights, ledger, checkpoints }: TrainedFiles): RunFiles => ({
  certificate: certificateBytes(certificate),
  weights,
  envelope: null,
  ledger: utf8ToBytes(ledger),
  compacted: null,
  text: async () => null,
  checkpoint: async (step) => checkpoints.get(step) ?? null,
});
