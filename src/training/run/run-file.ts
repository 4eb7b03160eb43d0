/** Run files: a complete description of a training run, as YAML or JSON. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { list, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Optimizer } from '../optimizer/optimizer.ts';
import { constant, type Schedule } from '../optimizer/schedule.ts';
import type { TrainerOptions } from '../trainer/configuration.ts';
import { rollbackStrategies, type RollbackStrategy } from '../trainer/rollback.ts';
import { isTrainingError } from '../training-error.ts';
import { between, flag, whole } from './fields.ts';
import { plantedGraphData, type PlantedGraphData } from './gnn-task.ts';
import { data, isObject, model, prepareData, withRecorded, type Data, type Model } from './model-and-data.ts';
import { invariant, optimizer, schedule, type MakeInvariant } from './parts.ts';
import { learnedTasks, sequenceOf, startsOf } from './sequence.ts';
import type { RobustnessRequest, Task } from './task.ts';

/** The value of `format:` in run files. */
const runFormat = 'pv-training-run/1';

/** A deliberate fault: multiplies the gradients of one step by a factor, to show that the gate refuses them. */
interface Drill {
  readonly step: number;
  readonly gradients_times: number;
}

/** One of several tasks that a run learns one after another; `seed` and `data` are those of the run by default. */
interface TaskEntry {
  readonly name: string;
  readonly steps: number;
  readonly seed?: number;
  readonly data?: PlantedGraphData;
}

/** Elastic weight consolidation: each task but the last is anchored at its end. */
interface Ewc {
  readonly lambda: number;
  readonly fisher_samples?: number;
}

/** Replay of samples of earlier steps. */
interface Replay {
  readonly capacity: number;
  readonly samples_per_step: number;
  readonly seed?: number;
}

/** Certified robustness of the final weights. */
interface Robustness {
  readonly epsilon: number;
  readonly method?: RobustnessRequest['method'];
  readonly samples?: number;
  readonly radius?: boolean;
}

/** The content of a run file. */
interface RunFile {
  readonly format: typeof runFormat;
  readonly seed: number;
  readonly steps: number;
  readonly model: Model;
  readonly data: Data;
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
  readonly tasks?: readonly TaskEntry[];
  readonly ewc?: Ewc;
  readonly replay?: Replay;
  readonly robustness?: Robustness;
  readonly deep_checks?: 'here' | 'worker';
}

/** The longest run. */
export const mostSteps = 10_000_000;

const seed = whole(0, Number.MAX_SAFE_INTEGER);

const taskName: Decoder<string> = (value, at) =>
  typeof value === 'string' && /^[\w][\w .-]{0,63}$/.test(value)
    ? ok(value)
    : err(`${at} is not a name of up to 64 letters, digits, dots, dashes, underscores and spaces`);

const runFile: Decoder<RunFile> = record<RunFile>(
  {
    format: oneOf(runFormat),
    seed,
    steps: whole(1, mostSteps),
    model,
    data,
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
    tasks: list(
      record<TaskEntry>({ name: taskName, steps: whole(1, mostSteps), seed, data: plantedGraphData }, ['seed', 'data']),
      100,
    ),
    ewc: record<Ewc>({ lambda: between(0, 1e30), fisher_samples: whole(1, 100_000) }, ['fisher_samples']),
    deep_checks: oneOf('here', 'worker'),
    robustness: record<Robustness>(
      {
        epsilon: between(0, 1e6),
        method: oneOf('ibp', 'deeppoly', 'hybrid'),
        samples: whole(1, 100_000),
        radius: flag,
      },
      ['method', 'samples', 'radius'],
    ),
    replay: record<Replay>({ capacity: whole(1, 1_000_000), samples_per_step: whole(1, 100_000), seed }, ['seed']),
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
    'tasks',
    'ewc',
    'replay',
    'robustness',
    'deep_checks',
  ],
);

/** A run that can be started any number of times. */
export interface Run {
  /** The run file with the digest of its text, if it has one: part of the certified configuration. */
  readonly document: JsonObject;
  /** The file that `data.file` names; null for other data. */
  readonly text: Uint8Array | null;
  readonly steps: number;
  readonly checkpointInterval: number;
  /** The run stops after this many refusals in a row. */
  readonly stopAfterRefusals: number;
  readonly drills: ReadonlyMap<number, number>;
  /** Builds the data and the model's buffers. */
  readonly task: () => Task;
  readonly options: (task: Task) => TrainerOptions;
  /** Number of samples that each step replays; null without replay. */
  readonly samplesPerStep: number | null;
  /** Where the deep checks run. It changes no byte, so it is not in `document`. */
  readonly deepChecks: 'here' | 'worker';
  /** What to certify about the final weights; null for nothing. */
  readonly robustness: RobustnessRequest | null;
}

