/** LLaMA-Factory: TrainingArguments in YAML beside the keys of its own data and model arguments. */
import { countMarks, type ConfigFormat } from './config-format.ts';
import { huggingFaceKeys, trainingArgumentsDefaults } from './hugging-face-keys.ts';

const marks = [
  'stage',
  'finetuning_type',
  'template',
  'cutoff_len',
  'dataset_dir',
  'lora_target',
  'plot_loss',
  'overwrite_cache',
  'preprocessing_num_workers',
];
const sharedMarks = ['per_device_train_batch_size', 'model_name_or_path', 'do_train', 'num_train_epochs'];

export const llamaFactory: ConfigFormat = {
  name: 'llama-factory',
  title: 'LLaMA-Factory configs',
  syntaxes: ['yaml', 'json'],
  recognised: 'keys such as stage, finetuning_type, template, cutoff_len',
  score: (keys) => {
    const own = countMarks(keys, marks);
    // Twice: where its own keys stand, TrainingArguments' stand as well.
    return own < 2 ? 0 : 10 * own + countMarks(keys, sharedMarks);
  },
  keys: { ...huggingFaceKeys, seq_len: ['cutoff_len'] },
  // Its training arguments are a subclass of theirs that changes none of these.
  defaults: trainingArgumentsDefaults,
};
