/**
 * Arguments of Megatron-LM (NVIDIA/Megatron-LM, `megatron/training/arguments.py`): flags in a script, or the same names in YAML
 * (`yaml-cfg`, and the `MODEL_ARGS` of its own tests).
 */
import {
  isOn,
  numberOf,
  pretrainedFrom,
  productOf,
  scoreOf,
  whenTrue,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type NotKnown,
  type Other,
  type RefusalRule,
} from './config-format.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { megatronIrrelevant } from './irrelevant/megatron.ts';
import { modelKeys } from './model-keys.ts';

/** GPT-NeoX and ms-swift took these names over: the one gives the batch and the optimizer as DeepSpeed does, the other has other defaults. */
const marks: Marks = {
  own: [
    'train_iters',
    'train_samples',
    'lr_decay_style',
    'lr_warmup_fraction',
    'lr_warmup_iters',
    'lr_warmup_samples',
    'lr_decay_samples',
    'tensor_model_parallel_size',
    'pipeline_model_parallel_size',
    'use_mcore_models',
    'use_distributed_optimizer',
    'transformer_impl',
    'make_vocab_size_divisible_by',
  ],
  shared: [
    'micro_batch_size',
    'global_batch_size',
    'seq_length',
    'num_layers',
    'hidden_size',
    'num_attention_heads',
    'max_position_embeddings',
    'lr',
    'min_lr',
    'clip_grad',
    'lr_decay_iters',
    'eval_iters',
    'save_interval',
    'eval_interval',
    'data_path',
    'split',
    'language_model.',
  ],
  foreign: [
    'train_micro_batch_size_per_gpu',
    'optimizer.params.',
    'pipe_parallel_size',
    'pipe-parallel-size',
    'load_safetensors',
    'save_safetensors',
    'dataset_num_proc',
    'split_dataset_ratio',
    'cached_dataset',
    'train_type',
    'tuner_type',
    'merge_lora',
  ],
  least: { own: 2, all: 4 },
};

/** Their product is the number of devices that share one copy of the model. */
const splits = ['tensor_model_parallel_size', 'pipeline_model_parallel_size', 'context_parallel_size'].flatMap(
  (key) => [key, `model_parallel.${key}`],
);

/** torchrun's processes, without those that share a copy of the model. */
function replicas(other: Other): number | NotKnown {
  const [processes, nodes] = [numberOf(other('nproc_per_node')), other('nnodes')];
  const count = nodes === null ? 1 : numberOf(nodes);
  if (processes === null || count === null || nodes?.unread !== undefined)
    return { because: 'the number of nodes is not known' };
  const shared = productOf(other, splits);
  if (shared === null) return { because: 'how the model is split is not known' };
  const found = (processes * count) / shared;
  return Number.isInteger(found) && found > 0
    ? found
    : { because: `${processes * count} devices cannot hold a model that is split over ${shared}` };
}

/** `global / (micro · replicas)`: what is left is accumulated. */
const accumulation: KeyRule = {
  key: 'global_batch_size',
  read: (scalar, other) => {
    const [all, micro, devices] = [numberOf(scalar), numberOf(other('micro_batch_size')), replicas(other)];
    if (all === null || micro === null || typeof devices !== 'number') return undefined;
    const count = all / (micro * devices);
    return Number.isInteger(count) ? count : undefined;
  },
};

/** The setting by which the batch grows during the run; null if it has one size. */
const growth = (other: Other): string | null =>
  ['rampup_batch_size', 'step_batch_size_schedule'].find(
    (key) => ((other(key) ?? other(`${key}[0]`))?.value ?? null) !== null,
  ) ?? null;

/** megatron/core/num_microbatches_calculator.py, unless the batch may be decreased or grows. */
const batchIsWhole: RefusalRule = (other) => {
  const [all, micro, devices] = [
    numberOf(other('global_batch_size')),
    numberOf(other('micro_batch_size')),
    replicas(other),
  ];
  if (all === null || micro === null || typeof devices !== 'number') return null;
  if (growth(other) !== null || other('decrease_batch_size_if_needed') !== null) return null;
  const part = micro * devices;
  if (!(part > 0) || all % part === 0) return null;
  const [less, more] = [Math.floor(all / part) * part, Math.ceil(all / part) * part];
  return {
    key: 'global_batch_size',
    because: `${all} is not a multiple of ${part}, the micro-batch of ${micro} on ${devices} replicas`,
    hint: less > 0 ? `Use ${less} or ${more}.` : `Use ${more}.`,
  };
};