/**
 * The run that `document` describes. The message of PV-8405 begins with the key at fault, such as `run.model.hidden[1]`.
 * `text` is the file that `data.file` names. Each call of `options` makes new optimizers, schedules and invariants, which are pure.
 */
export function readRun(document: JsonObject, text: Uint8Array | null = null): Result<Run, Problem> {
  const decoded = decode(document);
  if (!decoded.ok) return decoded;
  const { seed, steps, ...file } = decoded.value;
  const fault = misfit(decoded.value);
  if (fault !== null) return wrong('PV-8405', 'run file', `${fault}.`);
  const inapplicable = checkInvariants(document, file.model);
  if (inapplicable !== null) return inapplicable;
  const prepared = prepareData(decoded.value, text);
  if (!prepared.ok) return prepared;
  const { taskOf } = prepared.value;
  const { deep_checks: _, ...certified } = document;
  const recorded = withRecorded(certified, prepared.value.recorded);
  const { tasks: entries, ewc, replay, robustness } = file;
  return ok({
    document: recorded,
    text,
    steps,
    checkpointInterval: file.checkpoint_interval ?? Math.max(1, Math.ceil(steps / 10)),
    stopAfterRefusals: file.stop_after_refusals ?? 10,
    deepChecks: file.deep_checks ?? 'here',
    samplesPerStep: replay?.samples_per_step ?? null,
    robustness: robustness === undefined ? null : { method: 'deeppoly', samples: 16, radius: false, ...robustness },
    drills: new Map((file.drills ?? []).map(({ step, gradients_times: times }) => [step, times])),
    task: () =>
      entries === undefined
        ? taskOf({})
        : sequenceOf(entries.map(({ name, steps: own, ...of }) => ({ name, steps: own, task: taskOf(of) }))),
    options: (task) => ({
      parameters: task.initial(),
      optimizer: file.optimizer,
      schedule: file.schedule ?? constant(),
      invariants: file.invariants.map((make) => make(task)),
      expensiveCheckInterval: file.expensive_check_interval ?? 1,
      warmupSteps: file.warmup_steps ?? 0,
      rollbackStrategy: file.rollback_strategy ?? 'delta-apply',
      allowOverride: file.allow_override ?? false,
      taskStarts: startsOf(entries ?? []),
      ...(ewc && { ewc: { lambda: ewc.lambda, tasks: learnedTasks(task.sequence, ewc.fisher_samples ?? 64, seed) } }),
      ...(replay && {
        replay: { capacity: replay.capacity, seed: replay.seed ?? seed, perStep: replay.samples_per_step },
      }),
      run: recorded,
    }),
  });
}

/** PV-8323 for an invariant that says nothing about the model; null if all apply. */
function checkInvariants({ invariants }: JsonObject, { kind }: Model): Result<never, Problem> | null {
  const items = Array.isArray(invariants) ? invariants : [];
  const at = items.findIndex((item) => isObject(item) && Object.hasOwn(item, 'PermutationEquivariance'));
  if (kind === 'gnn' || at < 0) return null;
  const message = `run.invariants[${at}].PermutationEquivariance does not apply to ${kind}, whose positions have an order: remove it.`;
  return wrong('PV-8323', 'run file', message);
}

/** What does not fit between `tasks`, `ewc` and the rest; null if everything does. */
function misfit({ steps, model, data, tasks, ewc, robustness }: RunFile): string | null {
  if (robustness !== undefined && model.kind !== 'gnn')
    return `run.robustness is for the model gnn: pv cannot bound the outputs of a ${model.kind}`;
  if (ewc !== undefined && (tasks ?? []).length < 2)
    return 'run.ewc keeps the weights near those of earlier tasks, so run.tasks must list two or more';
  if (tasks === undefined) return null;
  if (model.kind !== 'gnn' || data.kind !== 'planted_graph')
    return `run.tasks is for the model gnn; a ${model.kind} learns one text`;
  const names = tasks.map(({ name }) => name);
  const twice = names.findIndex((name, k) => names.indexOf(name) < k);
  if (twice >= 0) return `run.tasks[${twice}].name is ${quoted(names[twice] ?? '')} again; names of tasks must differ`;
  const all = tasks.reduce((sum, task) => sum + task.steps, 0);
  if (all !== steps) return `run.steps is ${steps}; it must be ${all}, the steps of all tasks together`;
  for (const [k, task] of tasks.entries())
    for (const size of ['features', 'classes'] as const)
      if (task.data !== undefined && task.data[size] !== data[size])
        return `run.tasks[${k}].data.${size} is ${task.data[size]}; it must be ${data[size]}, as in run.data`;
  return null;
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
