/**
 * LLM Foundry (mosaicml/llm-foundry, `scripts/train/yamls`), which trains with Composer: durations with a unit
 * (`composer/core/time.py`), schedules of `composer/optim/scheduler.py` under the names of `llmfoundry/utils/builders.py`. A batch
 * (`ba`) is that of all devices, and one step.
 */
import {
  numberOf,
  scoreOf,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type NotKnown,
  type Other,
} from './config-format.ts';
import { llmFoundryIrrelevant } from './irrelevant/llm-foundry.ts';
import { modelKeys } from './model-keys.ts';

const marks: Marks = {
  own: [
    'max_duration',
    'scheduler.t_warmup',
    'scheduler.alpha_f',
    'global_train_batch_size',
    'device_train_microbatch_size',
    'device_eval_batch_size',
    'eval_subset_num_batches',
    'train_loader.dataset.',
    'algorithms.gradient_clipping.',
  ],
  shared: [
    'optimizer.name',
    'scheduler.name',
    'tokenizer.name',
    'fsdp_config.',
    'max_seq_len',
    'eval_interval',
    'callbacks.',
  ],
  // OLMo, whose durations without a unit are steps and not epochs.
  foreign: ['optimizer.learning_rate', 'save_num_unsharded_checkpoints_to_keep', 'save_interval_unsharded', 'stop_at'],
  least: { own: 2, all: 4 },
};

interface Duration {
  readonly count: number;
  readonly unit: string;
}

/** `4800ba`, `2ep`, `0.1dur`, `2_000_000tok` */
function durationIn(value: unknown): Duration | null {
  const found = typeof value === 'string' ? /^\s*([\d_.eE+-]+)\s*(ba|ep|tok|sp|dur|iter|sec)\s*$/.exec(value) : null;
  const count = found ? Number(found[1]?.replaceAll('_', '')) : NaN;
  return found?.[2] !== undefined && Number.isFinite(count) ? { count, unit: found[2] } : null;
}

const sequence = (other: Other): number | null => numberOf(other('max_seq_len') ?? other('variables.max_seq_len'));

/** A duration as steps; undefined if it is in another unit altogether. */
function stepsOf({ count, unit }: Duration, other: Other): number | NotKnown | undefined {
  if (unit === 'ba') return count;
  if (unit !== 'tok' && unit !== 'sp') return undefined;
  const [batch, tokens] = [numberOf(other('global_train_batch_size')), unit === 'sp' ? 1 : sequence(other)];
  return batch === null || tokens === null
    ? { because: 'how much a batch holds is not known' }
    : Math.ceil(count / (batch * tokens));
}

const steps = (key: string): KeyRule => ({
  key,
  read: (scalar, other) => {
    const duration = durationIn(scalar.value);
    return duration ? stepsOf(duration, other) : undefined;
  },
});

const warmup: KeyRule = {
  key: 'scheduler.t_warmup',
  read: (scalar, other) => {
    const duration = durationIn(scalar.value);
    if (duration?.unit === 'dur') return undefined;
    const found = duration ? stepsOf(duration, other) : undefined;
    return found ?? { because: 'it is not a number of steps' };
  },
};

const inUnit = (key: string, unit: string): KeyRule => ({
  key,
  read: ({ value }) => {
    const duration = durationIn(value);
    return duration?.unit === unit ? duration.count : undefined;
  },
});

const shapes: ReadonlyMap<string, string> = new Map([
  ['cosine_with_warmup', 'cosine'],
  ['linear_decay_with_warmup', 'linear'],
  ['inv_sqrt_with_warmup', 'inverse_sqrt'],
]);

/** Composer clips single values with `value`, and by an adaptive norm with `adaptive`. */
const clipping: KeyRule = {
  key: 'algorithms.gradient_clipping.clipping_threshold',
  read: ({ value }, other) => {
    const type = other('algorithms.gradient_clipping.clipping_type')?.value ?? 'norm';
    return type === 'norm' ? (value ?? undefined) : { because: `it clips by ${type}` };
  },
};

/** Recognised by Composer's durations and batches. */
export const llmFoundry: ConfigFormat = {
  name: 'llm-foundry',
  title: 'LLM Foundry and Composer configs',
  syntaxes: ['yaml', 'json'],
  recognised:
    'two keys that only it has and two others, such as max_duration, scheduler.t_warmup, global_train_batch_size, beside optimizer.name',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  keys: {
    ...modelKeys('model'),
    batch_size: ['device_train_microbatch_size'],
    global_batch_size: ['global_train_batch_size'],
    seq_len: ['max_seq_len', 'variables.max_seq_len'],
    drop_last: ['train_loader.drop_last'],
    num_workers: ['train_loader.num_workers'],
    num_epochs: [inUnit('max_duration', 'ep')],
    max_steps: [steps('max_duration')],
    learning_rate: ['optimizer.lr'],
    min_lr_ratio: ['scheduler.alpha_f'],
    lr_schedule: [
      {
        key: 'scheduler.name',
        read: ({ value }) => (typeof value === 'string' ? (shapes.get(value) ?? value) : undefined),
      },
    ],
    warmup_steps: [warmup],
    warmup_ratio: [inUnit('scheduler.t_warmup', 'dur')],
    decay_steps: [steps('scheduler.t_max')],
    optimizer: ['optimizer.name'],
    weight_decay: ['optimizer.weight_decay'],
    beta1: ['optimizer.betas[0]'],
    beta2: ['optimizer.betas[1]'],
    epsilon: ['optimizer.eps'],
    max_grad_norm: [clipping],
    precision: ['precision'],
    gradient_checkpointing: ['fsdp_config.activation_checkpointing'],
    seed: ['seed', 'global_seed'],
    from_scratch: [{ key: 'model.pretrained', read: ({ value }) => (typeof value === 'boolean' ? !value : undefined) }],
    lora_rank: ['model.peft_config.r'],
    lora_alpha: ['model.peft_config.lora_alpha'],
    lora_dropout: ['model.peft_config.lora_dropout'],
    save_interval: [steps('save_interval')],
    eval_interval: [steps('eval_interval')],
  },
  irrelevant: llmFoundryIrrelevant,
};
