/** Training in which every update passes a gate before a weight changes, and every attempt is recorded. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { writeSafetensors } from '../../tensors/safetensors.ts';
import { sealRun, type SealOptions } from '../certificate/seal.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import { createLedger } from '../ledger/ledger.ts';
import { failedOf, type Measured, type StepRecord, type StepVerdict } from '../ledger/step-record.ts';
import { createTally } from '../ledger/tally.ts';
import { norm } from '../norm.ts';
import { readGradients, type Parameters } from '../parameters.ts';
import { orThrow, trainingError } from '../training-error.ts';
import { configure, type TrainerOptions } from './configuration.ts';
import { notFinite } from './finite.ts';
import { createGate } from './gate.ts';
import { createState, type TrainerState } from './state.ts';
import { tryUpdate } from './try-update.ts';

/** One step's input. */
export interface StepInput {
  readonly loss: number;
  /** By the names of the parameters; read during the call only. */
  readonly gradients: Readonly<Record<string, Float32Array>>;
}

/** What became of a step. */
export interface StepOutcome {
  readonly step: number;
  readonly verdict: StepVerdict;
  readonly loss: number;
  /** The learning rate of this step. */
  readonly rate: number;
  readonly measured: readonly Measured[];
  /** The comparisons that failed: none of a step that simply was committed. */
  readonly violations: readonly Measured[];
  /** The 82 bytes that attest the step. */
  readonly attestation: Uint8Array;
}

/** A trainer around weights that somebody else computes gradients for. */
export interface VerifiedTrainer {
  readonly parameters: Parameters;
  /** The configuration as certified, and its BLAKE3. */
  readonly config: JsonObject;
  readonly state: TrainerState;
  /**
   * Checks, then commits or refuses one update. A refused step is a value, not an exception, and leaves every byte of weights and
   * optimizer state as it was. Throws PV-8402 for gradients that do not fit, PV-8404 where the weights were changed elsewhere, and
   * what the ledger throws; after that, no step is taken.
   */
  readonly step: (input: StepInput) => Promise<StepOutcome>;
  /** The certificate of the steps so far; no step is taken afterwards. */
  readonly seal: (options?: SealOptions) => Promise<TrainingCertificate>;
}

/** Creates a trainer; throws PV-8401 or PV-8403 for weights or settings that cannot be used. */
export function createVerifiedTrainer(options: TrainerOptions): VerifiedTrainer {
  const configuration = configure(options);
  const { parameters, optimizer, schedule, invariants, config } = configuration;
  const configDigest = blake3(utf8ToBytes(canonicalJson(config)));
  const state = createState(parameters, optimizer, schedule);
  const gate = createGate(invariants, configuration.expensiveCheckInterval);
  let weights = weightsDigest(parameters);
  const initial = weights;
  const ledger = createLedger({ config: configDigest, initial }, options.ledger);
  const tally = createTally();
  /** Why no further step is taken. */
  let ended: string | null = null;

  function step({ loss, gradients: given }: StepInput): StepOutcome {
    if (ended !== null) throw trainingError({ code: 'PV-8404', check: 'trainer', message: ended });
    const gradients = orThrow(readGradients(parameters, given));
    if (weightsDigest(parameters) !== weights) {
      ended = `The weights are not those that step ${ledger.steps} left: only the trainer may write to them.`;
      throw trainingError({ code: 'PV-8404', check: 'weights', message: ended });
    }
    const number = ledger.steps + 1;
    const warmup = number <= configuration.warmupSteps;
    const checks = gate.open(number);
    const attempt = { step: number, loss, rate: state.rate(), gradients, gradientNorm: norm(gradients), parameters };
    const nonFinite = [...notFinite(attempt)];
    const tolerant = warmup || configuration.allowOverride;
    const applied = nonFinite.length === 0 && tryUpdate({ attempt, configuration, state, checks, tolerant, nonFinite });
    const measured = [...nonFinite, ...checks.measured];
    const failed = checks.failed() || nonFinite.length > 0;
    const before = weights;
    if (applied) {
      weights = weightsDigest(parameters);
      state.advance(loss);
      gate.committed(attempt);
    }
    checks.close(applied);
    const verdict: StepVerdict = !applied ? 'refused' : failed && !warmup ? 'overridden' : 'committed';
    const record: StepRecord = {
      step: number,
      verdict,
      warmup: applied && failed && warmup,
      loss,
      rate: attempt.rate * checks.rateFactor(),
      before,
      after: weights,
      measured,
    };
    return report(record);
  }

  function report(record: StepRecord): StepOutcome {
    const { step: number, verdict, loss, rate, measured } = record;
    try {
      const attestation = ledger.append(record);
      tally.add(record);
      return { step: number, verdict, loss, rate, measured, violations: failedOf(record), attestation };
    } catch (error) {
      ended = `Step ${number} could not be recorded, so no further step is taken.`;
      throw error;
    }
  }

  return {
    parameters,
    config,
    state,
    step: async (input) => step(input),
    async seal(sealing = {}) {
      if (ended !== null) throw trainingError({ code: 'PV-8404', check: 'trainer', message: ended });
      ended = 'The run is sealed: no further step is taken.';
      return sealRun(
        { config, configDigest, tally, ledger, initial, parameters, stats: gate.stats(), invariants },
        sealing,
      );
    },
  };
}

/** SHA-256 of the weights as a safetensors file, in hexadecimal: what `sha256sum weights.safetensors` prints. */
export const weightsDigest = (parameters: Parameters): string => bytesToHex(sha256(...writeSafetensors(parameters)));