/** A batch that grows has no one size. */
const globalBatch: KeyRule = {
  key: 'global_batch_size',
  read: (scalar, other) => {
    const grows = growth(other);
    return grows === null ? (scalar.value ?? undefined) : { because: `it grows during the run, as ${grows} says` };
  },
};

/** Samples are steps of the global batch; `train_iters = train_samples // global_batch_size`. */
const fromSamples = (key: string): KeyRule => ({
  key,
  read: (scalar, other) => {
    const [samples, batch] = [numberOf(scalar), numberOf(other('global_batch_size'))];
    if (samples === null || samples === 0) return undefined;
    if (batch === null || growth(other) !== null)
      return { because: 'it counts samples, and the batch is not one known number' };
    return Math.floor(samples / batch);
  },
});

/** Of Megatron-DeepSpeed; what a step holds may grow with the length of the sequences. */
const fromTokens = (key: string): KeyRule => ({
  key,
  read: (scalar) => ((numberOf(scalar) ?? 0) > 0 ? { because: 'it counts tokens, not steps' } : undefined),
});

/** Megatron-DeepSpeed ends at its tokens, and gives more samples than they need. */
const trainSamples: KeyRule = {
  key: 'train_samples',
  read: (scalar, other) =>
    (other('train_tokens')?.value ?? null) === null
      ? fromSamples('train_samples').read?.(scalar, other)
      : { because: 'train_tokens ends the run' },
};

const warmups = ['lr_warmup_fraction', 'lr_warmup_samples', 'lr_warmup_tokens', 'warmup'];

/** 0 unless it is given, so that a fraction or samples count beside it. */
const warmupSteps: KeyRule = {
  key: 'lr_warmup_iters',
  read: (scalar, other) =>
    numberOf(scalar) === 0 && warmups.some((key) => (numberOf(other(key)) ?? 0) > 0)
      ? undefined
      : (scalar.value ?? undefined),
};

/** The fraction is one of the decay, which may end before the run, or long after it. */
const ofDecay = (scalar: KeyedScalar, other: Other): number | NotKnown | undefined => {
  const fraction = numberOf(scalar);
  const decays = ['lr_decay_iters', 'lr_decay_samples'].map((key) => numberOf(other(key)));
  const runs = ['train_iters', 'train_samples'].map((key) => numberOf(other(key)));
  const at = decays.findIndex((decay) => decay !== null);
  const [decay, run] = [decays[at] ?? null, runs[at] ?? null];
  if (fraction !== null && ['lr_decay_iters', 'lr_decay_samples'].some((key) => other(key)?.unread !== undefined))
    return { because: 'it is a fraction of the decay, whose length is not known' };
  if (fraction === null || decay === null) return undefined;
  return run === null ? { because: 'it is a fraction of the decay, not of the run' } : (fraction * decay) / run;
};

const warmupRatio: KeyRule = {
  key: 'lr_warmup_fraction',
  read: (scalar, other) => {
    const found = ofDecay(scalar, other);
    if (typeof found === 'number' && found > 1) return undefined;
    return found ?? scalar.value ?? undefined;
  },
};

/** A fraction of a decay that is longer than the run may be more than the run: no ratio, but a number of steps. */
const warmupBeyond: KeyRule = {
  key: 'lr_warmup_fraction',
  read: (scalar, other) => {
    const found = ofDecay(scalar, other);
    const [fraction, decay] = [numberOf(scalar), numberOf(other('lr_decay_iters'))];
    if (typeof found !== 'number' || found <= 1 || fraction === null) return undefined;
    return decay === null
      ? { because: 'it is a fraction of the decay, which is longer than the run' }
      : Math.floor(Number((fraction * decay).toPrecision(12)));
  },
};

const schedule: KeyRule = {
  key: 'lr_decay_style',
  read: ({ value }) =>
    value === 'inverse-square-root' ? 'inverse_sqrt' : (value?.toString().toLowerCase() ?? undefined),
};

const untied: KeyRule = {
  key: 'untie_embeddings_and_output_weights',
  read: (scalar) => !isOn(scalar),
};

