/**
 * Configs of OpenMMLab in Python, read and never run: mmengine's `optim_wrapper`, `param_scheduler`, `train_cfg`
 * (open-mmlab/mmengine, `mmengine/runner/runner.py`), and mmcv's `optimizer`, `lr_config`, `runner` before them.
 *
 * An iteration is one micro-batch of every device; the optimizer steps once in `accumulative_counts` of them.
 */
import {
  isOn,
  numberOf,
  pretrainedFrom,
  scoreOf,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type NotKnown,
  type Other,
} from './config-format.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { mmengineIrrelevant } from './irrelevant/mmengine.ts';

const marks: Marks = {
  own: [
    'optim_wrapper.',
    'param_scheduler[0].type',
    'param_scheduler.type',
    'default_hooks.',
    'train_dataloader.',
    'train_cfg.val_interval',
    'auto_scale_lr.',
    'lr_config.policy',
    'lr_config.step[0]',
    'optimizer_config.',
    'data.samples_per_gpu',
    'checkpoint_config.',
    'custom_hooks[0].type',
  ],
  shared: [
    'train_cfg.max_epochs',
    'train_cfg.max_iters',
    'train_cfg.type',
    'runner.type',
    'runner.max_epochs',
    'runner.max_iters',
    'total_epochs',
    'optimizer.type',
    'default_scope',
    '_base_',
    '_base_[0]',
    'model.type',
    'load_from',
    'val_cfg.type',
    'val_evaluator.type',
    'randomness.seed',
    'data.workers_per_gpu',
  ],
  least: { own: 1, all: 2 },
};

const accumulates = (other: Other): number | null => {
  const counts = other('optim_wrapper.accumulative_counts') ?? other('optimizer_config.cumulative_iters');
  return counts === null ? 1 : numberOf(counts);
};

/** Iterations as optimizer steps; the last ones make a step too. */
const iterations = (key: string): KeyRule => ({
  key,
  read: (scalar, other) => stepsOf(numberOf(scalar), other) ?? scalar.value ?? undefined,
});

function stepsOf(count: number | null, other: Other): number | NotKnown | null {
  const each = accumulates(other);
  if (count === null) return null;
  return each === null || each < 1 ? { because: 'the accumulation is not known' } : Math.ceil(count / each);
}

/** `auto_scale_lr` multiplies the rate by the batch of the run. */
const rate = (key: string): KeyRule => ({
  key,
  read: (scalar, other) =>
    isOn(other('auto_scale_lr.enable'))
      ? { because: 'auto_scale_lr scales it to the batch of the run' }
      : (scalar.value ?? undefined),
});

const first = (key: string): string => `param_scheduler[0].${key}`;
const rising = /^(?:Linear|Quadratic\w*|Constant)(?:LR|WarmupLR|Warmup)$/;

/** Whether the first scheduler is a warm-up: it starts below the rate, and another follows. */
const isWarmup = (other: Other): boolean =>
  rising.test(String(other(first('type'))?.value)) && other('param_scheduler[1].type') !== null;

/** Schedulers count epochs unless they say otherwise (`by_epoch` is true by default), and epochs are as long as the data. */
const warmup: KeyRule = {
  key: first('end'),
  read: (scalar, other) => {
    // A list replaces that of the base, so that nothing else warms up.
    if (!rising.test(String(other(first('type'))?.value))) return 0;
    if (!isWarmup(other)) return undefined;
    if (other(first('by_epoch'))?.value !== false) return inEpochs(scalar, other);
    return stepsOf(numberOf(scalar), other) ?? undefined;
  },
};

const allEpochs = (other: Other): number | null =>
  numberOf(other('train_cfg.max_epochs') ?? other('runner.max_epochs') ?? other('total_epochs'));

/** Epochs are a part of the run where the file says how many it has. */
const inEpochs = (scalar: KeyedScalar, other: Other): NotKnown | undefined =>
  numberOf(scalar) !== null && allEpochs(other) !== null ? undefined : { because: 'it counts epochs, not steps' };

