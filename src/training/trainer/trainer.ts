/** Training in which every update passes a gate before a weight changes, and every attempt is recorded. */
import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import type { TrainingCertificate } from '../certificate/certificate.ts';
import { sealRun, type SealOptions } from '../certificate/seal.ts';
import type { ReplayBuffer } from '../continual/replay-buffer.ts';
import { createLedger } from '../ledger/ledger.ts';
import { failedOf, type Measured, type StepRecord, type StepVerdict } from '../ledger/step-record.ts';
import { createTally } from '../ledger/tally.ts';
import type { Parameters } from '../parameters.ts';
import { isTrainingError, trainingError } from '../training-error.ts';
import { configure, type TrainerOptions } from './configuration.ts';
import type { TrainerState } from './state.ts';
import type { StepInput } from './attempts.ts';
import { createStepper, type Kept } from './stepper.ts';

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
  /** Draws samples to learn again; null without the option `replay`. */
  readonly replay: Pick<ReplayBuffer, 'draw' | 'held'> | null;
  /** What a checkpoint holds. */
  readonly keep: () => Kept;
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
  const { parameters, invariants, config } = configuration;
  const configDigest = blake3(utf8ToBytes(canonicalJson(config)));
  const stepper = createStepper(configuration);
  const initial = stepper.weights();
  const ledger = createLedger({ config: configDigest, initial }, options.ledger);
  const tally = createTally();
  /** Why no further step is taken. */
  let ended: string | null = null;

  /** Runs `action`, after which nothing else happens where it ends the run. */
  function unlessEnded<T>(action: () => T): T {
    if (ended !== null) throw trainingError({ code: 'PV-8404', check: 'trainer', message: ended });
    try {
      return action();
    } catch (error) {
      if (isTrainingError(error) && error.problem.code === 'PV-8404') ended = error.problem.message;
      throw error;
    }
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
    state: stepper.state,
    replay: configuration.replay,
    keep: () => stepper.keep(ledger.steps),
    step: async (input) => unlessEnded(() => report(stepper.step(ledger.steps + 1, input))),
    async seal(sealing = {}) {
      unlessEnded(() => stepper.checkWeights(ledger.steps));
      ended = 'The run is sealed: no further step is taken.';
      const stats = stepper.stats();
      return sealRun({ config, configDigest, tally, ledger, initial, parameters, stats, invariants }, sealing);
    },
  };
}
