/** Replays the steps of a run, from its start or from a checkpoint, and compares every bit. */
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem, type ProblemCode } from '../../base/problem.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { writeCheckpoint } from '../run/checkpoint.ts';
import { present } from '../../base/invariant.ts';
import type { CertifiedInvariant, TrainingCertificate } from '../certificate/certificate.ts';
import { digestsOf } from '../certificate/seal.ts';
import { recordText, type StepRecord } from '../ledger/step-record.ts';
import { isObject } from '../run/model-and-data.ts';
import { readRun, type Run } from '../run/run-file.ts';
import { stepInputs } from '../run/train.ts';
import type { Task } from '../run/task.ts';
import { configure } from '../trainer/configuration.ts';
import { createStepper, type Kept } from '../trainer/stepper.ts';
import { isTrainingError } from '../training-error.ts';
import { divergingStep } from './diverging-step.ts';

/** A text that is missing, unusable or different: whoever verifies can mend it. */
const dataCodes: readonly ProblemCode[] = ['PV-8321', 'PV-8322'];

/** Steps that were replayed. */
interface Replayed {
  readonly steps: number;
  /** The checkpoint after the last of them, as a file. */
  readonly checkpoint: Uint8Array;
}

/** A run that can be replayed. */
export interface Replay {
  readonly run: Run;
  /** Replays steps `from.step + 1` to `to`, from the start if `from` is null, and compares their records. */
  readonly compare: (from: Kept | null, to: number, records: readonly StepRecord[]) => Result<Replayed, Problem>;
}

/**
 * Rebuilds a run from the configuration of its certificate and the text that it trained on, if it did. PV-8321 or PV-8322 if the
 * text is missing or differs, PV-8413 if pv did not train it, or if its run file does not produce its
 * configuration.
 */
export function createReplay(certificate: TrainingCertificate, text: Uint8Array | null): Result<Replay, Problem> {
  const document = certificate.config['run'];
  if (certificate.origin !== 'replayable' || !isObject(document))
    return cannot('A trainer outside pv reported its losses and gradients, so only that trainer can repeat it.');
  const run = readRun(document, text);
  if (!run.ok && dataCodes.includes(run.error.code)) return run;
  if (!run.ok) return cannot(`This version of pv cannot read its run file: ${run.error.message}`);
  const task = run.value.task();
  const configured = caught(() => configure(run.value.options(task)));
  if (!configured.ok) return cannot(`This version of pv cannot start its run file: ${configured.error.message}`);
  const { config, invariants } = configured.value;
  if (canonicalJson(config) !== canonicalJson(certificate.config))
    return cannot('Its run file does not produce its configuration.');
  if (canonicalJson(invariants.map(classOf)) !== canonicalJson(certificate.invariantStats.map(classOf)))
    return cannot('The evidence classes or tiers of its invariants are wrong.');
  const data = digestsOf(task.manifest);
  if (certificate.datasetManifest?.sha256 !== data.sha256 || certificate.datasetManifest.blake3 !== data.blake3)
    return cannot('Its run file does not produce its data.');
  if (certificate.totalSteps === 0) return cannot('It took no step.');
  if (certificate.totalSteps > run.value.steps)
    return cannot(`It took ${certificate.totalSteps} steps, and its run file asks for ${run.value.steps}.`);
  const expected = checkpointSteps(run.value, certificate.totalSteps);
  const listed = certificate.checkpoints.map(({ step }) => step);
  if (canonicalJson(listed) !== canonicalJson(expected)) return cannot('Its run file asks for other checkpoints.');
  return ok({ run: run.value, compare: (from, to, records) => compare(run.value, task, from, to, records) });
}

/** The steps after which a run writes checkpoints: an author who chose them freely could choose what a spot check sees. */
const checkpointSteps = ({ steps, checkpointInterval }: Run, taken: number): readonly number[] =>
  Array.from({ length: Math.floor(taken / checkpointInterval) }, (_, i) => (i + 1) * checkpointInterval).filter(
    (step) => step < steps,
  );

/** A certificate's statistics of an invariant before the first step. */
const classOf = ({
  name,
  settings,
  evidence,
}: Pick<CertifiedInvariant, 'name' | 'settings' | 'evidence'>): JsonObject => ({
  name,
  settings,
  evidence: { ...evidence },
});

function compare(
  run: Run,
  task: Task,
  from: Kept | null,
  to: number,
  records: readonly StepRecord[],
): Result<Replayed, Problem> {
  const configuration = configure(run.options(task));
  const stepper = createStepper(configuration);
  const start = from?.step ?? 0;
  if (from !== null && !stepper.restore(from))
    return cannot(`The checkpoint of step ${start} belongs to a different run.`);
  const before = present(records[start], 'a segment has a first step').before;
  if (stepper.weights() !== before)
    return wrong('PV-8412', 'replay', `The weights before step ${start + 1} differ from the ledger.`, {
      position: start,
      expected: before ?? 'no digest',
      actual: stepper.weights(),
    });
  const next = stepInputs(run, task, configuration.parameters, configuration.replay);
  for (let step = start + 1; step <= to; step++) {
    const recorded = present(records[step - 1], 'a segment has its records');
    const taken = caught(() => stepper.step(step, next(step)));
    if (!taken.ok) return taken;
    if (recordText(taken.value) !== recordText(recorded))
      return divergingStep(recorded, taken.value, `the first step after step ${start} that does`);
  }
  return ok({ steps: to - start, checkpoint: concatBytes(...writeCheckpoint(stepper.keep(to))) });
}

function caught<T>(make: () => T): Result<T, Problem> {
  try {
    return ok(make());
  } catch (error) {
    if (isTrainingError(error)) return { ok: false, error: error.problem };
    throw error;
  }
}

const cannot = (why: string): Result<never, Problem> =>
  wrong('PV-8413', 'replay', `The run cannot be replayed. ${why}`);
