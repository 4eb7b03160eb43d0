/**
 * GPT-NeoX (EleutherAI/gpt-neox, `megatron/neox_arguments/neox_args.py` and `megatron/training.py`): DeepSpeed's batch and optimizer,
 * and the steps and the schedule of an early Megatron, in keys with `_` or, before, with `-`.
 */
import {
  isOn,
  numberOf,
  scoreOf,
  whenTrue,
  type ConfigFormat,
  type KeyRule,
  type Marks,
  type NotKnown,
  type Other,
} from './config-format.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { gptNeoxIrrelevant } from './irrelevant/gpt-neox.ts';

/** Both spellings of a key. */
const spelt = (key: string): readonly string[] => (key.includes('_') ? [key, key.replaceAll('_', '-')] : [key]);

const marks: Marks = {
  own: [
    'pipe_parallel_size',
    'model_parallel_size',
    'pos_emb',
    'no_weight_tying',
    'gpt_j_residual',
    'checkpoint_factor',
    'output_layer_parallelism',
    'scaled_upper_triang_masked_softmax_fusion',
  ].flatMap(spelt),
  shared: [
    'train_micro_batch_size_per_gpu',
    'optimizer.params.',
    'train_iters',
    'num_layers',
    'lr_decay_style',
  ].flatMap(spelt),
  least: { own: 2, all: 4 },
};

const one = (other: Other, key: string): number | null =>
  spelt(key).reduce<number | null>((found, name) => found ?? numberOf(other(name)), null);

/** How long the rate decays (`get_learning_rate_scheduler`); null if only the run says it, undefined if it is not known. */
function decayOf(other: Other): number | null | undefined {
  const steps = one(other, 'lr_decay_iters');
  if (steps !== null) return steps;
  const [part, run] = [one(other, 'lr_decay_fraction'), one(other, 'train_iters')];
  if (part === null) return null;
  return run === null ? undefined : Math.floor(part * run);
}

const decayPart = (key: string): KeyRule => ({
  key,
  read: (_, other) => decayOf(other) ?? { because: 'it is a part of the run, whose length is not known' },
});

/** A part of the decay as one of the run, which may end before or after it. */
function warmupOf(scalar: KeyedScalar, other: Other): number | NotKnown | undefined {
  const [part, decay, run] = [numberOf(scalar), decayOf(other), one(other, 'train_iters')];
  if (part === null || decay === null) return part ?? undefined;
  if (run === null) return { because: 'it is a part of the decay, not of the run' };
  return decay === undefined ? undefined : (part * decay) / run;
}

const warmup: KeyRule = {
  key: 'warmup',
  read: (scalar, other) => {
    const found = warmupOf(scalar, other);
    return typeof found === 'number' && found > 1 ? undefined : (found ?? scalar.value ?? undefined);
  },
};

/** A part of a decay that is longer than the run may be more than the run: no ratio, but a number of steps. */
const warmupBeyond: KeyRule = {
  key: 'warmup',
  read: (scalar, other) => {
    const [found, part, decay] = [warmupOf(scalar, other), numberOf(scalar), decayOf(other)];
    if (typeof found !== 'number' || found <= 1 || part === null || typeof decay !== 'number') return undefined;
    return Math.floor(Number((part * decay).toPrecision(12)));
  },
};

/** Whether the rate decays to the end of the run, so that a part of the one is that of the other. */
const decaysToTheEnd = (other: Other): boolean => {
  const decay = decayOf(other);
  return decay === null || decay === one(other, 'train_iters');
};

/** Of all processes, those that do not share a model. */
const devices = (key: string): KeyRule => ({
  key,
  read: (scalar, other) => {
    const shared = ['pipe_parallel_size', 'model_parallel_size'].reduce(
      (all, name) => all * Math.max(1, one(other, name) ?? 1),
      1,
    );
    const count = (numberOf(scalar) ?? NaN) / shared;
    return Number.isInteger(count) && count > 0 ? count : undefined;
  },
});

/** Recognised by how it names the parts of the model; its marks weigh more than DeepSpeed's, whose keys it has too. */
export const gptNeox: ConfigFormat = {
  name: 'gpt-neox',
  title: 'GPT-NeoX configs',
  syntaxes: ['yaml', 'json'],
  recognised:
    'two keys that only it has and two others, such as pipe_parallel_size, pos_emb, no_weight_tying, beside train_iters',
  score: (keys) => 4 * scoreOf(keys, marks),
  marks,
  keys: {
    batch_size: ['train_micro_batch_size_per_gpu'],
    gradient_accumulation: ['gradient_accumulation_steps'],
    num_devices: spelt('global_num_gpus').map(devices),
    global_batch_size: ['train_batch_size'],
    seq_len: spelt('seq_length'),
    max_steps: spelt('train_iters'),
    learning_rate: ['optimizer.params.lr'],
    min_learning_rate: spelt('min_lr'),
    lr_schedule: spelt('lr_decay_style'),
    warmup_steps: [warmupBeyond],
    warmup_ratio: [warmup],
    decay_steps: [...spelt('lr_decay_iters'), ...spelt('lr_decay_fraction').map(decayPart)],
    optimizer: ['optimizer.type'],
    weight_decay: spelt('weight_decay'),
    beta1: ['optimizer.params.betas[0]'],
    beta2: ['optimizer.params.betas[1]'],
    epsilon: ['optimizer.params.eps'],
    max_grad_norm: ['gradient_clipping'],
    precision: [whenTrue('bf16.enabled', 'bf16'), whenTrue('fp16.enabled', 'fp16'), 'precision'],
    gradient_checkpointing: spelt('checkpoint_activations'),
    num_workers: spelt('num_workers'),
    seed: ['seed'],
    hidden_size: spelt('hidden_size'),
    num_layers: spelt('num_layers'),
    num_heads: spelt('num_attention_heads'),
    num_kv_heads: spelt('num_kv_heads'),
    intermediate_size: spelt('intermediate_size'),
    max_positions: spelt('max_position_embeddings'),
    dropout: spelt('hidden_dropout'),
    tie_embeddings: spelt('no_weight_tying').map((key) => ({ key, read: (scalar) => !isOn(scalar) })),
    save_interval: [...spelt('checkpoint_factor'), ...spelt('save_interval')],
    eval_interval: spelt('eval_interval'),
    eval_steps: spelt('eval_iters'),
    log_interval: spelt('log_interval'),
  },
  // megatron/neox_arguments/neox_args.py: NeoXArgsTraining and NeoXArgsLRScheduler.
  defaults: {
    of: 'GPT-NeoX',
    values: {
      min_learning_rate: { value: 0 },
      lr_schedule: { value: 'linear' },
      warmup_ratio: { value: 0.01, unless: ['warmup'], when: decaysToTheEnd },
    },
  },
  irrelevant: gptNeoxIrrelevant,
};
