/** Training in which every update must pass a gate before any weight changes, and every attempt is recorded. */
import { blake3 } from '@noble/hashes/blake3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import type { Origin, TrainingCertificate } from '../certificate/certificate.ts';
import { weightsFile } from '../certificate/files.ts';
import { digestsOf, sealRun, type SealOptions } from '../certificate/seal.ts';
import type { ReplayBuffer } from '../continual/replay-buffer.ts';
import type { Attempt } from '../invariants/invariant.ts';
import { createLedger } from '../ledger/ledger.ts';
import { failedOf, type Measured, type StepRecord, type StepVerdict } from '../ledger/step-record.ts';
import { createTally } from '../ledger/tally.ts';
import type { Parameters } from '../parameters.ts';
import type { TrainingState } from '../../checkpoint/store/training-state.ts';
import { isTrainingError, orThrow, trainingError } from '../training-error.ts';
import { configure, type TrainerOptions } from './configuration.ts';
import type { DeepRequest } from './deep-checks.ts';
import type { ModelChecks } from './gate.ts';
import type { TrainerState } from './state.ts';
import type { StepInput } from './attempts.ts';
import { cannot, readResume, stateOfRun, type EarlierRun } from './resume.ts';
import { createStepper, type Kept, type Stepper } from './stepper.ts';

/** The outcome of a step. */
export interface StepOutcome {
  readonly step: number;
  readonly verdict: StepVerdict;
  readonly loss: number;
  /** The learning rate of this step. */
  readonly rate: number;
  readonly measured: readonly Measured[];
  /** The failed comparisons; empty for a step that passed. */
  readonly violations: readonly Measured[];
  /** The 82-byte attestation of the step. */
  readonly attestation: Uint8Array;
}

/** A trainer for weights whose gradients the caller computes. */
export interface VerifiedTrainer {
  readonly parameters: Parameters;
  /** The configuration as certified, and its BLAKE3. */
  readonly config: JsonObject;
  readonly state: TrainerState;
  /** Draws samples for replay; null without the option `replay`. */
  readonly replay: Pick<ReplayBuffer, 'draw' | 'held'> | null;
  /** The state that a segment of a replay starts from. */
  readonly keep: () => Kept;
  /**
   * Everything that the option `resume` needs besides the ledger, for `saveCheckpoint`. It counts steps; a loop with batches of its own
   * adds its position, partial gradients and random streams.
   */
  readonly checkpoint: () => TrainingState;
  /**
   * Checks, then commits or refuses one update. A refused step is a return value, not an exception, and leaves every byte of
   * weights and optimizer state unchanged. Throws PV-8402 for mismatched gradients, PV-8404 if something else changed the weights,
   * and any error of the ledger. After an error of the ledger, the trainer accepts no more steps.
   *
   * With `deepChecks`, a step that has checks of the whole model is committed in two phases: until its promise settles, the proposed
   * weights are in place, so that the caller can compute gradients at them meanwhile, which count only if the step is not refused.
   * Throws PV-8352 for a step before that, and what `deepChecks` rejects with; then no byte has changed.
   */
  readonly step: (input: StepInput) => Promise<StepOutcome>;
  /** The certificate of the steps so far. The trainer accepts no more steps afterwards. */
  readonly seal: (options?: SealOptions) => Promise<TrainingCertificate>;
}

/** Creates a trainer; throws PV-8401 or PV-8403 for unusable weights or settings, PV-8409 or PV-8546 if it cannot resume. */
export const createVerifiedTrainer = (options: TrainerOptions): VerifiedTrainer => createTrainer(options, 'reported');

