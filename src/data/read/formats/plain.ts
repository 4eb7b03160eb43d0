/**
 * Any config whose keys are the vocabulary's names or usual spellings of them, at the top or in a usual section.
 */
import { decimalScales } from '../number-text.ts';
import { vocabularyNames, type VocabularyName } from '../vocabulary.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { ifPositive, numberOf, type ConfigFormat, type KeyRule, type KeyTable, type Other } from './config-format.ts';
import { modelKeys } from './model-keys.ts';

const sections = [
  '',
  'training',
  'train',
  'trainer',
  'data',
  'dataset',
  'optimizer',
  'optim',
  'scheduler',
  'lr_scheduler',
  'lr_schedule',
  'model',
  'hyperparameters',
  'hparams',
  'config',
  'params',
  'args',
  'training_args',
  'model_config',
  // Lightning's command line writes the arguments of a class in this form.
  'optimizer.init_args',
  'data.init_args',
];

const spellings: Readonly<Partial<Record<VocabularyName, readonly string[]>>> = {
  num_sequences: ['num_samples', 'dataset_size', 'num_examples', 'train_num_samples'],
  num_tokens: ['total_tokens', 'dataset_tokens'],
  batch_size: [
    'micro_batch_size',
    'micro_train_batch_size',
    'batch_size_per_gpu',
    'batch_size_per_device',
    'batch_size_per_card',
    'per_device_train_batch_size',
    'per_device_batch_size',
    'train_batch_size',
    'device_batch_size',
  ],
  gradient_accumulation: [
    'gradient_accumulation_steps',
    'grad_accum',
    'grad_accum_steps',
    'accumulation_steps',
    'accumulate_grad_batches',
  ],
  num_devices: ['world_size', 'num_gpus', 'n_gpus', 'devices'],
  global_batch_size: ['total_batch_size', 'effective_batch_size'],
  seq_len: [
    'sequence_length',
    'sequence_len',
    'seq_length',
    'max_seq_len',
    'max_seq_length',
    'block_size',
    'context_length',
  ],
  num_epochs: ['epochs', 'num_train_epochs', 'max_epochs', 'max_train_epochs', 'max_train_epoch'],
  max_steps: [
    'total_steps',
    'num_steps',
    'train_steps',
    'num_train_steps',
    'max_iters',
    'train_iters',
    'num_iterations',
    'max_train_steps',
    'num_training_steps',
    'total_training_steps',
    'training_steps',
    'max_iterations',
  ],
  learning_rate: ['lr', 'peak_lr', 'max_lr'],
  min_learning_rate: ['min_lr', 'lr_min', 'eta_min', 'final_lr'],
  lr_schedule: ['lr_scheduler_type', 'lr_scheduler', 'scheduler', 'lr_decay_style', 'schedule'],
  val_set_size: ['val_split_fraction', 'val_size'],
  sample_packing: ['packing'],
  warmup_steps: ['num_warmup_steps', 'warmup_iters', 'lr_warmup_iters', 'lr_warmup_steps', 'warmup'],
  warmup_ratio: ['warmup_fraction', 'lr_warmup_fraction', 'warmup_proportion'],
  decay_steps: ['lr_decay_iters', 'lr_decay_steps'],
  optimizer: ['optim', 'optimizer_name'],
  weight_decay: ['wd'],
  beta1: ['adam_beta1', 'betas[0]'],
  beta2: ['adam_beta2', 'betas[1]'],
  epsilon: ['eps', 'adam_epsilon', 'adam_eps'],
  max_grad_norm: [
    'grad_clip',
    'clip_grad',
    'gradient_clip',
    'clip_grad_norm',
    'gradient_clip_val',
    'max_norm',
    'grad_clip_norm',
  ],
  precision: ['dtype', 'mixed_precision'],
  drop_last: ['dataloader_drop_last'],
  save_interval: ['save_steps', 'save_every', 'checkpoint_interval', 'checkpointing_steps'],
  eval_interval: ['eval_every', 'val_check_interval', 'eval_steps'],
  keep_best: ['load_best_model_at_end', 'load_best_checkpoint_at_end'],
  best_metric: ['metric_for_best_model'],
  log_interval: ['logging_steps', 'log_every', 'log_steps'],
};

const model = modelKeys('');