/**
 * The part of the run that a warm-up by epochs takes. It rises from step to step with `convert_to_iter_based`, and from epoch to epoch otherwise,
 * so that the last of its epochs has the whole rate (`LinearParamScheduler`).
 */
const warmupOfEpochs: KeyRule = {
  key: first('end'),
  read: (scalar, other) => {
    const [end, all] = [numberOf(scalar), allEpochs(other)];
    if (!isWarmup(other) || other(first('by_epoch'))?.value === false || end === null || !all) return undefined;
    return (isOn(other(first('convert_to_iter_based'))) ? end : Math.max(0, end - 1)) / all;
  },
};

const shapes: ReadonlyMap<string, string> = new Map([
  ['CosineAnnealingLR', 'cosine'],
  ['CosineAnnealing', 'cosine'],
  ['CosineAnnealingParamScheduler', 'cosine'],
  ['LinearLR', 'linear'],
  ['PolyLR', 'polynomial'],
  ['poly', 'polynomial'],
  ['MultiStepLR', 'multistep'],
  ['step', 'multistep'],
  ['StepLR', 'step'],
  ['ConstantLR', 'constant'],
  ['ExponentialLR', 'exponential'],
  ['fixed', 'constant'],
]);

const shapeOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? (shapes.get(value.replace(/^.*\./, '')) ?? value) : undefined;

/** After a warm-up comes one scheduler; where there are more, no one word says the shape. */
const schedule = (at: 0 | 1): KeyRule => ({
  key: `param_scheduler[${at}].type`,
  read: ({ value }, other) => {
    const last = isWarmup(other) ? 1 : 0;
    if (at !== last) return undefined;
    return other(`param_scheduler[${last + 1}].type`) === null
      ? shapeOf(value)
      : { because: 'several schedules follow each other' };
  },
});

/** What the last scheduler ends at. */
const floor = (at: 0 | 1): KeyRule => ({
  key: `param_scheduler[${at}].eta_min`,
  read: (scalar, other) => (at === (isWarmup(other) ? 1 : 0) ? (scalar.value ?? undefined) : undefined),
});

/** Where the last scheduler ends, if it counts iterations: `CosineAnnealingLR` at `T_max` after its beginning. */
const decayEnd = (at: 0 | 1, key: 'T_max' | 'end'): KeyRule => ({
  key: `param_scheduler[${at}].${key}`,
  read: (scalar, other) => {
    const own = (name: string): KeyedScalar | null => other(`param_scheduler[${at}].${name}`);
    const count = numberOf(scalar);
    if (key === 'end' && own('T_max') !== null) return undefined;
    const isOpen = at !== (isWarmup(other) ? 1 : 0) || own('by_epoch')?.value !== false;
    if (isOpen || count === null || /^(?:Constant|MultiStep|Step|Exponential)LR$/.test(String(own('type')?.value)))
      return undefined;
    return stepsOf(key === 'T_max' ? count + (numberOf(own('begin')) ?? 0) : count, other) ?? undefined;
  },
});

/** Hooks and loops count iterations only if they say so. */
const everyIterations = (key: string, isByIteration: (other: Other) => boolean): KeyRule => ({
  key,
  read: (scalar, other) => (isByIteration(other) ? (stepsOf(numberOf(scalar), other) ?? undefined) : undefined),
});

const mixed: KeyRule = {
  key: 'optim_wrapper.type',
  read: ({ value }, other) => {
    if (typeof value !== 'string') return undefined;
    if (!value.endsWith('AmpOptimWrapper')) return value === 'OptimWrapper' ? 'fp32' : undefined;
    return other('optim_wrapper.dtype')?.value === 'bfloat16' ? 'bf16' : 'fp16';
  },
};

/** mmcv's warm-up needs its kind, and may count epochs. */
const oldWarmup: KeyRule = {
  key: 'lr_config.warmup_iters',
  read: (scalar, other) => {
    if ((other('lr_config.warmup')?.value ?? null) === null && other('_base_') === null && other('_base_[0]') === null)
      return 0;
    if (isOn(other('lr_config.warmup_by_epoch'))) return inEpochs(scalar, other);
    return stepsOf(numberOf(scalar), other) ?? undefined;
  },
};

