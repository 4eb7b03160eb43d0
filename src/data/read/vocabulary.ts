/**
 * The names that contracts over configs use, each with its meaning, kind and unit. Formats map their own keys to them
 * (`formats/`); names of log columns are in `log-names.ts`, of profile columns in `trace/trace-tables.ts`.
 */

/** `fraction` is a number from 0 to 1 that may be written as `5%`. */
export type ValueKind = 'count' | 'number' | 'fraction' | 'text' | 'boolean';

/** What a name of a config means. */
export interface VocabularyRow {
  readonly meaning: string;
  readonly kind: ValueKind;
  readonly unit: string | null;
}

const count = (meaning: string, unit: string): VocabularyRow => ({ meaning, kind: 'count', unit });
const number = (meaning: string, unit: string | null = null): VocabularyRow => ({ meaning, kind: 'number', unit });
const fraction = (meaning: string): VocabularyRow => ({ meaning, kind: 'fraction', unit: null });
const text = (meaning: string): VocabularyRow => ({ meaning, kind: 'text', unit: null });
const boolean = (meaning: string): VocabularyRow => ({ meaning, kind: 'boolean', unit: null });

/** By name: meaning, kind and unit, as `docs/data-formats.md` lists them. */
export const vocabulary = {
  // How much data there is, and how it becomes steps.
  num_sequences: count('training sequences in one epoch, with those that val_set_size holds out', 'sequences'),
  num_tokens: count('training tokens in one epoch', 'tokens'),
  batch_size: count('micro-batch of one device', 'sequences'),
  gradient_accumulation: count('micro-batches per optimizer step and device', 'micro-batches'),
  num_devices: count('devices that each see their own micro-batches (data parallel)', 'devices'),
  global_batch_size: count('sequences per optimizer step over all devices', 'sequences'),
  seq_len: count('tokens of one training sequence', 'tokens'),
  drop_last: boolean('an incomplete last batch of an epoch is dropped'),
  num_epochs: number('passes over the data; may be a fraction', 'epochs'),
  max_steps: count('optimizer steps after which training stops', 'steps'),
  max_steps_per_epoch: count('optimizer steps after which an epoch ends', 'steps'),
  max_sequences: count('sequences of the data set that are used at most', 'sequences'),
  val_set_size: number('held out of the data set for validation: a fraction below 1, or a number of sequences'),
  num_workers: count('processes that load data', 'processes'),
  sample_packing: boolean('several examples share one sequence'),

  // The learning rate over time.
  learning_rate: number('peak of the learning rate'),
  min_learning_rate: number('learning rate at the end of the decay'),
  min_lr_ratio: fraction('learning rate at the end of the decay, as a part of the peak'),
  lr_schedule: text('shape of the decay: cosine, linear, constant, …'),
  warmup_steps: count('steps in which the learning rate rises to its peak', 'steps'),
  warmup_ratio: fraction('warm-up as a part of all steps'),
  decay_steps: count('step at which the decay ends', 'steps'),
  decay_ratio: fraction('decay as a part of all steps'),

  // The optimizer.
  optimizer: text('name of the optimizer'),
  weight_decay: number('decoupled weight decay'),
  beta1: number('decay of the first moment'),
  beta2: number('decay of the second moment'),
  epsilon: number('added to the root of the second moment'),
  momentum: number('momentum of SGD'),
  max_grad_norm: number('global gradient norm above which gradients are scaled down; 0 means no clipping'),
  label_smoothing: fraction('part of the target spread over all classes'),
  precision: text('arithmetic of training: fp32, fp16, bf16, …'),
  gradient_checkpointing: boolean('activations are computed again in the backward pass'),
  seed: count('seed of the random streams', ''),

  // The model.
  vocab_size: count('rows of the embedding', 'tokens'),
  hidden_size: count('width of the residual stream', 'features'),
  num_layers: count('transformer blocks', 'blocks'),
  num_heads: count('query heads', 'heads'),
  num_kv_heads: count('key and value heads', 'heads'),
  head_dim: count('features of one head', 'features'),
  intermediate_size: count('width of the feed-forward block', 'features'),
  tie_embeddings: boolean('the output layer shares the embedding'),
  max_positions: count('longest sequence that the model knows positions for', 'tokens'),
  num_parameters: count('trainable parameters', 'parameters'),
  dropout: fraction('probability of dropping an activation'),
  rms_norm_eps: number('added to the mean square in RMSNorm'),
  rope_theta: number('base of the rotary frequencies'),
  from_scratch: boolean('the model is trained from random weights, not from those of another'),
  lora_rank: count('rank of low-rank adapters', ''),
  lora_alpha: number('scale of low-rank adapters: alpha / rank'),
  lora_dropout: fraction('probability of dropping an input of an adapter'),

  // Distillation.
  temperature: number('softening of teacher and student logits'),
  alpha: fraction('weight of the distillation loss relative to the hard loss'),

  // What is done every so many steps.
  save_interval: count('steps between checkpoints', 'steps'),
  eval_interval: count('steps between evaluations', 'steps'),
  keep_best: boolean('the checkpoint with the best evaluation is the result of the run'),
  best_metric: text('what the best evaluation is judged by: loss, accuracy, …'),
  log_interval: count('steps between lines of the log', 'steps'),
  eval_steps: count('batches of one evaluation', 'batches'),
  patience: count('evaluations without improvement before training stops', 'evaluations'),
  global_step: count('steps that were taken when the file was written', 'steps'),
} as const satisfies Record<string, VocabularyRow>;

/** A name that contracts over configs may use. */
export type VocabularyName = keyof typeof vocabulary;

/** Whether contracts over configs may use `name`. */
export function isVocabularyName(name: string): name is VocabularyName {
  return Object.hasOwn(vocabulary, name);
}

/** In the order of the table. */
export const vocabularyNames: readonly VocabularyName[] = Object.keys(vocabulary).filter(isVocabularyName);
