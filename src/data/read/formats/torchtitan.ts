/**
 * torchtitan (pytorch/torchtitan, `torchtitan/config`): the sections `[training]`, `[optimizer]`, `[lr_scheduler]`, … in TOML, and
 * the same in the functions of Python that return a `Trainer.Config(…)` since TOML was given up.
 */
import {
  numberOf,
  pretrainedFrom,
  scoreOf,
  unlessEqual,
  whenTrue,
  type ConfigFormat,
  type KeyRule,
  type Marks,
} from './config-format.ts';
import { torchtitanIrrelevant } from './irrelevant/torchtitan.ts';

const marks: Marks = {
  own: [
    'training.local_batch_size',
    'training.mixed_precision_param',
    'lr_scheduler.decay_ratio',
    'job.dump_folder',
    'model.flavor',
    'parallelism.data_parallel_shard_degree',
    'parallelism.data_parallel_replicate_degree',
    'parallelism.tensor_parallel_degree',
    'activation_checkpoint.mode',
    'metrics.log_freq',
    'training.num_tokens_per_microbatch_per_dp_rank',
    'hf_assets_path',
  ],
  shared: [
    'training.seq_len',
    'training.steps',
    'training.max_norm',
    'training.dataset',
    'training.batch_size',
    'lr_scheduler.warmup_steps',
    'optimizer.lr',
    'job.description',
    'parallelism.',
    'profiling.',
    'checkpoint.interval',
    'experimental.',
  ],
  least: { own: 1, all: 3 },
};

/** Batches are split over replicas and shards; a shard degree of -1 is what the machine leaves over. */
function dataParallel(section: string): KeyRule {
  const key = `${section}.data_parallel_shard_degree`;
  return {
    key,
    read: (scalar, other) => {
      const [shards, replicas] = [numberOf(scalar), numberOf(other(`${section}.data_parallel_replicate_degree`)) ?? 1];
      if (shards === null) return scalar.value ?? undefined;
      return shards === -1 ? undefined : shards * replicas;
    },
  };
}

/** `optimizers` and `param_groups` are lists: with several groups there is no one rate. */
const ofGroup = (list: string, key: string): KeyRule => ({
  key: `${list}[0].${key}`,
  read: (scalar, other) =>
    [`${list}[1].${key}`, `${list}[1].pattern`].some((one) => other(one) !== null)
      ? { because: 'it differs from group to group' }
      : (scalar.value ?? undefined),
});

const groups = (key: string): readonly KeyRule[] => [
  ofGroup('optimizer.param_groups', `optimizer_kwargs.${key}`),
  ofGroup('optim.optimizer.optimizers', key),
];

/** A micro-batch in tokens holds whole contexts. */
const batchOfTokens: KeyRule = {
  key: 'training.num_tokens_per_microbatch_per_dp_rank',
  read: (scalar, other) => {
    const [tokens, length] = [numberOf(scalar), numberOf(other('training.max_context_length'))];
    const count = tokens === null || length === null ? null : tokens / length;
    return count !== null && Number.isInteger(count)
      ? count
      : { because: 'it counts tokens, and how many a sequence has is not known' };
  },
};

/** Nothing happens at an interval of what is switched off. */
const unlessOff = (key: string, ...switches: readonly string[]): KeyRule => ({
  key,
  read: (scalar, other) =>
    switches.some((one) => other(one)?.value === false) ? undefined : (scalar.value ?? undefined),
});

/** Newer versions keep the schedule beside the optimizer, in `optim`. */
const scheduled = (key: string): readonly string[] => [`lr_scheduler.${key}`, `optim.lr_scheduler.${key}`];

/** Without a decay the rate stays at its peak, whatever shape a decay would have. */
const neverDecays = (key: string): KeyRule => ({
  key,
  read: (scalar) => (numberOf(scalar) === 0 ? 'constant' : undefined),
});