const sections = ['', 'language_model'];
const spelt = (key: string): readonly string[] =>
  sections.map((section) => (section === '' ? key : `${section}.${key}`));

/** Other optimizers have decays of their own (lion_beta1, muon_momentum). */
const isAdam = (other: Other): boolean => (other('optimizer')?.value ?? 'adam') === 'adam';

/** Recognised by its flags. */
export const megatron: ConfigFormat = {
  name: 'megatron',
  title: 'Megatron-LM arguments',
  syntaxes: ['arguments', 'yaml', 'json'],
  recognised:
    'two arguments that only it has and two others, such as train-iters, lr-decay-style, tensor-model-parallel-size, beside micro-batch-size',
  score: (keys) => 2 * scoreOf(keys, marks),
  marks,
  refuses: [batchIsWhole],
  keys: {
    ...modelKeys(...sections),
    batch_size: ['micro_batch_size'],
    global_batch_size: [globalBatch],
    gradient_accumulation: [accumulation],
    num_devices: [{ key: 'nproc_per_node', read: (_, other) => replicas(other) }],
    seq_len: ['seq_length', 'encoder_seq_length'],
    max_steps: ['train_iters', trainSamples],
    learning_rate: ['lr'],
    min_learning_rate: ['min_lr'],
    lr_schedule: [schedule],
    warmup_steps: [warmupSteps, fromSamples('lr_warmup_samples'), fromTokens('lr_warmup_tokens'), warmupBeyond],
    warmup_ratio: [warmupRatio],
    decay_steps: ['lr_decay_iters', fromSamples('lr_decay_samples'), fromTokens('lr_decay_tokens')],
    optimizer: ['optimizer'],
    weight_decay: ['weight_decay'],
    beta1: ['adam_beta1'],
    beta2: ['adam_beta2'],
    epsilon: ['adam_eps'],
    momentum: ['sgd_momentum'],
    max_grad_norm: ['clip_grad'],
    precision: [
      whenTrue('bf16', 'bf16'),
      whenTrue('fp16', 'fp16'),
      whenTrue('model_parallel.bf16', 'bf16'),
      whenTrue('model_parallel.fp16', 'fp16'),
    ],
    gradient_checkpointing: [
      'recompute_activations',
      'checkpoint_activations',
      { key: 'recompute_granularity', read: ({ value }) => (value === null ? undefined : true) },
    ],
    num_workers: ['num_workers'],
    seed: ['seed'],
    num_kv_heads: spelt('num_query_groups'),
    head_dim: spelt('kv_channels'),
    rms_norm_eps: spelt('norm_epsilon'),
    rope_theta: spelt('rotary_base'),
    tie_embeddings: [untied],
    from_scratch: [pretrainedFrom('pretrained_checkpoint')],
    save_interval: ['save_interval'],
    eval_interval: ['eval_interval'],
    eval_steps: ['eval_iters'],
    log_interval: ['log_interval'],
  },
  irrelevant: megatronIrrelevant,
  // megatron/training/arguments.py: validate_args for the batch and the warm-up, the _add_*_args functions for the rest. Present
  // versions have the latter in megatron/training/config/training_config.py (lr_decay_style, lr_warmup_iters, log_interval, eval_iters)
  // and megatron/core/optimizer/optimizer_config.py (weight_decay, adam_*, sgd_momentum, clip_grad). eval_interval was 1000 before.
  defaults: {
    of: 'Megatron-LM',
    values: {
      gradient_accumulation: {
        value: 1,
        unless: ['global_batch_size', 'rampup_batch_size', 'step_batch_size_schedule'],
      },
      min_learning_rate: { value: 0 },
      lr_schedule: { value: 'linear' },
      warmup_steps: { value: 0, unless: warmups },
      optimizer: { value: 'adam' },
      weight_decay: { value: 0.01 },
      beta1: { value: 0.9, when: isAdam },
      beta2: { value: 0.999, when: isAdam },
      epsilon: { value: 1e-8, when: isAdam },
      momentum: { value: 0.9, when: (other) => other('optimizer')?.value === 'sgd' },
      max_grad_norm: { value: 1 },
      num_workers: { value: 2 },
      seed: { value: 1234 },
      log_interval: { value: 100 },
    },
  },
};
