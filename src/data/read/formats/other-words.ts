/**
 * What trainers and launchers call the names of the vocabulary, besides the words that formats read: a key with such a word
 * says something about its name, so that the name gets no default.
 */
import type { DataScalar } from '../data-set.ts';
import type { VocabularyName } from '../vocabulary.ts';
import { plainNames } from './plain.ts';

const words: Readonly<Partial<Record<VocabularyName, string>>> = {
  num_devices:
    'gpus ngpu ngpus n_gpu gpu_count device_count n_devices ndevices gpu_ids device_ids cuda_visible_devices ' +
    'gpus_per_node num_gpus_per_node n_gpus_per_node devices_per_node nproc nproc_per_node num_processes nprocs ' +
    'ntasks ntasks_per_node num_nodes nnodes n_nodes nodes node_count num_machines dp_size dp_degree dp_world_size data_parallel ' +
    'data_parallel_size data_parallel_degree data_parallel_replicate_degree replicas num_replicas',
  gradient_accumulation:
    'update_freq num_microbatches num_micro_batches n_microbatches microbatches micro_batches ga ga_steps gas ' +
    'iter_size optimizer_update_interval',
  num_epochs:
    'epoch max_epoch n_epoch n_epochs nepoch nepochs total_epoch total_epochs train_epochs training_epochs num_passes passes number_of_epochs',
  // In another unit, so that their number cannot be used for the name.
  max_steps:
    'max_duration max_time max_tokens max_train_tokens train_tokens token_budget train_samples limit_train_batches',
  max_sequences: 'max_samples max_train_samples',
  warmup_steps: 't_warmup pct_start cycle_first_step_size',
  min_learning_rate:
    'floor_lr lr_floor learning_rate_floor floor_learning_rate end_lr lr_end end_learning_rate final_lr lr_final final_learning_rate ' +
    'minimum_lr lowest_lr',
  decay_steps: 't_max lr_decay_samples lr_decay_tokens lr_decay_epochs decay_epochs',
};

const joined = (word: string): string => word.replaceAll('_', '');

const names: ReadonlyMap<string, VocabularyName> = new Map([
  ...[...plainNames].map(([word, name]) => [joined(word), name] as const),
  ...Object.entries(words).flatMap(([name, list]) =>
    list.split(' ').map((word) => [joined(word), name as VocabularyName] as const),
  ),
]);

/** Sections in which processes and workers prepare data. */
const ofData = new Set(
  'data dataset datasets dataloader loader tokenizer tokenization preprocess preprocessing'.split(' '),
);

/** The name that the last part of a key means, written without case and separators; `section` are the words before it. */
export function nameMeant(leaf: string, section: readonly string[]): VocabularyName | null {
  const name = names.get(leaf) ?? byBeginning(leaf);
  // Elsewhere it is that of sampling.
  if (name === 'temperature' && !section.some((word) => /^(?:distill?|distillation|kd|kl|teacher)/.test(word)))
    return null;
  return name === 'num_devices' && section.some((word) => ofData.has(word)) ? null : name;
}

/** `warm_steps`, not `warm_start` or `warm_restarts`. */
const warming = /^(?:lr|n|num)?warm(?:ing)?(?:steps?|iters?|iterations?|updates?|epochs?|ratio|fraction|proportion)?$/;

function byBeginning(leaf: string): VocabularyName | null {
  if (leaf.includes('warmup') || warming.test(leaf)) return 'warmup_steps';
  return /^(?:grad(?:ient)?s?acc|accum)/.test(leaf) ? 'gradient_accumulation' : null;
}

/** Composer writes a duration with its unit: `1ep` are epochs. */
export function nameByUnit(name: VocabularyName, { value }: DataScalar): VocabularyName {
  return name === 'max_steps' && typeof value === 'string' && /^\s*\d+\s*(?:ep|epochs?)\s*$/.test(value)
    ? 'num_epochs'
    : name;
}

/** Whether a value is the implicit default: one device, one micro-batch, no limit on the epochs. */
export function saysTheDefault(name: VocabularyName, { key, value }: DataScalar): boolean {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  // A list of devices has one number per device: a second entry means several.
  if (name === 'num_devices') return key.endsWith(']') ? !key.endsWith('[1]') : number === 0 || number === 1;
  if (name === 'gradient_accumulation') return number === 0 || number === 1;
  return name === 'num_epochs' && number === 0;
}