const shape = (key: string): KeyRule => ({
  key,
  read: (scalar, other) =>
    scheduled('decay_ratio').some((ratio) => numberOf(other(ratio)) === 0) ? 'constant' : (scalar.value ?? undefined),
});

/** Configs that count the batch in tokens have other defaults. */
const inTokens = ['training.num_tokens_per_microbatch_per_dp_rank', 'training.num_tokens_per_train_step'];

/** Recognised by sections that only it has. */
export const torchtitan: ConfigFormat = {
  name: 'torchtitan',
  title: 'torchtitan configs',
  syntaxes: ['toml', 'python', 'json', 'yaml'],
  recognised:
    'training.steps, training.local_batch_size or model.flavor, and a key that only it has, such as job.dump_folder, metrics.log_freq, parallelism.data_parallel_shard_degree',
  score: (keys) =>
    keys.has('training.steps') || keys.has('training.local_batch_size') || keys.has('model.flavor')
      ? scoreOf(keys, marks)
      : 0,
  marks,
  keys: {
    batch_size: ['training.local_batch_size', 'training.batch_size', batchOfTokens],
    global_batch_size: [unlessEqual('training.global_batch_size', -1)],
    gradient_accumulation: ['training.gradient_accumulation_steps'],
    num_devices: [dataParallel('parallelism'), dataParallel('training')],
    from_scratch: [pretrainedFrom('checkpoint.initial_load_path')],
    seq_len: ['training.seq_len', 'training.max_context_length'],
    // torchtitan reads none of the later keys, but they may contradict the first.
    max_steps: ['training.steps', 'training.total_steps', 'training.max_steps', 'training.num_steps'],
    decay_steps: scheduled('total_steps'),
    learning_rate: ['optimizer.lr', ...groups('lr')],
    weight_decay: ['optimizer.weight_decay', ...groups('weight_decay')],
    beta1: ['optimizer.beta1', ...groups('betas[0]')],
    beta2: ['optimizer.beta2', ...groups('betas[1]')],
    epsilon: ['optimizer.eps', ...groups('eps')],
    optimizer: ['optimizer.name'],
    warmup_steps: [...scheduled('warmup_steps'), 'training.warmup_steps'],
    decay_ratio: scheduled('decay_ratio'),
    lr_schedule: [
      ...scheduled('decay_type').map(shape),
      ...scheduled('decay_ratio').map(neverDecays),
      'lr_scheduler.type',
      'lr_scheduler.name',
      'lr_scheduler.schedule',
      'training.lr_schedule',
      'training.lr_scheduler',
      'optimizer.lr_schedule',
    ],
    min_lr_ratio: [...scheduled('min_lr_factor'), 'lr_scheduler.lr_min'],
    max_grad_norm: ['training.max_norm'],
    precision: ['training.mixed_precision_param', whenTrue('training.enable_bf16', 'bf16'), 'training.dtype'],
    seed: ['training.seed', 'debug.seed'],
    save_interval: [unlessOff('checkpoint.interval', 'checkpoint.enable', 'checkpoint.enable_checkpoint')],
    eval_interval: [unlessOff('validation.freq', 'validation.enable'), unlessOff('validator.freq', 'validator.enable')],
    eval_steps: ['validation.steps', 'validator.steps'],
    log_interval: ['metrics.log_freq'],
  },
  irrelevant: torchtitanIrrelevant,
  // torchtitan/config: the same in JobConfig and in what replaced it.
  defaults: {
    of: 'torchtitan',
    values: {
      batch_size: { value: 8 },
      gradient_accumulation: { value: 1, unless: ['training.global_batch_size', ...inTokens] },
      seq_len: { value: 2048 },
      max_steps: { value: 10_000 },
      max_grad_norm: { value: 1 },
      learning_rate: { value: 8e-4 },
      beta1: { value: 0.9 },
      beta2: { value: 0.95 },
      epsilon: { value: 1e-8 },
      weight_decay: { value: 0.1 },
      warmup_steps: { value: 200 },
      lr_schedule: { value: 'linear' },
    },
  },
};
