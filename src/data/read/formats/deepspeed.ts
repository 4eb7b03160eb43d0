/** DeepSpeed JSON (deepspeed.ai, `docs/config-json`), with or without a trainer's config. */
import type { KeyedScalar } from '../syntax/tree.ts';
import { numberOf, scoreOf, whenTrue, type ConfigFormat, type KeyRule, type Marks } from './config-format.ts';
import { deepspeedIrrelevant } from './irrelevant/deepspeed.ts';

const marks: Marks = {
  own: [
    'train_micro_batch_size_per_gpu',
    'zero_optimization.',
    'optimizer.params.',
    'scheduler.params.',
    'steps_per_print',
    'wall_clock_breakdown',
  ],
  least: { own: 1, all: 2 },
  shared: ['train_batch_size', 'gradient_clipping', 'fp16.enabled', 'bf16.enabled', 'gradient_accumulation_steps'],
};

/** DeepSpeed refuses configs in which `train_batch_size` is not micro-batch · accumulation · devices. */
const devices: KeyRule = {
  key: 'train_batch_size',
  read: (scalar, other) => {
    const micro = numberOf(other('train_micro_batch_size_per_gpu'));
    const count =
      (numberOf(scalar) ?? NaN) / ((micro ?? NaN) * (numberOf(other('gradient_accumulation_steps')) ?? NaN));
    return Number.isInteger(count) && count >= 1 ? count : undefined;
  },
};

/** Of `deepspeed/runtime/lr_schedules.py`: after its warm-up WarmupLR stays at the peak. */
const shapes: ReadonlyMap<string, string> = new Map([
  ['WarmupLR', 'constant'],
  ['WarmupDecayLR', 'linear'],
  ['WarmupCosineLR', 'cosine'],
]);

function hasWarmup(other: (key: string) => KeyedScalar | null): boolean {
  return shapes.has(String(other('scheduler.type')?.value));
}

const schedule: KeyRule = {
  key: 'scheduler.type',
  read: ({ value }) => (typeof value === 'string' ? (shapes.get(value) ?? value) : undefined),
};

/** Its marks weigh twice, because its files often contain keys of a trainer as well. */
export const deepspeed: ConfigFormat = {
  name: 'deepspeed',
  title: 'DeepSpeed configs',
  syntaxes: ['json', 'yaml'],
  recognised:
    'a key that only it has and another one, such as train_micro_batch_size_per_gpu, zero_optimization, optimizer.params',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  goesWith: 'the training arguments, or the script, that use it',
  keys: {
    batch_size: ['train_micro_batch_size_per_gpu'],
    gradient_accumulation: ['gradient_accumulation_steps'],
    num_devices: [devices],
    global_batch_size: ['train_batch_size'],
    learning_rate: ['scheduler.params.warmup_max_lr', 'optimizer.params.lr'],
    min_lr_ratio: ['scheduler.params.cos_min_ratio'],
    lr_schedule: [schedule],
    warmup_steps: ['scheduler.params.warmup_num_steps'],
    decay_steps: ['scheduler.params.total_num_steps'],
    optimizer: ['optimizer.type'],
    weight_decay: ['optimizer.params.weight_decay'],
    beta1: ['optimizer.params.betas[0]'],
    beta2: ['optimizer.params.betas[1]'],
    epsilon: ['optimizer.params.eps'],
    max_grad_norm: ['gradient_clipping'],
    precision: [whenTrue('bf16.enabled', 'bf16'), whenTrue('fp16.enabled', 'fp16')],
    log_interval: ['steps_per_print'],
  },
  // deepspeed/runtime/lr_schedules.py
  defaults: {
    of: 'DeepSpeed',
    values: {
      warmup_steps: { value: 1000, when: hasWarmup },
      min_lr_ratio: { value: 1e-4, when: (other) => other('scheduler.type')?.value === 'WarmupCosineLR' },
    },
  },
  irrelevant: deepspeedIrrelevant,
};
