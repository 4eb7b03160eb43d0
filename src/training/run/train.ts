/** Runs a training run from the first step to the certificate. */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { version } from '../../base/version.ts';
import { sha256 } from '../../merkle/sha256.ts';
import type { CheckpointDigest, TrainingCertificate } from '../certificate/certificate.ts';
import type { ReplayBuffer } from '../continual/replay-buffer.ts';
import type { LedgerSink } from '../ledger/ledger.ts';
import type { Parameters } from '../parameters.ts';
import type { StepInput } from '../trainer/attempts.ts';
import type { DeepChecks } from '../trainer/deep-checks.ts';
import { createTrainer, type StepOutcome, type VerifiedTrainer } from '../trainer/trainer.ts';
import type { TrainingState } from '../../checkpoint/store/training-state.ts';
import type { ResumeFrom } from '../trainer/resume-from.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { readProgress, withProgress } from './run-progress.ts';
import type { Run } from './run-file.ts';
import { samplesOf } from './sequence.ts';
import type { Weights } from '../model/module.ts';
import { orThrow, trainingError } from '../training-error.ts';
import type { RobustnessRequest, Task } from './task.ts';

/** Receives the output of a run while it trains. */
export interface TrainingSinks {
  readonly ledger: LedgerSink;
  /** Takes the file of a checkpoint. */
  readonly checkpoint: (step: number, file: Uint8Array) => Promise<void>;
  /** Saves the state of the run every so many steps, and when it is interrupted, so that it can be resumed. */
  readonly resumable?: { readonly every: number; readonly save: (state: TrainingState) => Promise<void> };
  /** Called after each step; returns true to end the run. */
  readonly progress: (outcome: StepOutcome) => Promise<boolean>;
  /** Measures the deep checks elsewhere. */
  readonly deepChecks?: DeepChecks;
  /** A clock in milliseconds, if the times of the run are wanted. */
  readonly now?: () => number;
}

/** Where the wall-clock time of a run went, in seconds. */
export interface TrainingTimes {
  readonly loss_and_gradients: number;
  readonly checks_update_and_ledger: number;
  readonly checkpoints: number;
  readonly everything_else: number;
}

/** A run that has ended. */
export interface Trained {
  readonly certificate: TrainingCertificate;
  readonly parameters: Parameters;
  /** Why it ended early; null if it did not. */
  readonly stopped: 'interrupted' | 'refusals' | null;
  /** All zero without a clock. */
  readonly times: TrainingTimes;
}

/**
 * Runs from the start, or from where an earlier process stopped, until the end, `stopAfterRefusals` refusals in a row, or `progress`
 * returns true. Rethrows errors of the sinks.
 */
export async function train(run: Run, sinks: TrainingSinks, resume: ResumeFrom | null = null): Promise<Trained> {
  const times = stopwatch(sinks.now ?? (() => 0));
  const task = run.task();
  const trainer = trainerOf(run, task, sinks, resume);
  const next = stepInputs(run, task, trainer.parameters, trainer.replay);
  const start = startOf(resume);
  const checkpoints: CheckpointDigest[] = [...start.checkpoints];
  let { refusals } = start;
  let stopped = tooMany(run, refusals);
  // Beside deep checks elsewhere, the next gradients are computed at the proposed weights; replayed samples depend on the verdict.
  const goesAhead = sinks.deepChecks !== undefined && trainer.replay === null;
  let ahead: StepInput | null = null;
  for (let step = start.taken + 1; step <= run.steps && stopped === null; step++) {
    times.lap('everything_else');
    const input = ahead ?? next(step);
    times.lap('loss_and_gradients');
    const decided = trainer.step(input);
    times.lap('checks_update_and_ledger');
    ahead = goesAhead && step < run.steps ? next(step + 1) : null;
    times.lap('loss_and_gradients');
    const outcome = await decided;
    // What was computed at weights that were refused does not count.
    if (outcome.verdict === 'refused') ahead = null;
    times.lap('checks_update_and_ledger');
    refusals = outcome.verdict === 'refused' ? refusals + 1 : 0;
    const last = step === run.steps;
    if (step % run.checkpointInterval === 0 && !last) {
      const file = concatBytes(...writeCheckpoint(trainer.keep()));
      checkpoints.push({ step, sha256: bytesToHex(sha256(file)) });
      await sinks.checkpoint(step, file);
      times.lap('checkpoints');
    }
    stopped = (await sinks.progress(outcome)) ? 'interrupted' : last ? null : tooMany(run, refusals);
    if (last || !isDue(sinks, step, stopped)) continue;
    await sinks.resumable?.save(
      withProgress(trainer.checkpoint(), { refusals, checkpoints, every: sinks.resumable.every }),
    );
    times.lap('checkpoints');
  }
  const certificate = await trainer.seal({
    ...(run.robustness && { robustness: robustnessOf(task, trainer.parameters, run.robustness) }),
    datasetManifest: task.manifest,
    code: { name: 'provable-contracts', version, digest: null },
    checkpoints,
  });
  times.lap('everything_else');
  return { certificate, parameters: trainer.parameters, stopped, times: times.seconds };
}

