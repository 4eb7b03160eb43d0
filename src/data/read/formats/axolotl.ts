/** axolotl YAML (axolotl-ai-cloud/axolotl, `docs/config`). */
import {
  numberOf,
  scoreOf,
  pretrainedFrom,
  ifPositive,
  whenTrue,
  type ConfigFormat,
  type KeyRule,
  type Marks,
} from './config-format.ts';
import { epochsByDefault, epochsUnlessSteps, huggingFaceKeys } from './hugging-face-keys.ts';
import { axolotlIrrelevant } from './irrelevant/axolotl.ts';

const marks: Marks = {
  own: [
    'base_model',
    'adapter',
    'micro_batch_size',
    'sequence_len',
    'sample_packing',
    'pad_to_sequence_len',
    'val_set_size',
    'datasets[0].path',
    'dataset_prepared_path',
    'saves_per_epoch',
    'evals_per_epoch',
    'train_on_inputs',
    'lora_target_linear',
  ],
  shared: [
    'num_epochs',
    'datasets[0].type',
    'special_tokens.',
    'load_in_8bit',
    'load_in_4bit',
    'flash_attention',
    'model_type',
    'tokenizer_type',
    'wandb_project',
  ],
  // alpaca-lora's finetune.py and its many copies took these names before, and have other defaults.
  foreign: [
    'lr',
    'epochs',
    'per_device_train_batch_size',
    'num_train_epochs',
    'train.',
    'training.',
    'data_path',
    'cutoff_len',
    'prompt_template_name',
  ],
  least: { own: 2, all: 2 },
};

/** Activations may be offloaded: `offload`, `offload_disk`. */
const checkpointing: KeyRule = {
  key: 'gradient_checkpointing',
  read: ({ value }) => (value === 'offload' || value === 'offload_disk' ? true : (value ?? undefined)),
};

/** Each shard and each replica of the shards sees its own batches; tensor and context parallelism share theirs. */
const devices: KeyRule = {
  key: 'dp_shard_size',
  read: (scalar, other) => {
    const [shards, replicas] = [numberOf(scalar), other('dp_replicate_size')];
    const copies = (replicas?.value ?? null) === null ? 1 : numberOf(replicas);
    return shards === null || copies === null || shards < 1 || copies < 1 ? undefined : shards * copies;
  },
};

/** All processes, if the degrees do not say how many of them share their batches. */
const world: KeyRule = {
  key: 'world_size',
  read: ({ value }, other) => ((other('dp_shard_size')?.value ?? null) === null ? (value ?? undefined) : undefined),
};

/** ReLoRA begins its schedule again and again. */
const schedule: KeyRule = {
  key: 'lr_scheduler',
  read: ({ value }, other) => {
    const restarts = ['relora_steps', 'jagged_restart_steps'].some((key) => (numberOf(other(key)) ?? 0) > 0);
    return typeof value === 'string' && restarts ? `${value}_with_restarts` : (value ?? undefined);
  },
};

/** Recognised by two of its own keys. */
export const axolotl: ConfigFormat = {
  name: 'axolotl',
  title: 'axolotl configs',
  syntaxes: ['yaml', 'json'],
  recognised: 'two keys that only it has, such as micro_batch_size, sequence_len, sample_packing, datasets',
  score: (keys) =>
    ['micro_batch_size', 'sequence_len', 'sample_packing', 'datasets[0].path'].some((key) => keys.has(key))
      ? 2 * scoreOf(keys, marks)
      : 0,
  marks,
  keys: {
    ...huggingFaceKeys,
    batch_size: ['micro_batch_size'],
    global_batch_size: ['batch_size'],
    seq_len: ['sequence_len'],
    num_epochs: [epochsUnlessSteps('num_epochs')],
    max_steps: [ifPositive('max_steps')],
    num_devices: [devices, world],
    lr_schedule: [schedule],
    optimizer: ['optimizer'],
    min_learning_rate: ['lr_scheduler_kwargs.min_lr'],
    min_lr_ratio: ['cosine_min_lr_ratio'],
    decay_ratio: ['cosine_constant_lr_ratio'],
    sample_packing: ['sample_packing'],
    val_set_size: ['val_set_size'],
    gradient_checkpointing: [checkpointing],
    precision: [
      whenTrue('bf16', 'bf16'),
      whenTrue('bfloat16', 'bf16'),
      whenTrue('fp16', 'fp16'),
      whenTrue('float16', 'fp16'),
    ],
    from_scratch: [pretrainedFrom('base_model', 'reinit_weights')],
    patience: ['early_stopping_patience'],
  },
  // From its configuration reference. If warm-up is not given it is computed from the number of steps, the optimizer differs
  // between versions, and packing changes whether the last batch is dropped, so these have no default here.
  defaults: {
    of: 'axolotl',
    values: {
      batch_size: { value: 1, unless: ['batch_size', 'auto_find_batch_size'] },
      gradient_accumulation: { value: 1, unless: ['batch_size'] },
      seq_len: { value: 512 },
      num_epochs: epochsByDefault(1),
      lr_schedule: { value: 'cosine', unless: ['relora_steps', 'jagged_restart_steps'] },
    },
  },
  irrelevant: axolotlIrrelevant,
};
