/** Run files: a complete description of a training run, as YAML or JSON. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { list, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Optimizer } from '../optimizer/optimizer.ts';
import { constant, type Schedule } from '../optimizer/schedule.ts';
import type { TrainerOptions } from '../trainer/configuration.ts';
import { rollbackStrategies, type RollbackStrategy } from '../trainer/rollback.ts';
import { isTrainingError } from '../training-error.ts';
import { between, flag, whole } from './fields.ts';
import { gnnModel, gnnTask, plantedGraphData, type GnnModel, type PlantedGraphData } from './gnn-task.ts';
import { invariant, optimizer, schedule, type MakeInvariant } from './parts.ts';
import type { Task } from './task.ts';

/** The value of `format:` in run files. */
const runFormat = 'pv-training-run/1';

/** A deliberate fault: multiplies the gradients of one step by a factor, to show that the gate refuses them. */
interface Drill {
  readonly step: number;
  readonly gradients_times: number;
}

/** The content of a run file. */
interface RunFile {
  readonly format: typeof runFormat;
  readonly seed: number;
  readonly steps: number;
  readonly model: GnnModel;
  readonly data: PlantedGraphData;
  readonly optimizer: Optimizer;
  readonly schedule?: Schedule;
  readonly invariants: readonly MakeInvariant[];
  readonly expensive_check_interval?: number;
  readonly warmup_steps?: number;
  readonly rollback_strategy?: RollbackStrategy;
  readonly allow_override?: boolean;
  readonly checkpoint_interval?: number;
  readonly stop_after_refusals?: number;
  readonly drills?: readonly Drill[];
}

const mostSteps = 10_000_000;

/** Over all layers together, each with three float32 buffers: about 1.2 GB. */
const mostNumbers = 100_000_000;

const runFile: Decoder<RunFile> = record<RunFile>(
  {
    format: oneOf(runFormat),
    seed: whole(0, Number.MAX_SAFE_INTEGER),
    steps: whole(1, mostSteps),
    model: gnnModel,
    data: plantedGraphData,
    optimizer,
    schedule,
    invariants: list(invariant, 100),
    expensive_check_interval: whole(1, mostSteps),
    warmup_steps: whole(0, mostSteps),
    rollback_strategy: oneOf(...rollbackStrategies),
    allow_override: flag,
    checkpoint_interval: whole(1, mostSteps),
    stop_after_refusals: whole(1, mostSteps),
    drills: list(record<Drill>({ step: whole(1, mostSteps), gradients_times: between(-1e30, 1e30) }), 1000),
  },
  [
    'schedule',
    'expensive_check_interval',
    'warmup_steps',
    'rollback_strategy',
    'allow_override',
    'checkpoint_interval',
    'stop_after_refusals',
    'drills',
  ],
);

/** A run that can be started any number of times. */
export interface Run {
  /** The run file as read, which is part of the certified configuration. */
  readonly document: JsonObject;
  readonly steps: number;
  readonly checkpointInterval: number;
  /** The run stops after this many refusals in a row. */
  readonly stopAfterRefusals: number;
  readonly drills: ReadonlyMap<number, number>;
  /** Builds the data and the model's buffers. */
  readonly task: () => Task;
  readonly options: (task: Task) => TrainerOptions;
}

/**
 * The run that `document` describes. The message of PV-8405 begins with the key at fault, such as `run.model.hidden[1]`. Each call
 * of `options` makes new optimizers, schedules and invariants, which are pure.
 */
export function readRun(document: JsonObject): Result<Run, Problem> {
  const decoded = decode(document);
  if (!decoded.ok) return decoded;
  const { seed, steps, model, data, ...file } = decoded.value;
  const numbers = data.nodes * (data.features + data.classes + model.hidden.reduce((sum, width) => sum + width, 0));
  if (numbers > mostNumbers)
    return wrong(
      'PV-8405',
      'run file',
      `run.model.hidden makes ${numbers} numbers for all nodes; the limit is ${mostNumbers}.`,
    );
  return ok({
    document,
    steps,
    checkpointInterval: file.checkpoint_interval ?? Math.max(1, Math.ceil(steps / 10)),
    stopAfterRefusals: file.stop_after_refusals ?? 10,
    drills: new Map((file.drills ?? []).map(({ step, gradients_times: times }) => [step, times])),
    task: () => gnnTask(seed, model, data),
    options: (task) => ({
      parameters: task.initial(),
      optimizer: file.optimizer,
      schedule: file.schedule ?? constant(),
      invariants: file.invariants.map((make) => make(task)),
      expensiveCheckInterval: file.expensive_check_interval ?? 1,
      warmupSteps: file.warmup_steps ?? 0,
      rollbackStrategy: file.rollback_strategy ?? 'delta-apply',
      allowOverride: file.allow_override ?? false,
      run: document,
    }),
  });
}

function decode(document: JsonObject): Result<RunFile, Problem> {
  try {
    const decoded = runFile(document, 'run');
    return decoded.ok ? decoded : wrong('PV-8405', 'run file', `${decoded.error}.`);
  } catch (error) {
    if (isTrainingError(error)) return wrong(error.problem.code, error.problem.check, error.problem.message);
    throw error;
  }
}