const oldWarmupOfEpochs: KeyRule = {
  key: 'lr_config.warmup_iters',
  read: (scalar, other) => {
    const [count, all] = [numberOf(scalar), allEpochs(other)];
    const isByEpoch = (other('lr_config.warmup')?.value ?? null) !== null && isOn(other('lr_config.warmup_by_epoch'));
    return isByEpoch && count !== null && all ? count / all : undefined;
  },
};

const optimizer = (key: string): readonly string[] => [`optim_wrapper.optimizer.${key}`, `optimizer.${key}`];

/** Recognised by the names of its dictionaries. */
export const mmengine: ConfigFormat = {
  name: 'mmengine',
  title: 'mmengine and mmcv configs',
  syntaxes: ['python', 'yaml', 'json'],
  recognised:
    'a name that only it has, such as optim_wrapper, param_scheduler, default_hooks, lr_config, and another such as train_cfg.max_epochs',
  score: (keys) => 3 * scoreOf(keys, marks),
  marks,
  keys: {
    batch_size: ['train_dataloader.batch_size', 'data.samples_per_gpu', 'data.imgs_per_gpu'],
    gradient_accumulation: ['optim_wrapper.accumulative_counts', 'optimizer_config.cumulative_iters'],
    drop_last: ['train_dataloader.drop_last'],
    num_workers: ['train_dataloader.num_workers', 'data.workers_per_gpu'],
    num_epochs: ['train_cfg.max_epochs', 'runner.max_epochs', 'total_epochs'],
    max_steps: [iterations('train_cfg.max_iters'), iterations('runner.max_iters'), iterations('total_iters')],
    learning_rate: optimizer('lr').map(rate),
    min_learning_rate: [floor(1), floor(0), 'lr_config.min_lr'],
    min_lr_ratio: ['param_scheduler[1].eta_min_ratio', 'lr_config.min_lr_ratio'],
    lr_schedule: [
      schedule(1),
      schedule(0),
      { key: 'param_scheduler.type', read: ({ value }) => shapeOf(value) },
      { key: 'lr_config.policy', read: ({ value }) => shapeOf(value) },
    ],
    warmup_steps: [warmup, oldWarmup],
    warmup_ratio: [warmupOfEpochs, oldWarmupOfEpochs],
    decay_steps: [decayEnd(1, 'T_max'), decayEnd(1, 'end'), decayEnd(0, 'T_max'), decayEnd(0, 'end')],
    optimizer: optimizer('type'),
    weight_decay: optimizer('weight_decay'),
    beta1: optimizer('betas[0]'),
    beta2: optimizer('betas[1]'),
    epsilon: optimizer('eps'),
    momentum: optimizer('momentum'),
    max_grad_norm: ['optim_wrapper.clip_grad.max_norm', 'optimizer_config.grad_clip.max_norm'],
    precision: [mixed],
    seed: ['randomness.seed', 'seed'],
    save_interval: [
      everyIterations(
        'default_hooks.checkpoint.interval',
        (other) => other('default_hooks.checkpoint.by_epoch')?.value === false,
      ),
      everyIterations('checkpoint_config.interval', (other) => other('checkpoint_config.by_epoch')?.value === false),
    ],
    eval_interval: [everyIterations('train_cfg.val_interval', (other) => other('train_cfg.max_iters') !== null)],
    log_interval: ['default_hooks.logger.interval', 'log_config.interval'],
    from_scratch: [pretrainedFrom('load_from')],
  },
  irrelevant: mmengineIrrelevant,
  // mmengine/optim/optimizer/optimizer_wrapper.py: accumulative_counts; mmcv's OptimizerHook steps at every iteration.
  // mmengine/runner/runner.py, build_dataloader: torch's DataLoader with the keys of the config.
  defaults: {
    of: 'mmengine',
    values: {
      gradient_accumulation: { value: 1 },
      drop_last: {
        value: false,
        unless: ['train_dataloader.batch_sampler.drop_last'],
        when: (other) => (other('train_dataloader.batch_size') ?? other('data.samples_per_gpu')) !== null,
      },
    },
  },
};