/** A trainer whose losses and gradients come from `origin`. */
export function createTrainer(options: TrainerOptions, origin: Origin): VerifiedTrainer {
  const configuration = configure(options);
  const { parameters, invariants, config } = configuration;
  const configDigest = blake3(utf8ToBytes(canonicalJson(config)));
  const certified = { json: config, digest: configDigest };
  const stepper = createStepper(configuration);
  const earlier = options.resume === undefined ? null : orThrow(readResume(options.resume, certified));
  const initial = earlier?.ledger.initial ?? stepper.weights();
  if (earlier !== null) restore(stepper, earlier);
  const ledger = createLedger({ config: configDigest, initial }, options.ledger, earlier?.ledger);
  const tally = createTally();
  for (const record of earlier?.ledger.records ?? []) tally.add(record);
  /** Why the trainer accepts no more steps. */
  let ended: string | null = null;
  /** Whether a step waits for deep checks that are measured elsewhere. */
  let undecided = false;

  /** Runs `action` unless the run has ended; PV-8404 ends it. */
  function unlessEnded<T>(action: () => T): T {
    if (ended !== null) throw trainingError({ code: 'PV-8404', check: 'trainer', message: ended });
    try {
      return action();
    } catch (error) {
      if (isTrainingError(error) && error.problem.code === 'PV-8404') ended = error.problem.message;
      throw error;
    }
  }

  /** While a step is undecided, its proposed weights are in place, which nothing else may build on. */
  function unlessIdle(): void {
    if (!undecided) return;
    const message = 'The last step is still being checked: wait for its promise before anything else.';
    throw trainingError({ code: 'PV-8352', check: 'trainer', message });
  }

  function report(record: StepRecord): StepOutcome {
    const { step: number, verdict, loss, rate, measured } = record;
    try {
      const attestation = ledger.append(record);
      tally.add(record);
      return { step: number, verdict, loss, rate, measured, violations: failedOf(record), attestation };
    } catch (error) {
      ended = `Step ${number} could not be recorded, so the trainer accepts no more steps.`;
      throw error;
    }
  }

  return {
    parameters,
    config,
    state: stepper.state,
    replay: configuration.replay,
    keep() {
      unlessIdle();
      const kept = stepper.keep(ledger.steps);
      return { ...kept, arrays: kept.arrays.map((one) => ({ ...one, data: one.data.slice() })) };
    },
    checkpoint() {
      unlessIdle();
      return stateOfRun(stepper.keep(ledger.steps), certified, stepper.stats());
    },
    async step(input) {
      if (options.deepChecks === undefined) return unlessEnded(() => report(stepper.step(ledger.steps + 1, input)));
      unlessIdle();
      const proposed = unlessEnded(() => stepper.propose(ledger.steps + 1, input));
      const { model, attempt, abandon, decide } = proposed;
      if (model !== null) {
        undecided = true;
        try {
          model.take(await options.deepChecks.measure(requestOf(model, attempt, parameters)));
        } catch (error) {
          abandon();
          throw error;
        } finally {
          undecided = false;
        }
      }
      return unlessEnded(() => report(decide()));
    },
    async seal(sealing = {}) {
      unlessIdle();
      unlessEnded(() => stepper.checkWeights(ledger.steps));
      ended = 'The run is sealed: the trainer accepts no more steps.';
      const stats = stepper.stats();
      const weights = digestsOf(weightsFile(parameters));
      return sealRun({ config, configDigest, tally, ledger, initial, weights, stats, invariants, origin }, sealing);
    },
  };
}

/** Puts a stepper where an earlier run stopped; throws PV-8546 if it is not that run. */
function restore(stepper: Stepper, { kept, stats, ledger }: EarlierRun): void {
  if (!stepper.restore(kept, stats))
    orThrow(cannot('The checkpoint has other parameters, optimizer arrays or invariants than the trainer'));
  const { after } = ledger.records.at(-1) ?? { after: ledger.initial };
  if (stepper.weights() !== after)
    orThrow(cannot(`The weights of the checkpoint are not those that step ${kept.step} left in the ledger`));
}

/** A request whose arrays nothing else writes to. */
function requestOf({ invariants }: ModelChecks, attempt: Attempt, parameters: Parameters): DeepRequest {
  const { step, loss, rate, gradientNorm, gradients } = attempt;
  return {
    invariants,
    attempt: { step, loss, rate, gradientNorm, gradients: gradients.map((one) => one.slice()) },
    proposed: parameters.map((one) => ({ ...one, data: one.data.slice() })),
  };
}
