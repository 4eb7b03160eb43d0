/** A checkpoint folder as the Hugging Face Trainer writes it, for tests: two parameters, Adam, a linear schedule. */
import { concatBytes } from '@noble/hashes/utils.js';
import { writeSafetensors } from '../../src/tensors/safetensors.ts';
import { torchFile, type FloatTensor, type Python } from './torch-file.ts';

/** What a test changes. */
export interface FolderOptions {
  readonly globalStep?: number;
  readonly schedulerSteps?: number;
  readonly adamSteps?: readonly number[];
  readonly rate?: number;
  readonly settings?: readonly (readonly [string, Python])[];
  readonly secondMoments?: Float32Array;
  /** The numbers of a tensor by its name: of a weight, or of a state such as `1.exp_avg`. */
  readonly numbers?: Readonly<Record<string, Float32Array>>;
  /** More of the scheduler's state. */
  readonly scheduler?: readonly (readonly [string, Python])[];
  /** Settings of the optimizer's group, besides its rate. */
  readonly group?: readonly (readonly [string, Python])[];
  /** Parameters of the group, and with a state. */
  readonly parameters?: readonly number[];
  readonly states?: readonly number[];
  /** The peak of the group, if it has its own. */
  readonly peaks?: readonly number[];
  /** Names and shapes of the weights; two small ones when absent. */
  readonly shapes?: readonly (readonly [name: string, shape: readonly number[]])[];
  /** Files to leave out. */
  readonly without?: readonly string[];
}

const twoShapes = [
  ['embed.weight', [3, 2]],
  ['head.bias', [2]],
] as const;

const filled = (shape: readonly number[], value: number): FloatTensor => ({
  shape,
  data: new Float32Array(shape.reduce((product, n) => product * n, 1)).fill(value),
});

function numbered({ numbers = {} }: FolderOptions, name: string, shape: readonly number[], value: number): FloatTensor {
  const data = numbers[name];
  return data === undefined ? filled(shape, value) : { shape, data };
}

/** The bytes of every file, by name. Healthy unless an option says otherwise: step 25 of 100, 10 of them warm-up. */
export function trainerFolder(options: FolderOptions = {}): ReadonlyMap<string, Uint8Array> {
  const { globalStep = 25, schedulerSteps = globalStep, without = [], settings = [], shapes = twoShapes } = options;
  const rate = options.rate ?? 0.001 * ((100 - globalStep) / 90);
  const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const files = new Map<string, Uint8Array>([
    ['trainer_state.json', text({ global_step: globalStep, max_steps: 100, epoch: 0.25, log_history: [] })],
    ['training_args.bin', torchFile(argumentsOf(settings))],
    [
      'scheduler.pt',
      torchFile(
        new Map<Python, Python>([
          ['last_epoch', schedulerSteps],
          ['_last_lr', (options.peaks ?? [0.001]).map((peak) => rate * (peak / 0.001))],
          ['base_lrs', options.peaks ?? [0.001]],
          ...(options.scheduler ?? []),
        ]),
      ),
    ],
    ['optimizer.pt', torchFile(adam(options, globalStep, rate))],
    ['rng_state.pth', torchFile(new Map<Python, Python>([['cpu', filled([4], globalStep)]]))],
    [
      'model.safetensors',
      concatBytes(
        ...writeSafetensors(shapes.map(([name, shape]) => ({ name, ...numbered(options, name, shape, 0.5) }))),
      ),
    ],
  ]);
  for (const name of without) files.delete(name);
  return files;
}

function argumentsOf(settings: readonly (readonly [string, Python])[]): Python {
  const state = new Map<Python, Python>([
    ['learning_rate', 0.001],
    ['lr_scheduler_type', { call: ['transformers.trainer_utils.SchedulerType', 'linear'] }],
    ['warmup_steps', 10],
    ['fp16', false],
    ...settings,
  ]);
  return { made: 'transformers.training_args.TrainingArguments', state };
}

function adam(options: FolderOptions, globalStep: number, rate: number): Python {
  const { adamSteps, secondMoments, group: more = [], peaks = [], shapes = twoShapes, ...given } = options;
  const all = shapes.map((_, i) => i);
  const { parameters = all, states: kept = all } = given;
  const states = shapes.map(([, shape], i): [Python, Python] => [
    i,
    new Map<Python, Python>([
      ['step', filled([], adamSteps?.[i] ?? globalStep)],
      ['exp_avg', numbered(options, `${i}.exp_avg`, shape, 0.1)],
      [
        'exp_avg_sq',
        secondMoments && i === 1 ? { shape, data: secondMoments } : numbered(options, `${i}.exp_avg_sq`, shape, 0.01),
      ],
    ]),
  ]);
  const group = (lr: number, params: readonly number[]): Python =>
    new Map<Python, Python>([['lr', lr], ['params', params], ...more]);
  const groups =
    peaks.length > 1 ? peaks.map((peak, i) => group(rate * (peak / 0.001), [i])) : [group(rate, parameters)];
  return new Map<Python, Python>([
    ['state', new Map(states.filter((_, i) => kept.includes(i)))],
    ['param_groups', groups],
  ]);
}