/** The name itself comes before its other spellings. */
function wordsFor(name: VocabularyName): readonly string[] {
  return [name, ...(spellings[name] ?? []), ...(model[name] ?? []).filter((key) => typeof key === 'string')];
}

/** MAE, Swin and DINOv2 compute the rate from one that is meant for a batch of 256 or 1024. */
const unlessScaled: NonNullable<KeyRule['read']> = (scalar, other) => {
  const section = scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1);
  const base = ['base_lr', 'blr', 'base_learning_rate']
    .map((key) => `${section}${key}`)
    .find((key) => other(key) !== null);
  return scalar.value === 0 && base !== undefined
    ? { because: `it is computed from '${base}' and the batch` }
    : (scalar.value ?? undefined);
};

/** kohya-ss/sd-scripts, train_network.py: `max_train_epochs`, also shortened on the command line, overrides `max_train_steps`. */
const unlessEpochs: NonNullable<KeyRule['read']> = (scalar, other) => {
  const section = scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1);
  const epochs = ['max_train_epochs', 'max_train_epoch'].some(
    (key) => (other(`${section}${key}`)?.value ?? null) !== null,
  );
  return epochs || (numberOf(scalar) ?? 1) <= 0 ? undefined : (scalar.value ?? undefined);
};

/** Types of batches of as many sequences as the size says; ESPnet's `numel` and `folded`, and WeNet's `dynamic`, depend on their lengths. */
const bySequences = /^(?:sent|seq|exam|sampl|static|sorted|unsorted|fixed)/i;

/** OpenNMT and JoeyNMT count tokens with `batch_type: tokens`; OpenRLHF's `train_batch_size` is that of all devices. */
const unlessTokens: NonNullable<KeyRule['read']> = (scalar, other) => {
  const section = scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1);
  const type = other(`${section}batch_type`)?.value;
  if (typeof type === 'string' && !bySequences.test(type))
    return {
      because: /^tok/i.test(type) ? `it counts tokens: ${section}batch_type` : `${section}batch_type is ${type}`,
    };
  const isWhole = scalar.key.endsWith('train_batch_size') && other(`${section}micro_train_batch_size`) !== null;
  return isWhole && !scalar.key.endsWith('micro_train_batch_size') ? undefined : (scalar.value ?? undefined);
};

/** No batch of fewer tokens needs the thought. */
const LEAST_TOKENS = 8192;

/** llm.c and its followers count the tokens of a step in `total_batch_size`, which nothing but its size shows. */
const unlessOfTokens: NonNullable<KeyRule['read']> = (scalar, other) => {
  const section = scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1);
  const first = (name: 'seq_len' | 'batch_size'): number | null =>
    wordsFor(name)
      .flatMap((word) => [...new Set([section, ''])].map((prefix) => numberOf(other(`${prefix}${word}`))))
      .find((value) => value !== null) ?? null;
  const [all, length, micro] = [numberOf(scalar), first('seq_len'), first('batch_size')];
  const mayCount =
    all !== null && length !== null && length > 1 && all >= Math.max(LEAST_TOKENS, length * (micro ?? 1));
  return mayCount && all % length === 0
    ? { because: `it may count tokens: ${all / length} sequences of ${length}` }
    : (scalar.value ?? undefined);
};

const whole: KeyRule = {
  key: 'train_batch_size',
  read: (scalar, other) => (other('micro_train_batch_size') === null ? undefined : (scalar.value ?? undefined)),
};

/** -1 epochs are no limit; SimpleTuner and others write 0 of them beside the steps that count. */
const unlessStepsCount: NonNullable<KeyRule['read']> = (scalar, other) => {
  const [epochs, section] = [numberOf(scalar), scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1)];
  const hasSteps = ['max_train_steps', 'max_steps'].some((key) => (numberOf(other(`${section}${key}`)) ?? 0) > 0);
  return epochs === -1 || (epochs === 0 && hasSteps) ? undefined : (scalar.value ?? undefined);
};

/** Hugging Face's strategy beside a number of steps: `eval_strategy: epoch`; null if the section has none. */
function strategyOf(scalar: KeyedScalar, other: Other, ...keys: readonly string[]): string | null {
  const section = scalar.key.slice(0, scalar.key.lastIndexOf('.') + 1);
  const found = keys.map((key) => other(`${section}${key}`)?.value).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}

