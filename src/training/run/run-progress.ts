/** What a run of `pv train` needs to go on besides the state of its trainer: under `extra.run` in its checkpoints. */
import { ok, type Result } from '../../base/result.ts';
import type { Problem } from '../../base/problem.ts';
import type { TrainingState } from '../../checkpoint/store/training-state.ts';
import { count, list, matching, record, type Decoder } from '../../evidence/decoder.ts';
import type { CheckpointDigest } from '../certificate/certificate.ts';
import { plain } from '../trainer/read-progress.ts';
import { cannot } from '../trainer/resume.ts';
import { whole } from './fields.ts';
import { mostSteps, readRun, type Run } from './run-file.ts';

/** The progress of a run. */
interface RunProgress {
  /** Refusals in a row. */
  readonly refusals: number;
  /** Of the files that replays start from. */
  readonly checkpoints: readonly CheckpointDigest[];
  /** The steps between two checkpoints to resume from. */
  readonly every: number;
}

const runProgress: Decoder<RunProgress> = record<RunProgress>({
  refusals: count,
  every: whole(1, mostSteps),
  checkpoints: list(
    record<CheckpointDigest>({ step: count, sha256: matching(/^[0-9a-f]{64}$/, 'a SHA-256 digest in hexadecimal') }),
  ),
});

/** The state of a trainer with the progress of its run. */
export const withProgress = (state: TrainingState, { checkpoints, ...rest }: RunProgress): TrainingState => ({
  ...state,
  extra: { ...state.extra, run: { ...rest, checkpoints: checkpoints.map((one) => ({ ...one })) } },
});

/** PV-8546 for the checkpoint of a trainer outside `pv train`. */
export function readProgress({ extra }: TrainingState): Result<RunProgress, Problem> {
  const decoded = runProgress(extra?.['run'], 'extra.run');
  return decoded.ok ? ok(decoded.value) : cannot(`It is not a checkpoint of pv train: ${decoded.error}`);
}

/** The run that a checkpoint is of; `data` is the text that it trains on, if it does. PV-8546 if it is not one of `pv train`. */
export function runOf({ extra }: TrainingState, data: Uint8Array | null): Result<Run, Problem> {
  const trainer = plain(extra?.['trainer'], 'extra.trainer');
  const config = trainer.ok ? plain(trainer.value['config'], 'extra.trainer.config') : trainer;
  const document = config.ok ? plain(config.value['run'], 'extra.trainer.config.run') : config;
  return document.ok ? readRun(document.value, data) : cannot(`It is not a checkpoint of pv train: ${document.error}`);
}
