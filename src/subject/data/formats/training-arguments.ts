/** Hugging Face TrainingArguments as JSON or YAML (`training_args.json`, TRL and accelerate recipes). */
import { countMarks, type ConfigFormat } from './config-format.ts';
import { huggingFaceKeys, trainingArgumentsDefaults } from './hugging-face-keys.ts';
import { modelKeys } from './model-keys.ts';

const marks = [
  'per_device_train_batch_size',
  'per_gpu_train_batch_size',
  'num_train_epochs',
  'lr_scheduler_type',
  'adam_beta1',
  'adam_beta2',
  'adam_epsilon',
  'dataloader_drop_last',
  'logging_steps',
  'save_strategy',
  'eval_strategy',
  'evaluation_strategy',
  'output_dir',
  'gradient_accumulation_steps',
  'warmup_ratio',
  'save_total_limit',
  'report_to',
  'ddp_find_unused_parameters',
  'max_grad_norm',
];

export const trainingArguments: ConfigFormat = {
  name: 'training-arguments',
  title: 'Hugging Face TrainingArguments',
  syntaxes: ['json', 'yaml', 'toml'],
  recognised: 'keys such as per_device_train_batch_size, num_train_epochs, lr_scheduler_type',
  score: (keys) => {
    const points = countMarks(keys, marks);
    return points < 2 || keys.has('log_history[0].step') ? 0 : points;
  },
  keys: { ...modelKeys(''), ...huggingFaceKeys },
  defaults: trainingArgumentsDefaults,
};
