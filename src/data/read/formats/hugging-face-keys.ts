/**
 * The keys of Hugging Face's TrainingArguments (transformers/training_args.py), shared by the formats built on it.
 */
import {
  numberOf,
  pretrainedFrom,
  ifPositive,
  whenTrue,
  type DefaultRule,
  type FrameworkDefaults,
  type KeyRule,
  type KeyTable,
  type Other,
} from './config-format.ts';

/** `warmup_steps` counts if it is not 0, else `warmup_ratio`; since version 5 a value below 1 is a ratio. */
const warmupSteps: KeyRule = {
  key: 'warmup_steps',
  read: (scalar, other) => {
    const steps = numberOf(scalar);
    if (steps === null) return scalar.value ?? undefined;
    if (steps > 0 && steps < 1) return undefined;
    return steps === 0 && (numberOf(other('warmup_ratio')) ?? 0) > 0 ? undefined : steps;
  },
};

const warmupStepsAsRatio: KeyRule = {
  key: 'warmup_steps',
  read: (scalar) => {
    const steps = numberOf(scalar);
    return steps !== null && steps > 0 && steps < 1 ? steps : undefined;
  },
};

const warmupRatio: KeyRule = {
  key: 'warmup_ratio',
  read: (scalar, other) => {
    const ratio = numberOf(scalar);
    if (ratio === null) return scalar.value ?? undefined;
    return (numberOf(other('warmup_steps')) ?? 0) > 0 || (ratio === 0 && other('warmup_steps') !== null)
      ? undefined
      : ratio;
  },
};

/** A positive `max_steps` overrides the epochs: the Trainer goes over the data until the steps are done. */
export function epochsUnlessSteps(key: string): KeyRule {
  return {
    key,
    read: (scalar, other) => ((numberOf(other('max_steps')) ?? 0) > 0 ? undefined : (scalar.value ?? undefined)),
  };
}

/** Saving and evaluating happen every so many steps only under the strategy `steps`; a value below 1 is a ratio. */
function stepsWhen(key: string, ...strategies: readonly string[]): KeyRule {
  return {
    key,
    read: (scalar, other) => {
      const set = strategies.map((name) => other(name)?.value).filter((value) => typeof value === 'string');
      const steps = numberOf(scalar);
      const applies = set.every((value) => value === 'steps') && !(steps !== null && steps > 0 && steps < 1);
      return applies ? (scalar.value ?? undefined) : undefined;
    },
  };
}

/** Keys of TRL's GRPOConfig and RLOOConfig alone, whose num_generations has a default above 1. */
const ofGrpo = [
  'num_iterations',
  'steps_per_generation',
  'generation_batch_size',
  'scale_rewards',
  'mask_truncated_completions',
  'epsilon_high',
  'reward_funcs[0]',
  'reward_weights[0]',
  // In a script, the class itself says it.
  'GRPOConfig',
];

const trlClasses = ['SFTConfig', 'DPOConfig', 'GRPOConfig', 'KTOConfig', 'ORPOConfig', 'CPOConfig', 'RewardConfig'];

/** Classes of transformers, TRL and unsloth whose arguments are those of TrainingArguments and more. */
export const trainingClasses: readonly string[] = [
  'TrainingArguments',
  'Seq2SeqTrainingArguments',
  'UnslothTrainingArguments',
  ...trlClasses,
];

/** Completions of each prompt: 8 in GRPO unless the file says otherwise; 1 for other trainers. */
function completions(other: Other): number {
  return numberOf(other('num_generations')) ?? (ofGrpo.some((key) => other(key) !== null) ? 8 : 1);
}

/**
 * GRPO's RepeatSampler draws whole generation batches, each of `per_device_train_batch_size · devices · steps_per_generation` completions,
 * and goes over each `num_iterations · steps_per_generation` times. If a generation lasts one step, as it does by default, an epoch has
 * ⌊prompts / (whole batch of a step / num_generations)⌋ steps: those of batches of that many prompts per device, of which the last
 * incomplete one is dropped.
 */
const perDevice: KeyRule = {
  key: 'per_device_train_batch_size',
  read: (scalar, other) => {
    const [batch, of] = [numberOf(scalar), completions(other)];
    if (of <= 1) return scalar.value ?? undefined;
    const open = 'it counts completions, and ';
    const [iterations, steps] = [other('num_iterations'), other('steps_per_generation')];
    if (iterations !== null && numberOf(iterations) !== 1)
      return { because: `${open}num_iterations decides how many steps use each: give max_steps` };
    if ((other('generation_batch_size')?.value ?? null) !== null)
      return { because: `${open}generation_batch_size decides how many steps use each: give max_steps` };
    if ((steps?.value ?? null) !== null && numberOf(steps) !== (numberOf(other('gradient_accumulation_steps')) ?? 1))
      return { because: `${open}steps_per_generation decides how many steps use each: give max_steps` };
    return batch === null || batch % of !== 0
      ? { because: `${open}a device does not get those of whole prompts: num_generations is ${of}. Give max_steps` }
      : batch / of;
  },
};

