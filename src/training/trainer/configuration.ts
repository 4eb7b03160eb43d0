/** Reads and checks the options of a trainer, and builds its configuration. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { quoted } from '../../base/text.ts';
import { consolidate, type Consolidation, type ConsolidationOptions } from '../continual/ewc.ts';
import { createReplayBuffer, type ReplayBuffer, type ReplayOptions } from '../continual/replay-buffer.ts';
import type { Invariant } from '../invariants/invariant.ts';
import type { LedgerSink } from '../ledger/ledger.ts';
import type { Optimizer } from '../optimizer/optimizer.ts';
import { constant, type Schedule } from '../optimizer/schedule.ts';
import {
  hasControls,
  printable,
  layersByPrefix,
  readParameters,
  type Layer,
  type Parameters,
  type ParametersInput,
} from '../parameters.ts';
import { wholeFrom } from '../settings.ts';
import { orThrow, trainingError } from '../training-error.ts';
import { checkCertifiable } from './certifiable.ts';
import type { DeepChecks } from './deep-checks.ts';
import type { ResumeFrom } from './resume-from.ts';
import type { RollbackStrategy } from './rollback.ts';

/** The options of a run. All but `parameters`, `ledger`, `resume` and `deepChecks` become part of the certified configuration. */
export interface TrainerOptions {
  /** The weights, which the trainer updates in place; nothing else may write to them. */
  readonly parameters: ParametersInput;
  /** Parameter names by layer; by default, one layer per prefix before the last dot. */
  readonly layers?: Readonly<Record<string, readonly string[]>>;
  readonly optimizer: Optimizer;
  /** The learning rate schedule; constant by default. */
  readonly schedule?: Schedule;
  readonly invariants: readonly Invariant[];
  /** Deep checks run every n steps; 1 by default. */
  readonly expensiveCheckInterval?: number;
  /** Number of initial steps in which failed comparisons are recorded but nothing is refused; 0 by default. */
  readonly warmupSteps?: number;
  /** `delta-apply` by default. */
  readonly rollbackStrategy?: RollbackStrategy;
  /** Whether failing steps are committed anyway, as `overridden`; false by default. */
  readonly allowOverride?: boolean;
  /** Elastic weight consolidation: keeps the weights near those of earlier tasks; off by default. */
  readonly ewc?: ConsolidationOptions;
  /**
   * The first step of each task but the first, ascending. LossStabilityBound begins a new average there, since losses of different
   * tasks are not comparable. No tasks by default.
   */
  readonly taskStarts?: readonly number[];
  /** Keeps samples of committed steps for replay in later steps; off by default. */
  readonly replay?: ReplayOptions;
  /**
   * Measures the checks of the whole model elsewhere, such as `startDeepChecks` in a worker. They do not change a byte of the
   * ledger, so they are not part of the configuration. By default, they are measured here.
   */
  readonly deepChecks?: DeepChecks;
  /** Anything else that identifies the run, such as model, data and seed; plain JSON values only (PV-8403). */
  readonly run?: JsonObject;
  /**
   * Continues a run that stopped, with the same bits as if it had not. The other options must be those that it had; the weights in
   * `parameters` are overwritten. `ledger` receives the lines after the checkpoint's step.
   */
  readonly resume?: ResumeFrom;
  /** Receives each line of the ledger; the trainer does not keep them. */
  readonly ledger?: LedgerSink;
}

/** Options with their defaults. */
export interface Configuration {
  readonly parameters: Parameters;
  readonly layers: readonly Layer[];
  readonly optimizer: Optimizer;
  readonly schedule: Schedule;
  readonly invariants: readonly Invariant[];
  readonly expensiveCheckInterval: number;
  readonly warmupSteps: number;
  readonly rollbackStrategy: RollbackStrategy;
  readonly allowOverride: boolean;
  readonly ewc: Consolidation | null;
  readonly taskStarts: readonly number[];
  readonly replay: ReplayBuffer | null;
  /** The configuration that the certificate contains. */
  readonly config: JsonObject;
}

/** The task of a step, counted from 0, given the first steps of all tasks but the first. */
export const taskAt = (taskStarts: readonly number[], step: number): number =>
  taskStarts.filter((start) => start <= step).length;

/** Throws PV-8401 or PV-8403 for weights or settings that cannot be used. */
export function configure(options: TrainerOptions): Configuration {
  const parameters = orThrow(readParameters(options.parameters));
  const layers = layersOf(parameters, options.layers);
  const { optimizer, schedule = constant(), invariants } = options;
  const {
    expensiveCheckInterval = 1,
    warmupSteps = 0,
    rollbackStrategy = 'delta-apply',
    allowOverride = false,
    taskStarts = [],
  } = options;
  wholeFrom(1, 'expensiveCheckInterval', expensiveCheckInterval);
  wholeFrom(0, 'warmupSteps', warmupSteps);
  for (const [i, step] of taskStarts.entries()) wholeFrom((taskStarts[i - 1] ?? 1) + 1, `taskStarts[${i}]`, step);
  const names = invariants.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw trainingError({
      code: 'PV-8403',
      check: 'invariants',
      message: `There are two invariants named ${quoted(twice)}.`,
    });
  const ewc = options.ewc === undefined ? null : consolidate(options.ewc, parameters, layers);
  const replay = options.replay === undefined ? null : createReplayBuffer(options.replay);
  const config: JsonObject = {
    optimizer: optimizer.settings,
    schedule: schedule.settings,
    invariants: invariants.map(({ name, settings }) => ({ name, settings })),
    expensive_check_interval: expensiveCheckInterval,
    warmup_steps: warmupSteps,
    rollback_strategy: rollbackStrategy,
    allow_override: allowOverride,
    parameters: Object.fromEntries(parameters.map(({ name, shape }) => [name, shape])),
    layers: Object.fromEntries(layers.map(({ name, members }) => [name, members.map((i) => nameOf(parameters, i))])),
    ...(taskStarts.length === 0 ? {} : { task_starts: taskStarts }),
    ...(ewc === null ? {} : { ewc: ewc.settings }),
    ...(replay === null ? {} : { replay: replay.settings }),
    run: options.run ?? null,
  };
  checkCertifiable(config);
  return {
    parameters,
    layers,
    optimizer,
    schedule,
    invariants,
    expensiveCheckInterval,
    warmupSteps,
    rollbackStrategy,
    allowOverride,
    ewc,
    taskStarts,
    replay,
    config,
  };
}

const nameOf = (parameters: Parameters, i: number): string => present(parameters[i], 'a member is a parameter').name;

function layersOf(parameters: Parameters, given: TrainerOptions['layers']): readonly Layer[] {
  if (given === undefined) return layersByPrefix(parameters);
  const index = new Map(parameters.map(({ name }, i) => [name, i]));
  const layers = Object.entries(given).map(([name, members]) => ({
    name,
    members: members.flatMap((member) => index.get(member) ?? []),
  }));
  const unreadable = Object.keys(given).find(hasControls);
  if (unreadable !== undefined)
    throw trainingError({
      code: 'PV-8401',
      check: 'layers',
      message: `The name of layer ${printable(unreadable)} contains control or invisible formatting characters.`,
    });
  const listed = Object.values(given).flat();
  const seen = new Set(listed);
  if (listed.length !== parameters.length || seen.size !== listed.length || !listed.every((name) => index.has(name)))
    throw trainingError({
      code: 'PV-8401',
      check: 'layers',
      message: 'The layers must name every parameter exactly once.',
    });
  return layers;
}