function trainerOf(run: Run, task: Task, sinks: TrainingSinks, resume: ResumeFrom | null): VerifiedTrainer {
  const { ledger, deepChecks } = sinks;
  const options = { ...run.options(task), ledger, ...(deepChecks && { deepChecks }), ...(resume && { resume }) };
  return createTrainer(options, 'replayable');
}

/** What was done before the first step that is taken now. */
function startOf(resume: ResumeFrom | null) {
  if (resume === null) return { taken: 0, refusals: 0, checkpoints: [] };
  return { taken: resume.state.position.step, ...orThrow(readProgress(resume.state)) };
}

/** A run ends after so many refusals in a row. */
const tooMany = ({ stopAfterRefusals }: Run, refusals: number): Trained['stopped'] =>
  refusals >= stopAfterRefusals ? 'refusals' : null;

/** Whether the state of the run is saved after this step. */
const isDue = ({ resumable }: TrainingSinks, step: number, stopped: Trained['stopped']): boolean =>
  resumable !== undefined && (stopped === 'interrupted' || step % resumable.every === 0);

/** Adds the time since the last lap to a part of the run. */
function stopwatch(now: () => number) {
  const seconds = { loss_and_gradients: 0, checks_update_and_ledger: 0, checkpoints: 0, everything_else: 0 };
  let last = now();
  return {
    seconds,
    lap(part: keyof TrainingTimes): void {
      const time = now();
      seconds[part] += (time - last) / 1000;
      last = time;
    },
  };
}

/** The loss and gradients of each step at the current weights, with the drills and replayed samples of the run file. */
export function stepInputs(
  run: Run,
  task: Task,
  parameters: Parameters,
  replay: Pick<ReplayBuffer, 'draw'> | null,
): (step: number) => StepInput {
  const weights = weightsOf(parameters);
  return (step) => {
    const { loss, gradients } = task.lossAndGradients(weights, step);
    const times = run.drills.get(step);
    if (times !== undefined) for (const gradient of Object.values(gradients)) scale(gradient, times);
    if (replay === null) return { loss, gradients };
    const samples = samplesOf(task);
    const drawn = replay.draw(run.samplesPerStep ?? 0, step);
    const replayed = drawn.length === 0 ? {} : { replayed: samples.lossAndGradients(weights, drawn) };
    return { loss, gradients, samples: samples.at(step), ...replayed };
  };
}

function weightsOf(parameters: Parameters): Weights {
  const arrays = new Map(parameters.map(({ name, data }) => [name, data]));
  return (name) => present(arrays.get(name), 'a model knows its parameters');
}

/** The robustness of the final weights on the data of the run. */
function robustnessOf({ certifyRobustness }: Task, parameters: Parameters, request: RobustnessRequest): JsonObject {
  if (certifyRobustness !== null) return certifyRobustness(weightsOf(parameters), request);
  const message = 'run.model is not one whose robustness pv certifies: leave out run.robustness.';
  throw trainingError({ code: 'PV-8405', check: 'run file', message });
}

function scale(values: Float32Array, factor: number): void {
  for (const [i, value] of values.entries()) values[i] = factor * value;
}