const dropsLast: readonly KeyRule[] = [
  {
    key: 'dataloader_drop_last',
    read: (scalar, other) => (completions(other) > 1 ? undefined : (scalar.value ?? undefined)),
  },
  ...['num_generations', ...ofGrpo].map((key): KeyRule => ({
    key,
    read: (_, other) => (completions(other) > 1 ? true : undefined),
  })),
];

/** By vocabulary name; of several keys in one file, the first listed counts. */
export const huggingFaceKeys: KeyTable = {
  batch_size: [perDevice, 'per_gpu_train_batch_size'],
  gradient_accumulation: ['gradient_accumulation_steps'],
  num_devices: ['world_size', '_n_gpu', 'n_gpu'],
  seq_len: ['max_seq_length', 'max_length', 'max_seq_len', 'block_size', 'model_max_length'],
  drop_last: dropsLast,
  num_workers: ['dataloader_num_workers'],
  num_epochs: [epochsUnlessSteps('num_train_epochs')],
  max_steps: [ifPositive('max_steps')],
  learning_rate: ['learning_rate'],
  min_learning_rate: ['lr_scheduler_kwargs.min_lr'],
  min_lr_ratio: ['lr_scheduler_kwargs.min_lr_rate'],
  lr_schedule: ['lr_scheduler_type', 'lr_scheduler'],
  warmup_steps: [warmupSteps],
  warmup_ratio: [warmupRatio, warmupStepsAsRatio],
  optimizer: ['optim', 'optimizer'],
  weight_decay: ['weight_decay'],
  beta1: ['adam_beta1'],
  beta2: ['adam_beta2'],
  epsilon: ['adam_epsilon'],
  max_grad_norm: ['max_grad_norm'],
  label_smoothing: ['label_smoothing_factor'],
  precision: [whenTrue('bf16', 'bf16'), whenTrue('fp16', 'fp16'), whenTrue('pure_bf16', 'bf16'), 'mixed_precision'],
  gradient_checkpointing: ['gradient_checkpointing'],
  seed: ['seed'],
  save_interval: [stepsWhen('save_steps', 'save_strategy')],
  eval_interval: [stepsWhen('eval_steps', 'eval_strategy', 'evaluation_strategy')],
  keep_best: ['load_best_model_at_end'],
  best_metric: [
    {
      key: 'metric_for_best_model',
      read: ({ value }) => (typeof value === 'string' ? value.replace(/^eval_/, '') : undefined),
    },
  ],
  log_interval: [stepsWhen('logging_steps', 'logging_strategy')],
  from_scratch: [pretrainedFrom('model_name_or_path', 'train_from_scratch')],
  lora_rank: ['lora_rank', 'lora_r'],
  lora_alpha: ['lora_alpha'],
  lora_dropout: ['lora_dropout'],
};

/** Keys of the classes that TRL derives from TrainingArguments, which have another default learning rate. */
const ofTrl = [
  ...trlClasses,
  'max_length',
  'max_seq_length',
  'max_prompt_length',
  'max_completion_length',
  'packing',
  'dataset_text_field',
  'dataset_name',
  'completion_only_loss',
  'assistant_only_loss',
  'beta',
  'loss_type',
  'num_generations',
  ...ofGrpo,
  'missing_eos_penalty',
];

/** Epochs count only where no positive number of steps is requested. */
export function epochsByDefault(epochs: number): DefaultRule {
  return { value: epochs, when: (other) => (numberOf(other('max_steps')) ?? 0) <= 0 };
}

/**
 * Parameters of transformers.TrainingArguments (its documentation, versions 4 and 5). The optimizer and the precision differ
 * from version to version, and max_steps is -1 for "not set", so these have no default here.
 */
export const trainingArgumentsDefaults: FrameworkDefaults = {
  of: 'Hugging Face TrainingArguments',
  values: {
    batch_size: { value: 8, unless: ['auto_find_batch_size', 'num_generations', ...ofGrpo] },
    gradient_accumulation: { value: 1 },
    num_epochs: epochsByDefault(3),
    learning_rate: { value: 5e-5, unless: ofTrl },
    lr_schedule: { value: 'linear' },
    warmup_steps: { value: 0, unless: ['warmup_ratio'] },
    weight_decay: { value: 0 },
    beta1: { value: 0.9, unless: ['optim_args'] },
    beta2: { value: 0.999, unless: ['optim_args'] },
    epsilon: { value: 1e-8, unless: ['optim_args'] },
    max_grad_norm: { value: 1 },
    drop_last: { value: false, unless: ['num_generations', ...ofGrpo] },
    num_workers: { value: 0 },
    label_smoothing: { value: 0 },
    seed: { value: 42 },
  },
};
