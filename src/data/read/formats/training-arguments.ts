/** Hugging Face TrainingArguments as JSON or YAML (`training_args.json`, TRL and accelerate recipes). */
import { scoreOf, type ConfigFormat, type Marks } from './config-format.ts';
import { huggingFaceKeys, trainingArgumentsDefaults } from './hugging-face-keys.ts';
import { modelKeys } from './model-keys.ts';
import { bestIsEvaluated } from './refusals.ts';
import { huggingFaceIrrelevant } from './irrelevant/training-arguments.ts';

/**
 * Trainers of all kinds have an output_dir and gradient_accumulation_steps. TrainingArguments refuses unknown keys, so a
 * file with a foreign one belongs to another trainer, such as diffusers, accelerate or a custom one.
 */
const marks: Marks = {
  own: [
    'num_train_epochs',
    'per_device_train_batch_size',
    'per_gpu_train_batch_size',
    'per_device_eval_batch_size',
    'lr_scheduler_type',
    'dataloader_drop_last',
    'save_strategy',
    'eval_strategy',
    'evaluation_strategy',
    'logging_strategy',
    'load_best_model_at_end',
    'metric_for_best_model',
    'ddp_find_unused_parameters',
    'label_smoothing_factor',
    'group_by_length',
  ],
  shared: [
    'adam_beta1',
    'adam_beta2',
    'adam_epsilon',
    'logging_steps',
    'output_dir',
    'gradient_accumulation_steps',
    'warmup_ratio',
    'save_total_limit',
    'report_to',
    'max_grad_norm',
  ],
  foreign: [
    'lr',
    'epochs',
    'num_epochs',
    'batch_size',
    'micro_batch_size',
    'max_iters',
    'max_train_steps',
    'num_warmup_steps',
    'lr_warmup_steps',
    // diffusers and the scripts for accelerate, which have no TrainingArguments.
    'checkpointing_steps',
    'optimizer.',
    'lr_scheduler.',
    // ms-swift derives its arguments from these, with other defaults (swift/llm/argument/train_args.py).
    'train_type',
    'tuner_type',
    'sft_type',
    'model_author',
  ],
  // Scripts for accelerate have the other own keys, too, and count `num_warmup_steps`.
  decisive: ['save_strategy', 'eval_strategy', 'evaluation_strategy', 'logging_strategy', 'load_best_model_at_end'],
  least: { own: 1, all: 2 },
};

/** Does not claim a `trainer_state.json`, which has a log. */
export const trainingArguments: ConfigFormat = {
  name: 'training-arguments',
  title: 'Hugging Face TrainingArguments',
  syntaxes: ['json', 'yaml', 'toml'],
  recognised: 'a key that only it has, such as per_device_train_batch_size, lr_scheduler_type or save_strategy',
  score: (keys) => (keys.has('log_history[0].step') ? 0 : scoreOf(keys, marks)),
  marks,
  keys: {
    ...modelKeys(''),
    ...huggingFaceKeys,
    sample_packing: ['packing'],
    // transformers/examples/pytorch: the first so many of the training set.
    max_sequences: ['max_train_samples'],
    val_set_size: ['dataset_mixture.test_split_size'],
  },
  defaults: trainingArgumentsDefaults,
  refuses: [bestIsEvaluated],
  irrelevant: huggingFaceIrrelevant,
};
