/** axolotl YAML (axolotl-ai-cloud/axolotl, `docs/config`). */
import { countMarks, pretrainedFrom, unlessEqual, whenTrue, type ConfigFormat } from './config-format.ts';
import { epochsByDefault, epochsUnlessSteps, huggingFaceKeys } from './hugging-face-keys.ts';

const marks = [
  'micro_batch_size',
  'sequence_len',
  'base_model',
  'num_epochs',
  'sample_packing',
  'val_set_size',
  'datasets[0].path',
  'datasets[0].type',
  'dataset_prepared_path',
  'special_tokens.',
  'saves_per_epoch',
  'evals_per_epoch',
  'adapter',
  'load_in_8bit',
  'load_in_4bit',
  'pad_to_sequence_len',
  'train_on_inputs',
  'flash_attention',
  'model_type',
  'tokenizer_type',
  'wandb_project',
];

export const axolotl: ConfigFormat = {
  name: 'axolotl',
  title: 'axolotl configs',
  syntaxes: ['yaml', 'json'],
  recognised: 'keys such as micro_batch_size, sequence_len, base_model, datasets',
  score: (keys) => {
    const points = countMarks(keys, marks);
    return points < 2 || !(keys.has('micro_batch_size') || keys.has('sequence_len') || keys.has('base_model'))
      ? 0
      : 2 * points;
  },
  keys: {
    ...huggingFaceKeys,
    batch_size: ['micro_batch_size'],
    global_batch_size: ['batch_size'],
    seq_len: ['sequence_len'],
    num_epochs: [epochsUnlessSteps('num_epochs')],
    max_steps: [unlessEqual('max_steps', -1)],
    lr_schedule: ['lr_scheduler'],
    optimizer: ['optimizer'],
    min_lr_ratio: ['cosine_min_lr_ratio'],
    decay_ratio: ['cosine_constant_lr_ratio'],
    sample_packing: ['sample_packing'],
    precision: [
      whenTrue('bf16', 'bf16'),
      whenTrue('bfloat16', 'bf16'),
      whenTrue('fp16', 'fp16'),
      whenTrue('float16', 'fp16'),
    ],
    from_scratch: [pretrainedFrom('base_model', 'reinit_weights')],
    patience: ['early_stopping_patience'],
  },
  // Its configuration reference. Warm-up is computed from the number of steps where it is not given, the optimizer differs
  // from version to version, and packing changes whether the last batch is dropped: these stay missing.
  defaults: {
    of: 'axolotl',
    values: {
      batch_size: { value: 1, unless: ['batch_size', 'auto_find_batch_size'] },
      gradient_accumulation: { value: 1, unless: ['batch_size'] },
      seq_len: { value: 512 },
      num_epochs: epochsByDefault(1),
      lr_schedule: { value: 'cosine' },
    },
  },
};
