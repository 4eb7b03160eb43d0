/**
 * nanoGPT (karpathy/nanoGPT, `config/*.py`): Python assignments.
 *
 * `gradient_accumulation_steps` counts the micro-batches of all devices (train.py divides it by the world size), so
 * the accumulation is that of one device that does all of them: `num_devices` is 1 as the file counts.
 */
import { scoreOf, type ConfigFormat, type KeyRule, type Marks } from './config-format.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import { modelKeys } from './model-keys.ts';

/** Megatron has eval_iters and lr_decay_iters too; the foreign ones are those of llama2.c, which began as a copy, and of RWKV. */
const marks: Marks = {
  own: ['init_from', 'decay_lr', 'always_save_checkpoint', 'eval_only', 'wandb_log', 'block_size', 'n_embd'],
  shared: [
    'max_iters',
    'lr_decay_iters',
    'warmup_iters',
    'eval_iters',
    'min_lr',
    'n_layer',
    'n_head',
    'grad_clip',
    'eval_interval',
    'out_dir',
    'log_interval',
    'wandb_run_name',
  ],
  foreign: [
    'dim',
    'n_layers',
    'n_heads',
    'max_seq_len',
    'vocab_source',
    'train_iters',
    'lr',
    'epochs',
    'ctx_len',
    'lr_init',
  ],
  least: { own: 1, all: 2 },
};

/** What `resume` continues with is not in the file. */
function initFrom(value: number | string | boolean | null): boolean | undefined {
  if (value === 'scratch') return true;
  return typeof value === 'string' && value.startsWith('gpt2') ? false : undefined;
}

/** With decay_lr off the rate is learning_rate from the first step to the last. */
function decays(other: (key: string) => KeyedScalar | null): boolean {
  return other('decay_lr')?.value !== false;
}

/** What train.py reads only in its schedule: without it the rate does not rise either. */
const scheduled = (key: string, without?: number): KeyRule => ({
  key,
  read: (scalar, other) => (decays(other) ? (scalar.value ?? undefined) : without),
});

/** If a model is resumed or loaded, the sizes come from the checkpoint. */
function isFromScratch(other: (key: string) => KeyedScalar | null): boolean {
  const from = other('init_from');
  return from === null || from.value === 'scratch';
}

/** Python assignments at the top level, or the same names in another syntax. */
export const nanogpt: ConfigFormat = {
  name: 'nanogpt',
  title: 'nanoGPT configs',
  syntaxes: ['python', 'json', 'yaml', 'toml'],
  recognised: 'a name that only it has, such as init_from, block_size, decay_lr, and another such as max_iters',
  score: (keys) => scoreOf(keys, marks),
  marks,
  keys: {
    ...modelKeys(''),
    batch_size: ['batch_size'],
    gradient_accumulation: ['gradient_accumulation_steps'],
    num_devices: [
      { key: 'gradient_accumulation_steps', read: ({ value }) => (typeof value === 'number' ? 1 : undefined) },
    ],
    seq_len: ['block_size'],
    num_epochs: ['num_epochs'],
    max_steps: ['max_iters'],
    learning_rate: ['learning_rate'],
    min_learning_rate: [scheduled('min_lr')],
    warmup_steps: [scheduled('warmup_iters', 0)],
    decay_steps: [scheduled('lr_decay_iters')],
    lr_schedule: [
      { key: 'decay_lr', read: ({ value }) => (value === true ? 'cosine' : value === false ? 'constant' : undefined) },
    ],
    from_scratch: [{ key: 'init_from', read: ({ value }) => initFrom(value) }],
    weight_decay: ['weight_decay'],
    beta1: ['beta1'],
    beta2: ['beta2'],
    max_grad_norm: ['grad_clip'],
    precision: ['dtype'],
    seed: ['seed'],
    eval_interval: ['eval_interval'],
    eval_steps: ['eval_iters'],
    log_interval: ['log_interval'],
  },
  // The settings at the top of train.py that no version changed; gradient_accumulation_steps was 5 before it was 40.
  defaults: {
    of: "nanoGPT's train.py",
    // A file with its names in another syntax belongs to another trainer.
    syntaxes: ['python'],
    values: {
      batch_size: { value: 12 },
      seq_len: { value: 1024 },
      max_steps: { value: 600_000 },
      learning_rate: { value: 6e-4 },
      min_learning_rate: { value: 6e-5, when: decays },
      warmup_steps: { value: 2000, when: decays },
      decay_steps: { value: 600_000, when: decays },
      lr_schedule: { value: 'cosine' },
      weight_decay: { value: 0.1 },
      beta1: { value: 0.9 },
      beta2: { value: 0.95 },
      max_grad_norm: { value: 1 },
      from_scratch: { value: true },
      num_layers: { value: 12, when: isFromScratch },
      num_heads: { value: 12, when: isFromScratch },
      hidden_size: { value: 768, when: isFromScratch },
    },
  },
};
