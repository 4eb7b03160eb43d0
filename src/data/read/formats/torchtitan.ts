/** torchtitan TOML (pytorch/torchtitan, `torchtitan/config`): sections `[training]`, `[optimizer]`, `[lr_scheduler]`, … */
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

/** Recognised by sections that only it has. */
export const torchtitan: ConfigFormat = {
  name: 'torchtitan',
  title: 'torchtitan configs',
  syntaxes: ['toml', 'json', 'yaml'],
  recognised:
    'training.steps, training.local_batch_size or model.flavor, and a key that only it has, such as job.dump_folder, metrics.log_freq, parallelism.data_parallel_shard_degree',
  score: (keys) =>
    keys.has('training.steps') || keys.has('training.local_batch_size') || keys.has('model.flavor')
      ? scoreOf(keys, marks)
      : 0,
  marks,
  keys: {
    batch_size: ['training.local_batch_size', 'training.batch_size'],
    global_batch_size: [unlessEqual('training.global_batch_size', -1)],
    gradient_accumulation: ['training.gradient_accumulation_steps'],
    num_devices: [dataParallel('parallelism'), dataParallel('training')],
    from_scratch: [pretrainedFrom('checkpoint.initial_load_path')],
    seq_len: ['training.seq_len'],
    // torchtitan reads none of the later keys, but they may contradict the first.
    max_steps: ['training.steps', 'training.total_steps', 'training.max_steps', 'training.num_steps'],
    decay_steps: ['lr_scheduler.total_steps'],
    learning_rate: ['optimizer.lr'],
    weight_decay: ['optimizer.weight_decay'],
    beta1: ['optimizer.beta1'],
    beta2: ['optimizer.beta2'],
    epsilon: ['optimizer.eps'],
    optimizer: ['optimizer.name'],
    warmup_steps: ['lr_scheduler.warmup_steps', 'training.warmup_steps'],
    decay_ratio: ['lr_scheduler.decay_ratio'],
    lr_schedule: [
      'lr_scheduler.decay_type',
      'lr_scheduler.type',
      'lr_scheduler.name',
      'lr_scheduler.schedule',
      'training.lr_schedule',
      'training.lr_scheduler',
      'optimizer.lr_schedule',
    ],
    min_lr_ratio: ['lr_scheduler.min_lr_factor', 'lr_scheduler.lr_min'],
    max_grad_norm: ['training.max_norm'],
    precision: ['training.mixed_precision_param', whenTrue('training.enable_bf16', 'bf16'), 'training.dtype'],
    seed: ['training.seed', 'debug.seed'],
    save_interval: ['checkpoint.interval'],
    eval_interval: ['validation.freq'],
    eval_steps: ['validation.steps'],
    log_interval: ['metrics.log_freq'],
  },
  // torchtitan/config: the same in JobConfig and in what replaced it.
  defaults: {
    of: 'torchtitan',
    values: {
      batch_size: { value: 8 },
      gradient_accumulation: { value: 1, unless: ['training.global_batch_size'] },
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