const evaluates = ['eval_strategy', 'evaluation_strategy'];

/** Beside a strategy, `eval_steps` are those between evaluations, not the batches of one. */
const unlessStrategy: NonNullable<KeyRule['read']> = (scalar, other) =>
  strategyOf(scalar, other, ...evaluates) === null ? (scalar.value ?? undefined) : undefined;

const withStrategy: NonNullable<KeyRule['read']> = (scalar, other) =>
  strategyOf(scalar, other, ...evaluates) === 'steps' ? (scalar.value ?? undefined) : undefined;

/** `checkpointing_steps: epoch`, in the examples of accelerate. */
const unlessByEpoch: NonNullable<KeyRule['read']> = (scalar, other) =>
  scalar.value !== 'epoch' && (strategyOf(scalar, other, 'save_strategy') ?? 'steps') === 'steps'
    ? (scalar.value ?? undefined)
    : undefined;

/** For epochs, -1 means no limit (Lightning); for steps, 0 does as well (Hugging Face, unsloth). */
function ruleFor(name: VocabularyName, key: string): string | KeyRule {
  if (name === 'max_steps') return key.endsWith('max_train_steps') ? { key, read: unlessEpochs } : ifPositive(key);
  if (name === 'learning_rate') return { key, read: unlessScaled };
  if (name === 'batch_size') return { key, read: unlessTokens };
  if (name === 'save_interval' && /(?:save|checkpointing)_steps$/.test(key)) return { key, read: unlessByEpoch };
  if (name === 'eval_steps') return { key, read: unlessStrategy };
  if (name === 'eval_interval' && key.endsWith('eval_steps')) return { key, read: withStrategy };
  if (name === 'global_batch_size') return { key, read: unlessOfTokens };
  return name === 'num_epochs' ? { key, read: unlessStepsCount } : key;
}

/** The data have a separate seed. */
function sectionsOf(name: VocabularyName): readonly string[] {
  return name === 'seed' ? sections.filter((section) => !section.startsWith('data')) : sections;
}

/** The top comes before the sections. */
const plainKeys = (): KeyTable => {
  const table: KeyTable = Object.fromEntries(
    vocabularyNames.map((name) => [
      name,
      [...new Set(wordsFor(name))].flatMap((word) =>
        sectionsOf(name).map((section) => ruleFor(name, section === '' ? word : `${section}.${word}`)),
      ),
    ]),
  );
  // The steps of a schedule say where it ends, which need not be the end of the run.
  const ends = ['scheduler', 'lr_scheduler', 'lr_schedule'].map((section) => `${section}.total_steps`);
  return {
    ...table,
    decay_steps: [...(table.decay_steps ?? []), ...ends],
    global_batch_size: [...(table.global_batch_size ?? []), whole],
  };
};

/** The vocabulary's name for a usual spelling of one, such as `micro_batch_size`; null for any other word. */
export function vocabularyNameOf(word: string): VocabularyName | null {
  return vocabularyNames.find((name) => wordsFor(name).includes(word)) ?? null;
}

const words = new Set(vocabularyNames.flatMap(wordsFor));
const knownSections = new Set(sections);

/** Whether `plainKeys` has the key; without making its thousands for a file that may be of another format. */
function isKnown(key: string): boolean {
  const dot = key.lastIndexOf('.');
  return words.has(key) || (dot > 0 && knownSections.has(key.slice(0, dot)) && words.has(key.slice(dot + 1)));
}

let keys: KeyTable | null = null;

/** The fallback: it wins only if no other format recognises the file. */
export const plain: ConfigFormat = {
  name: 'plain',
  title: "any config with the vocabulary's names, or with a mapping",
  syntaxes: ['yaml', 'json', 'toml', 'python'],
  recognised:
    'at least one key that is a name of the vocabulary or a usual spelling of one, at the top or in a section such as training',
  // Ranks below every format that recognises its own files.
  score: (found) => ([...found].some(isKnown) ? 0.5 : 0),
  scales: decimalScales,
  get keys() {
    return (keys ??= plainKeys());
  },
};

/** The name that each key at the top of a plain config means. */
export const plainNames: ReadonlyMap<string, VocabularyName> = new Map(
  vocabularyNames.flatMap((name) => [name, ...(spellings[name] ?? [])].map((key) => [key, name] as const)),
);
