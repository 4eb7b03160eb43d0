/** LLaMA-Factory: TrainingArguments in YAML, plus the keys of its own data and model arguments. */
import { numberOf, scoreOf, type ConfigFormat, type KeyRule, type Marks } from './config-format.ts';
import { huggingFaceKeys, trainingArgumentsDefaults } from './hugging-face-keys.ts';
import { bestIsEvaluated, evaluationHasData } from './refusals.ts';
import { llamaFactoryIrrelevant } from './irrelevant/llama-factory.ts';

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

/** So many examples of each data set; `dataset: a,b` are two. */
const mostSequences: KeyRule = {
  key: 'max_samples',
  read: (scalar, other) => {
    const [most, sets] = [numberOf(scalar), other('dataset')?.value];
    if (most === null) return scalar.value ?? undefined;
    return typeof sets === 'string' ? most * sets.split(',').length : most;
  },
};

/** Its marks weigh ten times those of TrainingArguments, whose keys its files contain too. */
export const llamaFactory: ConfigFormat = {
  name: 'llama-factory',
  title: 'LLaMA-Factory configs',
  syntaxes: ['yaml', 'json'],
  recognised: 'two keys that only it has, such as stage, finetuning_type, template, cutoff_len',
  // Weighted, since its files also have keys of TrainingArguments.
  score: (keys) => 10 * scoreOf(keys, marks),
  marks,
  keys: {
    ...huggingFaceKeys,
    seq_len: ['cutoff_len'],
    sample_packing: ['packing'],
    max_sequences: [mostSequences],
    val_set_size: ['val_size'],
  },
  // Its training arguments are a subclass of TrainingArguments that changes none of these.
  defaults: trainingArgumentsDefaults,
  refuses: [bestIsEvaluated, evaluationHasData],
  irrelevant: llamaFactoryIrrelevant,
};
