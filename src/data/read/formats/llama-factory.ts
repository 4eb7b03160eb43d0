/** LLaMA-Factory: TrainingArguments in YAML, plus the keys of its own data and model arguments. */
import { scoreOf, type ConfigFormat, type Marks } from './config-format.ts';
import { huggingFaceKeys, trainingArgumentsDefaults } from './hugging-face-keys.ts';

/** overwrite_cache and preprocessing_num_workers occur in the example scripts of transformers as well. */
const marks: Marks = {
  own: ['stage', 'finetuning_type', 'template', 'cutoff_len', 'dataset_dir', 'lora_target', 'plot_loss'],
  shared: [
    'overwrite_cache',
    'preprocessing_num_workers',
    'per_device_train_batch_size',
    'model_name_or_path',
    'do_train',
    'num_train_epochs',
  ],
  least: { own: 2, all: 2 },
};

/** Its marks weigh ten times those of TrainingArguments, whose keys its files contain too. */
export const llamaFactory: ConfigFormat = {
  name: 'llama-factory',
  title: 'LLaMA-Factory configs',
  syntaxes: ['yaml', 'json'],
  recognised: 'two keys that only it has, such as stage, finetuning_type, template, cutoff_len',
  // Weighted, since its files also have keys of TrainingArguments.
  score: (keys) => 10 * scoreOf(keys, marks),
  keys: { ...huggingFaceKeys, seq_len: ['cutoff_len'] },
  // Its training arguments are a subclass of TrainingArguments that changes none of these.
  defaults: trainingArgumentsDefaults,
};
